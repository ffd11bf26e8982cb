"""Single steps and jumps of pieces: the rules that move generation, playouts and kernels share.

Directions are those of `board.py`. A jump passes a foe on the next square and lands on the free one behind.
Each rule applies to many pieces at once: pieces and the free squares, `empty`, are sets of bits.
"""

from typing import NamedTuple

import numpy as np

from neche.compiled.bits import invert64
from neche.compiled.jit import I64, U64, Bool, Position, jit_inlined
from neche.games.draughts import board


@jit_inlined
def rising(position: Position) -> U64:
    """Return the own pieces that step up by one square: White's men, and kings that do not fly."""
    kings = np.uint64(0) if board.kings_fly(position) else board.own_kings(position)
    return np.uint64(board.own_men(position) | kings) if position.turn == board.WHITE else np.uint64(kings)


@jit_inlined
def falling(position: Position) -> U64:
    """Return the own pieces that step down by one square, like `rising`."""
    kings = np.uint64(0) if board.kings_fly(position) else board.own_kings(position)
    return np.uint64(kings) if position.turn == board.WHITE else np.uint64(board.own_men(position) | kings)


@jit_inlined
def steppers(position: Position, pieces: U64, empty: U64, direction: I64) -> U64:
    """Return which of some pieces can step in a direction; position: any, for its type."""
    return np.uint64(pieces & board.step(position, empty, 3 - direction))


@jit_inlined
def jumpers(position: Position, pieces: U64, foe: U64, empty: U64, direction: I64) -> U64:
    """Return which of some pieces can jump in a direction; position: any, for its type."""
    back = 3 - direction
    return np.uint64(pieces & board.step(position, foe & board.step(position, empty, back), back))


class ByDirection(NamedTuple):
    """Sets of squares, one for each direction."""

    up_right: U64
    up_left: U64
    down_right: U64
    down_left: U64


@jit_inlined
def all_steppers(position: Position, up: U64, down: U64, empty: U64) -> ByDirection:
    """Return the pieces that can step; up, down: the pieces that go in these directions."""
    return ByDirection(
        steppers(position, up, empty, 0),
        steppers(position, up, empty, 1),
        steppers(position, down, empty, 2),
        steppers(position, down, empty, 3),
    )


@jit_inlined
def all_jumpers(position: Position, up: U64, down: U64, foe: U64, empty: U64) -> ByDirection:
    """Return the pieces that can jump, like `all_steppers`."""
    return ByDirection(
        jumpers(position, up, foe, empty, 0),
        jumpers(position, up, foe, empty, 1),
        jumpers(position, down, foe, empty, 2),
        jumpers(position, down, foe, empty, 3),
    )


@jit_inlined
def any_of(found: ByDirection) -> U64:
    """Return the squares that are in any of the sets."""
    return found.up_right | found.up_left | found.down_right | found.down_left


@jit_inlined
def may_jump(position: Position, piece: U64, direction: I64) -> Bool:
    """Return whether a piece, one bit, may jump over its neighbour in a direction, if that is a foe."""
    if board.men_capture_backward(position):
        return True
    return (piece & np.uint64(position.kings)) != 0 or (direction < 2) == (position.turn == board.WHITE)


@jit_inlined
def kings_after(position: Position, start: U64, end: U64, captured: U64) -> U64:
    """Return the kings after a move from `start` to `end`; captured: foes that left the board.

    A man is crowned only where its move ends (FMJD 3.5 and 4.15, WCDF 1.19).
    """
    kings = np.uint64(position.kings)
    crowned = end if start & kings else np.uint64(end & board.king_row(position))
    return np.uint64((kings & invert64(start | captured)) | crowned)
