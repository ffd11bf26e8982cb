"""Measure how much the hidden neurons of networks differ: how often each is on, and how similar two are.

Usage: python tools/studies/niches.py [PLAYER …] [--games N] [--seed N]

PLAYER: a shipped champion, FASTA file or run of checkers whose neurons see kinds of pieces. The positions are
quiet ones of N games, as in `prediction.py`. Similarity of two neurons is the correlation of their values.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.network.topology import parse_topology
from neche.players.source import read_source
from neche.prediction.judging import Samples
from neche.prediction.neurons import INPUTS, Neurons, read_neurons
from tools.studies.prediction import AS_IT_IS, samples_of

PLAYERS = ["wide-1", "long-4", "memetic-5"]


def said_by(neurons: Neurons, samples: Samples) -> NDArray[np.float64]:
    """Return the values of the hidden neurons in each position, [N, H], as seen by the side to move."""
    seen = np.zeros((len(samples.counts), neurons.shape[1] - 1))
    seen[:, 0] = 1.0
    for row, (excited, count) in enumerate(zip(samples.excited, samples.counts, strict=True)):
        seen[row, INPUTS - 1 + excited[:count].astype(np.int64)] = 1.0
    said: NDArray[np.float64] = np.maximum(seen @ neurons[1:, INPUTS - 1 :].T, 0.0)
    return said


def row_of(player: str, samples: Samples) -> str:
    """Return a player's row of the table; a neuron that is never on has no similarity."""
    source = read_source(player)
    said = said_by(read_neurons(source.genome, parse_topology(str(source.fields["topology"]))), samples)
    live = said.std(axis=0) > 0.0
    likeness = np.corrcoef(said[:, live].T) - np.eye(live.sum())
    nearest = likeness.max(axis=1)
    on, median, highest = np.mean(said[:, live] > 0.0), np.median(nearest), nearest.max()
    return f"| `{player}` | {live.sum()} of {live.size} | {on:.0%} | {median:.2f} | {highest:.2f} |"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure how much the hidden neurons of networks differ.")
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="PLAYER")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    samples, _ = samples_of(AS_IT_IS, options.games, options.seed)
    print(
        "| network | neurons ever on | positions one is on in | likeness to the nearest: median | highest |"
    )
    print("|---|---|---|---|---|")
    for player in options.players:
        print(row_of(player, samples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
