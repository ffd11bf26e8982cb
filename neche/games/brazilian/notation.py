"""Positions and moves in writing: the squares 1–32 of checkers, 1 = b8, 4 = h8, 29 = a1, 32 = g1."""

import numpy as np

from neche.games.brazilian.board import Brazilian
from neche.games.brazilian.rules import MAX_MOVES
from neche.games.checkers.notation import LAYOUT as CHECKERS
from neche.games.draughts.notation import Layout
from neche.games.draughts.writing import Writing

WRITING = Writing(Brazilian, np.uint32, MAX_MOVES, Layout(CHECKERS.rows, 12, "W:W21-32:B1-12"))
