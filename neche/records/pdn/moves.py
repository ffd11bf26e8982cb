"""Written moves as legal moves: the rules say which one is meant."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.records.pdn.parser import WrittenLine, WrittenPly
from neche.records.pdn.squares import Numbering, read_square, square_name, square_number
from neche.records.record import Line, Ply, Remark

_SQUARE = re.compile(r"[a-j](?:10|[1-9])|[0-9]{1,2}")
_WITHOUT_SIGN = re.compile("[0-9]{4}")
_SHOWN_MOVES = 8


class UnplayableError(InputError):
    """A line that cannot be played. depth: moves of the game itself that could be."""

    def __init__(self, message: str, depth: int) -> None:
        super().__init__(message)
        self.depth = depth


def play_line(written: WrittenLine, rules: Game, position: Any, numbers: Numbering) -> Line:
    """Return a written game as legal moves from a position on, its variations too.

    Raises:
        UnplayableError: a move is not legal, or could be several; the message names its place.
    """
    return _play(written, rules, position, numbers, None)


def _play(
    written: WrittenLine, rules: Game, position: Any, numbers: Numbering, main_plies: int | None
) -> Line:
    before, plies = position, []
    opening = _remarks(written.remarks, rules, position, numbers, 0 if main_plies is None else main_plies)
    for number, ply in enumerate(written.plies):
        depth = number if main_plies is None else main_plies
        move = _played(ply, rules, position, numbers, depth)
        before, position = position, move.after
        remarks = _remarks(ply.remarks, rules, before, numbers, depth + 1)
        plies.append(Ply(move.text, ply.mark, remarks=remarks))
    return Line(tuple(plies), opening)


def _remarks(
    written: Sequence[str | int | WrittenLine], rules: Game, before: Any, numbers: Numbering, depth: int
) -> tuple[Remark, ...]:
    return tuple(
        _play(remark, rules, before, numbers, depth) if isinstance(remark, WrittenLine) else remark
        for remark in written
    )


def _played(ply: WrittenPly, rules: Game, position: Any, numbers: Numbering, depth: int) -> Move:
    legal = rules.legal_moves(position)
    try:
        return meant_move(ply.text, rules, position, legal, numbers)
    except InputError as fault:
        raise UnplayableError(str(ply.place.fault(str(fault))), depth) from None


def meant_move(text: str, rules: Game, position: Any, legal: Sequence[Move], numbers: Numbering) -> Move:
    """Return the legal move that a text means.

    It names the first and the last square and, where that is not enough, squares between them in their order.

    Raises:
        InputError: it means none, or several.
    """
    squares = [read_square(square, rules, numbers) for square in _squares_of(text)]
    first, last = squares[0], squares[-1]
    short = (f"{first}-{last}", f"{first}x{last}")
    if len(squares) == 2:
        # the quick way, nearly always; captures that share their ends name every square on their way
        for move in legal:
            if move.text in short:
                return move
    routes = [(move, [int(square) for square in re.split("[-x]", move.text)]) for move in legal]
    found = [(move, route) for move, route in routes if (route[0], route[-1]) == (first, last)]
    if len(found) > 1 and len(squares) > 2:
        exact = [pair for pair in found if pair[1] == squares]
        found = exact or _along(squares, found, rules, position) or _through(squares, found)
    if len(found) == 1:
        return found[0][0]
    if found:
        raise InputError(f"{text} could be {_listed(found)}")
    if not legal:
        raise InputError(f"{text}: the game is over here, nobody can move")
    compulsory = " (captures are compulsory)" if "x" in legal[0].text and len(squares) == 2 else ""
    raise InputError(f"{text} is not a legal move{compulsory}; legal: {_listed(routes)}")


def _squares_of(text: str) -> list[str]:
    if _WITHOUT_SIGN.fullmatch(text):
        return [text[:2], text[2:]]
    return _SQUARE.findall(text.lower())


def _listed(pairs: Sequence[tuple[Move, Any]]) -> str:
    texts = [move.text for move, _ in pairs]
    more = [f"and {len(texts) - _SHOWN_MOVES} more"] if len(texts) > _SHOWN_MOVES else []
    return ", ".join([*texts[:_SHOWN_MOVES], *more])


def _through(squares: list[int], found: list[tuple[Move, list[int]]]) -> list[tuple[Move, list[int]]]:
    """Keep the moves whose squares include those given, in this order."""

    def has_all(route: list[int]) -> bool:
        rest = iter(route)
        return all(square in rest for square in squares)

    return [pair for pair in found if has_all(pair[1])]


def _along(
    squares: list[int], found: list[tuple[Move, list[int]]], rules: Game, position: Any
) -> list[tuple[Move, list[int]]]:
    """Keep the moves that take just the pieces on the way from square to square.

    Several ways can take the same pieces, and the move's own text names only one of them.
    """
    before = _occupied(rules.format_fen(position))
    way = [list(_between(start, end, rules)) for start, end in pairwise(squares)]
    taken = {square for squares_between in way for square in squares_between} & before - {squares[0]}
    return [
        pair
        for pair in found
        if before - _occupied(rules.format_fen(pair[0].after)) - {squares[0]} == taken and all(way)
    ]


def _between(start: int, end: int, rules: Game) -> Iterator[int]:
    """Yield the squares between two on one diagonal, none if they are on none."""
    number, name = square_number(rules.name), square_name(rules.name)
    (column, row), (last_column, last_row) = (
        (ord(name[square][0]), int(name[square][1:])) for square in (start, end)
    )
    distance = abs(last_column - column)
    if distance != abs(last_row - row):
        return
    for step in range(1, distance):
        across = step if last_column > column else -step
        up = step if last_row > row else -step
        yield number[f"{chr(column + across)}{row + up}"]


def _occupied(fen: str) -> set[int]:
    return {int(square) for square in re.findall("[0-9]+", fen)}
