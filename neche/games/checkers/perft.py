"""Perft: the number of move sequences of a given length, counted in bulk at the last ply."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.checkers.captures import generate_captures, jumpers
from neche.games.checkers.moves import MAX_MOVES, MOVE_WORDS, count_quiet, generate, successor

_PLY_WORDS = MAX_MOVES * MOVE_WORDS


@jit
def count_leaves(position: Any, depth: Any, moves: Any, base: Any) -> Any:
    """Count the leaves `depth` ≥ 1 plies below a position, see `draughts.perft.count_leaves`."""
    if depth == 1:
        if jumpers(position):
            return np.int64(generate_captures(position, moves, base))
        return np.int64(count_quiet(position))
    total = np.int64(0)
    for number in range(generate(position, moves, base)):
        child = successor(position, moves, base + number * MOVE_WORDS)
        total += count_leaves(child, np.int64(depth - 1), moves, np.int64(base + _PLY_WORDS))
    return np.int64(total)
