"""The rules of draughts under the contract: a game is a board (`board.py`) and three traits."""

from collections.abc import Callable
from typing import Any, NamedTuple

from neche.games.contract import register
from neche.games.draughts.board import new_position
from neche.games.draughts.captures import MOVE_WORDS, can_capture, generate_captures
from neche.games.draughts.endings import ending
from neche.games.draughts.moves import can_move_quietly, count_moves, generate, is_progress, successor


class Traits(NamedTuple):
    """In what the games differ, see `board.py`; each game has the articles of its rules beside them."""

    kings_fly: bool
    men_capture_backward: bool
    most_must_be_taken: bool


def register_draughts(
    record: Any, traits: Traits, *, max_moves: int, position_words: Callable[[Any], Any]
) -> None:
    """Register the rules of the game whose positions are `record`s, on the board registered for them."""
    register(
        record,
        **traits._asdict(),
        generate=generate,
        generate_captures=generate_captures,
        count_moves=count_moves,
        is_quiet=lambda position: not can_capture(position),
        can_move_quietly=can_move_quietly,
        successor=successor,
        move_words=MOVE_WORDS,
        max_moves=max_moves,
        position_words=position_words,
        is_progress=is_progress,
        position_at=lambda columns, index: record(
            columns.own[index], columns.foe[index], columns.kings[index], columns.turn[index]
        ),
        position_in=lambda sample, table, row, index: new_position(
            sample, table[row, index], table[row + 1, index], table[row + 2, index], table[row + 3, index]
        ),
    )
    if traits.kings_fly:
        register(record, ending=ending)
