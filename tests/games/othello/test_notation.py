"""FEN, texts of moves and diagrams of Othello; faults are named."""

import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.catalogue import game
from tests.oracles import othello_twin as twin
from tests.oracles.othello import POSITIONS, ids

OTHELLO = game("othello")
BLANK = "-" * 64


def texts(fen):
    return [move.text for move in OTHELLO.legal_moves(OTHELLO.parse_fen(fen))]


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_fen_survives_reading_and_writing(entry):
    assert OTHELLO.format_fen(OTHELLO.parse_fen(entry["fen"])) == entry["fen"]


@given(st.integers(0, 2**32))
def test_fen_of_any_position_survives_reading_and_writing(seed):
    fen = twin.fen(twin.random_position(seed))
    assert OTHELLO.format_fen(OTHELLO.parse_fen(fen)) == fen


def test_the_start_position_is_written_as_the_tables_write_it():
    assert OTHELLO.format_fen(OTHELLO.start()) == twin.START
    assert OTHELLO.side_to_move(OTHELLO.start()) == "Black"


@pytest.mark.parametrize(
    "text",
    [
        twin.START.lower(),
        f' "{twin.START}" ',
        twin.START.replace("X", "*"),
        twin.START.replace("-", "."),
        " ".join(twin.START.split()[0][at : at + 8] for at in range(0, 64, 8)) + " X",
    ],
)
def test_fen_is_read_in_its_usual_spellings(text):
    assert OTHELLO.format_fen(OTHELLO.parse_fen(text)) == twin.START


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected 64 of X, O and -"),
        ("X", "expected 64 of X, O and -"),
        (BLANK, "expected 64 of X, O and -"),
        (BLANK + "-", "X or O to move"),
        (BLANK + "X X", "expected 64 of X, O and -"),
        (BLANK[1:] + "B X", "'B' is no disc"),
        (BLANK + " W", "'W' is no disc"),
        ("W:W21-32:B1-12", "'W' is no disc"),
    ],
)
def test_a_malformed_position_is_refused_and_its_fault_named(text, fault):
    with pytest.raises(InputError) as refusal:
        OTHELLO.parse_fen(text)
    message = str(refusal.value)
    assert fault in message
    assert "\n" not in message


@given(st.text(alphabet="XxOo*-. \n²W1", max_size=80))
def test_any_text_is_read_or_refused_and_never_breaks_the_reader(text):
    try:
        position = OTHELLO.parse_fen(text)
    except InputError:
        pass
    else:
        assert OTHELLO.parse_fen(OTHELLO.format_fen(position)) == position


def test_moves_are_squares_from_a1_to_h8():
    assert texts(twin.START) == ["d3", "c4", "f5", "e6"]


def test_a_side_that_cannot_place_a_disc_passes_while_the_other_can():
    assert texts("-OOOOOOX" + "-" * 56 + " O") == ["pass"]
    assert texts("-OOOOOOX" + "-" * 56 + " X") == ["a1"]


def test_diagram_shows_row_one_at_the_top_and_where_a_disc_may_go():
    lines = OTHELLO.diagram(OTHELLO.start()).splitlines()
    assert lines[0].split() == list("abcdefgh")
    assert [line.split()[0] for line in lines[1:9]] == list("12345678")
    assert lines[3].split()[4] == "+"
    assert lines[4].split()[3:6] == ["+", "O", "X"]
