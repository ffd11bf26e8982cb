"""Brazilian draughts, international rules on 8×8 squares: contract and catalogue entry.

The squares are numbered as in checkers: 1 = b8, 4 = h8, 29 = a1, 32 = g1.
"""

import numpy as np

from neche.games.draughts.board_8x8 import BIT_ROWS, Brazilian
from neche.games.draughts.branch_free import register_playouts
from neche.games.draughts.game import BOLDER, FMJD_TRAITS, draughts_game
from neche.games.draughts.notation import DraughtsNotation
from neche.games.draws import DrawRule
from neche.games.game import PdnNotation
from neche.games.sensors import DARK_8X8

register_playouts(Brazilian)

NOTATION = DraughtsNotation(
    record=Brazilian,
    word=np.uint32,
    # There are at most 156 quiet moves: twelve kings on an empty board have 13 each. The most captures known
    # are 40 (docs/decisions/0021).
    max_moves=160,
    rows=BIT_ROWS,
    max_pieces=12,
    start="W:W21-32:B1-12",
    traits=FMJD_TRAITS,
)
GAME = draughts_game(
    "brazilian",
    NOTATION,
    sensors=DARK_8X8,
    # CBJD 97b, 98, 99 with item 18 of the summary, and 100: see `draughts/endings.py`
    draws=DrawRule(40, True, 3, endings=(10, 0, 10, 10)),
    champion="brazilian-4",
    selectivity=BOLDER,
    pdn=PdnNotation(26, "W,8,8,A0,0", ("1-0", "1/2-1/2", "0-1"), True),
)
