"""Perft: the number of move sequences of a given length, counted in bulk at the last ply."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import max_moves
from neche.games.draughts.captures import MOVE_WORDS, can_capture, generate_captures
from neche.games.draughts.moves import count_quiet, generate, successor


@jit
def count_leaves(position: Any, depth: Any, moves: Any, base: Any) -> Any:
    """Count the leaves `depth` ≥ 1 plies below a position; a finished game has none.

    moves: room for the moves of `depth` positions, from row start `base` on.
    """
    if depth == 1:
        if can_capture(position):
            return np.int64(generate_captures(position, moves, base))
        return np.int64(count_quiet(position))
    total = np.int64(0)
    further = np.int64(base + max_moves(position) * MOVE_WORDS)
    for number in range(generate(position, moves, base)):
        child = successor(position, moves, base + number * MOVE_WORDS)
        total += count_leaves(child, np.int64(depth - 1), moves, further)
    return np.int64(total)
