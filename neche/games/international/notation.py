"""Positions and moves in writing: the squares 1–50, 1 top left with White at the bottom, 46 bottom left."""

import numpy as np

from neche.games.draughts.notation import Layout
from neche.games.draughts.writing import Writing
from neche.games.international.board import International
from neche.games.international.rules import MAX_MOVES

_ROWS = (
    (50, 51, 52, 53, 54),
    (44, 45, 46, 47, 48),
    (39, 40, 41, 42, 43),
    (33, 34, 35, 36, 37),
    (28, 29, 30, 31, 32),
    (22, 23, 24, 25, 26),
    (17, 18, 19, 20, 21),
    (11, 12, 13, 14, 15),
    (6, 7, 8, 9, 10),
    (0, 1, 2, 3, 4),
)
WRITING = Writing(International, np.uint64, MAX_MOVES, Layout(_ROWS, 20, "W:W31-50:B1-20"))
