"""Nodes per second of games by the width of the evaluating network: best of several runs, CPU time.

Usage: taskset -c 1 python tools/bench/network_rates.py [--game NAME …] [--runs 5] [--depth 6]

All widths of a game take turns within a run, so that other load of the machine affects all. `squares` is a
network of genes with a weight for every square, `0` a dense network without hidden neurons, `128-32` one with
two layers. All of them count material and differ by small random weights, so that they play alike and their
games are comparable. Of random neurons half are on, of trained ones fewer, which affects a second layer.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.arena.playing import Contestants, GameBatch, Schedule, paired, play_batch
from neche.compiled.streams import stream, stream_keys
from neche.games.catalogue import GAMES, game
from neche.games.draws import TRAINING_DRAWS
from neche.games.game import Game
from neche.genome.strands import STEPS_A_UNIT, read_weights, split_weights, write_weights
from neche.network.decode import Network, decode, square_network
from neche.network.sensors import sensor_layout
from neche.network.topology import dense_topology
from tests.genome.drawn import random_strands

WIDTHS = ((0,), (8,), (16,), (32,), (64,), (128,), (256,), (128, 32), (256, 32))
_CONTESTANTS, _PAIRS, _OPENING_PLIES = 4, 20, 4


def piece_square_network(rules: Game, number: int) -> Network:
    """Return a network of genes with one weight per square."""
    squares = len(sensor_layout(rules).squares)
    worth = 100 + stream(0, 0, "bench: squares", number).integers(-10, 11, squares)
    return square_network(worth.tolist())


def dense_network(rules: Game, hidden: tuple[int, ...], number: int) -> Network:
    """Return a dense network with hidden layers of these widths."""
    layout = sensor_layout(rules)
    squares = len(layout.squares)
    topology = dense_topology(len(layout.kinds) * squares, *hidden)
    form = topology.strand_format
    weights = read_weights(random_strands(form, stream(0, 0, "bench: strands", number), sd=0.1), form)
    worth = (1, 2, -1, -2) if layout.has_kings else (1, -1)
    split_weights(weights, form).direct[:] += np.repeat(worth, squares).astype(np.int16) * STEPS_A_UNIT
    return decode(write_weights(weights), perspective="mover", topology=topology)


def contestants_of(rules: Game, hidden: tuple[int, ...] | None, depth: int) -> Contestants:
    """Return some networks of a width; None: of genes."""
    networks = [
        piece_square_network(rules, number) if hidden is None else dense_network(rules, hidden, number)
        for number in range(_CONTESTANTS)
    ]
    return Contestants.of(networks, depth, game=rules.name)


def schedule_of(depth: int) -> Schedule:
    """Return the games."""
    first = np.arange(_PAIRS) % _CONTESTANTS
    opening, keys = (
        stream_keys(0, depth, "bench: opening", _PAIRS),
        stream_keys(0, 0, "bench: game", 2 * _PAIRS),
    )
    return paired(first, (first + 1) % _CONTESTANTS, opening, _OPENING_PLIES, keys)


def rates(rules: Game, depth: int, runs: int) -> list[float]:
    """Return nodes per second with a network of genes, then with each width."""
    fields = [contestants_of(rules, hidden, depth) for hidden in (None, *WIDTHS)]
    schedule, best = schedule_of(depth), [0.0] * len(fields)
    for run in range(runs + 1):
        for number, contestants in enumerate(fields):
            began = time.process_time()
            results = play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS))
            seconds = time.process_time() - began
            # the first run compiles
            if run:
                best[number] = max(best[number], float(results.nodes.sum()) / seconds)
    return best


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Nodes per second by the width of the network.")
    parser.add_argument("--game", nargs="+", default=list(GAMES), choices=GAMES)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--depth", type=int, default=6)
    options = parser.parse_args()
    heads = ["squares", *("-".join(map(str, hidden)) for hidden in WIDTHS)]
    print(f"| game | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
    for name in options.game:
        squares, *others = rates(game(name), options.depth, options.runs)
        cells = [f"{squares / 1e6:.1f}", *(f"{rate / 1e6:.1f} ({rate / squares:.2f})" for rate in others)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
