import pytest

from neche.arena.playing import DrawRule
from neche.arena.sitting import begin
from neche.games.catalogue import game

CHECKERS = game("checkers")


def played(fen, *texts):
    sitting = begin(CHECKERS, CHECKERS.parse_fen(fen) if fen else CHECKERS.start())
    for text in texts:
        move = next(move for move in CHECKERS.legal_moves(sitting.position) if move.text == text)
        sitting = sitting.after(CHECKERS, move)
    return sitting


def test_a_game_goes_on_until_something_ends_it():
    assert played("", "11-15", "22-18").verdict(CHECKERS) is None


def test_a_side_without_a_move_loses():
    assert played("B:W18:B14", "14x23").verdict(CHECKERS) == "Black wins: White has no move."
    assert played("W:W18:B14", "18x9").verdict(CHECKERS) == "White wins: Black has no move."
    assert played("W:W12:B8,3").verdict(CHECKERS) == "Black wins: White has no move."


def test_the_third_occurrence_of_a_position_is_a_draw():
    circle = ("1-5", "32-28", "5-1", "28-32")
    twice = played("W:WK1:BK32", *circle)
    assert twice.verdict(CHECKERS) is None
    thrice = played("W:WK1:BK32", *circle, *circle)
    assert thrice.verdict(CHECKERS) == "Draw: the same position for the third time."
    assert thrice.verdict(CHECKERS, DrawRule(80, True, 4)) is None


def test_forty_moves_of_each_side_without_capture_or_man_move_are_a_draw():
    rule = DrawRule(80, True, 0)
    circle = ("1-5", "32-28", "5-1", "28-32")
    assert played("W:WK1:BK32", *circle * 20).verdict(CHECKERS, rule) == (
        "Draw: 40 moves of each side without capture or move of a man."
    )
    assert played("W:WK1:BK32", *circle * 19, *circle[:3]).verdict(CHECKERS, rule) is None


@pytest.mark.parametrize(
    ("fen", "moves", "quiet"),
    [
        ("W:WK1:BK32", ("1-5", "32-28"), 2),
        ("W:WK1,30:BK32", ("1-5", "32-28", "30-26"), 0),
        ("W:WK1,30:BK32", ("1-5", "32-28", "30-26", "28-24"), 1),
        ("W:WK1:B6,K32", ("1x10",), 0),
        ("W:W6:BK32", ("6-1", "32-28"), 1),
        ("", (), 0),
    ],
)
def test_quiet_plies_count_from_the_last_capture_or_man_move(fen, moves, quiet):
    assert played(fen, *moves).quiet_plies() == quiet


def test_a_move_taken_back_leaves_no_trace():
    sitting = played("", "11-15", "22-18")
    assert sitting.before().before() == played("")
    assert sitting.before().moves == ("11-15",)
