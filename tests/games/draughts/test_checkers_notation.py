"""FEN, texts of moves and diagrams of checkers; impossible positions are refused with their fault."""

import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.catalogue import game
from tests.oracles import checkers_twin as twin
from tests.oracles.english import POSITIONS, ids

CHECKERS = game("checkers")


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_fen_survives_reading_and_writing(entry):
    position = CHECKERS.parse_fen(entry["fen"])
    assert twin.parse(CHECKERS.format_fen(position)) == twin.parse(entry["fen"])


@given(st.integers(0, 2**32))
def test_fen_of_any_position_survives_reading_and_writing(seed):
    fen = twin.fen(twin.random_position(seed))
    assert twin.fen(twin.parse(CHECKERS.format_fen(CHECKERS.parse_fen(fen)))) == fen


def test_the_start_position_is_written_as_the_tables_write_it():
    assert twin.parse(CHECKERS.format_fen(CHECKERS.start())) == twin.parse(twin.START)
    assert CHECKERS.side_to_move(CHECKERS.start()) == "Black"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("B:W21-32:B1-12", twin.START),
        ("B:B1-12:W21-32", twin.START),
        ("B:W21-32:B1-12.", twin.START),
        (" b : w21-32 : b1-12 ", twin.START),
        ("W:WK9:B", "W:WK9:B"),
        ("W:W30,K2:BK31,7", "W:W30,K2:B7,K31"),
        # as in PDN of Brazilian draughts, and with the fields that lidraughts appends
        ("W:We3,Kg7:BKH8,b6", "W:W23,K8:B9,K4"),
        ("B:W21-32:B1-12:H0:F1:+0+0", twin.START),
    ],
)
def test_fen_is_read_in_every_spelling_of_the_standard(text, same):
    assert twin.parse(CHECKERS.format_fen(CHECKERS.parse_fen(text))) == twin.parse(same)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected SIDE:W"),
        ("B", "expected SIDE:W"),
        ("X:W21:B1", "with SIDE W or B"),
        ("W:W21", "expected SIDE:W"),
        ("W:W21:B1:B2", "expected SIDE:W"),
        ("W:W21:W22", "found 'W22'"),
        ("W:W21:X1", "found 'X1'"),
        ("W:W21:B33", "square 33 is not on the board"),
        ("W:W0:B1", "square 0 is not on the board"),
        ("W:W21,K21:B1", "square 21 is named twice"),
        ("W:W21:B1,21", "square 21 is named twice"),
        ("W:W21-24:BK23", "square 23 is named twice"),
        ("W:W21,:B1", "'' is no square"),
        ("W:W21:B,1", "'' is no square"),
        ("W:W21:B1,,2", "'' is no square"),
        ("W:W21:B,", "'' is no square"),
        ("W:W21:B1x", "'1x' is no square"),
        ("W:W2 1:B5", "'2 1' is no square"),
        ("W:W-3:B1", "'-3' is no square"),
        ("W:WQ21:B1", "'Q21' is no square"),
        ("W:Wa2:B1", "'a2' is no square"),
        ("W:Wa1:Ba1", "is named twice"),
        ("W:W21:B1:H0x", "expected SIDE:W"),
        ("W:W²1:B1", "'²1' is no square"),
        ("W:W32-21:B1", "'32-21' runs backwards"),
        # it is unclear whether the squares in between hold kings
        ("W:W22-K24:B1", "'22-K24' is no square"),
        ("W:W16-32:B1-4", "White has 17 pieces"),
        ("W:W21-32:B1-12,K13", "Black has 13 pieces"),
        ("W:W3:B12", "a white man on 3"),
        ("W:W21:B30", "a black man on 30"),
    ],
)
def test_an_impossible_position_is_refused_and_its_fault_named(text, fault):
    with pytest.raises(InputError) as refusal:
        CHECKERS.parse_fen(text)
    message = str(refusal.value)
    assert fault in message.removeprefix(f"FEN '{text}'")
    assert "\n" not in message


def test_a_refused_position_is_quoted_in_one_line():
    with pytest.raises(InputError) as refusal:
        CHECKERS.parse_fen("W:W21\n:\x1b[2J")
    assert str(refusal.value).startswith(r"FEN 'W:W21 :\x1b[2J': ")


@given(st.text(alphabet="WBKwbk:,-. 0123456789x\n²", max_size=40))
def test_any_text_is_read_or_refused_and_never_breaks_the_reader(text):
    try:
        position = CHECKERS.parse_fen(text)
    except InputError:
        pass
    else:
        assert CHECKERS.parse_fen(CHECKERS.format_fen(position)) == position


def test_moves_are_written_from_and_to_with_a_cross_for_captures():
    texts = [move.text for move in CHECKERS.legal_moves(CHECKERS.start())]
    assert sorted(texts) == ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]
    (capture,) = CHECKERS.legal_moves(CHECKERS.parse_fen("B:W18:B14"))
    assert capture.text == "14x23"


def test_moves_that_differ_are_written_differently():
    for entry in POSITIONS:
        texts = [move.text for move in CHECKERS.legal_moves(CHECKERS.parse_fen(entry["fen"]))]
        assert len(set(texts)) == len(texts), entry["fen"]


def test_diagram_shows_white_at_the_bottom_and_kings_apart_from_men():
    lines = CHECKERS.diagram(CHECKERS.parse_fen("W:W29,K32:B1,K4")).splitlines()
    rows = {line.split()[0]: line for line in lines if line.split() and line.split()[0].isdigit()}
    assert set("12345678") <= set(rows)
    assert list(rows) == list("87654321")
    assert "w" in rows["1"]
    assert "W" in rows["1"]
    assert "b" in rows["8"]
    assert "B" in rows["8"]
