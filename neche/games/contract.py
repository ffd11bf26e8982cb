"""What every game offers to search and playouts: functions dispatched on the type of the position.

A game registers an implementation of each with `overload` (see `games/checkers/rules.py`). A position is a
NamedTuple of integers seen from the side to move. A move is a row of the game's move buffer and is named by
where the row starts.
"""

from typing import Any, NoReturn


def _unregistered(position: Any) -> NoReturn:
    raise TypeError(f"{type(position).__name__} is no position of a registered game")


def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from `base` on; return their number, 0 when the game is over."""
    _unregistered(position)


def generate_captures(position: Any, moves: Any, base: Any) -> Any:
    """Write the moves that quiescence must follow; return their number, 0 when the position is quiet."""
    _unregistered(position)


def is_quiet(position: Any) -> Any:
    """Tell whether quiescence has nothing to follow."""
    _unregistered(position)


def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen by the other side."""
    _unregistered(position)


def move_words(position: Any) -> Any:
    """Words in a row of the move buffer."""
    _unregistered(position)


def max_moves(position: Any) -> Any:
    """Rows that one position can need at most."""
    _unregistered(position)


def side_to_move(position: Any) -> Any:
    """0 for the side whose view a network takes unturned (White), 1 for the other."""
    _unregistered(position)


def can_move_quietly(position: Any) -> Any:
    """Tell whether the side to move of a quiet position has a move at all."""
    _unregistered(position)


def position_words(position: Any) -> Any:
    """Two uint64 that together are the position, one to one; bits 33 to 63 of the second are zero."""
    _unregistered(position)


def is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    """Tell whether the move from `before` to `after` resets the count of quiet plies.

    Captures and promotions do; the move of a man does where `man_moves_count` says so.
    """
    _unregistered(before)
