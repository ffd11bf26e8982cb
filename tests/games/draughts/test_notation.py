"""FEN, texts of moves and diagrams of draughts; impossible positions are refused with their fault."""

import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.catalogue import game
from tests.oracles.draughts import BRAZILIAN, INTERNATIONAL
from tools.checks.compare_rules import TWINS

TABLES = {"brazilian": BRAZILIAN, "international": INTERNATIONAL}
NAMES = st.sampled_from(sorted(TABLES))


@pytest.mark.parametrize("name", TABLES)
def test_fen_survives_reading_and_writing(name):
    rules, twin = game(name), TWINS[name]
    for entry in TABLES[name]:
        written = rules.format_fen(rules.parse_fen(entry["fen"]))
        assert twin.parse(written) == twin.parse(entry["fen"])


@given(NAMES, st.integers(0, 2**32))
def test_fen_of_any_position_survives_reading_and_writing(name, seed):
    rules, twin = game(name), TWINS[name]
    fen = twin.fen(twin.random_position(seed))
    assert twin.fen(twin.parse(rules.format_fen(rules.parse_fen(fen)))) == fen


@pytest.mark.parametrize("name", TABLES)
def test_white_begins_from_the_start_of_the_tables(name):
    rules = game(name)
    assert rules.format_fen(rules.start()) == TABLES[name][0]["fen"]
    assert rules.side_to_move(rules.start()) == "White"


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("brazilian", "W:W21:B33", "square 33 is not on the board (1 to 32)"),
        ("brazilian", "", "such as W:W21-32:B1-12"),
        ("brazilian", "W:W20-32:B1", "White has 13 pieces, at most 12"),
        ("international", "W:W21:B51", "square 51 is not on the board (1 to 50)"),
        ("international", "", "such as W:W31-50:B1-20"),
        ("international", "W:W30-50:B1", "White has 21 pieces, at most 20"),
        ("international", "W:W5:B6", "a white man on 5"),
        ("international", "W:W6:B46", "a black man on 46"),
    ],
)
def test_an_impossible_position_is_refused_and_its_fault_named(name, text, fault):
    with pytest.raises(InputError) as refusal:
        game(name).parse_fen(text)
    assert fault in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", TABLES)
def test_moves_that_differ_are_written_differently(name):
    rules, twin = game(name), TWINS[name]
    fens = [entry["fen"] for entry in TABLES[name]]
    fens += [twin.fen(twin.random_position(seed)) for seed in range(300)]
    for fen in fens:
        texts = [move.text for move in rules.legal_moves(rules.parse_fen(fen))]
        assert len(set(texts)) == len(texts), fen


def test_a_diagram_of_ten_rows_names_ten_columns():
    lines = game("international").diagram(game("international").start()).splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [str(row) for row in range(10, 0, -1)]
    assert lines[-1].split() == list("ABCDEFGHIJ")
