"""Shared by all readers: lines and locations in a file, faults, and a record built move by move."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
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
"""Bytes of UTF-16 read at once."""
_LINE_ENDS = re.compile(b"\r\n|\r|\n")
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

    Raises:
        InputError: the file is not text, or a line is too long.
    """
    number = 0
    for raw in _raw_lines(stream):
        if len(raw) > MAX_LINE:
            raise InputError(f"{name}, line {number + 1}: longer than {MAX_LINE} bytes")
        if b"\0" in raw:
            raise InputError(f"{name}, line {number + 1}: a zero byte: this is no text file")
        # DOS files may end with this byte, some padded with many.
        parts = _LINE_ENDS.split(raw.rstrip(b"\x1a"))
        # An empty rest after the last line end is not a line.
        if not parts[-1]:
            parts.pop()
        for part in parts:
            number += 1
            # Also within a file joined from several; before decoding, as the line may still be Latin-1.
            part = part.removeprefix(BOM_UTF8)
            try:
                yield number, part.decode("utf-8")
            except UnicodeDecodeError:
                # A line never fails for its letters, though five bytes have no meaning in this encoding.
                yield number, part.decode("cp1252", "replace")


def _raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file with their ends, UTF-16 converted to UTF-8; one that is too long is cut."""
    # Reads one byte more than allowed, to tell a line that is too long from one that just fits.
    first = stream.readline(MAX_LINE + 1)
    if not first.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        while first:
            # Many lines of old Macs arrive at once; possibly half a line end is left for the next piece.
            end = len(first)
            if end > MAX_LINE:
                ends = (found.end() for found in _LINE_ENDS.finditer(first))
                end = max((place for place in ends if place <= MAX_LINE), default=end)
            yield first[:end]
            first = first[end:] + stream.readline(MAX_LINE + 1 - len(first[end:]))
        return
    decoder, rest = getincrementaldecoder("utf-16")("replace"), ""
    # In UTF-16 the byte of a line end is only half of one, or of another letter: if pieces ended there, a
    # line of such letters would be joined letter by letter.
    blocks = iter(lambda: stream.read(_BLOCK), b"")
    for piece in chain([first], blocks, [b""]):
        # A return at the end of a block may be the first half of a line end.
        *lines, rest = re.split(r"\r\n|\r(?!\Z)|\n", rest + decoder.decode(piece, final=not piece))
        yield from (f"{line}\n".encode() for line in lines)
        if rest and (len(rest) > MAX_LINE or not piece):
            yield rest.encode()
            rest = ""


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
        """Add a move, and before it a forced pass that the file omits.

        side: makes the move; empty if the file does not say. value, seconds: see `Ply`

        Raises:
            InputError: the move is illegal.
        """
        assert self.rules.ggf is not None
        pass_text = self.rules.ggf.pass_text
        wanted = pass_text if text.lower() in PASSES else text.lower()
        legal = self.rules.legal_moves(self.position)
        # A forced pass that the file omits.
        if wanted != pass_text and [move.text for move in legal] == [pass_text]:
            self._add(legal[0], Ply(pass_text))
            legal = self.rules.legal_moves(self.position)
        mover = self.rules.side_to_move(self.position)
        if side and side != mover:
            raise InputError(f"{text} is {side}'s, but it is {mover}'s turn")
        found = next((move for move in legal if move.text == wanted), None)
        if found is None:
            there = f"legal: {listed(legal)}" if legal else "the game is over here, there is no move"
            raise InputError(f"{text} is not a legal move; {there}")
        self._add(found, Ply(found.text, value=value, seconds=seconds))

    def _add(self, move: Move, ply: Ply) -> None:
        self.plies.append(ply)
        self.position = move.after

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
