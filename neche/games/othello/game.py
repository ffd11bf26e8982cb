"""Othello in the catalogue."""

import numpy as np

from neche.games.catalogue import Game
from neche.games.draws import NEVER_DRAWN
from neche.games.notations import GgfNotation
from neche.games.othello import lanes as _lanes
from neche.games.othello import playout as _playout
from neche.games.othello import rules as _rules
from neche.games.othello import walk as _walk
from neche.games.othello.board import start
from neche.games.othello.evaluators import EVALUATORS
from neche.games.othello.look import LOOK
from neche.games.othello.moves import MAX_MOVES, MOVE_WORDS, outcome
from neche.games.othello.notation import PASS, diagram, format_fen, legal_moves, parse_fen, score
from neche.games.othello.perft import perft
from neche.games.othello.planes import PLANES
from neche.games.sensing import ALL_8X8

assert _lanes
assert _playout
assert _rules
assert _walk

GAME = Game(
    name="othello",
    move_words=MOVE_WORDS,
    max_moves=MAX_MOVES,
    move_type=np.uint64,
    sides=("Black", "White"),
    start=start,
    parse_fen=parse_fen,
    format_fen=format_fen,
    legal_moves=legal_moves,
    perft=perft,
    diagram=diagram,
    outcome=lambda position: int(outcome(position)),
    geometry=LOOK,
    draws=NEVER_DRAWN,
    ggf=GgfNotation("Othello", 8, (("X", "*"),), PASS, score),
    sensors=ALL_8X8,
    evaluators=EVALUATORS,
    planes=PLANES,
)
