"""Checkers boards as planes of squares, what a convolutional network sees.

Three planes of 8×8, ones and zeros: own pieces, foe's pieces, kings of either. The side to move sees itself
at the bottom moving up: row 0 is its own first row, column 0 its left; for Black the board is turned by 180°.
So a position with the colours swapped gives the same planes.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from neche.compiled.bits import lowest_bit, lowest_index
from neche.compiled.jit import is_record, jit, overload
from neche.games import contract
from neche.games.checkers.board import BLACK, Checkers
from neche.games.checkers.notation import BIT_OF_SQUARE

NUM_PLANES, SIDE = 3, 8


def _cells() -> NDArray[np.int64]:
    """Return where a bit of the board is in a plane, row · 8 + column: [32]."""
    cells = np.zeros(32, np.int64)
    for square, bit in BIT_OF_SQUARE.items():
        from_top, place = divmod(square - 1, SIDE // 2)
        cells[bit] = (SIDE - 1 - from_top) * SIDE + 2 * place + 1 - from_top % 2
    return cells


CELL_OF_BIT = _cells()
_LAST_CELL = SIDE * SIDE - 1


def to_planes(own: ArrayLike, foe: ArrayLike, kings: ArrayLike, turn: ArrayLike) -> NDArray[np.float32]:
    """Return the planes of N packed boards: [N, 3, 8, 8].

    own, foe, kings: [N] uint32, as in `Checkers`. turn: [N], 0 White, 1 Black to move.
    """
    words = np.stack([np.asarray(word, np.uint32) for word in (own, foe, kings)], axis=1)
    bits = words[:, :, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
    flat = np.zeros((len(words), NUM_PLANES, SIDE * SIDE), np.float32)
    flat[:, :, CELL_OF_BIT] = bits
    is_turned = np.asarray(turn) == BLACK
    flat[is_turned] = flat[is_turned, :, ::-1]
    return flat.reshape(-1, NUM_PLANES, SIDE, SIDE)


@overload(contract.write_planes)
def _write_planes(position: Any, planes: Any) -> Any:
    if is_record(position, Checkers):
        return _write
    return None


def _write(position: Any, planes: Any) -> None:
    for at in range(NUM_PLANES * SIDE * SIDE):
        planes[at] = np.float32(0)
    is_turned = position.turn == BLACK
    _write_plane(position.own, 0, is_turned, planes)
    _write_plane(position.foe, 1, is_turned, planes)
    _write_plane(position.kings, 2, is_turned, planes)


@jit
def _write_plane(word: Any, plane: Any, is_turned: Any, planes: Any) -> None:
    while word:
        bit = lowest_bit(word)
        word = np.uint32(word ^ bit)
        cell = CELL_OF_BIT[lowest_index(bit)]
        if is_turned:
            cell = _LAST_CELL - cell
        planes[NUM_PLANES * cell + plane] = np.float32(1)
