"""What the contract asks of this board beyond `games/draughts/rules.py`."""

from typing import Any

from neche.compiled.jit import is_record, overload
from neche.games import contract
from neche.games.draws import DrawRule
from neche.games.international.board import International
from neche.games.international.words import pack

contract.ENDING.add(International)

OFFICIAL_DRAWS = DrawRule(50, True, 3, endings=(10, 32, 0, 0))
"""FMJD 6.1 to 6.4: see `draughts/endings.py`."""

# Quiet moves are 340 at most: twenty kings on an empty board have 17 each. The most captures known are 407
# (docs/decisions/0021).
MAX_MOVES = 1024


@overload(contract.max_moves)
def _max_moves(position: Any) -> Any:
    if is_record(position, International):
        return lambda position: MAX_MOVES
    return None


@overload(contract.position_words)
def _position_words(position: Any) -> Any:
    if is_record(position, International):
        return lambda position: pack(position)
    return None


@overload(contract.sensed)
def _sensed(position: Any) -> Any:
    if is_record(position, International):
        return lambda position: (position.own, position.foe, position.kings)
    return None
