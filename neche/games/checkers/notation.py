"""Checkers in writing: square numbers, FEN, move texts, diagrams. Plain Python, off every hot path.

Squares are numbered 1–32 along the dark squares from the top left, with White at the bottom: 1 = b8, 4 = h8,
29 = a1, 32 = g1. Source: PDN 3.0 for the FEN; WCDF rules for the numbering.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from neche.compiled.bits import lowest_index
from neche.games.catalogue import Move
from neche.games.checkers.board import BLACK, WHITE, Checkers, step
from neche.games.checkers.moves import MAX_MOVES, MOVE_WORDS, generate
from neche.games.draughts.notation import Layout, draw, placement, read_fen, write_fen

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
LAYOUT = Layout(_BIT_ROWS, 12, "B:W21-32:B1-12")
BIT_OF_SQUARE = LAYOUT.bit_of_square
SQUARE_OF_BIT = LAYOUT.square_of_bit


def parse_fen(text: str) -> Checkers:
    """Read a PDN FEN, see `games.draughts.notation.read_fen`."""
    placed = read_fen(text, LAYOUT)
    own, foe = (placed.black, placed.white) if placed.turn == BLACK else (placed.white, placed.black)
    return Checkers(*map(np.uint32, (own, foe, placed.kings, placed.turn)))


def format_fen(position: Checkers) -> str:
    """Write a position as PDN FEN, every square on its own: the exact inverse of `parse_fen`."""
    return write_fen(placement(position), LAYOUT)


def diagram(position: Checkers) -> str:
    """Draw the board, White at the bottom."""
    return draw(placement(position), LAYOUT)


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
