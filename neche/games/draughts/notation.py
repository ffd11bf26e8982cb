"""Text forms of draughts: square numbers, FEN, moves, diagrams. Plain Python, off every hot path.

Squares are numbered along the dark squares from the top left, with White at the bottom. Source: PDN 3.0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from neche.errors import InputError
from neche.games.draughts.board import Traits
from neche.games.draughts.captures import MOVE_WORDS
from neche.games.draughts.moves import generate
from neche.games.game import Move
from neche.games.geometry import BoardGeometry, Piece

_SIDES = {"W": 0, "B": 1}
_NAMES = ("White", "Black")
_COLUMNS = "abcdefghij"
CLOCK_IN_FEN = re.compile(r"[HF][0-9]+|\+[0-9]+(?:\+[0-9]+)?", re.IGNORECASE)
"""What lidraughts appends to a position: `H0`, `F1`, `+0+0`."""


@dataclass(frozen=True)
class Placement:
    """A position in plain integers. white, black, kings: sets of bits. turn: 0 White, 1 Black to move."""

    white: int
    black: int
    kings: int
    turn: int


def placement(position: Any) -> Placement:
    """Return a position of any draughts game, with fields own, foe, kings and turn, by colour."""
    own, foe, kings, turn = map(int, position)
    return Placement(foe, own, kings, turn) if turn else Placement(own, foe, kings, turn)


@dataclass(frozen=True)
class DraughtsNotation:
    """The notation of one game of draughts.

    record: type of positions, with fields of type `word`. max_moves: of a position. rows: bits of the dark
    squares, rows from the top, columns from the left; the bottom left is dark. max_pieces: of a side. start:
    FEN of the start position. traits: used to name captures that differ only in their way.
    """

    record: Any
    word: type[np.unsignedinteger[Any]]
    max_moves: int
    rows: tuple[tuple[int, ...], ...]
    max_pieces: int
    start: str
    traits: Traits

    @cached_property
    def bit_of_square(self) -> dict[int, int]:
        """Bit of each square number."""
        return dict(enumerate((bit for row in self.rows for bit in row), 1))

    @cached_property
    def square_of_bit(self) -> dict[int, int]:
        """Square number of each bit."""
        return {bit: square for square, bit in self.bit_of_square.items()}

    @cached_property
    def place_of_bit(self) -> dict[int, tuple[int, int]]:
        """Column from the left and row from the bottom of each bit, from 0."""
        top = len(self.rows) - 1
        return {
            bit: (2 * place + (top - row) % 2, top - row)
            for row, bits in enumerate(self.rows)
            for place, bit in enumerate(bits)
        }

    @cached_property
    def bit_at(self) -> dict[tuple[int, int], int]:
        """Bit of each place, see `place_of_bit`."""
        return {place: bit for bit, place in self.place_of_bit.items()}

    @cached_property
    def square_of_name(self) -> dict[str, int]:
        """Square number of each dark square by column and row, `a1`."""
        return {place: int(square) for square, place in self.geometry().coordinates.items()}

    def squares_of(self, word: int) -> list[int]:
        """Return the square numbers of the set bits, in order."""
        return [square for square, bit in self.bit_of_square.items() if word & (1 << bit)]

    def parse_fen(self, text: str) -> Any:
        """Read a PDN FEN such as `B:W21-32:B1-12` or `W:WK27:Bc3`; lists may be empty, clocks may follow.

        InputError if it is malformed, or the position is impossible: a square off the board or named twice,
        too many pieces of a side, a man on the row where it would have been crowned.
        """
        board = _read_fen(text, self)
        own, foe = (board.black, board.white) if board.turn else (board.white, board.black)
        return self.record(*map(self.word, (own, foe, board.kings, board.turn)))

    def format_fen(self, position: Any) -> str:
        """Write a position as PDN FEN, listing every square: the exact inverse of `parse_fen`."""
        board = placement(position)
        kings = set(self.squares_of(board.kings))
        white, black = (
            ",".join(f"K{square}" if square in kings else str(square) for square in self.squares_of(word))
            for word in (board.white, board.black)
        )
        return f"{'WB'[board.turn]}:W{white}:B{black}"

    def diagram(self, position: Any) -> str:
        """Draw the board, White at the bottom: w, b men; W, B kings; dots on empty dark squares."""
        board, size, width = placement(position), len(self.rows), len(self.rows[0])
        lines = []
        for row, bits in enumerate(self.rows):
            cells = []
            for bit in bits:
                mark = "w" if board.white & (1 << bit) else "b" if board.black & (1 << bit) else "."
                cells.append(mark.upper() if board.kings & (1 << bit) else mark)
            line = "   ".join(cells)
            shown = f"  {line}" if row % 2 == 0 else f"{line}  "
            lines.append(f"{size - row:<2} {shown}   {width * row + 1}–{width * (row + 1)}")
        return "\n".join([*lines, "   " + " ".join(_COLUMNS[:size].upper())])

    def legal_moves(self, position: Any) -> list[Move]:
        """List the legal moves in order of generation: `32-28`, or `28x19` for a capture.

        Captures that would have the same text name every square on their way, the first way if there are
        several.
        """
        moves = np.zeros(self.max_moves * MOVE_WORDS, self.word)
        rows = moves[: MOVE_WORDS * int(generate(position, moves, 0))].reshape(-1, MOVE_WORDS)
        texts = _name_moves(placement(position), rows.tolist(), self)
        turn = self.word(1 - int(position.turn))
        return [
            Move(text, self.record(row[1], row[0], row[2], turn))
            for text, row in zip(texts, rows, strict=True)
        ]

    def geometry(self) -> BoardGeometry:
        """Return the geometry of the board: pieces on its numbered dark squares, White at the bottom."""
        size = len(self.rows)
        places = ((column, row) for row in reversed(range(size)) for column in range(size))
        numbers = (self.square_of_bit.get(self.bit_at.get(place, -1), "") for place in places)
        return BoardGeometry(
            columns=tuple(_COLUMNS[:size]),
            rows=tuple(str(row) for row in range(size, 0, -1)),
            squares=tuple(map(str, numbers)),
            pieces=self._pieces,
            is_checkered=True,
            bottom=0,
        )

    def _pieces(self, position: Any) -> dict[str, Piece]:
        board = placement(position)
        return {
            str(square): Piece(side, bool(board.kings & (1 << self.bit_of_square[square])))
            for side, word in enumerate((board.white, board.black))
            for square in self.squares_of(word)
        }


def _read_fen(text: str, notation: DraughtsNotation) -> Placement:
    # a space between digits is kept and refused: `2 1` is not square 21
    joined = re.sub("(?<![0-9]) | (?![0-9])", "", " ".join(text.split()))
    fields = joined.strip('"').rstrip(".").split(":")
    while len(fields) > 3 and CLOCK_IN_FEN.fullmatch(fields[-1]):
        fields.pop()
    if len(fields) != 3 or fields[0].upper() not in _SIDES:
        raise InputError(f"FEN '{text}': expected SIDE:W…:B… with SIDE W or B, such as {notation.start}")
    words = [0, 0]
    kings = 0
    given = set()
    for part in fields[1:]:
        colour = part[:1].upper()
        if colour not in _SIDES or colour in given:
            raise InputError(f"FEN '{text}': expected one list for W and one for B, found '{part}'")
        given.add(colour)
        for square, is_king in _listed_pieces(part[1:], text, notation.square_of_name):
            bit = notation.bit_of_square[square]
            if (words[0] | words[1]) & (1 << bit):
                raise InputError(f"FEN '{text}': square {square} is named twice")
            words[_SIDES[colour]] |= 1 << bit
            kings |= is_king << bit
    _check_pieces(words, kings, text, notation)
    return Placement(words[0], words[1], kings, _SIDES[fields[0].upper()])


def _listed_pieces(listed: str, text: str, names: dict[str, int]) -> Iterator[tuple[int, int]]:
    last_square = len(names)
    for item in listed.split(",") if listed else ():
        number = re.sub("[a-j][0-9]+$", lambda found: str(names.get(found[0], "")), item.lower())
        match = re.fullmatch(r"(?a)(k?)([0-9]{1,3})(?:-\1?([0-9]{1,3}))?", number)
        if match is None:
            raise InputError(f"FEN '{text}': '{item}' is no square")
        king, low, high = match.groups()
        first, last = int(low), int(high or low)
        for square in (first, last):
            if not 1 <= square <= last_square:
                raise InputError(f"FEN '{text}': square {square} is not on the board (1 to {last_square})")
        if last < first:
            raise InputError(f"FEN '{text}': the range '{item}' runs backwards")
        for square in range(first, last + 1):
            yield square, int(bool(king))


def _check_pieces(words: list[int], kings: int, text: str, notation: DraughtsNotation) -> None:
    for side, crowning in ((0, notation.rows[0]), (1, notation.rows[-1])):
        count = words[side].bit_count()
        if count > notation.max_pieces:
            raise InputError(
                f"FEN '{text}': {_NAMES[side]} has {count} pieces, at most {notation.max_pieces} are possible"
            )
        stuck = words[side] & ~kings & sum(1 << bit for bit in crowning)
        if stuck:
            square = notation.squares_of(stuck)[0]
            raise InputError(
                f"FEN '{text}': a {_NAMES[side].lower()} man on {square} would have been crowned"
            )


def _name_moves(board: Placement, rows: list[list[int]], notation: DraughtsNotation) -> list[str]:
    ends = [_ends(board, row) for row in rows]
    number = notation.square_of_bit
    foe = board.white if board.turn else board.black
    texts = [
        f"{number[start]}{'-' if row[1] == foe else 'x'}{number[end]}"
        for (start, end), row in zip(ends, rows, strict=True)
    ]
    return [
        "x".join(str(number[bit]) for bit in _route(board, pair, row, notation))
        if texts.count(text) > 1
        else text
        for text, pair, row in zip(texts, ends, rows, strict=True)
    ]


def _ends(board: Placement, row: list[int]) -> tuple[int, int]:
    """Return the bits on which a move starts and ends."""
    own, after = board.black if board.turn else board.white, row[0]
    start = row[3] or own & ~after
    end = after & ~(own ^ start)
    return start.bit_length() - 1, end.bit_length() - 1


def _route(board: Placement, ends: tuple[int, int], row: list[int], notation: DraughtsNotation) -> list[int]:
    """Return the squares a piece touches on the first way between its ends that takes what `row` takes."""
    foe = board.white if board.turn else board.black
    is_king = bool(board.kings & (1 << ends[0]))
    reach = len(notation.rows) if is_king and notation.traits.kings_fly else 2
    lines = (1, -1) if is_king or notation.traits.men_capture_backward else (-1,) if board.turn else (1,)
    directions = [(column, line) for line in lines for column in (1, -1)]
    occupied = (board.white | board.black) & ~(1 << ends[0])
    place_of, bit_at = notation.place_of_bit, notation.bit_at

    def jumps(bit: int, left: int) -> Iterator[tuple[int, int]]:
        for column, line in directions:
            jumped = None
            for distance in range(1, reach + 1):
                at = bit_at.get((place_of[bit][0] + column * distance, place_of[bit][1] + line * distance))
                if at is None or (occupied & (1 << at) and (jumped is not None or not left & (1 << at))):
                    break
                if occupied & (1 << at):
                    jumped = at
                elif jumped is not None:
                    yield at, left & ~(1 << jumped)
                elif reach == 2:
                    break

    def routes(bit: int, left: int) -> Iterator[list[int]]:
        if (bit, left) == (ends[1], row[1]):
            yield [bit]
        for landing, rest in jumps(bit, left):
            if rest & row[1] == row[1]:
                for further in routes(landing, rest):
                    yield [bit, *further]

    return next(routes(ends[0], foe))
