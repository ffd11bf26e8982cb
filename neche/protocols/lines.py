"""Untrusted text from other programs: lines and messages of limited length, quoted in errors."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

LONGEST_LINE = 1 << 16
"""In bytes; a Hub position with ten thousand moves fits."""
_LONGEST_QUOTED = 80


def read_lines(stream: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[str | None]:
    """Yield each line without line end and surrounding spaces; None for one that is too long.

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


def split_messages(chunks: Iterable[bytes], longest: int) -> Iterator[str | None]:
    """Yield the messages, each ended by a zero byte, from bytes that arrive on a socket.

    A message that is too long or not ASCII yields None; one that is too long takes no memory.
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
    """Return text from outside, shortened and quoted for an error message."""
    return repr(text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…")
