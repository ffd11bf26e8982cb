"""Where a record is read from: lines of a file of any encoding, and faults that name their place."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from neche.errors import InputError

MAX_LINE = 1 << 20
"""Bytes in a line. A file of games has none so long; one that does would fill the memory."""
_BYTE_ORDER_MARK = "\ufeff"
_LINE_ENDS = re.compile("\r\n|\r|\n")

OnFault = Callable[[InputError], None]
"""What is done about a game that cannot be read: raise the fault, or note it and go on."""


def stop(fault: InputError) -> NoReturn:
    """Let a fault end the reading."""
    raise fault


@dataclass(frozen=True)
class Place:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def fault(self, message: str) -> InputError:
        """Return the error that names this place."""
        return InputError(f"{self.file}, line {self.line}, column {self.column}: {message}")


def read_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without their ends.

    A line is UTF-8 or else Latin-1; old files mix both. Lines end as on Unix, Windows or old Macs.

    Raises:
        InputError: the file is not text, or a line is too long.
    """
    number = 0
    for raw in iter(lambda: stream.readline(MAX_LINE + 1), b""):
        if len(raw) > MAX_LINE:
            raise InputError(f"{name}, line {number + 1}: longer than {MAX_LINE} bytes")
        if b"\0" in raw:
            raise InputError(f"{name}, line {number + 1}: a zero byte: this is no text file")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        if number == 0:
            text = text.removeprefix(_BYTE_ORDER_MARK)
        parts = _LINE_ENDS.split(text)
        if not parts[-1]:
            parts.pop()
        for part in parts:
            number += 1
            yield number, part
