"""Draughts in writing: square numbers, FEN, move texts, diagrams. Plain Python, off every hot path.

Squares are numbered along the dark squares from the top left, with White at the bottom. Source: PDN 3.0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from neche.errors import InputError

_SIDES = {"W": 0, "B": 1}
_NAMES = ("White", "Black")
Place = tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """Where the squares are.

    rows: bit numbers of the dark squares, rows from the top, columns from the left; the bottom left is dark.
    max_pieces: of a side. start: FEN of the start position, an example of one.
    """

    rows: tuple[tuple[int, ...], ...]
    max_pieces: int
    start: str

    @property
    def num_squares(self) -> int:
        """Return the number of dark squares."""
        return len(self.rows) * len(self.rows[0])

    @property
    def bit_of_square(self) -> dict[int, int]:
        """Return the bit of each square number."""
        return dict(enumerate((bit for row in self.rows for bit in row), 1))

    @property
    def square_of_bit(self) -> dict[int, int]:
        """Return the square number of each bit."""
        return {bit: square for square, bit in self.bit_of_square.items()}

    @property
    def place_of_bit(self) -> dict[int, Place]:
        """Return column from the left and row from the bottom of each bit, from 0."""
        top = len(self.rows) - 1
        return {
            bit: (2 * place + (top - row) % 2, top - row)
            for row, bits in enumerate(self.rows)
            for place, bit in enumerate(bits)
        }

    def squares_of(self, word: Any) -> list[int]:
        """Return the square numbers of the set bits, in order."""
        return [square for square, bit in self.bit_of_square.items() if int(word) & (1 << bit)]


@dataclass(frozen=True)
class Placement:
    """A position in plain integers. white, black, kings: sets of bits. turn: 0 White, 1 Black to move."""

    white: int
    black: int
    kings: int
    turn: int


def placement(position: Any) -> Placement:
    """Return a position of any draughts game, whose fields are own, foe, kings and turn, by colours."""
    own, foe, kings, turn = map(int, position)
    return Placement(foe, own, kings, turn) if turn else Placement(own, foe, kings, turn)


def read_fen(text: str, layout: Layout) -> Placement:
    """Read a PDN FEN such as `B:W21-32:B1-12` or `W:WK27:BK11`; lists may be empty.

    Raises:
        InputError: it is malformed, or no such position can be: a square off the board or named twice, more
            pieces a side than there are, a man on the row where it would have been crowned.
    """
    fields = text.strip().strip('"').rstrip(".").replace(" ", "").split(":")
    if len(fields) != 3 or fields[0].upper() not in _SIDES:
        raise InputError(f"FEN '{text}': expected SIDE:W…:B… with SIDE W or B, such as {layout.start}")
    words = [0, 0]
    kings = 0
    given = set()
    for part in fields[1:]:
        colour = part[:1].upper()
        if colour not in _SIDES or colour in given:
            raise InputError(f"FEN '{text}': expected one list for W and one for B, found '{part}'")
        given.add(colour)
        for square, is_king in _pieces(part[1:], text, layout):
            bit = layout.bit_of_square[square]
            if (words[0] | words[1]) & (1 << bit):
                raise InputError(f"FEN '{text}': square {square} is named twice")
            words[_SIDES[colour]] |= 1 << bit
            kings |= is_king << bit
    _check(words, kings, text, layout)
    return Placement(words[0], words[1], kings, _SIDES[fields[0].upper()])


def _pieces(listed: str, text: str, layout: Layout) -> Iterator[tuple[int, int]]:
    last_square = layout.num_squares
    for item in listed.split(",") if listed else ():
        match = re.fullmatch(r"([Kk]?)([0-9]{1,3})(?:-([Kk]?)([0-9]{1,3}))?", item)
        if match is None:
            raise InputError(f"FEN '{text}': '{item}' is no square")
        king, low, _, high = match.groups()
        first, last = int(low), int(high or low)
        for square in (first, last):
            if not 1 <= square <= last_square:
                raise InputError(f"FEN '{text}': square {square} is not on the board (1 to {last_square})")
        if last < first:
            raise InputError(f"FEN '{text}': the range '{item}' runs backwards")
        for square in range(first, last + 1):
            yield square, int(bool(king))


def _check(words: list[int], kings: int, text: str, layout: Layout) -> None:
    for side, crowning in ((0, layout.rows[0]), (1, layout.rows[-1])):
        count = words[side].bit_count()
        if count > layout.max_pieces:
            raise InputError(
                f"FEN '{text}': {_NAMES[side]} has {count} pieces, at most {layout.max_pieces} are possible"
            )
        stuck = words[side] & ~kings & sum(1 << bit for bit in crowning)
        if stuck:
            square = layout.squares_of(stuck)[0]
            raise InputError(
                f"FEN '{text}': a {_NAMES[side].lower()} man on {square} would have been crowned"
            )


def write_fen(board: Placement, layout: Layout) -> str:
    """Write a position as PDN FEN, every square on its own: the exact inverse of `read_fen`."""
    king_squares = set(layout.squares_of(board.kings))
    lists = [
        ",".join(
            f"K{square}" if square in king_squares else str(square) for square in layout.squares_of(word)
        )
        for word in (board.white, board.black)
    ]
    return f"{'WB'[board.turn]}:W{lists[0]}:B{lists[1]}"


def draw(board: Placement, layout: Layout) -> str:
    """Draw the board, White at the bottom: w, b men; W, B kings; dots on empty dark squares."""
    size, width = len(layout.rows), len(layout.rows[0])
    lines = []
    for row, bits in enumerate(layout.rows):
        cells = []
        for bit in bits:
            mark = "w" if board.white & (1 << bit) else "b" if board.black & (1 << bit) else "."
            cells.append(mark.upper() if board.kings & (1 << bit) else mark)
        line = "   ".join(cells)
        shown = f"  {line}" if row % 2 == 0 else f"{line}  "
        lines.append(f"{size - row:<2} {shown}   {width * row + 1}–{width * (row + 1)}")
    return "\n".join([*lines, "   " + " ".join("ABCDEFGHIJ"[:size])])


def name_moves(board: Placement, rows: list[tuple[int, int, int, int]], layout: Layout) -> list[str]:
    """Return the texts of all legal moves of a position: `32-28`, or `28x19` for a capture.

    rows: the moves, as `games.draughts.moves` writes them. Captures that would be written alike name every
    square on their way, the first way if there are several.
    """
    ends = [_ends(board, row) for row in rows]
    number = layout.square_of_bit
    foe = board.black if board.turn == 0 else board.white
    texts = [
        ("-" if row[1] == foe else "x").join(str(number[bit]) for bit in pair)
        for pair, row in zip(ends, rows, strict=True)
    ]
    return [
        "x".join(str(number[bit]) for bit in _route(board, pair, row, layout))
        if texts.count(text) > 1
        else text
        for text, pair, row in zip(texts, ends, rows, strict=True)
    ]


def _ends(board: Placement, row: tuple[int, int, int, int]) -> tuple[int, int]:
    own, after = board.black if board.turn else board.white, row[0]
    start = row[3] or own & ~after
    end = after & ~(own ^ start)
    return start.bit_length() - 1, end.bit_length() - 1


def _route(board: Placement, ends: tuple[int, int], row: tuple[int, ...], layout: Layout) -> list[int]:
    """Return the squares a piece touches on the first way between its ends that takes what `row` takes."""
    foe = board.black if board.turn == 0 else board.white
    place_of = layout.place_of_bit
    bit_at = {place: bit for bit, place in place_of.items()}
    reach = len(layout.rows) if board.kings & (1 << ends[0]) else 2
    occupied = (board.white | board.black) & ~(1 << ends[0])

    def jumps(bit: int, left: int) -> Iterator[tuple[int, int]]:
        for column, line in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
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
