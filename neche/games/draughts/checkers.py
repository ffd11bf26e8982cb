"""American checkers: contract and catalogue entry.

The articles are those of the rules of the World Checkers and Draughts Federation (WCDF).
"""

import numpy as np

from neche.games.contract import register
from neche.games.draughts.board import Traits
from neche.games.draughts.board_8x8 import BIT_ROWS, Checkers
from neche.games.draughts.checkers_branch_free import register_branch_free
from neche.games.draughts.checkers_playout import first_memory, random_ply
from neche.games.draughts.game import draughts_game
from neche.games.draughts.notation import DraughtsNotation
from neche.games.game import PdnNotation
from neche.games.sensors import DARK_8X8

register(Checkers, random_ply=random_ply, first_memory=first_memory, avoids_cycles=True)
register_branch_free()

NOTATION = DraughtsNotation(
    record=Checkers,
    word=np.uint32,
    # No position of twelve pieces a side needs more: at most 48 quiet moves, and far fewer captures.
    max_moves=96,
    # Squares are numbered 1 = b8, 4 = h8, 29 = a1, 32 = g1. Source: WCDF rules.
    rows=BIT_ROWS,
    max_pieces=12,
    start="B:W21-32:B1-12",
    traits=Traits(
        kings_fly=False,  # WCDF 1.16, 1.18
        men_capture_backward=False,  # WCDF 1.17
        most_must_be_taken=False,  # WCDF 1.20
    ),
)
GAME = draughts_game(
    "checkers",
    NOTATION,
    sensors=DARK_8X8,
    champion="network:file=champion",
    # Where kings do not fly, an evaluation far outside the window is seldom wrong.
    selectivity={"static_depth": 7},
    pdn=PdnNotation(21, "B,8,8,N1,0", ("1-0", "1/2-1/2", "0-1"), False),
)
