"""Leaves and random games per second of every game on one core: best of several runs, process CPU time.

Usage: taskset -c 1 python tools/bench/game_rates.py [--game NAME …] [--runs 5]

Prints a table: perft from the start position to the depth named, playouts side by side as `neche playouts`
plays them, playouts one by one as at the leaves of UCT, and playouts drawn from the list of all moves.
"""

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.montecarlo.counting import RULE
from neche.montecarlo.playout import play_many
from neche.montecarlo.playouts_cpu import count_playouts

DEPTHS = {"checkers": 11, "brazilian": 10, "international": 10, "othello": 11}
_GAMES_SIDE_BY_SIDE, _GAMES_ONE_BY_ONE = 1_000_000, 100_000


def best_rate(work: Callable[[], int], runs: int) -> float:
    """Return the highest rate, units of work per second of CPU time, over runs after one that compiles."""
    work()
    rates = []
    for _ in range(runs):
        began = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - began))
    return max(rates)


def side_by_side(rules: Game) -> int:
    """Play games in the vectors of one thread; return how many."""
    with joblib.parallel_config(n_jobs=1):
        count_playouts(rules, [rules.start()], [_GAMES_SIDE_BY_SIDE], [1])
    return _GAMES_SIDE_BY_SIDE


def one_by_one(rules: Game, whole_moves: int) -> int:
    """Play games one after the other; return how many."""
    moves: Any = rules.move_buffer()
    rule = RULE._replace(whole_moves=whole_moves)
    play_many(rules.start(), np.uint64(1), 0, _GAMES_ONE_BY_ONE, rule, moves)
    return _GAMES_ONE_BY_ONE


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Leaves and random games per second of every game.")
    parser.add_argument("--game", nargs="+", default=list(DEPTHS), choices=GAMES)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print("| game | perft | M leaves/s | playouts side by side, k/s | one by one, k/s | from a list, k/s |")
    print("|---|---|---|---|---|---|")
    for name in options.game:
        rules, depth = game(name), DEPTHS.get(name, 6)
        works: list[Callable[[], int]] = [
            partial(rules.perft, rules.start(), depth),
            partial(side_by_side, rules),
            partial(one_by_one, rules, 0),
            partial(one_by_one, rules, 1),
        ]
        leaves, *playouts = (best_rate(work, options.runs) for work in works)
        rates = " | ".join(f"{rate / 1e3:,.0f}" for rate in playouts)
        print(f"| {name} | to {depth} | {leaves / 1e6:,.0f} | {rates} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
