"""What one step or jump of a piece is: the rules that move lists, playouts and kernels share.

Directions are those of `board.py`. A jump passes a foe on the next square and lands on the free one behind.
Each rule is asked of many pieces at once: pieces, foe and free squares are sets of bits.
"""

import numpy as np

from neche.compiled.bits import invert64
from neche.compiled.jit import I64, U64, Bool, Position, jit_inlined
from neche.games.draughts.board import (
    WHITE,
    king_row,
    kings_fly,
    men_capture_backward,
    own_kings,
    own_men,
    step,
)


@jit_inlined
def rising(position: Position) -> U64:
    """Own pieces that step up by one square: men of White, and kings that do not fly."""
    kings = np.uint64(0) if kings_fly(position) else own_kings(position)
    return np.uint64(own_men(position) | kings) if position.turn == WHITE else np.uint64(kings)


@jit_inlined
def falling(position: Position) -> U64:
    """Own pieces that step down by one square, like `rising`."""
    kings = np.uint64(0) if kings_fly(position) else own_kings(position)
    return np.uint64(kings) if position.turn == WHITE else np.uint64(own_men(position) | kings)


@jit_inlined
def steppers(position: Position, pieces: U64, empty: U64, direction: I64) -> U64:
    """Those of some pieces that can step in a direction; position: any, for its type."""
    return np.uint64(pieces & step(position, empty, 3 - direction))


@jit_inlined
def jumpers(position: Position, pieces: U64, foe: U64, empty: U64, direction: I64) -> U64:
    """Those of some pieces that can jump in a direction; position: any, for its type."""
    back = 3 - direction
    return np.uint64(pieces & step(position, foe & step(position, empty, back), back))


@jit_inlined
def may_jump(position: Position, piece: U64, direction: I64) -> Bool:
    """Return whether a piece, one bit, may jump over its neighbour in a direction, if that is a foe."""
    if men_capture_backward(position):
        return True
    return (piece & np.uint64(position.kings)) != 0 or (direction < 2) == (position.turn == WHITE)


@jit_inlined
def kings_after(position: Position, start: U64, end: U64, taken: U64) -> U64:
    """Kings after a move from `start` to `end`; taken: foes that left the board.

    A man is crowned where its move ends, no sooner (FMJD 3.5 and 4.15, WCDF 1.19).
    """
    kings = np.uint64(position.kings)
    crowned = end if start & kings else np.uint64(end & king_row(position))
    return np.uint64((kings & invert64(start | taken)) | crowned)
