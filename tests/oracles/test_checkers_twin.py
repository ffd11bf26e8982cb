"""The slow twin of the checkers rules is itself right: it counts what three independent programs count."""

import pytest

from tests.oracles import checkers_twin as twin
from tests.oracles.english import POSITIONS, ids


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_twin_counts_the_published_leaves_to_depth_four(entry):
    position = twin.parse(entry["fen"])
    assert [twin.perft(position, depth) for depth in range(1, 5)] == entry["perft"][:4]


@pytest.mark.slow
@pytest.mark.parametrize("entry", POSITIONS[1:], ids=ids(POSITIONS[1:]))
def test_twin_counts_the_published_leaves_at_full_depth(entry):
    assert twin.perft(twin.parse(entry["fen"]), len(entry["perft"])) == entry["perft"][-1]


def test_twin_writes_back_what_it_reads():
    for entry in POSITIONS:
        position = twin.parse(entry["fen"])
        assert twin.parse(twin.fen(position)) == position


def test_random_positions_bring_kings_and_long_captures():
    positions = [twin.random_position(seed) for seed in range(300)]
    assert sum(any(letter.isupper() for letter in position.board.values()) for position in positions) > 200
    assert max(len(move.captured) for position in positions for move in twin.moves(position)) >= 4
