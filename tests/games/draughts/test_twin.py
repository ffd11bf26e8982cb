"""The compiled rules and the slow twin list the same moves in random games and random placements."""

import itertools

import pytest

from neche.games.catalogue import game
from tools.checks.compare_rules import TWINS, difference, positions


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_the_twin_finds_the_same_moves(name):
    for position in itertools.islice(positions(7, TWINS[name]), 1500):
        assert difference(game(name), position) is None


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_the_twin_finds_the_same_moves_among_many_kings(name):
    for seed in range(600):
        assert difference(game(name), TWINS[name].random_position(seed)) is None
