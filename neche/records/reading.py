"""Shared by all readers: lines and locations in a file, faults, and a record built move by move."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, iterdecode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, BinaryIO, NoReturn

from neche.errors import InputError
from neche.games.game import Game, Move
from neche.records.record import GameRecord, Line, Ply, fen_of_start, result_of

MAX_LINE = 1 << 20
"""Longest line, bytes. No game file has longer lines, which would fill the memory."""
_BLOCK = 1 << 16
"""Most bytes read at once."""
# A return at the end of a piece may be the first half of a line end.
_LINE_ENDS = re.compile(rb"\r\n|\r(?!\Z)|\n")
PASSES = ("pass", "pas", "pa", "ps", "--")
_SHOWN_MOVES = 8

OnFault = Callable[[InputError], None]
"""Called for a game that cannot be read: raises the fault, or notes it so that reading goes on."""


def stop(fault: InputError) -> NoReturn:
    """Raise the fault, which ends the reading."""
    raise fault


@dataclass(frozen=True)
class SourceLocation:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def fault(self, message: str) -> InputError:
        """Return the error that names this place."""
        return InputError(f"{self.file}, line {self.line}, column {self.column}: {message}")


def read_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without line ends.

    A line is UTF-8 or else Windows-1252, which is Latin-1 with dashes and quotes; old files mix both. A file
    that begins with a UTF-16 byte order mark is read as UTF-16. Lines end as on Unix, Windows or old Macs.
    InputError if the file is not text, or a line is too long.
    """
    for number, raw in enumerate(_raw_lines(stream), 1):
        if len(raw) > MAX_LINE:
            raise InputError(f"{name}, line {number}: longer than {MAX_LINE} bytes")
        if b"\0" in raw:
            raise InputError(f"{name}, line {number}: a zero byte: this is no text file")
        # Also within a file joined from several; before decoding, as the line may still be Latin-1.
        line = raw.removeprefix(BOM_UTF8)
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError:
            # A line never fails for its letters, though five bytes have no meaning in this encoding.
            yield number, line.decode("cp1252", "replace")


def _raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file without their ends, UTF-16 as UTF-8; one that is too long is cut."""
    first = stream.readline(_BLOCK)
    pieces: Iterator[bytes] = chain([first], iter(lambda: stream.readline(_BLOCK), b""))
    if first.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        # Not by lines: the byte of a line end may be half of another letter, and a line of such letters would
        # be joined letter by letter.
        blocks = chain([first], iter(lambda: stream.read(_BLOCK), b""))
        pieces = (text.encode() for text in iterdecode(blocks, "utf-16", "replace"))
    rest = b""
    for piece in pieces:
        *lines, rest = _LINE_ENDS.split(rest + piece)
        yield from lines
        if len(rest) > MAX_LINE + 1:
            yield rest
    # DOS files may end with this byte, some padded with many.
    yield from rest.rstrip(b"\x1a").splitlines()


class RecordBuilder:
    """A game read move by move. Files omit passes or write them in several ways; here the rules add them.

    rules: of the game. start, position: before the first move and now. plies: the moves so far. comments:
    before the first move.
    """

    def __init__(self, rules: Game, start: Any = None) -> None:
        self.rules = rules
        self.start = self.position = rules.start() if start is None else start
        self.plies: list[Ply] = []
        self.comments: list[str] = []

    def play(self, text: str, *, side: str = "", value: str = "", seconds: str = "") -> None:
        """Add a move, and before it a forced pass that the file omits; InputError if the move is illegal.

        side: makes the move; empty if the file does not say. value, seconds: see `Ply`
        """
        assert self.rules.ggf is not None
        pass_text = self.rules.ggf.pass_text
        wanted = pass_text if text.lower() in PASSES else text.lower()
        legal = self.rules.legal_moves(self.position)
        if wanted != pass_text and [move.text for move in legal] == [pass_text]:
            self.play(pass_text)
            legal = self.rules.legal_moves(self.position)
        mover = self.rules.side_to_move(self.position)
        if side and side != mover:
            raise InputError(f"{text} is {side}'s, but it is {mover}'s turn")
        found = next((move for move in legal if move.text == wanted), None)
        if found is None:
            there = f"legal: {listed(legal)}" if legal else "the game is over here, there is no move"
            raise InputError(f"{text} is not a legal move; {there}")
        self.plies.append(Ply(found.text, value=value, seconds=seconds))
        self.position = found.after

    def comment(self, text: str) -> None:
        """Add a comment after the last move."""
        if self.plies:
            self.plies[-1] = replace(self.plies[-1], remarks=(*self.plies[-1].remarks, text))
        else:
            self.comments.append(text)

    def record(self, tags: Sequence[tuple[str, str]] = (), result: str | None = None) -> GameRecord:
        """Return the record of the game. result: None: that of the last position."""
        return GameRecord(
            self.rules.name,
            Line(tuple(self.plies), tuple(self.comments)),
            tuple(tags),
            fen_of_start(self.rules, self.start),
            result_of(self.rules, self.position) if result is None else result,
        )


def listed(moves: Sequence[Move]) -> str:
    """List the first few of some moves, and how many more there are."""
    more = [f"and {len(moves) - _SHOWN_MOVES} more"] if len(moves) > _SHOWN_MOVES else []
    return ", ".join([*(move.text for move in moves[:_SHOWN_MOVES]), *more])
