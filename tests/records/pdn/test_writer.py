"""PDN that strict readers accept."""

import re

import pytest
from hypothesis import given

from neche.errors import InputError
from neche.records.pdn.writer import write_pdn
from neche.records.record import GameRecord, Line, Ply, record_of
from tests.records.reading import games_of
from tests.records.strategies import records

DRAUGHTS = ("checkers", "brazilian", "international")
MOVES = ["11-15", "23-19", "8-11", "22-17", "9-13", "17-14", "10x17", "21x14", "6-10", "19-16", "11x20"]

# W. Wesselink, PDN 3.0, writing grammar: header, then moves, glyphs, comments and variations, then "*".
_SPACE = r"(?:\s+|%[^\n]*\n)"
_TAG = r'\[[A-Z][a-zA-Z0-9_]* "(?:[^"\\]|\\["\\])*"\]\n'
_SQUARE = "(?:[1-9][0-9]?|[a-h][1-8])"
_MOVE = rf"(?:[0-9]+\.(?:\.\.)? )?{_SQUARE}(?:-{_SQUARE}|(?:x{_SQUARE})+)[!?]*"
_WORD = re.compile(rf"{_MOVE}|\{{[^}}]*\}}|\$[0-9]+|[()]|\*|{_SPACE}")
_SEVEN = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


def assert_strict(text):
    """Hold one game to the writing grammar and the export format."""
    header = re.match(f"(?:{_TAG})+\n", text)
    assert header
    assert re.findall(r"^\[(\w+)", header[0], re.MULTILINE)[:8] == [*_SEVEN, "GameType"]
    body = text[header.end() :]
    assert body.endswith("\n*\n\n") or body == "*\n\n"
    at, depth = 0, 0
    while at < len(body):
        word = _WORD.match(body, at)
        assert word, body[at : at + 40]
        depth += (word[0] == "(") - (word[0] == ")")
        at = word.end()
    assert depth == 0
    assert max(len(line) for line in body.splitlines() if not line.startswith("%")) < 80


def tags_of(record):
    """Return the tags as a file says them: an empty one of the seven is unknown, white space is single."""
    said = [(name, " ".join(value.split())) for name, value in record.tags]
    return {(name, value) for name, value in said if value not in ("", "?", "????.??.??")}


@given(records(DRAUGHTS))
def test_what_is_written_is_strict_and_read_back_alike(record):
    text = write_pdn(record)
    assert_strict(text)
    (read,) = games_of(text)
    assert read.game == record.game
    assert read.line == record.line
    assert read.fen == record.fen
    assert read.result == record.result
    assert tags_of(read) == tags_of(record)
    assert write_pdn(read) == text


def test_the_text_of_a_game():
    record = record_of("checkers", MOVES[:4], tags=[("Black", 'a "b" \\'), ("PlyCount", "4")], result="1-0")
    assert write_pdn(record) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "a \\"b\\" \\\\"]\n'
        '[Result "1-0"]\n[GameType "21,B,8,8,N1,0"]\n[PlyCount "4"]\n\n1. 11-15 23-19 2. 8-11 22-17\n*\n\n'
    )


@pytest.mark.parametrize(
    ("name", "move", "results", "written"),
    [
        ("checkers", "11-15", ("1-0", "1/2-1/2", "0-1", "0-0", "*"), "11-15"),
        ("brazilian", "21-17", ("1-0", "1/2-1/2", "0-1", "0-0", "*"), "a3-b4"),
        ("international", "32-28", ("2-0", "1-1", "0-2", "0-0", "*"), "32-28"),
    ],
)
def test_results_and_squares_are_those_of_the_game_type(name, move, results, written):
    for result, shown in zip(("1-0", "1/2-1/2", "0-1", "0-0", "*"), results, strict=True):
        text = write_pdn(record_of(name, [move], result=result))
        assert f'[Result "{shown}"]' in text
        assert f"\n1. {written}\n*" in text


def test_a_game_in_which_the_other_side_begins_is_numbered_so():
    text = write_pdn(record_of("checkers", ["22-18", "11-15"], fen="W:W22:B11"))
    assert "1... 22-18 2. 11-15" in text
    assert '[FEN "W:W22:B11"]' in text
    assert '[FEN "W:Wa3:Bb8"]' in write_pdn(record_of("brazilian", [], fen="W:W21:B1"))


def test_a_variation_is_numbered_from_the_move_it_replaces():
    variation = Line((Ply("24-20"), Ply("8-11")))
    line = Line((Ply("11-15"), Ply("23-19", remarks=(variation, 1, "so")), Ply("8-11")))
    text = write_pdn(GameRecord("checkers", line))
    assert "1. 11-15 23-19 (1... 24-20 2. 8-11) $1 {so} 2. 8-11\n*" in text


@pytest.mark.parametrize("move", ["11-33", "0-4", "011-15", "11-15x22", "11 - 15", "a3b4", "", "1-5-9", "d3"])
def test_a_text_that_is_no_move_is_refused(move):
    with pytest.raises(InputError, match=r"no move of draughts|not on the board"):
        write_pdn(record_of("checkers", [move]))


def test_a_mark_that_is_none_is_refused():
    with pytest.raises(InputError, match="'\\+' is no mark"):
        write_pdn(GameRecord("checkers", Line((Ply("11-15", mark="+"),))))


def test_a_game_that_pdn_does_not_know_is_refused():
    with pytest.raises(InputError, match="draughts only, not for othello"):
        write_pdn(record_of("othello", ["d3"]))


def test_a_result_of_another_format_is_written_as_it_was_read():
    text = '[ResultFormat "Plus draw"]\n[Result "1+ - 1-"]\n[GameType "20"]\n1. 32-28 *'
    written = write_pdn(games_of(text)[0])
    assert '[Result "1+ - 1-"]' in written
    assert "ResultAsWritten" not in written
    assert games_of(written)[0].tag("ResultAsWritten") == "1+ - 1-"
