"""OpenSpiel, an independent program, agrees on board, moves, passes and results of random games."""

import itertools

import pytest

from neche.games.catalogue import game
from tools.checks.compare_open_spiel import difference, games

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")


def test_open_spiel_has_the_same_positions_moves_and_results():
    rules = game("othello")
    pairs = games(rules, pyspiel.load_game("othello"), seed=100)
    for position, state in itertools.islice(pairs, 2000):
        assert difference(rules, position, state) is None
