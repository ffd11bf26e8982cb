"""Records: replayed, ended, counted."""

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.record import (
    Line,
    Ply,
    count_remarks,
    first_side,
    last_position,
    record_of,
    replay,
    result_of,
)


def test_a_game_is_replayed_position_by_position():
    record = record_of("checkers", ["11-15", "22-18", "15x22"])
    assert [move.text for move in replay(record)] == ["11-15", "22-18", "15x22"]
    assert game("checkers").format_fen(last_position(record)).startswith("W:W21,23,24,25,26")


def test_a_game_may_begin_elsewhere():
    record = record_of("checkers", ["11x18"], fen="B:W15:B11")
    assert game("checkers").format_fen(last_position(record)) == "W:W:B18"


def test_a_move_that_is_not_legal_is_named_with_its_ply():
    with pytest.raises(InputError, match=r"ply 2: 15-18 is not a legal move in W:W21,"):
        list(replay(record_of("checkers", ["11-15", "15-18"])))


@pytest.mark.parametrize(
    ("name", "fen", "result"),
    [
        ("checkers", "W:W:B18", "1-0"),
        ("checkers", "B:W18:B", "0-1"),
        ("international", "W:W:B18", "0-1"),
        ("international", "B:W18:B", "1-0"),
        ("checkers", "W:W32:B1", "*"),
        ("othello", "X" * 64 + " O", "1-0"),
        ("othello", "X" * 32 + "O" * 32 + " X", "1/2-1/2"),
    ],
)
def test_a_result_is_written_for_the_side_that_begins(name, fen, result):
    rules = game(name)
    assert result_of(rules, rules.parse_fen(fen)) == result


def test_the_side_that_begins():
    names = ("checkers", "brazilian", "international", "othello")
    assert [first_side(game(name)) for name in names] == ["Black", "White", "White", "Black"]


def test_a_result_or_game_that_is_none_is_refused():
    with pytest.raises(InputError, match="'2-0' is no result"):
        record_of("checkers", [], result="2-0")
    with pytest.raises(InputError, match="unknown game"):
        record_of("chess", [])


def test_remarks_are_counted_at_every_depth():
    inner = Line((Ply("22-18", "!", remarks=("deep", 1)),), ("first",))
    line = Line((Ply("11-15", "?", "0.5", "1.2", ("one", inner)),), ("before",))
    assert count_remarks(line) == {"comments": 4, "glyphs": 1, "marks": 2, "values": 1, "variations": 1}


def test_the_first_tag_of_a_name_is_found():
    record = record_of("checkers", [], tags=[("White", "a"), ("White", "b"), ("Event", "e")])
    assert (record.tag("White"), record.tag("Site")) == ("a", "")
