"""The board of 32 squares: bits, steps and start as in American checkers (`games/checkers/board.py`).

So bit i is what sensor i of a network sees.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import is_record, overload
from neche.games.checkers.board import (
    BLACK_START,
    ROW_1,
    ROW_8,
    WHITE_START,
    down_left,
    down_right,
    up_left,
    up_right,
)
from neche.games.draughts import board
from neche.games.draughts.board import BOARDS, WHITE

_ALL_SQUARES = np.uint64(0xFFFFFFFF)
_MAIN_DIAGONAL = np.uint64(0b11111111)
_KING_ROW_WHITE, _KING_ROW_BLACK = np.uint64(ROW_8), np.uint64(ROW_1)


class Brazilian(NamedTuple):
    """A position; the fields are uint32. Own is the side to move; kings is a subset of own | foe."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


BOARDS.add(Brazilian)


def start() -> Brazilian:
    """Return the start position: twelve men a side, White to move."""
    return Brazilian(WHITE_START, BLACK_START, np.uint32(0), np.uint32(WHITE))


@overload(board.step)
def _step(position: Any, squares: Any, direction: Any) -> Any:
    if is_record(position, Brazilian):
        return _step_once
    return None


def _step_once(position: Any, squares: Any, direction: Any) -> Any:
    if direction == 0:
        return np.uint64(up_right(squares))
    if direction == 1:
        return np.uint64(up_left(squares))
    if direction == 2:
        return np.uint64(down_right(squares))
    return np.uint64(down_left(squares))


@overload(board.all_squares)
def _all_squares(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: _ALL_SQUARES
    return None


@overload(board.king_row)
def _king_row(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: _KING_ROW_WHITE if position.turn == WHITE else _KING_ROW_BLACK
    return None


@overload(board.main_diagonal)
def _main_diagonal(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: _MAIN_DIAGONAL
    return None


@overload(board.passed_on)
def _passed_on(position: Any, own: Any, foe: Any, kings: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position, own, foe, kings: Brazilian(
            np.uint32(foe), np.uint32(own), np.uint32(kings), np.uint32(position.turn ^ np.uint32(1))
        )
    return None
