"""Read PDN files as records, liberally: where tags leave something open, the moves decide.

A game is read by the first rules and numbering under which all its moves are legal; failing that, by those
under which the moves of the game itself are, and variations that cannot be played become comments.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, BinaryIO, TypeVar

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game, Move, geometry_of
from neche.games.geometry import BoardGeometry, GridPlace
from neche.records.pdn.notation import (
    Numbering,
    numbering,
    own_numbering,
    read_ending,
    read_positions,
    read_result,
    read_square,
)
from neche.records.pdn.parser import ParsedGame, ParsedLine, Token, parsed_games
from neche.records.reading import OnFault, listed, stop
from neche.records.record import UNKNOWN, GameRecord, Line, Ply, Remark, fen_of_start

RESULT_AS_WRITTEN = "ResultAsWritten"
"""Tag that keeps a non-standard result."""
_DERIVED = ("Result", "GameType", "FEN", "SetUp", "Setup")
_UNNAMED = (("GameType", "?"), ("GameType", ""))
_SQUARE = re.compile(r"[a-j](?:10|[1-9])|[0-9]{1,2}")
_Route = tuple[Move, list[int]]
"""A move and the squares that its text names."""
_T = TypeVar("_T")
_R = TypeVar("_R")


class UnplayableError(InputError):
    """A line that cannot be played. depth: moves of the game itself that can; −1: not even its start."""

    def __init__(self, message: str, depth: int) -> None:
        super().__init__(message)
        self.depth = depth


def read_pdn(
    stream: BinaryIO, name: str, default_game: str = "", on_fault: OnFault = stop
) -> Iterator[GameRecord]:
    """Yield the games of a PDN file; InputError if the file is not text.

    name: of the file, for messages. default_game: of games without a `GameType` tag; empty: the game in which
    their moves are legal, trying that of the previous game first. on_fault: called for each unreadable game
    """
    last_game = default_game
    for parsed in parsed_games(stream, name, on_fault):
        try:
            record = _record(parsed, default_game, last_game)
        except InputError as fault:
            on_fault(fault)
            continue
        last_game = record.game
        yield record


def _record(parsed: ParsedGame, default_game: str, last_game: str) -> GameRecord:
    tags = {tag.name: tag for tag in reversed(parsed.tags) if (tag.name, tag.text) not in _UNNAMED}
    plies = parsed.lines[0].plies
    if plies and "Result" in tags and plies[-1].text == tags["Result"].text:
        # A result in points such as 4-6 looks like a move.
        plies.pop()
    results = [read_result(token.text) for token in (tags.get("Result"), parsed.terminator) if token]
    if len({*results} - {None, UNKNOWN}) == 2 and parsed.terminator:
        # The tag counts; a contradicting terminator is kept as a comment for people.
        parsed.lines[0].remark(f"at the end of the game: {parsed.terminator.text}")
    ways = [
        (rules, numbers)
        for rules in _likely_games(tags.get("GameType"), default_game, last_game)
        for numbers in _numberings(rules, tags)
    ]
    try:
        return _first_playable(lambda way: _read_as(_MoveReader(*way), parsed, tags), ways)
    except UnplayableError:
        # Perhaps only a variation is at fault; otherwise this raises a fault of the game itself.
        return _first_playable(lambda way: _read_as(_MoveReader(*way, is_lenient=True), parsed, tags), ways)


def _first_playable(read: Callable[[_T], _R], ways: Iterable[_T]) -> _R:
    """Return what is read in the first way in which the moves are legal.

    UnplayableError if no way works; the fault is the one latest in the game, so of the likeliest way.
    """
    faults: list[UnplayableError] = []
    for way in ways:
        try:
            return read(way)
        except UnplayableError as fault:
            faults.append(fault)
    raise max(faults, key=lambda fault: fault.depth)


def _likely_games(tag: Token | None, default_game: str, last_game: str) -> list[Game]:
    """Return the game that a file names, or else all candidates, the likeliest first."""
    if tag is None and default_game:
        return [game(default_game)]
    listed = [game(name) for name in (*GAMES, *filter(None, [default_game]))]
    known = {str(rules.pdn.game_type): rules for rules in listed if rules.pdn}
    if tag is None:
        return sorted(known.values(), key=lambda rules: rules.name != last_game)
    number = tag.text.partition(",")[0].strip()
    if number not in known:
        names = ", ".join(f"{kind} {rules.name}" for kind, rules in sorted(known.items()))
        raise tag.location.fault(f"GameType {tag.text!r} is none of the games known here ({names})")
    return [known[number]]


def _numberings(rules: Game, tags: dict[str, Token]) -> list[Numbering]:
    """Return the numberings that a file may use; the declared one may be wrong."""
    assert rules.pdn is not None
    declared = numbering(rules.name, tags["GameType"].text.partition(",")[2]) if "GameType" in tags else None
    usual = numbering(rules.name, rules.pdn.attributes)
    ways = (own_numbering(rules.name), declared, usual)
    return list({frozenset(way.items()): way for way in ways if way is not None}.values())


def _read_as(reader: "_MoveReader", parsed: ParsedGame, tags: dict[str, Token]) -> GameRecord:
    """Return a game read by one set of rules and one numbering; UnplayableError if it cannot be."""
    starts = reader.starts(parsed.setup, tags.get("FEN"))
    line, start = _first_playable(lambda start: (reader.read_line(parsed.lines[0], start), start), starts)
    kept = [(tag.name, tag.text) for tag in parsed.tags if tag.name not in _DERIVED]
    written = tags["Result"].text if "Result" in tags else ""
    result = read_result(written) or read_ending(written, reader.rules)
    if result is None and RESULT_AS_WRITTEN not in tags:
        kept.append((RESULT_AS_WRITTEN, written))
    if result in (None, UNKNOWN) and parsed.terminator:
        result = read_result(parsed.terminator.text)
    if result in (None, UNKNOWN) and parsed.ending:
        result = read_ending(parsed.ending.text, reader.rules)
    fen = fen_of_start(reader.rules, start)
    return GameRecord(reader.rules.name, line, tuple(kept), fen, result or UNKNOWN)


@dataclass(frozen=True)
class _MoveReader:
    """Reads positions and moves by one set of rules and one numbering.

    is_lenient: a variation that cannot be played becomes a comment.
    """

    rules: Game
    numbers: Numbering
    is_lenient: bool = False

    def starts(self, setup: Token | None, fen_tag: Token | None) -> list[Any]:
        """Return where a game may begin, two places if the FEN names no side; UnplayableError if invalid."""
        tag = setup or fen_tag
        text = tag.text if tag else ""
        if setup:
            text = text.strip("/ ").removeprefix("FEN").strip()
        if tag is None or text in ("", "?"):
            return [self.rules.start()]
        try:
            return [self.rules.parse_fen(fen) for fen in read_positions(text, self.rules, self.numbers)]
        except InputError as fault:
            raise UnplayableError(str(tag.location.fault(str(fault))), -1) from None

    def read_line(self, parsed: ParsedLine, position: Any, main_plies: int | None = None) -> Line:
        """Return the legal moves that a line denotes from a position on, variations included.

        main_plies: number of moves of the game itself before a variation; None for the game itself.
        UnplayableError if a move is illegal or ambiguous; the message names its location.
        """
        plies = []
        opening = self._read_remarks(parsed.remarks, position, main_plies or 0)
        for number, ply in enumerate(parsed.plies):
            depth = number if main_plies is None else main_plies
            try:
                move = self.meant_move(ply.text, position)
            except InputError as fault:
                raise UnplayableError(str(ply.location.fault(str(fault))), depth) from None
            remarks = self._read_remarks(ply.remarks, position, depth + 1)
            plies.append(Ply(move.text, ply.mark, remarks=remarks))
            position = move.after
        return Line(tuple(plies), opening)

    def _read_remarks(
        self, parsed: Sequence[str | int | ParsedLine], before: Any, main_plies: int
    ) -> tuple[Remark, ...]:
        return tuple(
            self._read_variation(remark, before, main_plies) if isinstance(remark, ParsedLine) else remark
            for remark in parsed
        )

    def _read_variation(self, parsed: ParsedLine, before: Any, main_plies: int) -> Line | str:
        try:
            return self.read_line(parsed, before, main_plies)
        except UnplayableError:
            if not self.is_lenient:
                raise
            return parsed.text

    def meant_move(self, text: str, position: Any) -> Move:
        """Return the legal move that a text denotes; InputError if it denotes none, or several.

        The text has the first and the last square and, if these are ambiguous, squares between them in order.
        """
        legal = self.rules.legal_moves(position)
        written = _SQUARE.findall(text.lower())
        squares = [read_square(square, self.rules, self.numbers) for square in written]
        first, last = squares[0], squares[-1]
        if len(squares) == 2:
            # The fast path for nearly all moves; captures that share their ends name every square.
            for move in legal:
                if move.text in (f"{first}-{last}", f"{first}x{last}"):
                    return move
        routes = [(move, [int(square) for square in re.split("[-x]", move.text)]) for move in legal]
        found = [(move, route) for move, route in routes if (route[0], route[-1]) == (first, last)]
        if len(found) > 1 and len(squares) > 2:
            exact = [pair for pair in found if pair[1] == squares]
            found = exact or self._along(squares, found, position) or _through(squares, found)
        if len(found) == 1:
            return found[0][0]
        if found:
            raise InputError(f"{text} could be {listed([move for move, _ in found])}")
        if not legal:
            raise InputError(f"{text}: the game is over here, there is no move")
        compulsory = " (captures are compulsory)" if "x" in legal[0].text and len(squares) == 2 else ""
        raise InputError(f"{text} is not a legal move{compulsory}; legal: {listed(legal)}")

    def _along(self, squares: list[int], found: list[_Route], position: Any) -> list[_Route]:
        """Keep the moves that capture exactly the pieces on the way from square to square.

        Several routes can capture the same pieces, and the move's own text names only one of them.
        """
        before = self._occupied(position)
        way = [_between(start, end, geometry_of(self.rules)) for start, end in pairwise(squares)]
        taken = {square for squares_between in way for square in squares_between} & before - {squares[0]}
        return [
            (move, route)
            for move, route in found
            if before - self._occupied(move.after) - {squares[0]} == taken and all(way)
        ]

    def _occupied(self, position: Any) -> set[int]:
        return {int(square) for square in re.findall("[0-9]+", self.rules.format_fen(position))}


def _through(squares: list[int], found: list[_Route]) -> list[_Route]:
    """Keep the moves whose squares include the given ones, in this order."""

    def has_all(route: list[int]) -> bool:
        rest = iter(route)
        return all(square in rest for square in squares)

    return [pair for pair in found if has_all(pair[1])]


def _between(start: int, end: int, geometry: BoardGeometry) -> list[int]:
    """Return the squares between two on a common diagonal, none if there is no such diagonal."""
    (column, row), (last_column, last_row) = (geometry.places[str(square)] for square in (start, end))
    columns = range(column, last_column, 1 if last_column > column else -1)
    rows = range(row, last_row, 1 if last_row > row else -1)
    if len(columns) != len(rows):
        return []
    return [int(geometry.square_at(GridPlace(*place))) for place in zip(columns[1:], rows[1:], strict=True)]
