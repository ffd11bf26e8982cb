"""Random playouts of checkers against the slow twin."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule
from tests.games.playing import play_one
from tests.oracles import checkers_twin as twin, playout_twin

CHECKERS = game("checkers")
RULES = {
    "to the end": {"quiet_plies": 0},
    "after 80 quiet plies a draw": {},
    "after 3 quiet plies a draw": {"quiet_plies": 3},
    "drawn at the 25th ply": {"max_plies": 25},
    "won by count at the 25th ply": {"max_plies": 25, "by_count": 1},
    "both limits": {"quiet_plies": 4, "max_plies": 30, "by_count": 1},
    "kings do not go back": {"avoid_cycles": 1},
    "all of the options": {"quiet_plies": 10, "max_plies": 60, "by_count": 1, "avoid_cycles": 1},
}


def play(position, key, number, rule):
    """Play game `number` of a stream from a position of the twin."""
    here = CHECKERS.parse_fen(twin.fen(position))
    return tuple(map(int, play_one(here, np.uint64(key), number, rule, CHECKERS.move_buffer())))


def agrees(position, key, number, options):
    outcome, boards = playout_twin.playout(position, key, number, playout_twin.Rule(**options))
    assert play(position, key, number, PlayoutRule(**options)) == (outcome, len(boards))


@pytest.mark.parametrize("options", RULES.values(), ids=RULES)
def test_a_playout_is_that_of_the_twin_step_by_step(options):
    for seed in range(60):
        agrees(twin.random_position(seed), seed, seed, options)
    for number in range(20):
        agrees(twin.parse(twin.START), 7, number, options)


@given(st.integers(0, 10**6), st.integers(0, 2**64 - 1), st.integers(0, 2**63), st.sampled_from(list(RULES)))
def test_any_position_and_any_stream_give_the_game_of_the_twin(seed, key, number, rule):
    agrees(twin.random_position(seed), key, number, RULES[rule])
