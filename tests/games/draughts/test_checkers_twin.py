"""The compiled rules and the slow twin agree on the moves of random positions."""

import itertools
from dataclasses import replace

import pytest

from neche.games.catalogue import game
from tests.oracles import checkers_twin as twin
from tests.oracles.english import POSITIONS, ids
from tools.checks.compare_rules import difference, positions

CHECKERS = game("checkers")


@pytest.mark.parametrize("seed", range(4))
def test_moves_agree_with_the_twin_on_a_thousand_random_positions(seed):
    for position in itertools.islice(positions(seed), 1000):
        assert difference(CHECKERS, position) is None


@pytest.mark.parametrize("entry", POSITIONS, ids=ids(POSITIONS))
def test_moves_agree_with_the_twin_on_tricky_positions_and_their_successors(entry):
    position = twin.parse(entry["fen"])
    for reached in [position, *(move.after for move in twin.moves(position))]:
        assert difference(CHECKERS, reached) is None


def test_comparison_sees_a_missing_move():
    forgetful = replace(CHECKERS, legal_moves=lambda position: CHECKERS.legal_moves(position)[1:])
    assert difference(forgetful, twin.parse(twin.START)) is not None
