"""The board of 32 squares as 32-bit words, for American checkers and Brazilian draughts.

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

from typing import NamedTuple

import numpy as np

from neche.compiled.bits import join, nth_index32, reverse64, rotate_left, shift_down
from neche.compiled.jit import I64, U32, U64, Position
from neche.games.draughts.board import register_board
from neche.games.patterns import states_of_dark_8x8


class Checkers(NamedTuple):
    """A position; the fields are uint32. Own is the side to move; kings is a subset of own | foe."""

    own: U32
    foe: U32
    kings: U32
    turn: U32


class Brazilian(NamedTuple):
    """A position, as in checkers."""

    own: U32
    foe: U32
    kings: U32
    turn: U32


def _word(*bits: int) -> np.uint32:
    return np.uint32(sum(1 << bit for bit in bits))


ROW_1 = _word(0, 24, 16, 8)
ROW_8 = _word(31, 23, 15, 7)
COLUMN_A = _word(0, 10, 20, 30)
COLUMN_H = _word(9, 19, 29, 7)

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

# Squares on which a step in a direction can arrive; on the others it has wrapped around the board.
INTO_UP_RIGHT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_A) | int(ROW_1)))
INTO_UP_LEFT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_H) | int(ROW_1)))
INTO_DOWN_RIGHT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_A) | int(ROW_8)))
INTO_DOWN_LEFT = np.uint32(0xFFFFFFFF ^ (int(COLUMN_H) | int(ROW_8)))


def _step(position: Position, squares: U64, direction: I64) -> U64:
    word = np.uint32(squares)
    if direction == 0:
        return np.uint64(rotate_left(word, np.uint32(1)) & INTO_UP_RIGHT)
    if direction == 1:
        return np.uint64(rotate_left(word, np.uint32(9)) & INTO_UP_LEFT)
    if direction == 2:
        return np.uint64(rotate_left(word, np.uint32(23)) & INTO_DOWN_RIGHT)
    return np.uint64(rotate_left(word, np.uint32(31)) & INTO_DOWN_LEFT)


def _places(position: Position, direction: U32) -> U32:
    """1, 9, 23, 31: the rotations of the four directions."""
    right = np.uint32(23) if direction > np.uint32(1) else np.uint32(1)
    return np.uint32(right + (np.uint32(8) if direction & np.uint32(1) else np.uint32(0)))


def _entered(position: Position, direction: U32) -> U32:
    right = INTO_DOWN_RIGHT if direction > np.uint32(1) else INTO_UP_RIGHT
    left = INTO_DOWN_LEFT if direction > np.uint32(1) else INTO_UP_LEFT
    return left if direction & np.uint32(1) else right


for _record in (Checkers, Brazilian):
    register_board(
        _record,
        word=np.uint32,
        all_squares=np.uint64(0xFFFFFFFF),
        main_diagonal=np.uint64(0b11111111),
        king_rows=(np.uint64(ROW_8), np.uint64(ROW_1)),
        step=_step,
        turned_around=lambda position, squares: np.uint64(
            rotate_left(np.uint32(shift_down(reverse64(np.uint64(squares)), 32)), np.uint32(8))
        ),
        turned=lambda position, squares, places: rotate_left(np.uint32(squares), np.uint32(places)),
        places=_places,
        entered=_entered,
        pattern_states=lambda position, own, foe: states_of_dark_8x8(own, foe),
        king_words=lambda position, own, foe: (join(np.uint32(own), np.uint32(foe)), np.uint64(0)),
        nth_index=lambda position, squares, number: nth_index32(squares, number),
        path_words=3,
        position_words=lambda position: (
            join(position.own, position.foe),
            join(position.kings, position.turn),
        ),
    )
