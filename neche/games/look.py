"""What the board of a game looks like: enough to draw it, on paper or a terminal, and to name its squares."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from neche.errors import InputError


class Piece(NamedTuple):
    """A piece on the board. side: index in `Game.sides`."""

    side: int
    is_king: bool = False


class Place(NamedTuple):
    """Where a square is, from the top left of the board and from 0."""

    column: int
    row: int


@dataclass(frozen=True)
class Look:
    """A board, as it lies before the side at the bottom.

    columns: their labels from the left. rows: their labels from the top. squares: the names by which moves
    call the squares, row by row from the top left; "" for a square on which nothing ever stands. pieces: what
    stands on the squares of a position, by name. is_dark: whether the pieces of a side are dark. letters:
    a side's pieces in plain text; kings have the capital. is_checkered: light squares, those without a name,
    and dark ones; otherwise all squares are alike, with lines between them. dots: corners of squares that are
    marked on the board, as lines from the left and from the top. bottom: the side that sits at the bottom;
    None if the board is the same from everywhere.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[str, ...]
    pieces: Callable[[Any], dict[str, Piece]]
    is_dark: tuple[bool, bool] = (False, True)
    letters: tuple[str, str] = ("w", "b")
    is_checkered: bool = False
    dots: tuple[tuple[int, int], ...] = ()
    bottom: int | None = None

    @cached_property
    def places(self) -> dict[str, Place]:
        """Place of each square by name."""
        width = len(self.columns)
        return {name: Place(at % width, at // width) for at, name in enumerate(self.squares) if name}

    @cached_property
    def coordinates(self) -> dict[str, str]:
        """Coordinates of each square by name, such as b8 of square 1."""
        return {
            name: f"{self.columns[place.column]}{self.rows[place.row]}".lower()
            for name, place in self.places.items()
        }

    @cached_property
    def _name_at(self) -> dict[str, str]:
        return {coordinates: name for name, coordinates in self.coordinates.items()}

    def is_turned_for(self, side: int) -> bool:
        """Tell whether the board is turned by 180 degrees to be seen by a side, an index in `Game.sides`."""
        return self.bottom is not None and side != self.bottom

    def square_at(self, place: Place) -> str:
        """Return the name of the square at a place, "" if nothing ever stands there."""
        return self.squares[place.row * len(self.columns) + place.column]

    def squares_of(self, move: str) -> tuple[str, ...]:
        """Return the squares that the text of a move names, in order; none for a pass."""
        return tuple(word for word in re.split("[-x]", move) if word in self.places)

    def read_squares(self, text: str) -> tuple[str, ...]:
        """Return the squares of a typed move: `11-15`, `22x15`, `22 15 8`, `f6-e5`, `f6e5`.

        Raises:
            InputError: a word is no square, or one on which nothing ever stands.
        """
        rows = "|".join(sorted(map(re.escape, self.rows), key=len, reverse=True))
        corner = rf"[{''.join(self.columns).lower()}](?:{rows})(?![0-9])"
        names = []
        for word in re.findall(rf"{corner}|[0-9]+|[^\s\-x:]+", text.lower().strip()):
            name = self._name_at.get(word) or (word.lstrip("0") if word.isdecimal() else "")
            if name not in self.places:
                is_bare = re.fullmatch(corner, word) is not None
                raise InputError(
                    f"{word} is a light square, without pieces" if is_bare else f"no square {word!r}"
                )
            names.append(name)
        return tuple(names)
