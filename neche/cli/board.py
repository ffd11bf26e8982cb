"""The board on a terminal, with coordinates around it, and square numbers if moves are written in numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rich.text import Text

from neche.games.game import Game, geometry_of
from neche.games.geometry import BoardGeometry, GridPlace, Piece

_CELL = 5
_WOOD = {"dark": "#8a6642", "light": "#e8d4b0", "marked": "#b08a2e", "name": "#e0c8a0", "empty": "#a98a66"}
_CLOTH = {"dark": "#2f7a52", "light": "#2a6f4a", "marked": "#8a8a2e", "name": "#cfe3d6", "empty": "#5fa37f"}
_PIECE_STYLES = ("bold #ffffff", "bold #101010")


class Note(NamedTuple):
    """Two lines that replace a square's content, and their style; long ones widen the board."""

    upper: str
    lower: str
    style: str


@dataclass(frozen=True)
class Shown:
    """What is shown besides the pieces.

    marked: highlighted squares. spots: where a piece may be placed. notes: written into squares.
    """

    marked: Sequence[str] = ()
    spots: Sequence[str] = ()
    notes: Mapping[str, Note] = field(default_factory=dict)


def draw_board(
    game: Game,
    position: Any | None,
    *,
    flipped: bool = False,
    shown: Shown | None = None,
    in_colour: bool = False,
    is_low: bool = False,
) -> Text:
    """Return the board of a game: two lines for each row of squares, one above and two below.

    position: None for the bare board. flipped: turned by 180 degrees. in_colour: pieces are coloured discs,
    else letters. is_low: one line for each row, without the upper one. InputError if there is no geometry.
    """
    geometry, shown = geometry_of(game), shown or Shown()
    pieces: Mapping[str, Piece] = {} if position is None else geometry.pieces(position)
    step = -1 if flipped else 1
    rows, columns = range(len(geometry.rows))[::step], range(len(geometry.columns))[::step]
    width = max((_CELL, *(len(line) for note in shown.notes.values() for line in note[:2])))
    header = "    " + "".join(geometry.columns[column].center(width) for column in columns) + "\n"
    colours = _WOOD if geometry.is_checkered else _CLOTH
    board = Text()
    board.append(header, style="dim")
    for row in rows:
        label = geometry.rows[row]
        for line in (1,) if is_low else (0, 1):
            board.append(f" {label if line else '':<2} ", style="dim")
            for column in columns:
                square = geometry.square_at(GridPlace(column, row))
                cell = _cell(geometry, square, pieces.get(square), shown, in_colour)
                is_dark = bool(square) if geometry.is_checkered else (column + row) % 2 == 0
                ground = "marked" if square in shown.marked else "dark" if is_dark else "light"
                words, ink = cell[line]
                board.append(words.center(width), style=f"{colours.get(ink, ink)} on {colours[ground]}")
            board.append(f"  {label if line else ''}\n", style="dim")
    board.append(header, style="dim")
    if position is not None:
        counts = [sum(piece.side == side for piece in pieces.values()) for side in (0, 1)]
        sides = zip(game.sides, geometry.letters, counts, strict=True)
        counted = ", ".join(f"{name} {letter} {count}" for name, letter, count in sides)
        board.append(f"    {counted}\n", style="dim")
    return board


def _cell(
    geometry: BoardGeometry, square: str, piece: Piece | None, shown: Shown, in_colour: bool
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the two lines of a square, text and style; a style may name one of the board's colours."""
    note = shown.notes.get(square)
    if note is not None:
        return (note.upper.center(_CELL), note.style), (note.lower.center(_CELL), note.style)
    # a square named by its coordinates is labelled at the edge of the board
    name = "" if geometry.coordinates.get(square, square) == square else square
    upper = f"{name:<{_CELL}}", "name"
    if piece is None:
        spot = "+" if square in shown.spots else "." if square else ""
        return upper, (spot.center(_CELL), "name" if spot == "+" else "empty")
    letter = geometry.letters[piece.side]
    man, king = ("●", "♛") if in_colour else (letter, letter.upper())
    mark = king if piece.is_king else man
    return upper, (mark.center(_CELL), _PIECE_STYLES[geometry.is_dark[piece.side]])
