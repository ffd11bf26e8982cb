"""Positions and moves as Hub writes them.

A position is the side to move and a letter for each square: `Wbbb…eeewww`. A move is its first and last
square and, of a capture, the squares of the captured pieces in any order: `32-28`, `28x19x23`.
"""

import re
from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.protocols.squares import Leap, find_move, leap_of, read_board, shown, write_board

_MOVE = re.compile(r"\d{1,2}(?:-\d{1,2}|(?:x\d{1,2})+)")


def read_position(text: str, game: Game) -> Any:
    """Read a position.

    Raises:
        InputError: it is malformed, or no such position can be.
    """
    return read_board(text[:1], text[1:], game)


def write_position(position: Any, game: Game) -> str:
    """Write a position: the exact inverse of `read_position`."""
    return "".join(write_board(position, game))


def read_move(text: str, position: Any, game: Game) -> Move:
    """Return the legal move that a text means; the captured squares may be left out where that is enough.

    Raises:
        InputError: it is malformed, not legal, or not the only one.
    """
    if not _MOVE.fullmatch(text):
        raise InputError(f"{shown(text)} is no move: 32-28, or 28x19x23 with the captured square")
    start, end, *captured = (int(number) for number in re.split("[-x]", text))
    return find_move(Leap(start, end, frozenset(captured)), text, position, game)


def write_move(move: Move, position: Any, game: Game) -> str:
    """Write a legal move of a position."""
    start, end, captured = leap_of(move, position, game)
    if not captured:
        return f"{start}-{end}"
    return "x".join(map(str, (start, end, *sorted(captured))))


def write_line(texts: tuple[str, ...], position: Any, game: Game, longest: int) -> list[str]:
    """Write the first moves of a line of play, which the game's own notation names, `longest` at most."""
    written = []
    for text in texts[:longest]:
        move = next(move for move in game.legal_moves(position) if move.text == text)
        written.append(write_move(move, position, game))
        position = move.after
    return written
