"""How a random game chooses a move and makes it: the code that all implementations share."""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, popcount
from neche.compiled.jit import U32, Bool, jit_inlined
from neche.compiled.randomness import draw
from neche.games.draughts.board import Squares, king_row, passed_on, word

_ZERO, _ONE = np.uint32(0), np.uint32(1)
# Spreads the end squares of captures far away from the squares of the pieces that are left.
_SPREAD = np.uint64(0xD6E8FEB86659FD93)


@jit_inlined
def chosen(
    first: Squares, second: Squares, third: Squares, fourth: Squares, number: U32
) -> tuple[Bool, Bool, Squares, U32]:
    """Find candidate `number` in four words, one for each direction.

    Returns whether its direction is down, whether it is left, its word, and its number in that word.
    """
    # A binary search: upper or lower pair of words, then left or right of the pair.
    num_first, num_third = np.uint32(popcount(first)), np.uint32(popcount(third))
    num_up = np.uint32(num_first + np.uint32(popcount(second)))
    is_down = number >= num_up
    number = np.uint32(number - (num_up if is_down else _ZERO))
    num_right = num_third if is_down else num_first
    is_left = number >= num_right
    number = np.uint32(number - (num_right if is_left else _ZERO))
    right = third if is_down else first
    left = fourth if is_down else second
    return is_down, is_left, left if is_left else right, number


@jit_inlined
def direction_of(is_down: Bool, is_left: Bool) -> U32:
    """Return the number of a direction."""
    return np.uint32((np.uint32(2) if is_down else _ZERO) + (_ONE if is_left else _ZERO))


@jit_inlined
def number_of(state: Any, left: Any, start: Any, end: Any) -> Any:
    """Return the random number of a capture for the random state of a ply: the highest is drawn.

    left: foes that it does not take. start, end: one square each.
    """
    # A capture is identified by the pieces that stay, start and end. Found on two ways it has one number,
    # so it counts once.
    place = np.uint64(np.uint64(left) + np.uint64(np.uint64(end) * _SPREAD))
    return draw(np.uint64(state) ^ np.uint64(start), place)


@jit_inlined
def moved(here: Any, start: Any, end: Any, left: Any) -> Any:
    """Return the position after a move that leaves the foes `left`, and whether a king made it."""
    ones = word(here, invert64(np.uint64(0)))
    is_king = word(here, here.kings & start) != word(here, 0)
    own = word(here, word(here, here.own ^ start) | end)
    # Kings that stay: own ones except the moving piece, and foes that are left.
    kings = word(here, here.kings & word(here, (here.own & (start ^ ones)) | left))
    # A man becomes a king only where its move ends.
    crowned = end if is_king else word(here, end & word(here, king_row(here)))
    return passed_on(here, own, left, word(here, kings | crowned)), is_king
