"""American checkers in the catalogue."""

import numpy as np

from neche.games.catalogue import Game
from neche.games.checkers import lanes as _lanes
from neche.games.checkers import playout as _playout
from neche.games.checkers import rules as _rules
from neche.games.checkers import walk as _walk
from neche.games.checkers import wary_walk as _wary_walk
from neche.games.checkers.board import start
from neche.games.checkers.moves import MAX_MOVES, MOVE_WORDS
from neche.games.checkers.notation import LAYOUT, diagram, format_fen, legal_moves, parse_fen
from neche.games.checkers.perft import perft
from neche.games.checkers.planes import PLANES
from neche.games.draughts.look import draughts_look
from neche.games.evaluators import material
from neche.games.notations import PdnNotation
from neche.games.sensing import DARK_8X8

assert _lanes
assert _playout
assert _rules
assert _walk
assert _wary_walk

GAME = Game(
    name="checkers",
    move_words=MOVE_WORDS,
    max_moves=MAX_MOVES,
    move_type=np.uint32,
    sides=("White", "Black"),
    start=start,
    parse_fen=parse_fen,
    format_fen=format_fen,
    legal_moves=legal_moves,
    perft=perft,
    diagram=diagram,
    geometry=draughts_look(LAYOUT),
    champion="network:file=champion",
    pdn=PdnNotation(21, "B,8,8,N1,0", ("1-0", "1/2-1/2", "0-1"), False),
    sensors=DARK_8X8,
    evaluators=(material(DARK_8X8),),
    planes=PLANES,
)
