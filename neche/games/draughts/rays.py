"""What pieces reach in a direction, for many squares at once and without a branch.

Squares are words of the board's own type here. A step is a rotation of the word; bits that wrap around the
board are masked out, since the step cannot enter their squares.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit_inlined
from neche.games.draughts.board import entered, places, turned, word


class Rays(NamedTuple):
    """What pieces reach in a direction, words of the board's type: foes that they can jump, free squares."""

    taken: Any
    targets: Any


@jit_inlined
def slide(position: Any, squares: Any, vacant: Any, direction: Any) -> Any:
    """Return the free squares that kings on `squares` reach in a direction, `squares` excluded.

    Runs grow by doubling and tripling up to nine steps, the longest diagonal. position: any, for its type.
    vacant: the free squares. direction: uint32, a constant when compiled or not.
    """
    one = places(position, direction)
    two, three = np.uint32(one + one), np.uint32(one + one + one)
    free = word(position, vacant & entered(position, direction))
    # Ends of two and of three free squares in a row, so that the run grows by more than a step at a time.
    pairs = word(position, free & turned(position, free, one))
    threes = word(position, pairs & turned(position, free, two))
    # One, two, three squares, then six and nine.
    run = word(position, free & turned(position, squares, one))
    run = word(position, run | (free & turned(position, run, one)))
    run = word(position, run | (free & turned(position, run, one)))
    run = word(position, run | (threes & turned(position, run, three)))
    return word(position, run | (threes & turned(position, run, three)))


@jit_inlined
def seen(position: Any, squares: Any, run: Any, steppers: Any, vacant: Any, foe: Any, direction: Any) -> Rays:
    """Return what pieces reach in a direction.

    squares: those of the pieces, and the free ones that their kings slide to. run: the latter. steppers: men
    that move in this direction. vacant: the free squares. foe: pieces that may be taken. direction: uint32, a
    constant when compiled.
    """
    one = places(position, direction)
    free = word(position, vacant & entered(position, direction))
    # Where a jumped piece must stand: one square before a free one.
    before_free = turned(position, free, np.uint32(np.uint32(0) - one))
    touched = word(position, turned(position, squares, one) & entered(position, direction))
    return Rays(
        word(position, touched & foe & before_free),
        word(position, run | (free & turned(position, steppers, one))),
    )


@jit_inlined
def look(position: Any, men: Any, steppers: Any, kings: Any, vacant: Any, foe: Any, direction: Any) -> Rays:
    """Return what men and kings reach in a direction, see `seen`; either may be possible landing squares."""
    run = slide(position, kings, vacant, direction)
    return seen(position, word(position, men | kings | run), run, steppers, vacant, foe, direction)


@jit_inlined
def behind(position: Any, square: Any, own: Any, vacant: Any, direction: Any) -> Any:
    """Return the own piece that reaches `square` in a direction: the first one on the way back."""
    back = np.uint32(np.uint32(3) - direction)
    run = word(position, square | slide(position, square, vacant, back))
    return word(position, turned(position, run, places(position, back)) & entered(position, back) & own)
