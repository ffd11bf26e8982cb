"""The board on a terminal: coordinates around it, square numbers in it."""

import re
from typing import NamedTuple

from rich.text import Text

from neche.errors import InputError

SIZE = 8
_CELL = 5
_DARK = "on #8a6642"
_LIGHT = "on #e8d4b0"
_MARKED = "on #b08a2e"
_PIECE_STYLES = {"w": "bold #ffffff", "b": "bold #101010"}
_SIDES = {"W": "w", "B": "b"}


class Piece(NamedTuple):
    """A piece on the board: colour `w` or `b`, king or man."""

    colour: str
    is_king: bool

    @property
    def letter(self) -> str:
        """Return b, w for men, B, W for kings."""
        return self.colour.upper() if self.is_king else self.colour

    @property
    def disc(self) -> str:
        """Return a disc for men, a crown for kings: only colour tells the sides apart."""
        return "♛" if self.is_king else "●"


def pieces_of(fen: str) -> dict[int, Piece]:
    """Return the pieces of a FEN the program wrote, by square number.

    >>> pieces_of("B:W21,K30:B5")[30]
    Piece(colour='w', is_king=True)
    """
    pieces = {}
    for side in fen.rstrip(".").split(":")[1:]:
        for word in filter(None, side[1:].split(",")):
            pieces[int(word.lstrip("K"))] = Piece(_SIDES[side[0]], word.startswith("K"))
    return pieces


def square_name(number: int) -> str:
    """Return the coordinates of a square number.

    >>> square_name(1), square_name(5), square_name(32)
    ('b8', 'a7', 'g1')
    """
    row, place = divmod(number - 1, SIZE // 2)
    return f"{'abcdefgh'[2 * place + 1 - row % 2]}{SIZE - row}"


NUMBER_OF = {square_name(number): number for number in range(1, SIZE * SIZE // 2 + 1)}


def read_squares(text: str) -> tuple[int, ...]:
    """Return the square numbers of a typed move: `11-15`, `22x15`, `22 15 8`, `f6-e5`, `f6e5`.

    Raises InputError naming what is not a square.
    """
    words = re.findall(r"[a-h][1-8](?![0-9])|[0-9]+|[^\s\-x:]+", text.lower().strip())
    numbers = []
    for word in words:
        number = NUMBER_OF.get(word) or (int(word) if word.isdecimal() else 0)
        if not 1 <= number <= len(NUMBER_OF):
            dark = len(word) == 2 and word[0] in "abcdefgh" and word[1] in "12345678"
            raise InputError(f"{word} is a light square, without pieces" if dark else f"no square {word!r}")
        numbers.append(number)
    return tuple(numbers)


def draw_board(fen: str, *, bottom: str, marked: tuple[int, ...] = (), in_colour: bool = False) -> Text:
    """Return the board seen from the side `bottom` (`w` or `b`); the squares `marked` stand out.

    in_colour: pieces are discs told apart by their colour; else letters.
    """
    pieces = pieces_of(fen)
    rows = range(SIZE, 0, -1) if bottom == "w" else range(1, SIZE + 1)
    columns = "abcdefgh" if bottom == "w" else "hgfedcba"
    header = "    " + "".join(column.center(_CELL) for column in columns) + "\n"
    board = Text()
    board.append(header, style="dim")
    for row in rows:
        for line in (0, 1):
            board.append(f" {row if line else ' '}  ", style="dim")
            for column in columns:
                number = NUMBER_OF.get(f"{column}{row}")
                style = _LIGHT if number is None else _MARKED if number in marked else _DARK
                cell = _upper_half(number) if line == 0 else _lower_half(number, pieces, in_colour)
                board.append(cell.text, style=f"{cell.style} {style}")
            board.append(f"  {row if line else ' '}\n", style="dim")
    board.append(header, style="dim")
    return board


class _Cell(NamedTuple):
    text: str
    style: str


def _upper_half(number: int | None) -> _Cell:
    return _Cell(f"{number or '':<{_CELL}}", "#e0c8a0")


def _lower_half(number: int | None, pieces: dict[int, Piece], in_colour: bool) -> _Cell:
    piece = pieces.get(number or 0)
    if piece is None:
        return _Cell(("" if number is None else ".").center(_CELL), "#a98a66")
    return _Cell((piece.disc if in_colour else piece.letter).center(_CELL), _PIECE_STYLES[piece.colour])
