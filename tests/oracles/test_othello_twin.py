"""The slow twin of the Othello rules is itself right: it counts what independent programs count."""

import pytest

from tests.oracles import othello_twin as twin
from tests.oracles.othello import POSITIONS, ids


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_twin_counts_the_published_leaves_to_depth_three(entry):
    position = twin.parse(entry["fen"])
    assert [twin.perft(position, depth) for depth in (1, 2, 3)] == entry["perft"][:3]
    strict = [twin.perft(position, depth, finished=0) for depth in (1, 2, 3)]
    assert strict == entry["perft_strict"][:3]


@pytest.mark.slow
@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_twin_counts_the_published_leaves_at_full_depth(entry):
    assert twin.perft(twin.parse(entry["fen"]), len(entry["perft"])) == entry["perft"][-1]


def test_random_positions_bring_passes_and_finished_games():
    positions = [twin.random_position(seed) for seed in range(300)]
    choices = [[move.text for move in twin.moves(position)] for position in positions]
    assert choices.count([twin.PASS]) > 10
    assert choices.count([]) > 10
