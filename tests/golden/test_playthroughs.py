"""A recorded random game of every game still comes out the same: rules, order, notation, diagrams."""

import pytest

from neche.games.catalogue import GAMES
from tools.checks.playthroughs import GOLDEN, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_is_as_recorded(name):
    assert playthrough(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
