"""The four first moves of Othello are one move, turned or mirrored: their values must converge.

Others observed this in a demonstration of UCT on Reversi. The thresholds were fixed before the first run.
"""

from pathlib import Path

import numpy as np
import pytest

from neche.compiled.streams import stream_key
from neche.games.catalogue import game
from neche.players.engine import Analysis
from neche.players.uct import Uct

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "watch-uct-think.md"
COUNTS = (100, 1_000, 10_000)
SEEDS = range(20)


def spread(analysis: Analysis) -> float:
    values = [move.value for move in analysis.moves]
    return max(values) - min(values)


@pytest.fixture(scope="module")
def spreads():
    """Return the largest less the smallest value of the four moves: [seeds, counts]."""
    othello, found = game("othello"), []
    for seed in SEEDS:
        reports: list[Analysis] = []
        engine, key = Uct(playouts=COUNTS[-1]).new_game(othello), stream_key(seed, 0, "symmetry")
        last = engine.analyse(othello.start(), key=key, progress=reports.append, progress_at=COUNTS[:-1])
        found.append([spread(analysis) for analysis in (*reports, last)])
    return np.array(found)


def test_values_of_equal_moves_converge_with_more_playouts(spreads):
    means = spreads.mean(axis=0)
    assert means[0] > means[1] > means[2]
    assert means[2] <= means[0] / 3


def test_after_ten_thousand_playouts_equal_moves_differ_by_at_most_0_05(spreads):
    assert spreads[:, 2].mean() <= 0.05


def test_the_page_shows_these_figures(spreads):
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for name, figures in (("mean", spreads.mean(axis=0)), ("largest", spreads.max(axis=0))):
        row = f"| {name} | {' | '.join(f'{figure:.3f}' for figure in figures)} |"
        assert any(line.startswith(row) for line in lines)
