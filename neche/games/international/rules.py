"""International draughts: its draw rules and what is registered of it."""

from neche.games.draughts.rules import register_draughts
from neche.games.draws import DrawRule
from neche.games.international.board import International
from neche.games.international.words import pack

OFFICIAL_DRAWS = DrawRule(50, True, 3, endings=(10, 32, 0, 0))
"""FMJD 6.1 to 6.4: see `draughts/endings.py`."""

# Quiet moves are 340 at most: twenty kings on an empty board have 17 each. The most captures known are 407
# (docs/decisions/0021).
MAX_MOVES = 1024

register_draughts(
    International,
    max_moves=MAX_MOVES,
    position_words=pack,
)
