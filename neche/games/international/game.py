"""International draughts on 10×10 squares in the catalogue."""

from neche.games.catalogue import RUNGS, Game
from neche.games.draughts.captures import MOVE_WORDS
from neche.games.draughts.look import draughts_look
from neche.games.draughts.planes import draughts_planes
from neche.games.evaluators import material
from neche.games.international.board import International, start
from neche.games.international.notation import WRITING
from neche.games.international.rules import OFFICIAL_DRAWS
from neche.games.notations import PdnNotation
from neche.games.sensing import DARK_10X10

GAME = Game(
    name="international",
    move_words=MOVE_WORDS,
    max_moves=WRITING.max_moves,
    move_type=WRITING.word,
    sides=("White", "Black"),
    start=start,
    parse_fen=WRITING.parse_fen,
    format_fen=WRITING.format_fen,
    legal_moves=WRITING.legal_moves,
    perft=WRITING.perft,
    diagram=WRITING.diagram,
    geometry=draughts_look(WRITING.layout),
    draws=OFFICIAL_DRAWS,
    planes=draughts_planes(International, WRITING.layout),
    # playouts are twenty times as slow as those of checkers
    rungs=tuple(rung for rung in RUNGS if rung != "mcrd:playouts=100000"),
    pdn=PdnNotation(20, "W,10,10,N2,0", ("2-0", "1-1", "0-2"), False),
    sensors=DARK_10X10,
    evaluators=(material(DARK_10X10),),
)
