"""A game as an interface sends it: a position and the moves since; only what is new is played through."""

from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.protocols.hub.notation import read_move, read_position

MOST_MOVES = 10_000


class GameLine:
    """The positions of a line of play. text: the first, as Hub writes it. moves: as they came."""

    def __init__(self, text: str, moves: list[str], positions: list[Any]) -> None:
        self.text, self.moves, self.positions = text, moves, positions

    @property
    def position(self) -> Any:
        """The position after the last move."""
        return self.positions[-1]

    @classmethod
    def read(cls, text: str, moves: str, game: Game, earlier: "GameLine | None" = None) -> "GameLine":
        """Read a position and moves; earlier: a line of the same game that may begin in the same way.

        Raises:
            InputError: the position is malformed or impossible, or a move is not legal where it stands.
        """
        words = moves.split()
        if len(words) > MOST_MOVES:
            raise InputError(f"{len(words)} moves are more than {MOST_MOVES}")
        known = 0
        if earlier is not None and earlier.text == text:
            positions = earlier.positions
            known = next(
                (at for at, pair in enumerate(zip(words, earlier.moves, strict=False)) if pair[0] != pair[1]),
                min(len(words), len(earlier.moves)),
            )
            positions = positions[: known + 1]
        else:
            positions = [read_position(text, game)]
        for word in words[known:]:
            positions.append(read_move(word, positions[-1], game).after)
        return cls(text, words, positions)
