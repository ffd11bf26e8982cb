"""PDN text as games: tokens, then tags and a tree of moves, not yet checked against any rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from neche.errors import InputError
from neche.records.reading import OnFault, SourceLocation, read_lines

MAX_NESTING = 60
"""Variations within variations. Deeper ones are no analysis but an attack on the reader's stack."""
MAX_MOVES = 100_000
"""Moves of one game, variations included."""
ONLY_MOVE = 7
"""The glyph that `*` right after a move stands for in old files."""
_NOT_CLOSED = "the variation that begins here is not closed"

# A square by its number, or as column and row; letters beyond h are those of the board with ten columns.
_SQUARE = r"(?:[a-jA-J](?:10|[1-9])|[0-9]{1,2})"
_LETTERED = r"[a-jA-J](?:10|[1-9])"
_TOKENS = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<tag>\[\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*"(?P<value>(?:[^"\\]|\\.)*|[^"]*)"\s*\])
    | (?P<open_comment>\{{)
    | ;(?P<rest>.*)
    | (?P<nag>\$[0-9]+)
    | (?P<mark>[!?]+|\([!?]+\))
    | (?P<open>\()
    | (?P<close>\))
    | (?P<setup>/[^/]*/)
    | (?P<result>(?:1/2-1/2|½-½|1-0|0-1|2-0|0-2|1-1|0-0)(?![0-9:x-]))
    | (?P<star>\*)
    | (?P<number>[0-9]+\s*\.+|\.+|…)
    | (?P<move>{_SQUARE}(?:\s*[-–x:X×]\s*{_SQUARE})+|{_LETTERED}(?:{_LETTERED})+|[0-9]{{4}}(?![0-9]))
    | (?P<bad>\S+?(?=[\s(){{}};$!?\[\]]|$)|\S)
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r'\\(["\\])')
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a PDN file.

    kind: tag, comment, nag, mark, open, close, setup, result, star, move, or bad for what is no token. text:
    of a comment its words, of a tag its value. name: of a tag. follows: no space stands before it.
    """

    kind: str
    text: str
    location: SourceLocation
    name: str = ""
    follows: bool = False


def tokens(stream: BinaryIO, name: str) -> Iterator[Token]:
    """Yield the tokens of a PDN file, but move numbers, which say nothing that the moves do not.

    Raises:
        InputError: the file is no text.
    """
    comment: list[str] = []
    began: SourceLocation | None = None
    for number, line in read_lines(stream, name):
        at = 0
        if began is None and line.lstrip().startswith("%"):
            yield from _comment(line.strip()[1:], SourceLocation(name, number, 1))
            continue
        while at < len(line):
            if began is not None:
                end = line.find("}", at)
                comment.append(line[at:] if end < 0 else line[at:end])
                at = len(line) if end < 0 else end + 1
                if end >= 0:
                    yield from _comment(" ".join(comment), began)
                    began = None
                continue
            found = _TOKENS.match(line, at)
            assert found is not None
            location = SourceLocation(name, number, at + 1)
            if found.lastgroup == "open_comment":
                comment, began = [], location
            elif found.lastgroup == "rest":
                yield from _comment(found["rest"], location)
            elif found.lastgroup not in ("space", "number"):
                yield _token(found, location, follows=at > 0 and not line[at - 1].isspace())
            at = found.end()
    if began is not None:
        yield Token("bad", "{", began)


def _comment(text: str, location: SourceLocation) -> Iterator[Token]:
    """Yield a comment with single spaces, none if it has no words."""
    words = text.split()
    if words:
        yield Token("comment", " ".join(words), location)


def _token(found: re.Match[str], location: SourceLocation, *, follows: bool) -> Token:
    if found["tag"] is not None:
        value = re.sub(r"\s", " ", _ESCAPED.sub(r"\1", found["value"]))
        return Token("tag", value, location, found["name"][0].upper() + found["name"][1:])
    kind = found.lastgroup or "bad"
    text = found[kind]
    return Token(
        kind,
        text if len(text) <= _SHOWN or kind in ("setup", "move") else text[:_SHOWN],
        location,
        "",
        follows,
    )


@dataclass
class ParsedLine:
    """Moves as they are written, see `records.record.Line`. opened_at: where the line begins."""

    opened_at: SourceLocation
    plies: "list[ParsedPly]" = field(default_factory=list)
    remarks: "list[str | int | ParsedLine]" = field(default_factory=list)

    def remark(self, what: "str | int | ParsedLine") -> None:
        """Add a remark on the last move."""
        (self.plies[-1].remarks if self.plies else self.remarks).append(what)


@dataclass
class ParsedPly:
    """A move as it is written, see `records.record.Ply`."""

    text: str
    location: SourceLocation
    mark: str = ""
    remarks: list[str | int | ParsedLine] = field(default_factory=list)


@dataclass
class ParsedGame:
    """A game as it is written.

    line: its moves. setup: a position given among the moves. terminator: the token that ends it. open_lines:
    variations not yet closed, the outermost first.
    """

    line: ParsedLine
    tags: list[Token] = field(default_factory=list)
    setup: Token | None = None
    terminator: Token | None = None
    num_moves: int = 0
    open_lines: list[ParsedLine] = field(default_factory=list)

    @property
    def has_body(self) -> bool:
        """Whether anything but tags and comments has been read."""
        return bool(self.line.plies or self.open_lines or self.setup)

    @property
    def is_empty(self) -> bool:
        """Whether nothing but comments has been read."""
        return not (self.has_body or self.tags or self.terminator)


def parsed_games(stream: BinaryIO, name: str, on_fault: OnFault) -> Iterator[ParsedGame]:
    """Yield the games of a PDN file, one in memory at a time.

    on_fault: called for a game that cannot be read; if it returns, the reading goes on after that game

    Raises:
        InputError: the file is no text.
    """
    finished: ParsedGame | None = None
    current = ParsedGame(ParsedLine(SourceLocation(name, 1, 1)))
    is_lost = False
    for token in tokens(stream, name):
        if finished and token.kind == "comment" and current.is_empty and _stands_behind(token, finished):
            finished.line.remark(token.text)
            continue
        if token.kind == "tag" and current.open_lines and not is_lost:
            on_fault(current.open_lines[-1].opened_at.fault(_NOT_CLOSED))
            is_lost = True
        if token.kind == "tag" and _begins_game(token, current, is_lost):
            if not is_lost and not current.is_empty:
                if finished:
                    yield finished
                finished = _ended(current, on_fault)
            current, is_lost = ParsedGame(ParsedLine(token.location)), False
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
            current, is_lost = ParsedGame(ParsedLine(token.location)), False
    yield from _last_games(finished, current, is_lost, on_fault)


def _last_games(
    finished: ParsedGame | None, current: ParsedGame, is_lost: bool, on_fault: OnFault
) -> Iterator[ParsedGame]:
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


def _stands_behind(comment: Token, game: ParsedGame) -> bool:
    return game.terminator is not None and comment.location.line == game.terminator.location.line


def _begins_game(tag: Token, current: ParsedGame, is_lost: bool) -> bool:
    if is_lost:
        return current.has_body or any(tag.name == known.name for known in current.tags)
    return current.has_body or (bool(current.tags) and tag.name == current.tags[0].name)


def _ends_game(token: Token, current: ParsedGame, is_lost: bool) -> bool:
    if is_lost:
        return token.kind == "result" or (token.kind == "star" and not token.follows)
    return current.terminator is not None


def _ended(current: ParsedGame, on_fault: OnFault) -> ParsedGame | None:
    """Return a game that is read to its end, None if it is not whole."""
    if current.open_lines:
        on_fault(current.open_lines[-1].opened_at.fault(_NOT_CLOSED))
        return None
    last = current.line.plies[-1] if current.line.plies else None
    if last and not current.terminator and last.remarks[-1:] == [ONLY_MOVE]:
        # a star right after the last move ends the game
        last.remarks.pop()
    return current


def _take(token: Token, current: ParsedGame) -> None:
    """Add a token to the game being read."""
    here = current.open_lines[-1] if current.open_lines else current.line
    match token.kind:
        case "tag":
            current.tags.append(token)
        case "move":
            current.num_moves += 1
            if current.num_moves > MAX_MOVES:
                raise token.location.fault(f"more than {MAX_MOVES} moves in one game")
            here.plies.append(ParsedPly(token.text, token.location))
        case "comment":
            here.remark(token.text)
        case "nag":
            here.remark(_glyph(token))
        case "mark":
            _mark(token, here)
        case "open":
            if len(current.open_lines) == MAX_NESTING:
                raise token.location.fault(f"more than {MAX_NESTING} variations within one another")
            current.open_lines.append(ParsedLine(token.location))
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
            raise token.location.fault("a position set up in the middle of a game")
        case _ if token.text == "{":
            raise token.location.fault("the comment that begins here is not closed")
        case _:
            raise token.location.fault(f"{token.text!r} is no move, tag or comment")


def _glyph(token: Token) -> int:
    if len(token.text) > 6:
        raise token.location.fault(f"{token.text} is no numeric annotation glyph")
    return int(token.text[1:])


def _mark(token: Token, here: ParsedLine) -> None:
    if not here.plies:
        raise token.location.fault(f"{token.text!r} stands behind no move")
    here.plies[-1].mark += token.text.strip("()")


def _close(token: Token, current: ParsedGame) -> None:
    if not current.open_lines:
        raise token.location.fault("')' closes no variation")
    line = current.open_lines.pop()
    if not line.plies:
        raise line.opened_at.fault("the variation that begins here has no move")
    outer = current.open_lines[-1] if current.open_lines else current.line
    outer.remark(line)
