"""The games by name. Importing this costs nothing; asking for a game imports its compiled rules."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from neche.errors import InputError, suggestion
from neche.games.look import Look

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GAMES: tuple[str, ...] = ("checkers", "brazilian", "international", "othello")


@dataclass(frozen=True)
class Move:
    """A legal move. text: in the game's notation, unique in its position. after: the position it leads to."""

    text: str
    after: Any


def _lost(position: Any) -> int:
    return -1


@dataclass(frozen=True)
class Game:
    """A game for people and drivers; compiled code uses `games.contract` instead.

    name: as in `GAMES`. move_words, max_moves: size of the move buffer of one position, in words a move and
    in moves. move_type: of these words. sides: names of the two sides; `side_to_move` gives the index.
    outcome: how a position without moves ended for its side to move: 1 won, 0 drawn, −1 lost. look: of the
    board, for pictures and typed moves; see `look_of`.
    """

    name: str
    move_words: int
    max_moves: int
    move_type: "type[np.unsignedinteger[Any]]"
    sides: tuple[str, str]
    start: Callable[[], Any]
    parse_fen: Callable[[str], Any]
    format_fen: Callable[[Any], str]
    legal_moves: Callable[[Any], list[Move]]
    perft: Callable[[Any, int], int]
    diagram: Callable[[Any], str]
    outcome: Callable[[Any], int] = _lost
    look: Look | None = None

    def side_to_move(self, position: Any) -> str:
        """Name of the side to move."""
        return self.sides[int(position.turn)]

    def move_buffer(self, num_moves: int | None = None) -> "NDArray[np.unsignedinteger[Any]]":
        """Allocate rows for so many moves, for those of one position if not given."""
        import numpy as np

        rows = self.max_moves if num_moves is None else num_moves
        return np.zeros(rows * self.move_words, self.move_type)


@cache
def game(name: str) -> Game:
    """Return the game of that name.

    Raises:
        InputError: there is none.
    """
    if name not in GAMES:
        raise InputError(f"unknown game '{name}'{suggestion(name, GAMES)}")
    found = import_module(f"neche.games.{name}.game").GAME
    assert isinstance(found, Game)
    return found


def look_of(game: Game) -> Look:
    """Return what the board of a game looks like.

    Raises:
        InputError: the game does not say.
    """
    if game.look is None:
        raise InputError(f"{game.name} does not say what its board looks like: no picture can be drawn")
    return game.look
