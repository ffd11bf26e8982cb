"""The geometry of a board: enough to draw it, on paper or a terminal, and to name its squares."""

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


class GridPlace(NamedTuple):
    """Column and row of a square, counted from 0 at the top left of the board."""

    column: int
    row: int


@dataclass(frozen=True)
class BoardGeometry:
    """A board as seen from the side at the bottom.

    columns: labels from the left. rows: labels from the top. squares: their names in move texts, row by row
    from the top left; "" for a square on which no piece ever stands. pieces: returns the pieces of a position
    by square. is_dark: whether the pieces of each side are dark. letters: of each side's pieces in plain
    text; capitals for kings. is_checkered: squares without a name are light, the others dark; if false, all
    squares look alike, with lines between them. dots: marked corners of squares, as numbers of lines from the
    left and the top. bottom: the side that sits at the bottom; None if both sides see the same board.
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
    def places(self) -> dict[str, GridPlace]:
        """Place of each square by name."""
        width = len(self.columns)
        return {name: GridPlace(at % width, at // width) for at, name in enumerate(self.squares) if name}

    @cached_property
    def coordinates(self) -> dict[str, str]:
        """Coordinates of each square by name, such as b8 of square 1."""
        return {
            name: f"{self.columns[place.column]}{self.rows[place.row]}".lower()
            for name, place in self.places.items()
        }

    def is_turned_for(self, side: int) -> bool:
        """Return whether the board is turned by 180 degrees for a side, an index in `Game.sides`."""
        return self.bottom is not None and side != self.bottom

    def square_at(self, place: GridPlace) -> str:
        """Return the name of the square at a place, "" if no piece ever stands there."""
        return self.squares[place.row * len(self.columns) + place.column]

    def squares_of(self, move: str) -> tuple[str, ...]:
        """Return the squares that the text of a move names, in order; none for a pass."""
        return tuple(word for word in re.split("[-x]", move) if word in self.places)

    def read_squares(self, text: str) -> tuple[str, ...]:
        """Return the squares of a typed move: `11-15`, `22x15`, `22 15 8`, `f6-e5`, `f6e5`.

        InputError if a word is not a square, or one on which no piece ever stands.
        """
        rows = "|".join(sorted(map(re.escape, self.rows), key=len, reverse=True))
        corner = rf"[{''.join(self.columns).lower()}](?:{rows})(?![0-9])"
        name_at = {coordinates: name for name, coordinates in self.coordinates.items()}
        names = []
        for word in re.findall(rf"{corner}|[0-9]+|[^\s\-x:]+", text.lower().strip()):
            name = name_at.get(word) or (word.lstrip("0") if word.isdecimal() else "")
            if name not in self.places:
                is_bare = re.fullmatch(corner, word) is not None
                raise InputError(
                    f"{word} is a light square, without pieces" if is_bare else f"no square {word!r}"
                )
            names.append(name)
        return tuple(names)
