"""Perft: the number of move sequences of a given length, counted in bulk at the last ply."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.checkers.board import Checkers
from neche.games.checkers.captures import generate_captures, jumpers
from neche.games.checkers.moves import MAX_MOVES, MOVE_WORDS, count_quiet, generate, successor

_PLY_WORDS = MAX_MOVES * MOVE_WORDS


@jit
def _count(position: Any, depth: Any, moves: Any, base: Any) -> Any:
    if depth == 1:
        if jumpers(position):
            return np.int64(generate_captures(position, moves, base))
        return np.int64(count_quiet(position))
    total = np.int64(0)
    for number in range(generate(position, moves, base)):
        child = successor(position, moves, base + number * MOVE_WORDS)
        total += _count(child, np.int64(depth - 1), moves, np.int64(base + _PLY_WORDS))
    return np.int64(total)


def perft(position: Checkers, depth: int) -> int:
    """Count the leaves `depth` plies below a position; a finished game has none. Draw rules are ignored."""
    if depth == 0:
        return 1
    moves = np.zeros(depth * _PLY_WORDS, np.uint32)
    return int(_count(position, np.int64(depth), moves, np.int64(0)))
