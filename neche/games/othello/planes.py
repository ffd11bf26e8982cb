"""Othello boards as planes: own and foe's discs, a1 first; the board is the same for both sides."""

import numpy as np

from neche.games.othello.board import Othello
from neche.games.planes import Planes, implement_planes

PLANES = implement_planes(Othello, Planes(("own", "foe"), 8, np.arange(64)))
