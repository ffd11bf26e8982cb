"""PDN tokens as games: tags and a tree of written moves, not yet checked against any rules."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from neche.errors import InputError
from neche.records.pdn.lexer import Token, tokens
from neche.records.source import OnFault, Place

MAX_NESTING = 60
"""Variations within variations. Deeper ones are no analysis but an attack on the reader's stack."""
MAX_MOVES = 100_000
"""Moves of one game, variations included."""
_NOT_CLOSED = "the variation that begins here is not closed"
ONLY_MOVE = 7
"""The glyph that `*` right after a move stands for in old files."""


@dataclass
class WrittenLine:
    """Moves as they are written; see `records.record.Line`."""

    opened: Place
    plies: "list[WrittenPly]" = field(default_factory=list)
    remarks: "list[str | int | WrittenLine]" = field(default_factory=list)

    def remark(self, what: "str | int | WrittenLine") -> None:
        """Add something said after the last move."""
        (self.plies[-1].remarks if self.plies else self.remarks).append(what)


@dataclass
class WrittenPly:
    """A move as it is written; see `records.record.Ply`."""

    text: str
    place: Place
    mark: str = ""
    remarks: list[str | int | WrittenLine] = field(default_factory=list)


@dataclass
class WrittenGame:
    """A game as it is written. setup: a position given in the moves. terminator: what ends it, or empty."""

    line: WrittenLine
    tags: list[Token] = field(default_factory=list)
    setup: Token | None = None
    terminator: Token | None = None
    num_moves: int = 0
    open_lines: list[WrittenLine] = field(default_factory=list)

    @property
    def has_body(self) -> bool:
        """Tell whether anything beside tags and comments has been read."""
        return bool(self.line.plies or self.open_lines or self.setup)

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing but comments has been read."""
        return not (self.has_body or self.tags or self.terminator)


def written_games(stream: BinaryIO, name: str, on_fault: OnFault) -> Iterator[WrittenGame]:
    """Yield the games of a PDN file, one in memory at a time.

    on_fault: called for a game that cannot be read; if it returns, the reading goes on after that game

    Raises:
        InputError: the file is no text.
    """
    finished: WrittenGame | None = None
    current = WrittenGame(WrittenLine(Place(name, 1, 1)))
    is_lost = False
    for token in tokens(stream, name):
        if finished and token.kind == "comment" and current.is_empty and _stands_behind(token, finished):
            finished.line.remark(token.text)
            continue
        if token.kind == "tag" and current.open_lines and not is_lost:
            on_fault(current.open_lines[-1].opened.fault(_NOT_CLOSED))
            is_lost = True
        if token.kind == "tag" and _begins_game(token, current, is_lost):
            if not is_lost and not current.is_empty:
                if finished:
                    yield finished
                finished = _ended(current, on_fault)
            current, is_lost = WrittenGame(WrittenLine(token.place)), False
        if not is_lost:
            try:
                _take(token, current)
            except InputError as fault:
                on_fault(fault)
                is_lost = True
        if _ends_game(token, current, is_lost):
            if finished:
                yield finished
            finished = None if is_lost else _ended(current, on_fault)
            current, is_lost = WrittenGame(WrittenLine(token.place)), False
    yield from _last_games(finished, current, is_lost, on_fault)


def _last_games(
    finished: WrittenGame | None, current: WrittenGame, is_lost: bool, on_fault: OnFault
) -> Iterator[WrittenGame]:
    if finished and current.is_empty and not is_lost:
        # comments at the end of the file
        for remark in current.line.remarks:
            finished.line.remark(remark)
    if finished:
        yield finished
    if not is_lost and not current.is_empty:
        last = _ended(current, on_fault)
        if last:
            yield last


def _stands_behind(comment: Token, game: WrittenGame) -> bool:
    return game.terminator is not None and comment.place.line == game.terminator.place.line


def _begins_game(tag: Token, current: WrittenGame, is_lost: bool) -> bool:
    if is_lost:
        return current.has_body or any(tag.name == known.name for known in current.tags)
    return current.has_body or (bool(current.tags) and tag.name == current.tags[0].name)


def _ends_game(token: Token, current: WrittenGame, is_lost: bool) -> bool:
    if is_lost:
        return token.kind == "result" or (token.kind == "star" and not token.follows)
    return current.terminator is not None


def _ended(current: WrittenGame, on_fault: OnFault) -> WrittenGame | None:
    """Return a game that is read to its end, None if it is not whole."""
    if current.open_lines:
        on_fault(current.open_lines[-1].opened.fault(_NOT_CLOSED))
        return None
    last = current.line.plies[-1] if current.line.plies else None
    if last and not current.terminator and last.remarks[-1:] == [ONLY_MOVE]:
        # a star right after the last move ends the game
        last.remarks.pop()
    return current


def _take(token: Token, current: WrittenGame) -> None:
    """Add a token to the game being read."""
    here = current.open_lines[-1] if current.open_lines else current.line
    match token.kind:
        case "tag":
            current.tags.append(token)
        case "move":
            current.num_moves += 1
            if current.num_moves > MAX_MOVES:
                raise token.place.fault(f"more than {MAX_MOVES} moves in one game")
            here.plies.append(WrittenPly(token.text, token.place))
        case "comment":
            here.remark(token.text)
        case "nag":
            here.remark(_glyph(token))
        case "mark":
            _mark(token, here)
        case "open":
            if len(current.open_lines) == MAX_NESTING:
                raise token.place.fault(f"more than {MAX_NESTING} variations within one another")
            current.open_lines.append(WrittenLine(token.place))
        case "close":
            _close(token, current)
        case "star" if token.follows and here.plies:
            here.remark(ONLY_MOVE)
        case "star" | "result" if not current.open_lines:
            current.terminator = token
        case "result":
            here.remark(token.text)
        case "setup" if not current.has_body:
            current.setup = token
        case "setup":
            raise token.place.fault("a position set up in the middle of a game")
        case _ if token.text == "{":
            raise token.place.fault("the comment that begins here is not closed")
        case _:
            raise token.place.fault(f"{token.text!r} is no move, tag or comment")


def _glyph(token: Token) -> int:
    if len(token.text) > 6:
        raise token.place.fault(f"{token.text} is no numeric annotation glyph")
    return int(token.text[1:])


def _mark(token: Token, here: WrittenLine) -> None:
    if not here.plies:
        raise token.place.fault(f"{token.text!r} stands behind no move")
    here.plies[-1].mark += token.text.strip("()")


def _close(token: Token, current: WrittenGame) -> None:
    if not current.open_lines:
        raise token.place.fault("')' closes no variation")
    line = current.open_lines.pop()
    if not line.plies:
        raise line.opened.fault("the variation that begins here has no move")
    outer = current.open_lines[-1] if current.open_lines else current.line
    outer.remark(line)
