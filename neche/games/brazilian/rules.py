"""What the contract asks of this board beyond `games/draughts/rules.py`."""

from typing import Any

from neche.compiled.bits import join
from neche.compiled.jit import is_record, overload
from neche.games import contract
from neche.games.brazilian.board import Brazilian
from neche.games.draws import DrawRule

contract.ENDING.add(Brazilian)

OFFICIAL_DRAWS = DrawRule(40, True, 3, endings=(10, 0, 10, 10))
"""CBJD 97b, 98, 99 with item 18 of the summary, and 100: see `draughts/endings.py`."""

# Quiet moves are 156 at most: twelve kings on an empty board have 13 each. The most captures known are 40
# (docs/decisions/0021).
MAX_MOVES = 160


@overload(contract.max_moves)
def _max_moves(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: MAX_MOVES
    return None


@overload(contract.position_words)
def _position_words(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: (join(position.own, position.foe), join(position.kings, position.turn))
    return None


@overload(contract.sensed)
def _sensed(position: Any) -> Any:
    if is_record(position, Brazilian):
        return lambda position: (position.own, position.foe, position.kings)
    return None
