"""The checkers board as 32-bit words.

Bit numbers, White at the bottom moving up; bit i is what sensor i of a network sees:

        A   B   C   D   E   F   G   H
    8       31      23      15       7
    7   30      22      14       6
    6       21      13       5      29
    5   20      12       4      28
    4       11       3      27      19
    3   10       2      26      18
    2        1      25      17       9
    1    0      24      16       8

One step up-right is a rotation left by 1, up-left by 9, and the reverse rotations go back; turning the board
by 180 degrees is a reversal of the bits rotated left by 8. Source: the layout of the original neche program.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import reverse32, rotate_left
from neche.compiled.jit import jit

WHITE = 0
BLACK = 1


class Checkers(NamedTuple):
    """A position; the fields are uint32. Own is the side to move; kings is a subset of own | foe."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


def _word(*bits: int) -> np.uint32:
    return np.uint32(sum(1 << bit for bit in bits))


ROW_1 = _word(0, 24, 16, 8)
ROW_8 = _word(31, 23, 15, 7)
COLUMN_A = _word(0, 10, 20, 30)
COLUMN_H = _word(9, 19, 29, 7)
WHITE_START = _word(0, 24, 16, 8, 1, 25, 17, 9, 10, 2, 26, 18)
BLACK_START = _word(31, 23, 15, 7, 30, 22, 14, 6, 21, 13, 5, 29)

BIT_ROWS = (
    (31, 23, 15, 7),
    (30, 22, 14, 6),
    (21, 13, 5, 29),
    (20, 12, 4, 28),
    (11, 3, 27, 19),
    (10, 2, 26, 18),
    (1, 25, 17, 9),
    (0, 24, 16, 8),
)
"""Bits of the squares 1 to 32 in the order of their numbers: row 8 first, each from the left."""

# Squares that a step in a direction can arrive on: the rest would wrap around the board.
INTO_UP_RIGHT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_A) | int(ROW_1)))
INTO_UP_LEFT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_H) | int(ROW_1)))
INTO_DOWN_RIGHT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_A) | int(ROW_8)))
INTO_DOWN_LEFT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_H) | int(ROW_8)))


def start() -> Checkers:
    """Return the start position: twelve men a side, Black to move. Source: WCDF rules."""
    return Checkers(BLACK_START, WHITE_START, np.uint32(0), np.uint32(BLACK))


@jit
def up_right(squares: Any) -> Any:
    """Squares reached by one step up-right."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(1)) & INTO_UP_RIGHT)


@jit
def up_left(squares: Any) -> Any:
    """Squares reached by one step up-left."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(9)) & INTO_UP_LEFT)


@jit
def down_right(squares: Any) -> Any:
    """Squares reached by one step down-right."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(23)) & INTO_DOWN_RIGHT)


@jit
def down_left(squares: Any) -> Any:
    """Squares reached by one step down-left."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(31)) & INTO_DOWN_LEFT)


@jit
def turned(squares: Any) -> Any:
    """Return the board turned by 180 degrees."""
    return np.uint32(rotate_left(reverse32(np.uint32(squares)), np.uint32(8)))


@jit
def step(squares: Any, direction: Any) -> Any:
    """Squares reached by one step in a direction: 0 up-right, 1 up-left, 2 down-right, 3 down-left."""
    if direction == 0:
        return up_right(squares)
    if direction == 1:
        return up_left(squares)
    if direction == 2:
        return down_right(squares)
    return down_left(squares)


@jit
def king_row(turn: Any) -> Any:
    """Return the row on which men of the side to move are crowned."""
    return ROW_8 if turn == WHITE else ROW_1
