"""The board of 50 squares in a 64-bit word.

Bit numbers, White at the bottom moving up:

         A   B   C   D   E   F   G   H   I   J
    10       50      51      52      53      54
    9    44      45      46      47      48
    8        39      40      41      42      43
    7    33      34      35      36      37
    6        28      29      30      31      32
    5    22      23      24      25      26
    4        17      18      19      20      21
    3    11      12      13      14      15
    2        6       7       8       9       10
    1    0       1       2       3       4

One step up-right is a shift by 6, up-left by 5, and the reverse shifts go back. The bits 5, 16, 27, 38 and 49
and those above 54 are no squares: steps over the edge end there. A step from a bit that is no square has no
meaning, so steps begin on squares only. Turning the board by 180 degrees sends bit i to bit 54 − i.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import shift_down, shift_up
from neche.compiled.jit import is_record, overload
from neche.games.draughts import board
from neche.games.draughts.board import BOARDS, WHITE


class International(NamedTuple):
    """A position; the fields are uint64. Own is the side to move; kings is a subset of own | foe."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


BOARDS.add(International)


def _rows(first: int, last: int) -> np.uint64:
    """Return the squares of some rows, numbered from 1 at the bottom."""
    begins = [11 * (row // 2) + 6 * (row % 2) for row in range(first - 1, last)]
    return np.uint64(sum(0b11111 << begin for begin in begins))


ALL_SQUARES = _rows(1, 10)
ROW_1, ROW_10 = _rows(1, 1), _rows(10, 10)
MAIN_DIAGONAL = np.uint64(sum(1 << bit for bit in range(0, 55, 6)))
WHITE_START, BLACK_START = _rows(1, 4), _rows(7, 10)


def start() -> International:
    """Return the start position: twenty men a side, White to move."""
    return International(WHITE_START, BLACK_START, np.uint64(0), np.uint64(WHITE))


@overload(board.step)
def _step(position: Any, squares: Any, direction: Any) -> Any:
    if is_record(position, International):
        return _step_once
    return None


def _step_once(position: Any, squares: Any, direction: Any) -> Any:
    if direction == 0:
        return shift_up(squares, 6)
    if direction == 1:
        return shift_up(squares, 5)
    if direction == 2:
        return shift_down(squares, 5)
    return shift_down(squares, 6)


@overload(board.all_squares)
def _all_squares(position: Any) -> Any:
    if is_record(position, International):
        return lambda position: ALL_SQUARES
    return None


@overload(board.king_row)
def _king_row(position: Any) -> Any:
    if is_record(position, International):
        return lambda position: ROW_10 if position.turn == WHITE else ROW_1
    return None


@overload(board.main_diagonal)
def _main_diagonal(position: Any) -> Any:
    if is_record(position, International):
        return lambda position: MAIN_DIAGONAL
    return None


@overload(board.passed_on)
def _passed_on(position: Any, own: Any, foe: Any, kings: Any) -> Any:
    if is_record(position, International):
        return lambda position, own, foe, kings: International(
            np.uint64(foe), np.uint64(own), np.uint64(kings), np.uint64(position.turn ^ np.uint64(1))
        )
    return None
