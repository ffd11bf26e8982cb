"""The compiled rules count the leaves that independent programs count (see tests/oracles/english.json)."""

import pytest

from neche.games.catalogue import game
from tests.oracles.english import POSITIONS, PUBLISHED_FROM_START, ids

CHECKERS = game("checkers")


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_perft_is_exact_at_every_listed_depth(entry):
    position = CHECKERS.parse_fen(entry["fen"])
    depths = range(1, len(entry["perft"]) + 1)
    assert [CHECKERS.perft(position, depth) for depth in depths] == entry["perft"]


@pytest.mark.parametrize("depth", range(1, 9))
def test_perft_from_the_start_is_as_published(depth):
    assert CHECKERS.perft(CHECKERS.start(), depth) == PUBLISHED_FROM_START[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [9, 10, 11])
def test_deep_perft_from_the_start_is_as_published(depth):
    assert CHECKERS.perft(CHECKERS.start(), depth) == PUBLISHED_FROM_START[depth - 1]


def test_perft_of_depth_zero_is_one():
    assert CHECKERS.perft(CHECKERS.start(), 0) == 1


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_legal_moves_are_as_many_as_perft_one(entry):
    position = CHECKERS.parse_fen(entry["fen"])
    assert len(CHECKERS.legal_moves(position)) == entry["perft"][0]
