"""Checkers boards as planes: own pieces, foe's pieces, kings of either, 8×8 each, see `games.planes`."""

import numpy as np
from numpy.typing import NDArray

from neche.games.checkers.board import BLACK, Checkers
from neche.games.checkers.notation import BIT_OF_SQUARE
from neche.games.planes import Planes, implement_planes

_SIDE = 8


def _cells() -> NDArray[np.int64]:
    cells = np.zeros(32, np.int64)
    for square, bit in BIT_OF_SQUARE.items():
        from_top, place = divmod(square - 1, _SIDE // 2)
        cells[bit] = (_SIDE - 1 - from_top) * _SIDE + 2 * place + 1 - from_top % 2
    return cells


PLANES = implement_planes(Checkers, Planes(("own", "foe", "kings"), _SIDE, _cells(), turned=BLACK))
