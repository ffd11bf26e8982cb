"""The compiled rules count the leaves that independent programs count (see tests/oracles/othello.json)."""

import pytest

from neche.games.catalogue import game
from neche.games.generic import perft_with
from tests.oracles.othello import POSITIONS, PUBLISHED_FROM_START, STRICT_FROM_START, ids

OTHELLO = game("othello")
strict_perft = perft_with(OTHELLO.max_moves * OTHELLO.move_words, OTHELLO.move_type)


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_perft_is_exact_at_every_listed_depth(entry):
    position = OTHELLO.parse_fen(entry["fen"])
    depths = range(1, len(entry["perft"]) + 1)
    assert [OTHELLO.perft(position, depth) for depth in depths] == entry["perft"]


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_perft_without_the_games_that_are_over_is_exact_too(entry):
    position = OTHELLO.parse_fen(entry["fen"])
    depths = range(1, len(entry["perft_strict"]) + 1)
    counts = [strict_perft(position, depth) for depth in depths]
    assert counts == entry["perft_strict"]


@pytest.mark.parametrize("depth", range(1, 11))
def test_perft_from_the_start_is_as_published(depth):
    assert OTHELLO.perft(OTHELLO.start(), depth) == PUBLISHED_FROM_START[depth - 1]


def test_games_that_are_over_before_the_last_ply_are_counted_apart():
    assert strict_perft(OTHELLO.start(), 10) == STRICT_FROM_START[9] == 24_571_056
    assert PUBLISHED_FROM_START[9] - STRICT_FROM_START[9] == 228


@pytest.mark.slow
@pytest.mark.parametrize("depth", [11, 12])
def test_deep_perft_from_the_start_is_as_published(depth):
    assert OTHELLO.perft(OTHELLO.start(), depth) == PUBLISHED_FROM_START[depth - 1]
    assert strict_perft(OTHELLO.start(), depth) == STRICT_FROM_START[depth - 1]


def test_perft_of_depth_zero_is_one():
    assert OTHELLO.perft(OTHELLO.start(), 0) == 1


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_legal_moves_are_as_many_as_perft_one_counts(entry):
    position = OTHELLO.parse_fen(entry["fen"])
    assert len(OTHELLO.legal_moves(position)) == entry["perft_strict"][0]
