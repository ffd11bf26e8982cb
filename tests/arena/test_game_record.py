"""Games in progress are written as records, and read from records to be continued."""

import pytest

from neche.arena.game_in_progress import begin, game_record, resumed_game
from neche.games.catalogue import game

PLAYERS = {"White": "human", "Black": "random"}


def in_progress(rules, *texts, fen=""):
    """Play moves from a position."""
    played = begin(rules, rules.parse_fen(fen) if fen else rules.start())
    for text in texts:
        move = next(move for move in rules.legal_moves(played.position) if move.text == text)
        played = played.after(move)
    return played


@pytest.mark.parametrize(
    ("ending", "result"),
    [
        ("White wins: Black has no move.", "0-1"),
        ("Black wins: White has no move.", "1-0"),
        ("White resigns.", "1-0"),
        ("Black resigns.", "0-1"),
        ("Draw: the same position for the third time.", "1/2-1/2"),
        ("The game was left unfinished.", "*"),
    ],
)
def test_the_result_is_written_for_the_side_that_begins(ending, result):
    rules = game("checkers")
    record = game_record(in_progress(rules, "11-15", "22-18"), ending, PLAYERS, people=("White",))
    assert record.result == result
    assert record.moves == ("11-15", "22-18")
    assert record.tags == (
        ("White", "human"),
        ("Black", "random"),
        ("WhiteType", "human"),
        ("BlackType", "program"),
    )


def test_the_result_of_a_record_follows_from_the_verdict_of_its_game():
    rules = game("checkers")
    ended = in_progress(rules, "11x18", fen="B:W15:B11")
    record = game_record(ended, ended.verdict() or "", PLAYERS)
    assert (record.result, record.fen) == ("1-0", "B:W15:B11")


def test_a_game_in_progress_is_restored_from_its_record():
    rules = game("checkers")
    played = in_progress(rules, "11-15", "22-18", "15x22")
    assert resumed_game(game_record(played, "", PLAYERS)) == played


def test_where_white_begins_white_is_first():
    rules = game("international")
    record = game_record(in_progress(rules, "32-28"), "Black resigns.", PLAYERS)
    assert record.result == "1-0"
