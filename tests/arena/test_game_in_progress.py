from dataclasses import replace

import pytest

from neche.arena.game_in_progress import begin
from neche.games.catalogue import game
from neche.games.draws import LAB_DRAWS, DrawRule
from tests.games.toys.loading import STONES, TICTACTOE, load

CHECKERS = game("checkers")


def played(fen, *texts):
    in_progress = begin(CHECKERS, CHECKERS.parse_fen(fen) if fen else CHECKERS.start())
    for text in texts:
        move = next(move for move in CHECKERS.legal_moves(in_progress.position) if move.text == text)
        in_progress = in_progress.after(move)
    return in_progress


def test_a_game_goes_on_until_something_ends_it():
    assert played("", "11-15", "22-18").verdict() is None


def test_a_side_without_a_move_loses():
    assert played("B:W18:B14", "14x23").verdict() == "Black wins: White has no move."
    assert played("W:W18:B14", "18x9").verdict() == "White wins: Black has no move."
    assert played("W:W12:B8,3").verdict() == "Black wins: White has no move."


@pytest.mark.parametrize("turn", ["X", "O"])
@pytest.mark.parametrize(
    ("squares", "words"),
    [
        ("X" * 40 + "O" * 24, "Black wins by 16 discs."),
        ("O" * 33 + "X" * 31, "White wins by 2 discs."),
        ("X" * 32 + "O" * 32, "Draw."),
        # World Othello Federation: empty squares count for the winner
        ("O" + "-" * 63, "White wins by 64 discs."),
    ],
)
def test_in_othello_a_game_is_over_when_neither_side_has_a_move(turn, squares, words):
    othello = game("othello")
    ended = begin(othello, othello.parse_fen(f"{squares} {turn}"))
    assert ended.game.legal_moves(ended.position) == []
    assert ended.verdict() == words


def test_a_game_that_ends_by_a_rule_of_its_own_is_not_said_to_end_for_want_of_moves():
    rules = replace(load(TICTACTOE), geometry=CHECKERS.geometry)
    # X has the row at the bottom, and most of the board is empty
    ended = begin(rules, rules.parse_fen("24,7,1"))
    assert ended.verdict() == "X wins."
    stones = load(STONES)
    ended = begin(stones, stones.parse_fen("0,1"))
    assert ended.verdict() == "First wins: Second has no move."


def test_the_third_occurrence_of_a_position_is_a_draw():
    circle = ("1-5", "32-28", "5-1", "28-32")
    twice = played("W:WK1:BK32", *circle)
    assert twice.verdict() is None
    thrice = played("W:WK1:BK32", *circle, *circle)
    assert thrice.verdict() == "Draw: the same position for the third time."
    assert thrice.verdict(DrawRule(80, True, 4)) is None


def test_forty_moves_of_each_side_without_capture_or_man_move_are_a_draw():
    rule = DrawRule(80, True, 0)
    circle = ("1-5", "32-28", "5-1", "28-32")
    assert played("W:WK1:BK32", *circle * 20).verdict(rule) == (
        "Draw: 40 moves of each side without capture or move of a man."
    )
    assert played("W:WK1:BK32", *circle * 19, *circle[:3]).verdict(rule) is None


@pytest.mark.parametrize(
    ("fen", "moves", "quiet"),
    [
        ("W:WK1:BK32", ("1-5", "32-28"), 2),
        ("W:WK1,30:BK32", ("1-5", "32-28", "30-26"), 0),
        ("W:WK1,30:BK32", ("1-5", "32-28", "30-26", "28-24"), 1),
        ("W:W6:BK32", ("6-1", "32-28"), 1),
    ],
)
def test_quiet_plies_count_from_the_last_capture_or_man_move(fen, moves, quiet):
    in_progress = played(fen, *moves)
    assert (in_progress.verdict(DrawRule(1, True, 0)) is None) == (quiet == 0)
    if quiet:
        assert in_progress.verdict(DrawRule(quiet, True, 0)).startswith("Draw: ")
        assert in_progress.verdict(DrawRule(quiet + 1, True, 0)) is None


def test_a_game_of_the_most_plies_is_a_draw():
    assert played("", "11-15").verdict(DrawRule(0, False, 0, max_plies=2)) is None
    drawn = played("", "11-15", "22-18").verdict(DrawRule(0, False, 0, max_plies=2))
    assert drawn == "Draw: the game has lasted 2 plies."


def test_a_game_is_judged_by_its_own_rule_unless_another_is_given():
    brazilian = game("brazilian")
    in_progress = begin(brazilian, brazilian.parse_fen("W:WK1:BK3"))
    for text in ("1-5", "3-12", "5-1", "12-3", "1-6", "3-8", "6-13", "8-3", "13-9", "3-8"):
        assert in_progress.verdict() is None
        moves = {move.text: move for move in brazilian.legal_moves(in_progress.position)}
        in_progress = in_progress.after(moves[text])
        assert in_progress.verdict(LAB_DRAWS) is None
    assert in_progress.verdict() == "Draw: too many moves in an ending of few pieces."


def test_taking_a_move_back_restores_the_game():
    in_progress = played("", "11-15", "22-18")
    assert in_progress.before().before() == played("")
    assert in_progress.before().moves == ("11-15",)
