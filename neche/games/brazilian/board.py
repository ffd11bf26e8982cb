"""The board of 32 squares: bits, steps and start as in American checkers (`games/checkers/board.py`).

So bit i is what sensor i of a network sees.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import nth_index32, rotate_left
from neche.compiled.jit import is_record, overload
from neche.games import contract
from neche.games.checkers.board import (
    BLACK_START,
    INTO_DOWN_LEFT,
    INTO_DOWN_RIGHT,
    INTO_UP_LEFT,
    INTO_UP_RIGHT,
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
contract.STEPWISE.add(Brazilian)
contract.WALKING.add(Brazilian)


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


@overload(board.word)
def _word(position: Any, squares: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position, squares: np.uint32(squares)
    return None


@overload(board.turned)
def _turned(position: Any, squares: Any, places: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position, squares, places: rotate_left(np.uint32(squares), np.uint32(places))
    return None


@overload(board.places)
def _places(position: Any, direction: Any) -> Any:
    if is_record(position, Brazilian):
        return _rotation
    return None


def _rotation(position: Any, direction: Any) -> Any:
    """1, 9, 23, 31, see `games/checkers/board.py`."""
    right = np.uint32(23) if direction > np.uint32(1) else np.uint32(1)
    return np.uint32(right + (np.uint32(8) if direction & np.uint32(1) else np.uint32(0)))


@overload(board.entered)
def _entered(position: Any, direction: Any) -> Any:
    if is_record(position, Brazilian):
        return _arrivals
    return None


def _arrivals(position: Any, direction: Any) -> Any:
    right = INTO_DOWN_RIGHT if direction > np.uint32(1) else INTO_UP_RIGHT
    left = INTO_DOWN_LEFT if direction > np.uint32(1) else INTO_UP_LEFT
    return left if direction & np.uint32(1) else right


@overload(board.nth_index)
def _nth_index(position: Any, squares: Any, number: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position, squares, number: nth_index32(squares, number)
    return None


@overload(board.path_words)
def _path_words(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: 3
    return None


@overload(board.record)
def _record(position: Any, own: Any, foe: Any, kings: Any, turn: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position, own, foe, kings, turn: Brazilian(
            np.uint32(own), np.uint32(foe), np.uint32(kings), np.uint32(turn)
        )
    return None


@overload(contract.position_at)
def _position_at(columns: Any, index: Any) -> Any:
    if is_record(columns, Brazilian):
        return lambda columns, index: Brazilian(
            columns.own[index], columns.foe[index], columns.kings[index], columns.turn[index]
        )
    return None


@overload(contract.position_in)
def _position_in(sample: Any, table: Any, row: Any, index: Any) -> Any:
    if is_record(sample, Brazilian):
        return lambda sample, table, row, index: Brazilian(
            np.uint32(table[row, index]),
            np.uint32(table[row + 1, index]),
            np.uint32(table[row + 2, index]),
            np.uint32(table[row + 3, index]),
        )
    return None
