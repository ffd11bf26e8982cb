"""Brazilian draughts: its draw rules and what is registered of it."""

from neche.compiled.bits import join
from neche.games.brazilian.board import Brazilian
from neche.games.draughts.rules import register_draughts
from neche.games.draws import DrawRule

OFFICIAL_DRAWS = DrawRule(40, True, 3, endings=(10, 0, 10, 10))
"""CBJD 97b, 98, 99 with item 18 of the summary, and 100: see `draughts/endings.py`."""

# Quiet moves are 156 at most: twelve kings on an empty board have 13 each. The most captures known are 40
# (docs/decisions/0021).
MAX_MOVES = 160

register_draughts(
    Brazilian,
    max_moves=MAX_MOVES,
    position_words=lambda position: (join(position.own, position.foe), join(position.kings, position.turn)),
)
