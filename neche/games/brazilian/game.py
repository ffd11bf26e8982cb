"""International draughts on 8×8 squares in the catalogue."""

from neche.games.brazilian.board import Brazilian, start
from neche.games.brazilian.notation import WRITING
from neche.games.brazilian.rules import OFFICIAL_DRAWS
from neche.games.catalogue import Game
from neche.games.draughts.captures import MOVE_WORDS
from neche.games.draughts.look import draughts_look
from neche.games.draughts.planes import draughts_planes
from neche.games.evaluators import material
from neche.games.notations import PdnNotation
from neche.games.sensing import DARK_8X8

GAME = Game(
    name="brazilian",
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
    planes=draughts_planes(Brazilian, WRITING.layout),
    pdn=PdnNotation(26, "W,8,8,A0,0", ("1-0", "1/2-1/2", "0-1"), True),
    sensors=DARK_8X8,
    evaluators=(material(DARK_8X8),),
)
