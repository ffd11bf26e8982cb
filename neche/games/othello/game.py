"""Othello: contract and catalogue entry."""

import numpy as np

from neche.games.contract import register
from neche.games.draws import NEVER_DRAWN
from neche.games.game import Game, GgfNotation, LastMoves
from neche.games.generic import perft_with
from neche.games.othello import moves, notation
from neche.games.othello.exact import MOST_DISCS, OthelloSolver, num_empty
from neche.games.othello.moves import Othello
from neche.games.othello.playout import register_playouts
from neche.games.planes import Planes, implement_planes
from neche.games.sensors import ALL_8X8, HandMade, material, square_symmetries

# Every placement turns discs, and none is more forcing than another, so all positions are quiet. No position
# ever recurs, since discs are only added and no pass follows a pass: every move is progress.
register(
    Othello,
    generate=moves.generate,
    count_moves=moves.count_moves,
    can_move_quietly=moves.can_move,
    outcome=moves.outcome,
    successor=moves.successor,
    move_words=moves.MOVE_WORDS,
    max_moves=moves.MAX_MOVES,
    mobility=moves.mobility,
    patterns=moves.patterns,
    position_at=lambda columns, index: Othello(columns.own[index], columns.foe[index], columns.turn[index]),
    position_in=lambda sample, table, row, index: Othello(
        np.uint64(table[row, index]), np.uint64(table[row + 1, index]), np.uint64(table[row + 2, index])
    ),
)
register_playouts()

_START = notation.parse_fen(notation.START)

# Norvig, Paradigms of Artificial Intelligence Programming (1992), chapter 18: a quarter of the board.
_QUARTER = ((120, -20, 20, 5), (-20, -40, -5, -5), (20, -5, 15, 3), (5, -5, 3, 3))


def _worth(square: str) -> int:
    column, row = "ABCDEFGH".index(square[0]), int(square[1]) - 1
    return _QUARTER[min(row, 7 - row)][min(column, 7 - column)]


POSITIONAL = HandMade("positional", tuple(map(_worth, ALL_8X8.squares)))
CORNERS = HandMade("corners", tuple(int(square in ("A1", "H1", "A8", "H8")) for square in ALL_8X8.squares))
MOBILITY = HandMade("mobility", (0,) * len(ALL_8X8.squares), mobility=1)

EVALUATORS = (material(ALL_8X8), CORNERS, MOBILITY, POSITIONAL)
_MARGINS = {"cut_margin": 12, "low_margin": 12}

GAME = Game(
    name="othello",
    move_words=moves.MOVE_WORDS,
    max_moves=moves.MAX_MOVES,
    move_type=np.uint64,
    sides=("Black", "White"),
    start=lambda: _START,
    parse_fen=notation.parse_fen,
    format_fen=notation.format_fen,
    legal_moves=notation.legal_moves,
    # a game that ends before the last ply counts as a leaf, as in the published tables (Aart Bik, Perft for
    # Reversi, 2009); Edax does not count it
    perft=perft_with(moves.MAX_MOVES * moves.MOVE_WORDS, np.uint64, counts_finished=True),
    diagram=notation.diagram,
    outcome=lambda position: int(moves.outcome(position)),
    geometry=notation.GEOMETRY,
    draws=NEVER_DRAWN,
    champion="othello-4",
    ggf=GgfNotation("Othello", 8, (("X", "*"),), notation.PASS, notation.score),
    sensors=ALL_8X8,
    symmetries=square_symmetries(8),
    evaluators=EVALUATORS,
    last_moves=LastMoves("discs", MOST_DISCS, num_empty, OthelloSolver),
    # Every move changes half the board, so no move can be put off. No position recurs.
    selectivity={"reduce_depth": 99, "cut_depth": 4, "cut_plies": 2, "repetitions": 0, **_MARGINS},
    planes=implement_planes(Othello, Planes(("own", "foe"), 8, np.arange(64))),
)
