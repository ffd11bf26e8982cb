"""Checkers in writing: square numbers, FEN, move texts, diagrams. Plain Python, off every hot path.

Squares are numbered 1–32 along the dark squares from the top left, with White at the bottom: 1 = b8, 4 = h8,
29 = a1, 32 = g1. Source: PDN 3.0 for the FEN; WCDF rules for the numbering.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from neche.compiled.bits import lowest_index
from neche.errors import InputError
from neche.games.catalogue import Move
from neche.games.checkers.board import BLACK, ROW_1, ROW_8, WHITE, Checkers, step
from neche.games.checkers.moves import MAX_MOVES, MOVE_WORDS, generate

MAX_PIECES = 12
_BIT_ROWS = (
    (31, 23, 15, 7),
    (30, 22, 14, 6),
    (21, 13, 5, 29),
    (20, 12, 4, 28),
    (11, 3, 27, 19),
    (10, 2, 26, 18),
    (1, 25, 17, 9),
    (0, 24, 16, 8),
)
BIT_OF_SQUARE = {
    4 * row + column + 1: bit for row, bits in enumerate(_BIT_ROWS) for column, bit in enumerate(bits)
}
SQUARE_OF_BIT = {bit: square for square, bit in BIT_OF_SQUARE.items()}
_SIDES = {"W": WHITE, "B": BLACK}
_NAMES = ("White", "Black")


def _bits(word: Any) -> list[int]:
    return [bit for bit in range(32) if int(word) & (1 << bit)]


def squares_of(word: Any) -> list[int]:
    """Square numbers of the set bits, in order."""
    return sorted(SQUARE_OF_BIT[bit] for bit in _bits(word))


def parse_fen(text: str) -> Checkers:
    """Read a PDN FEN such as `B:W21-32:B1-12` or `W:WK27:BK11`; lists may be empty.

    Raises:
        InputError: it is malformed, or no such position can be: a square off the board or named twice, more
            than twelve pieces a side, a man on the row where it would have been crowned.
    """
    fields = text.strip().strip('"').rstrip(".").replace(" ", "").split(":")
    if len(fields) != 3 or fields[0].upper() not in _SIDES:
        raise InputError(f"FEN '{text}': expected SIDE:W…:B… with SIDE W or B, such as B:W21-32:B1-12")
    words = [0, 0]
    kings = 0
    given = set()
    for part in fields[1:]:
        colour = part[:1].upper()
        if colour not in _SIDES or colour in given:
            raise InputError(f"FEN '{text}': expected one list for W and one for B, found '{part}'")
        given.add(colour)
        for bit, is_king in _pieces(part[1:], text):
            if (words[0] | words[1]) & (1 << bit):
                raise InputError(f"FEN '{text}': square {SQUARE_OF_BIT[bit]} is named twice")
            words[_SIDES[colour]] |= 1 << bit
            kings |= is_king << bit
    _check(words, kings, text)
    turn = _SIDES[fields[0].upper()]
    own, foe, crowned = np.uint32(words[turn]), np.uint32(words[1 - turn]), np.uint32(kings)
    return Checkers(own, foe, crowned, np.uint32(turn))


def _pieces(listed: str, text: str) -> Iterator[tuple[int, int]]:
    for item in listed.split(",") if listed else ():
        match = re.fullmatch(r"([Kk]?)([0-9]{1,3})(?:-([Kk]?)([0-9]{1,3}))?", item)
        if match is None:
            raise InputError(f"FEN '{text}': '{item}' is no square")
        king, low, _, high = match.groups()
        first, last = int(low), int(high or low)
        for square in (first, last):
            if square not in BIT_OF_SQUARE:
                raise InputError(f"FEN '{text}': square {square} is not on the board (1 to 32)")
        if last < first:
            raise InputError(f"FEN '{text}': the range '{item}' runs backwards")
        for square in range(first, last + 1):
            yield BIT_OF_SQUARE[square], int(bool(king))


def _check(words: list[int], kings: int, text: str) -> None:
    for side, crowning in ((WHITE, ROW_8), (BLACK, ROW_1)):
        count = words[side].bit_count()
        if count > MAX_PIECES:
            raise InputError(
                f"FEN '{text}': {_NAMES[side]} has {count} pieces, at most {MAX_PIECES} are possible"
            )
        stuck = words[side] & ~kings & int(crowning)
        if stuck:
            square = squares_of(stuck)[0]
            raise InputError(
                f"FEN '{text}': a {_NAMES[side].lower()} man on {square} would have been crowned"
            )


def format_fen(position: Checkers) -> str:
    """Write a position as PDN FEN, every square on its own: the exact inverse of `parse_fen`."""
    turn = int(position.turn)
    words = (position.own, position.foe) if turn == WHITE else (position.foe, position.own)
    king_squares = set(squares_of(position.kings))
    lists = [
        ",".join(f"K{square}" if square in king_squares else str(square) for square in squares_of(word))
        for word in words
    ]
    return f"{'WB'[turn]}:W{lists[0]}:B{lists[1]}"


def legal_moves(position: Checkers) -> list[Move]:
    """List the legal moves as `11-15` or `22x15`; captures that differ only on the way name every square."""
    moves = np.zeros(MOVE_WORDS * MAX_MOVES, np.uint32)
    rows = moves[: MOVE_WORDS * int(generate(position, moves, 0))].reshape(-1, MOVE_WORDS)
    found = [_described(position, *(int(word) for word in row)) for row in rows]
    texts = [text for text, _ in found]
    turn = np.uint32(1 - int(position.turn))
    named = []
    for (text, ends), row in zip(found, rows, strict=True):
        if texts.count(text) > 1:
            text = "x".join(str(SQUARE_OF_BIT[bit]) for bit in _route(position, ends[0], row))
        named.append(Move(text, Checkers(row[1], row[0], row[2], turn)))
    return named


def _described(position: Checkers, own: int, foe: int, kings: int, start: int) -> tuple[str, tuple[int, int]]:
    start = start or int(position.own) & ~own
    end = own & ~(int(position.own) ^ start)
    bits = int(lowest_index(start)), int(lowest_index(end))
    separator = "-" if foe == int(position.foe) else "x"
    return separator.join(str(SQUARE_OF_BIT[bit]) for bit in bits), bits


def _route(position: Checkers, start: int, row: Any) -> list[int]:
    """Squares that the capturing piece touches, for the first route that leads to the move in `row`."""
    moving = 1 << start
    is_king = bool(int(position.kings) & moving)
    target = (int(row[0]) ^ int(position.own) & ~moving, int(row[1]))
    empty = ~(int(position.own) | int(position.foe)) | moving

    def routes(at: int, foe: int) -> Iterator[list[int]]:
        if (at, foe) == target:
            yield [int(lowest_index(at))]
        for direction in range(4):
            if not is_king and (direction < 2) != (int(position.turn) == WHITE):
                continue
            jumped = int(step(np.uint32(at), direction)) & foe
            landing = int(step(np.uint32(jumped), direction)) & empty
            if landing:
                for rest in routes(landing, foe & ~jumped):
                    yield [int(lowest_index(at)), *rest]

    return next(routes(moving, int(position.foe)))


def diagram(position: Checkers) -> str:
    """Draw the board, White at the bottom: w, b men; W, B kings; dots on empty dark squares."""
    white, black = (position.own, position.foe) if position.turn == WHITE else (position.foe, position.own)
    lines = []
    for row, bits in enumerate(_BIT_ROWS):
        cells = []
        for bit in bits:
            mark = "w" if int(white) & (1 << bit) else "b" if int(black) & (1 << bit) else "."
            cells.append(mark.upper() if int(position.kings) & (1 << bit) else mark)
        line = "   ".join(cells)
        shown = f"  {line}" if row % 2 == 0 else f"{line}  "
        lines.append(f"{8 - row}  {shown}   {4 * row + 1}–{4 * row + 4}")
    return "\n".join([*lines, "   A B C D E F G H"])
