"""PDN files as records. A liberal reader: what tags leave open, the moves decide.

A game is read by the first rules, and the first way of counting squares, by which all its moves are legal.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, BinaryIO

from neche.errors import InputError
from neche.games.catalogue import GAMES, Game, Move, game
from neche.records.pdn.notation import (
    Numbering,
    numbering,
    own_numbering,
    read_positions,
    read_result,
    read_square,
    square_name,
    square_number,
)
from neche.records.pdn.parser import ParsedGame, ParsedLine, Token, parsed_games
from neche.records.reading import OnFault, stop
from neche.records.record import UNKNOWN, GameRecord, Line, Ply, Remark, fen_of_start

RESULT_AS_WRITTEN = "ResultAsWritten"
"""Tag that keeps a result which is no result of the standard."""
_DERIVED = ("Result", "GameType", "FEN", "SetUp", "Setup")
_SQUARE = re.compile(r"[a-j](?:10|[1-9])|[0-9]{1,2}")
_WITHOUT_SIGN = re.compile("[0-9]{4}")
_SHOWN_MOVES = 8
_Route = tuple[Move, list[int]]
"""A move and the squares that its text names."""


class UnplayableError(InputError):
    """A line that cannot be played. depth: moves of the game itself that can; −1, not even its start."""

    def __init__(self, message: str, depth: int) -> None:
        super().__init__(message)
        self.depth = depth


def read_pdn(
    stream: BinaryIO, name: str, *, default_game: str = "", on_fault: OnFault = stop
) -> Iterator[GameRecord]:
    """Yield the games of a PDN file.

    name: of the file, for messages. default_game: of games without a `GameType` tag; empty: the game in which
    their moves are legal, that of the game before first. on_fault: called for every game that cannot be read

    Raises:
        InputError: the file is no text.
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


def pdn_games(another: str = "") -> dict[str, Game]:
    """Return the games that PDN knows by the number of their type. another: one beside `GAMES`."""
    known = [game(name) for name in (*GAMES, *filter(None, [another]))]
    return {str(rules.pdn.game_type): rules for rules in known if rules.pdn}


def _record(parsed: ParsedGame, default_game: str, last_game: str) -> GameRecord:
    tags = {token.name: token for token in reversed(parsed.tags)}
    found = _declared(tags["GameType"], default_game) if "GameType" in tags else None
    names = [found.name] if found else [default_game] if default_game else _likely(last_game)
    faults: list[UnplayableError] = []
    for rules in map(game, names):
        for numbers in _numberings(rules, tags):
            try:
                return _read_as(_MoveReader(rules, numbers), parsed, tags)
            except UnplayableError as fault:
                faults.append(fault)
    # the fault that came last in the game is of the rules and the numbering most likely meant
    raise max(faults, key=lambda fault: fault.depth)


def _likely(last_game: str) -> list[str]:
    names = [rules.name for rules in pdn_games().values()]
    return sorted(names, key=lambda name: name != last_game)


def _declared(tag: Token, default_game: str) -> Game:
    number = tag.text.partition(",")[0].strip()
    known = pdn_games(default_game)
    if number not in known:
        listed = ", ".join(f"{kind} {rules.name}" for kind, rules in sorted(known.items()))
        raise tag.location.fault(f"GameType {tag.text!r} is none of the games known here ({listed})")
    return known[number]


def _numberings(rules: Game, tags: dict[str, Token]) -> list[Numbering]:
    """Return the ways of counting that a file may use; what it declares may be wrong."""
    assert rules.pdn is not None
    declared = numbering(rules.name, tags["GameType"].text.partition(",")[2]) if "GameType" in tags else None
    usual = numbering(rules.name, rules.pdn.attributes)
    ways: list[Numbering] = []
    for way in (own_numbering(rules.name), declared, usual):
        if way is not None and way not in ways:
            ways.append(way)
    return ways


def _read_as(reader: "_MoveReader", parsed: ParsedGame, tags: dict[str, Token]) -> GameRecord:
    """Return a game by one set of rules and one way of counting squares.

    Raises:
        UnplayableError: it cannot be played so.
    """
    faults: list[UnplayableError] = []
    for start in reader.starts(parsed.setup, tags.get("FEN")):
        try:
            line = reader.read_line(parsed.line, start)
        except UnplayableError as fault:
            faults.append(fault)
            continue
        kept = tuple((tag.name, tag.text) for tag in parsed.tags if tag.name not in _DERIVED)
        record = GameRecord(reader.rules.name, line, kept, fen_of_start(reader.rules, start))
        return _with_result(record, parsed, tags)
    raise max(faults, key=lambda fault: fault.depth)


def _with_result(record: GameRecord, parsed: ParsedGame, tags: dict[str, Token]) -> GameRecord:
    written = tags["Result"].text if "Result" in tags else ""
    result = read_result(written)
    if result is None and RESULT_AS_WRITTEN not in dict(record.tags):
        record = replace(record, tags=(*record.tags, (RESULT_AS_WRITTEN, written)))
    if result in (None, UNKNOWN) and parsed.terminator:
        result = read_result(parsed.terminator.text)
    return replace(record, result=result or UNKNOWN)


@dataclass(frozen=True)
class _MoveReader:
    """Reads positions and moves by one set of rules and one way of counting squares."""

    rules: Game
    numbers: Numbering

    def starts(self, setup: Token | None, fen_tag: Token | None) -> list[Any]:
        """Return the positions in which a game may begin: two for a FEN that names no side.

        Raises:
            UnplayableError: there is no such position; the message names its place.
        """
        tag = setup or fen_tag
        if tag is None:
            return [self.rules.start()]
        text = tag.text.strip("/ ").removeprefix("FEN").strip() if tag is setup else tag.text
        if not text or text == "?":
            return [self.rules.start()]
        try:
            return [self.rules.parse_fen(fen) for fen in read_positions(text, self.rules, self.numbers)]
        except InputError as fault:
            raise UnplayableError(str(tag.location.fault(str(fault))), -1) from None

    def read_line(self, parsed: ParsedLine, position: Any, main_plies: int | None = None) -> Line:
        """Return the legal moves that a line means from a position on, its variations too.

        main_plies: moves of the game itself that came before a variation; None for the game itself.

        Raises:
            UnplayableError: a move is not legal, or could be several; the message names its place.
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
            self.read_line(remark, before, main_plies) if isinstance(remark, ParsedLine) else remark
            for remark in parsed
        )

    def meant_move(self, text: str, position: Any) -> Move:
        """Return the legal move that a text means.

        It names the first and the last square and, where that is not enough, squares between them in order.

        Raises:
            InputError: it means none, or several.
        """
        legal = self.rules.legal_moves(position)
        written = [text[:2], text[2:]] if _WITHOUT_SIGN.fullmatch(text) else _SQUARE.findall(text.lower())
        squares = [read_square(square, self.rules, self.numbers) for square in written]
        first, last = squares[0], squares[-1]
        if len(squares) == 2:
            # the quick way, nearly always; captures that share their ends name every square on their way
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
            raise InputError(f"{text} could be {_listed(found)}")
        if not legal:
            raise InputError(f"{text}: the game is over here, there is no move")
        compulsory = " (captures are compulsory)" if "x" in legal[0].text and len(squares) == 2 else ""
        raise InputError(f"{text} is not a legal move{compulsory}; legal: {_listed(routes)}")

    def _along(self, squares: list[int], found: list[_Route], position: Any) -> list[_Route]:
        """Keep the moves that take just the pieces on the way from square to square.

        Several ways can take the same pieces, and the move's own text names only one of them.
        """
        before = self._occupied(position)
        way = [list(_between(start, end, self.rules.name)) for start, end in pairwise(squares)]
        taken = {square for squares_between in way for square in squares_between} & before - {squares[0]}
        return [
            (move, route)
            for move, route in found
            if before - self._occupied(move.after) - {squares[0]} == taken and all(way)
        ]

    def _occupied(self, position: Any) -> set[int]:
        return {int(square) for square in re.findall("[0-9]+", self.rules.format_fen(position))}


def _through(squares: list[int], found: list[_Route]) -> list[_Route]:
    """Keep the moves whose squares include those given, in this order."""

    def has_all(route: list[int]) -> bool:
        rest = iter(route)
        return all(square in rest for square in squares)

    return [pair for pair in found if has_all(pair[1])]


def _between(start: int, end: int, game_name: str) -> Iterator[int]:
    """Yield the squares between two on one diagonal, none if they are on none."""
    number, name = square_number(game_name), square_name(game_name)
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


def _listed(pairs: Sequence[_Route]) -> str:
    texts = [move.text for move, _ in pairs]
    more = [f"and {len(texts) - _SHOWN_MOVES} more"] if len(texts) > _SHOWN_MOVES else []
    return ", ".join([*texts[:_SHOWN_MOVES], *more])
