"""Alpha-beta with a convolutional network at the quiet positions: no table, for the network costs it all."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import (
    can_move_quietly,
    generate,
    generate_captures,
    is_quiet,
    max_moves,
    move_words,
    outcome,
    successor,
    write_planes,
)
from neche.network.convolution import value_of_planes

WON = 1000.0
"""Value of a win at the root; one that takes n plies is worth WON − n. The network's values are −1 … 1."""


class Bench(NamedTuple):
    """What a search works with: one for each thread.

    network: `convolution.Convolution`. moves: move buffer, as in `workspace.Workspace`. root: [moves a
    position] float64, values of the root moves. counters: [1] int64, boards that the network judged.
    """

    network: Any
    moves: Any
    root: Any
    counters: Any


@jit
def search_root_boards(bench: Any, position: Any, depth: Any) -> Any:
    """Search the moves of a position to `depth` ≥ 1 plies and on to quiet positions; return their number.

    bench.root receives the exact value of each move in generation order, for the side to move.
    """
    count = np.int64(generate(position, bench.moves, 0))
    for number in range(count):
        child = successor(position, bench.moves, number * move_words(position))
        bench.root[number] = -np.float64(_descend(bench, child, np.int64(depth - 1), -WON, WON, np.int64(1)))
    return count


@jit
def _descend(bench: Any, position: Any, depth: Any, alpha: Any, beta: Any, ply: Any) -> Any:
    """Return the value for the side to move, with the bounds of `negamax`."""
    is_horizon = depth <= 0
    if is_horizon and is_quiet(position):
        return np.float64(_judge(bench, position, ply))
    base = np.int64(ply * (max_moves(position) * move_words(position)))
    if is_horizon:
        count = np.int64(generate_captures(position, bench.moves, base))
    else:
        count = np.int64(generate(position, bench.moves, base))
    best, floor = np.float64(ply - WON), np.float64(alpha)
    for number in range(count):
        child = successor(position, bench.moves, base + number * move_words(position))
        below = _descend(
            bench, child, np.int64(depth - 1), np.float64(-beta), np.float64(-floor), np.int64(ply + 1)
        )
        best = max(best, -np.float64(below))
        floor = max(floor, best)
        if best >= beta:
            break
    return np.float64(best)


@jit
def _judge(bench: Any, position: Any, ply: Any) -> Any:
    """Return the value of a quiet position."""
    if not can_move_quietly(position):
        return np.float64(outcome(position) * (WON - ply))
    bench.counters[0] += 1
    write_planes(position, bench.network.squares)
    return np.float64(value_of_planes(bench.network))
