"""International draughts, on 10×10 squares, under the contract and in the catalogue.

The squares are numbered from the top left with White at the bottom: 1 = b10, 5 = j10, 46 = a1, 50 = i1.
"""

import numpy as np

from neche.games.catalogue import RUNGS, PdnNotation
from neche.games.draughts.game import draughts_game
from neche.games.draughts.moves import generate
from neche.games.draughts.notation import DraughtsNotation
from neche.games.draughts.perft import count_leaves
from neche.games.draughts.rules import register_draughts
from neche.games.draws import DrawRule
from neche.games.international.board import FIRST_BITS, International, pack, start
from neche.games.sensors import DARK_10X10

# Quiet moves are 340 at most: twenty kings on an empty board have 17 each. The most captures known are 407
# (docs/decisions/0021).
MAX_MOVES = 1024

register_draughts(International, max_moves=MAX_MOVES, position_words=pack)

NOTATION = DraughtsNotation(
    record=International,
    word=np.uint64,
    generate=generate,
    max_moves=MAX_MOVES,
    rows=tuple(tuple(range(first, first + 5)) for first in reversed(FIRST_BITS)),
    max_pieces=20,
    start="W:W31-50:B1-20",
)
GAME = draughts_game(
    "international",
    NOTATION,
    start=start,
    count_leaves=count_leaves,
    sensors=DARK_10X10,
    # FMJD 6.1 to 6.4: see `draughts/endings.py`
    draws=DrawRule(50, True, 3, endings=(10, 32, 0, 0)),
    # playouts are twenty times as slow as those of checkers
    rungs=tuple(rung for rung in RUNGS if rung != "mcrd:playouts=100000"),
    pdn=PdnNotation(20, "W,10,10,N2,0", ("2-0", "1-1", "0-2"), False),
)
