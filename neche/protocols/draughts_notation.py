"""Draughts positions and moves by square numbers, as Hub and DXP exchange them.

A position is the side to move and a letter for each square, `Wbbb…eeewww`: w, b men, W, B kings, e empty. A
move is its first and last square and, for a capture, the squares of the captured pieces in any order; Hub
writes `32-28`, `28x19x23`. Square numbers are those of the game, as in FEN and PDN.
"""

import re
from typing import Any, NamedTuple

from neche.errors import InputError
from neche.games.game import Game, Move, geometry_of
from neche.games.geometry import Piece
from neche.protocols.lines import quoted

_POSITION = re.compile(r"[WB][wbWBe]*")
_MOVE = re.compile(r"\d{1,2}(?:-\d{1,2}|(?:x\d{1,2})+)")
_EMPTY = Piece(-1)


class SquareMove(NamedTuple):
    """A move by its first and last square and its captured squares, none for a quiet move."""

    start: int
    end: int
    captured: frozenset[int]


def read_position(text: str, game: Game) -> Any:
    """Return the position that a text describes; InputError if it is malformed or impossible."""
    squares = geometry_of(game).places
    if not _POSITION.fullmatch(text) or len(text) != 1 + len(squares):
        wanted = f"{game.name} needs the side to move and {len(squares)} squares"
        raise InputError(f"position {quoted(text)}: {wanted}")
    lists: dict[str, list[str]] = {"W": [], "B": []}
    for square, letter in zip(squares, text[1:], strict=True):
        if letter != "e":
            lists[letter.upper()].append(square if letter.islower() else f"K{square}")
    return game.parse_fen(f"{text[0]}:W{','.join(lists['W'])}:B{','.join(lists['B'])}")


def write_position(position: Any, game: Game) -> str:
    """Write a position: the exact inverse of `read_position`."""
    geometry = geometry_of(game)
    pieces = geometry.pieces(position)
    letters = [game.side_to_move(position)[0]]
    for square in geometry.places:
        piece = pieces.get(square)
        letter = "e" if piece is None else game.sides[piece.side][0]
        letters.append(letter if piece is None or piece.is_king else letter.lower())
    return "".join(letters)


def square_move(move: Move, position: Any, game: Game) -> SquareMove:
    """Return a legal move of a position by its squares."""
    geometry = geometry_of(game)
    route = [int(square) for square in geometry.squares_of(move.text)]
    if "x" not in move.text:
        return SquareMove(route[0], route[-1], frozenset())
    before, after = geometry.pieces(position), geometry.pieces(move.after)
    # The capturing piece may end on a square where it captured, which is not empty but changes its owner.
    captured = {
        int(square)
        for square, piece in before.items()
        if piece.side != int(position.turn) and after.get(square, _EMPTY).side != piece.side
    }
    return SquareMove(route[0], route[-1], frozenset(captured))


def find_move(wanted: SquareMove, text: str, position: Any, game: Game) -> Move:
    """Return the legal move with these squares; captured squares may be omitted if the move is unique.

    text: the move as written, for the InputError if no legal move matches, or several do.
    """
    found = []
    for move in game.legal_moves(position):
        route = geometry_of(game).squares_of(move.text)
        if (int(route[0]), int(route[-1])) == (wanted.start, wanted.end):
            found.append(move)
    if wanted.captured:
        found = [move for move in found if square_move(move, position, game).captured == wanted.captured]
    if not found:
        raise InputError(f"{quoted(text)} is not legal in {game.format_fen(position)}")
    if len(found) > 1:
        raise InputError(f"{quoted(text)} could be {' or '.join(move.text for move in found)}")
    return found[0]


def read_move(text: str, position: Any, game: Game) -> Move:
    """Return the legal move that a text denotes, see `find_move`; InputError also if it is malformed."""
    if not _MOVE.fullmatch(text):
        raise InputError(f"{quoted(text)} is no move: 32-28, or 28x19x23 with the captured square")
    start, end, *captured = map(int, re.split("[-x]", text))
    return find_move(SquareMove(start, end, frozenset(captured)), text, position, game)


def write_move(move: Move, position: Any, game: Game) -> str:
    """Write a legal move of a position."""
    start, end, captured = square_move(move, position, game)
    return "x".join(map(str, (start, end, *sorted(captured)))) if captured else f"{start}-{end}"


def write_line(texts: tuple[str, ...], position: Any, game: Game, longest: int) -> list[str]:
    """Write at most the first `longest` moves of a principal variation given in the game's own notation."""
    written = []
    for text in texts[:longest]:
        move = next(move for move in game.legal_moves(position) if move.text == text)
        written.append(write_move(move, position, game))
        position = move.after
    return written
