"""Perft: the number of move sequences of a given length, counted in bulk at the last ply.

A pass is one ply and one move. A game that ends before the last ply counts as one leaf, as in the published
tables (Aart Bik, Perft for Reversi, 2009), or as none, as Edax counts.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, lowest_bit64, popcount
from neche.compiled.jit import jit
from neche.games.othello.board import Othello
from neche.games.othello.moves import placements, turned


@jit
def _count(own: Any, foe: Any, depth: Any, finished: Any) -> Any:
    squares = placements(own, foe)
    if squares == 0:
        if placements(foe, own) == 0:
            return np.int64(finished)
        return np.int64(1) if depth == 1 else np.int64(_count(foe, own, np.int64(depth - 1), finished))
    if depth == 1:
        return np.int64(popcount(squares))
    total = np.int64(0)
    while squares != 0:
        square = lowest_bit64(squares)
        squares = np.uint64(squares ^ square)
        after = np.uint64(own | square | turned(square, own, foe))
        left = np.uint64(foe & invert64(after))
        total += np.int64(_count(left, after, np.int64(depth - 1), finished))
    return np.int64(total)


def perft(position: Othello, depth: int, *, counts_finished: bool = True) -> int:
    """Count the leaves `depth` plies below a position.

    counts_finished: a game that is over before is one leaf at every deeper depth, not none.
    """
    if depth == 0:
        return 1
    leaves = _count(position.own, position.foe, np.int64(depth), np.int64(counts_finished))
    return int(leaves)
