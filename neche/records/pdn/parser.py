"""Parse PDN text into games: tokens, then tags and a tree of moves, not yet checked against rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from neche.errors import InputError
from neche.records.pdn.notation import DASHES, ENDING
from neche.records.reading import OnFault, SourceLocation, read_lines

MAX_NESTING = 60
"""Deepest nesting of variations. Deeper ones are no analysis but an attack on the reader's stack."""
MAX_MOVES = 100_000
"""Moves of one game, variations included."""
ONLY_MOVE = 7
"""The glyph that `*` right after a move means in old files."""
_NOT_CLOSED = "the variation that begins here is not closed"
_FAULTS = {
    "move": f"more than {MAX_MOVES} moves in one game",
    "nag": "{} is no numeric annotation glyph",
    "mark": "{!r} stands behind no move",
    "open": f"more than {MAX_NESTING} variations within one another",
    "close": "')' closes no variation",
    "setup": "a position set up in the middle of a game",
    "open_comment": "the comment that begins here is not closed",
}
"""Messages for misplaced tokens, by kind."""
_GLYPH_LENGTH = 6

# Cyrillic letters that look like those of columns.
_LOOKALIKES = "\u0430\u0441\u0435\u0410\u0412\u0421\u0415\u041d"
_LATIN = str.maketrans(_LOOKALIKES, "aceABCEH")
# A square by its number, or as column and row; letters beyond h are those of the board with ten columns.
_LETTERED = rf"[a-jA-J{_LOOKALIKES}](?:10|[1-9])"
_SQUARE = rf"(?:{_LETTERED}|[0-9]{{1,2}})"
_HALF = r"(?:1/2|½|0?[.,]5)"
# `2:0` and `1:1` cannot be captures: there is no square 0, and no king can return to 1, beside the corner.
_TO = rf"\s*[-:{DASHES}]\s*"
# Includes the Cyrillic letter that looks like x.
_SIGN = rf"[-x:X×\u0445\u0425{DASHES}]"
_BEGINS_MOVE = rf"(?:{_SQUARE}\s*{_SIGN}|{_LETTERED}{_LETTERED})"
_TOKENS = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<tag>\[\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*
        (?:"(?P<value>(?:[^"\\]|\\.)*|[^"]*|[^\[\]]*)"|“(?P<curled>[^”\[]*)”)\s*\])
    | (?P<open_comment>\{{)
    | ;(?P<rest>.*)
    | (?P<nag>\$[0-9]+)
    | (?P<mark>[!?]+|\([!?]+\))
    | (?P<comment>-?/?[+=\#±∓∞][-+=/]{{0,3}})
    | (?P<open>\()
    | (?P<close>\))
    | (?P<setup>/[^/]*/)
    | (?P<result>(?:{_HALF}{_TO}{_HALF}|[01]{_TO}[01]|2{_TO}0|0{_TO}2)[fF]?(?![0-9:x-])|(?:1/2|½)(?![\w:/-]))
    | (?P<star>\*)
    | (?P<number>[0-9]+\s*\.+|\.+|…|,)
    | (?P<bare>[0-9]{{1,3}}(?=\s+{_BEGINS_MOVE}|\s*$))
    | (?P<numbered>[0-9]{{1,3}}\)(?=\s*(?:\.|…|{_BEGINS_MOVE})))
    | (?P<move>{_SQUARE}(?:\s*{_SIGN}\s*{_SQUARE})+|{_LETTERED}(?:{_LETTERED})+|[0-9]{{4}}(?![0-9]))
    | (?P<ending>{ENDING}|[-{DASHES}])(?=\.?(?:[\s(){{}};*]|$))
    | (?P<bad>\S+?(?=[\s(){{}};$!?\[\]]|$)|\S)
    """,
    re.VERBOSE,
)
_KNOWN_TAGS = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "FEN", "SetUp"]
_TAG_OF = {name.lower(): name for name in _KNOWN_TAGS}
# Not `1...`, which comes before a reply.
_MOVE_1 = re.compile(r"1\s*[.)]")
_INNER_END = re.compile(r"[^{};\[]*\}")
_ESCAPED = re.compile(r'\\(["\\])')
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a PDN file.

    kind: tag, comment (or an evaluation, `=`), nag, mark, open, close, setup, result, ending (a result in
    words, or `-` for a move not known), star, number (or a comma), bare (a number without a dot), numbered
    (`1)` before a move), move, open_comment (one that is not closed), or bad (no valid token). text: for a
    comment its words, for a tag its value. name: of a tag. follows: whether no space comes before it.
    """

    kind: str
    text: str
    location: SourceLocation
    name: str = ""
    follows: bool = False


def tokens(stream: BinaryIO, name: str) -> Iterator[Token]:
    """Yield the tokens of a PDN file; InputError if the file is not text."""
    comment: list[str] = []
    began: SourceLocation | None = None
    for number, line in read_lines(stream, name):
        at = 0
        if began is None and line.lstrip().startswith("%"):
            yield from _comment(line.strip()[1:], SourceLocation(name, number, 1))
            continue
        while at < len(line):
            if began is not None:
                end = _end_of_comment(comment, line, at)
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
            elif found.lastgroup != "space":
                yield _token(found, location, follows=at > 0 and not line[at - 1].isspace())
            at = found.end()
    if began is not None:
        yield Token("open_comment", "{", began)


def _end_of_comment(begun: list[str], line: str, at: int) -> int:
    """Return the index of the brace that ends a comment, −1 if it goes on. begun: its lines so far."""
    end = line.find("}", at)
    if end >= 0:
        num_inner = line.count("{", at, end) + sum(part.count("{") for part in begun)
        # Braces do not nest; but this one closes an inner brace if otherwise the next would close nothing.
        while num_inner and (found := _INNER_END.match(line, end + 1)):
            end, num_inner = found.end() - 1, num_inner - 1
    return end


def _comment(text: str, location: SourceLocation) -> Iterator[Token]:
    """Yield a comment with single spaces, nothing if it has no words."""
    words = text.split()
    if words:
        yield Token("comment", " ".join(words), location)


def _token(found: re.Match[str], location: SourceLocation, *, follows: bool) -> Token:
    if found["tag"] is not None:
        value = re.sub(r"\s", " ", _ESCAPED.sub(r"\1", found["value"] or found["curled"] or ""))
        name = found["name"]
        return Token("tag", value, location, _TAG_OF.get(name.lower(), name[0].upper() + name[1:]))
    kind = found.lastgroup or "bad"
    text = " ".join(found[kind].split()) if kind == "ending" else found[kind]
    return Token(kind, text.translate(_LATIN) if kind == "move" else text, location, follows=follows)


@dataclass
class ParsedLine:
    """Moves as written, see `records.record.Line`.

    opened_at: where the line begins. pieces: everything in a variation. is_readable: no token in it is
    misplaced.
    """

    opened_at: SourceLocation
    plies: "list[ParsedPly]" = field(default_factory=list)
    remarks: "list[str | int | ParsedLine]" = field(default_factory=list)
    pieces: "list[str | ParsedLine]" = field(default_factory=list)
    is_readable: bool = True

    @property
    def text(self) -> str:
        """The written text of a variation, to be kept as a comment."""
        words = "".join(piece if isinstance(piece, str) else f" {piece.text}" for piece in self.pieces)
        return f"({' '.join(words.split())})"

    def remark(self, what: "str | int | ParsedLine") -> None:
        """Add a remark on the last move."""
        (self.plies[-1].remarks if self.plies else self.remarks).append(what)


@dataclass
class ParsedPly:
    """A move as written, see `records.record.Ply`."""

    text: str
    location: SourceLocation
    mark: str = ""
    remarks: list[str | int | ParsedLine] = field(default_factory=list)


@dataclass
class ParsedGame:
    """A game as written.

    lines: the game itself, then the variations not yet closed, outermost first. setup: a position given among
    the moves. ending: a result in words after the moves. terminator: the token that ends the game. num_moves:
    variations included.
    """

    lines: list[ParsedLine]
    tags: list[Token] = field(default_factory=list)
    setup: Token | None = None
    ending: Token | None = None
    terminator: Token | None = None
    num_moves: int = 0

    @property
    def num_open(self) -> int:
        """Number of variations not yet closed."""
        return len(self.lines) - 1

    @property
    def has_body(self) -> bool:
        """Whether anything but tags and comments has been read."""
        return bool(self.lines[0].plies or self.num_open or self.setup)

    @property
    def is_empty(self) -> bool:
        """Whether nothing but comments has been read."""
        return not (self.has_body or self.tags or self.terminator)


def parsed_games(stream: BinaryIO, name: str, on_fault: OnFault) -> Iterator[ParsedGame]:
    """Yield the games of a PDN file, one in memory at a time; InputError if the file is not text.

    on_fault: called for a game that cannot be read; if it returns, reading continues after that game
    """
    finished: ParsedGame | None = None
    current = ParsedGame([ParsedLine(SourceLocation(name, 1, 1))])
    is_lost = False
    for token in tokens(stream, name):
        end = finished.terminator if finished else None
        is_behind = end is not None and token.location.line == end.location.line
        if finished and is_behind and current.is_empty and token.kind in ("comment", "ending"):
            finished.lines[0].remark(token.text)
            continue
        is_blank = current.is_empty and not current.lines[0].remarks and not is_lost
        if is_blank and token.kind in ("star", "result", "ending"):
            continue  # the star of `1-0 *`: a terminator alone is not a game
        if token.kind == "tag" and current.num_open and not is_lost:
            on_fault(current.lines[-1].opened_at.fault(_NOT_CLOSED))
            is_lost = True
        if _begins_game(token, current, is_lost):
            if not is_lost and not current.is_empty:
                if finished:
                    yield finished
                finished = _ended(current, on_fault)
            current, is_lost = ParsedGame([ParsedLine(token.location)]), False
        if not is_lost:
            try:
                _take(token, current)
            except InputError as fault:
                on_fault(fault)
                is_lost = True
        if finished and is_behind and current.is_empty and current.lines[0].remarks:
            # Words in parentheses, as in `1-0 (time)`.
            finished.lines[0].remark(current.lines[0].remarks.pop())
        if _ends_game(token, current, is_lost):
            if finished:
                yield finished
            finished = None if is_lost else _ended(current, on_fault)
            current, is_lost = ParsedGame([ParsedLine(token.location)]), False
    yield from _last_games(finished, current, is_lost, on_fault)


def _last_games(
    finished: ParsedGame | None, current: ParsedGame, is_lost: bool, on_fault: OnFault
) -> Iterator[ParsedGame]:
    if finished:
        # Comments at the end of the file.
        for remark in current.lines[0].remarks if current.is_empty and not is_lost else ():
            finished.lines[0].remark(remark)
        yield finished
    if not is_lost and not current.is_empty and (last := _ended(current, on_fault)):
        yield last


def _check_number(token: Token, current: ParsedGame) -> None:
    """Raise InputError for a number that could be part of a move, or begin a line with another game."""
    plies, in_variation = current.lines[0].plies, current.num_open > 0
    if token.kind == "bare" and (in_variation or int(token.text) != (len(plies) + 3) // 2):
        raise token.location.fault(f"{token.text!r} is no move, nor the number of one")
    is_line_later = len(plies) > 1 and plies[-1].location.line < token.location.line
    if is_line_later and not in_variation and _MOVE_1.fullmatch(token.text):
        raise token.location.fault("move 1 once more: a result or * ends a game")


def _begins_game(token: Token, current: ParsedGame, is_lost: bool) -> bool:
    if token.kind != "tag":
        is_over = current.ending is not None and not current.num_open and not is_lost
        return is_over and _MOVE_1.fullmatch(token.text) is not None
    if is_lost:
        return current.has_body or any(token.name == known.name for known in current.tags)
    return current.has_body or (bool(current.tags) and token.name == current.tags[0].name)


def _ends_game(token: Token, current: ParsedGame, is_lost: bool) -> bool:
    if is_lost:
        return token.kind == "result" or (token.kind == "star" and not token.follows)
    return current.terminator is not None


def _ended(current: ParsedGame, on_fault: OnFault) -> ParsedGame | None:
    """Return a game that is read to its end, None if it is incomplete."""
    if current.num_open:
        on_fault(current.lines[-1].opened_at.fault(_NOT_CLOSED))
        return None
    last = current.lines[0].plies[-1] if current.lines[0].plies else None
    if last and not current.terminator and last.remarks[-1:] == [ONLY_MOVE]:
        # A star right after the last move ends the game.
        last.remarks.pop()
    return current


def _take(token: Token, current: ParsedGame) -> None:
    """Add a token to the game being read. A misplaced token in a variation turns that into a comment.

    InputError if it is misplaced in the game itself, or the game is too large.
    """
    here = current.lines[-1]
    if token.kind == "numbered" and not here.is_readable:
        # Ends words in parentheses, as in `(see game 12) 9-14`.
        here.pieces.append(f" {token.text[:-1]}")
        token = replace(token, kind="close")
    elif current.num_open and token.kind not in ("open", "close"):
        here.pieces.append(token.text if token.follows else f" {token.text}")
    try:
        _place(token, here, current)
    except InputError:
        if not current.num_open or token.kind in ("open", "move", "open_comment"):
            raise
        here.is_readable = False


def _place(token: Token, here: ParsedLine, current: ParsedGame) -> None:
    match token.kind:
        case "number" | "numbered" | "bare":
            _check_number(token, current)  # adds nothing to the moves
        case "tag":
            current.tags.append(token)
        case "move" if current.ending and not current.num_open:
            raise token.location.fault(f"a move behind {current.ending.text!r}")
        case "move" if current.num_moves < MAX_MOVES:
            current.num_moves += 1
            here.plies.append(ParsedPly(token.text, token.location))
        case "comment":
            here.remark(token.text)
        case "nag" if len(token.text) <= _GLYPH_LENGTH:
            here.remark(int(token.text[1:]))
        case "mark" if here.plies:
            here.plies[-1].mark += token.text.strip("()")
        case "open" if current.num_open < MAX_NESTING:
            current.lines.append(ParsedLine(token.location))
        case "close" if current.num_open:
            current.lines.pop()
            if current.num_open:
                current.lines[-1].pieces.append(here)
            if here.pieces:
                current.lines[-1].remark(here if here.plies and here.is_readable else here.text)
        case "star" if token.follows and here.plies:
            here.remark(ONLY_MOVE)
        case "star" | "result" if not current.num_open:
            current.terminator = token
        case "ending" if not current.is_empty:
            here.remark(token.text)
            if not current.num_open:
                current.ending = token
        case "star" | "result":
            here.remark(token.text)
        case "setup" if not current.has_body:
            current.setup = token
        case _:
            fault = _FAULTS.get(token.kind, "{!r} is no move, tag or comment")
            raise token.location.fault(fault.format(token.text[:_SHOWN]))
