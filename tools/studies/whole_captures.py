"""Measure the effect of random games that draw among complete captures instead of single jumps.

Usage: python tools/studies/whole_captures.py [--positions 300] [--playouts 40000] [--seed 7]

In positions of random games every child is played out both ways. The difference of the two means is compared
with the difference expected by chance between two samples of the same games.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.compiled.streams import stream_keys
from neche.games.catalogue import game
from neche.montecarlo.counting import RULE
from neche.montecarlo.playouts_cpu import count_playouts
from tools.studies.allocations import positions


def _size(values: NDArray[np.float64]) -> float:
    return float(np.sqrt((values**2).mean()))


def main() -> None:
    """Print how the scores and the best moves of the two ways differ."""
    parser = argparse.ArgumentParser(description="Compare playouts by steps and by complete captures.")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--playouts", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rules = game("checkers")
    differences, variances, agreed, lost = [], [], 0, 0.0
    for index, position in enumerate(positions(rules, options.positions, options.seed)):
        children = [move.after for move in rules.legal_moves(position)]
        scores = []
        for whole_moves in (0, 1):
            keys = stream_keys(options.seed, whole_moves, f"whole captures {index}", len(children)).tolist()
            rule = RULE._replace(whole_moves=whole_moves)
            counts = count_playouts(rules, children, [options.playouts] * len(children), keys, rule=rule)
            scores.append((counts.losses + counts.draws / 2) / options.playouts)
        by_steps, by_captures = scores
        differences.extend(by_steps - by_captures)
        variances.extend(2 * by_steps * (1 - by_steps) / options.playouts)
        agreed += by_steps.argmax() == by_captures.argmax()
        lost += by_steps.max() - by_steps[by_captures.argmax()]
    found, expected = np.array(differences), np.sqrt(variances)
    print(f"{len(found)} moves of {options.positions} positions, {options.playouts} playouts each way")
    print(f"root mean square difference {_size(found):.5f}; by chance {_size(expected):.5f}")
    print(
        f"mean {found.mean():+z.5f} ± {found.std() / np.sqrt(len(found)):.5f}; largest {abs(found).max():.4f}"
    )
    print(f"beyond three standard errors: {int(np.count_nonzero(abs(found) > 3 * expected))} moves")
    print(
        f"the same best move in {agreed} positions; the others lose {lost / options.positions:.5f} on average"
    )


if __name__ == "__main__":
    main()
