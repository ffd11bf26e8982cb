"""American checkers under the contract and in the catalogue."""

import numpy as np

from neche.compiled.bits import join
from neche.games.contract import register
from neche.games.draughts.board import BLACK
from neche.games.draughts.board_8x8 import BIT_ROWS, BLACK_START, WHITE_START, Checkers
from neche.games.draughts.checkers_branch_free import register_branch_free
from neche.games.draughts.checkers_playout import first_memory, random_ply
from neche.games.draughts.game import draughts_game
from neche.games.draughts.moves import generate
from neche.games.draughts.notation import DraughtsNotation
from neche.games.draughts.rules import Traits, register_draughts
from neche.games.game import PdnNotation
from neche.games.sensors import DARK_8X8

# No position of twelve pieces a side has more: at most 48 quiet moves, and far fewer captures.
MAX_MOVES = 96

TRAITS = Traits(
    kings_fly=False,  # WCDF 1.16, 1.18
    men_capture_backward=False,  # WCDF 1.17
    most_must_be_taken=False,  # WCDF 1.20
)
register_draughts(
    Checkers,
    TRAITS,
    max_moves=MAX_MOVES,
    position_words=lambda position: (join(position.own, position.foe), join(position.kings, position.turn)),
)
register(Checkers, random_ply=random_ply, first_memory=first_memory, avoids_cycles=True)
register_branch_free()


def start() -> Checkers:
    """Return the start position: twelve men a side, Black to move. Source: WCDF rules."""
    return Checkers(BLACK_START, WHITE_START, np.uint32(0), np.uint32(BLACK))


# Squares are numbered 1 = b8, 4 = h8, 29 = a1, 32 = g1. Source: WCDF rules.
NOTATION = DraughtsNotation(
    record=Checkers,
    word=np.uint32,
    generate=generate,
    max_moves=MAX_MOVES,
    rows=BIT_ROWS,
    max_pieces=12,
    start="B:W21-32:B1-12",
    traits=TRAITS,
)
GAME = draughts_game(
    "checkers",
    NOTATION,
    start=start,
    sensors=DARK_8X8,
    champion="network:file=champion",
    pdn=PdnNotation(21, "B,8,8,N1,0", ("1-0", "1/2-1/2", "0-1"), False),
)
