"""Draughts boards as planes: own pieces, foe's pieces, kings of either, see `games.planes`."""

import numpy as np

from neche.games.draughts.board import BLACK
from neche.games.draughts.notation import Layout
from neche.games.planes import Planes, implement_planes


def draughts_planes(record: type, layout: Layout) -> Planes:
    """Register and return the planes of a board."""
    side = len(layout.rows)
    cells = np.full(64, -1, np.int64)
    for bit, (column, row) in layout.place_of_bit.items():
        cells[bit] = row * side + column
    return implement_planes(record, Planes(("own", "foe", "kings"), side, cells, turned=BLACK))
