"""Text from other programs, which may be anything: lines and messages of limited length, quoted in errors."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

LONGEST_LINE = 1 << 16
"""Bytes. A position of Hub with ten thousand moves fits."""
_LONGEST_QUOTED = 80


def read_lines(stream: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[str | None]:
    """Yield each line without its end and without spaces around it; None for one that is too long.

    Bytes that are not UTF-8 become replacement characters. The rest of a line that is too long is skipped
    and takes no memory.
    """
    while chunk := stream.readline(longest + 1):
        if len(chunk) > longest and not chunk.endswith(b"\n"):
            # The rest is read in pieces and dropped, so that a line without end takes no memory.
            while chunk and not chunk.endswith(b"\n"):
                chunk = stream.readline(longest + 1)
            yield None
            continue
        yield chunk.decode("utf-8", "replace").strip()


def split_messages(chunks: Iterable[bytes], longest: int) -> Iterator[str | None]:
    """Yield the messages, each with a zero byte after it, in the bytes that arrive on a socket.

    None stands for one that is too long or not ASCII; what is too long takes no memory.
    """
    begun, is_too_long = b"", False
    for chunk in chunks:
        *ended, rest = chunk.split(b"\0")
        for part in ended:
            message = begun + part
            is_good = not is_too_long and len(message) <= longest and message.isascii()
            begun, is_too_long = b"", False
            if message or not is_good:
                yield message.decode("ascii") if is_good else None
        begun += rest
        if len(begun) > longest:
            begun, is_too_long = b"", True


def quoted(text: str) -> str:
    """Return text from outside, shortened, as an error message quotes it."""
    return repr(text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…")
