"""Text from other programs, which may be anything: lines and messages of limited length, quoted in errors."""

from collections.abc import Iterator
from typing import Protocol

LONGEST_LINE = 1 << 16
"""Bytes. A position of Hub with ten thousand moves fits."""
_LONGEST_QUOTED = 80


class ByteStream(Protocol):
    """What lines are read from: a binary file, a pipe."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or the next `size` bytes of it; nothing at the end."""
        ...


def read_lines(stream: ByteStream, longest: int = LONGEST_LINE) -> Iterator[str | None]:
    """Yield each line without its end and without spaces around it; None for one that is too long.

    Bytes that are not UTF-8 become replacement characters. The rest of a line that is too long is skipped
    and takes no memory.
    """
    while chunk := stream.readline(longest + 1):
        if len(chunk) > longest and not chunk.endswith(b"\n"):
            while chunk and not chunk.endswith(b"\n"):
                chunk = stream.readline(longest + 1)
            yield None
            continue
        yield chunk.decode("utf-8", "replace").strip()


class MessageSplitter:
    """Splits the bytes that arrive on a socket into messages that end with a zero byte."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._begun = bytearray()
        self._is_too_long = False

    def feed(self, data: bytes) -> Iterator[str | None]:
        """Yield the messages that these bytes complete; None for one that is too long or not ASCII."""
        *ended, rest = data.split(b"\0")
        for part in ended:
            message = bytes(self._begun) + part
            is_good = not self._is_too_long and len(message) <= self._longest and message.isascii()
            self._begun.clear()
            self._is_too_long = False
            if message or not is_good:
                yield message.decode("ascii") if is_good else None
        if len(self._begun) + len(rest) > self._longest:
            self._is_too_long = True
            self._begun.clear()
        else:
            self._begun += rest


def quoted(text: str) -> str:
    """Return text from outside, shortened, as an error message quotes it."""
    return repr(text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…")
