"""Standard streams, so that none of them ends a command with a traceback.

A stream may be closed from the start, full, or a terminal that is gone. What is said to people is then lost,
and the work goes on; results that cannot be written are a fault (`write_out`).

A stream of another encoding than UTF-8 is usual on Windows (cp1252, when output goes to a file) and where the
locale is C. Characters that one cannot write are replaced by what looks like them, most by one character, so
that columns stay where they are.
"""

import codecs
import errno
import io
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any

from neche.errors import InputError

# Colours are let through: pictures of boards are made of them, and they can do no harm.
_CONTROL = re.compile(r"(\x1b\[[0-9;]*m)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_RESULTS: list[Any] = []
"""Standard output, while `results_alone` holds."""
_ERRORS = "neche-plain"
_ALIKE = {
    **dict(zip("▁▂▃▄▅▆▇█", "_.-=+*%#", strict=True)),
    **dict(zip("→↑↓≥≤−·…–—×●♛", ">^v><-.~--xoK", strict=True)),
    **dict.fromkeys("─━═╌╍╸╺╶╴", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„", '"'),
    "±": "+-",
    "½": ".5",
    "∝": "~",
}


def open_streams() -> None:
    """Give standard streams that are closed somewhere to go; let no terminal that is gone end the work."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It takes the free number of the stream that is missing; left free, the next file would have it,
            # and whatever writes to the stream would write into the file.
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 (open to the end)
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
    if not isinstance(sys.stdout, _Patient):
        sys.stdout = _Patient(sys.stdout, (errno.EIO,))
    if not isinstance(sys.stderr, _Patient):
        sys.stderr = _Patient(sys.stderr, ())


@contextmanager
def results_alone() -> Iterator[None]:
    """Leave standard output to `write_out`: what else is printed, as by plug-ins, goes to standard error."""
    _RESULTS.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _RESULTS.pop()


def print_aside() -> None:
    """Let what is printed in this process, a worker, go to standard error: results alone go out."""
    sys.stdout = sys.stderr


def results() -> Any:
    """Return the stream that results are written to."""
    return _RESULTS[-1] if _RESULTS else sys.stdout


def lose_output() -> None:
    """Give what is left for standard output nowhere to go: Python would complain of it at exit."""
    with suppress(OSError, ValueError):  # a stream that is no file has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), results().fileno())


class _Patient:
    """A stream that loses what cannot be written, for these reasons; for any reason without one."""

    def __init__(self, stream: Any, reasons: tuple[int, ...]) -> None:
        self._stream, self._reasons = stream, reasons

    def write(self, text: str) -> int:
        with self._lost():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._lost():
            self._stream.flush()

    @contextmanager
    def _lost(self) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            if self._reasons and fault.errno not in self._reasons:
                raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stream)


def for_terminal(text: str) -> str:
    r"""Return a text as a terminal may get it: control characters as their escapes, apart from colours.

    >>> for_terminal("a\x1b]0;title\x07\tb\n") == "a\\x1b]0;title\\x07\tb\n"
    True
    """
    return _CONTROL.sub(lambda found: found[1] or ascii(found[0])[1:-1], text)


def write_out(text: str) -> None:
    """Write to standard output, at once; InputError if it cannot be written, such as on a full disk."""
    output = results()
    try:
        output.write(for_terminal(text) if output.isatty() else text)
        output.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        lose_output()
        raise InputError(f"standard output: {error.strerror or error}") from error


def allow_any_text() -> None:
    """Let standard streams write any text in their own encoding, and read what is none."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _ERRORS), (sys.stderr, _ERRORS)):
        # A caller may have put something else in their place, such as a StringIO, or have read a part.
        if isinstance(stream, io.TextIOWrapper):
            with suppress(io.UnsupportedOperation):
                stream.reconfigure(errors=errors)


def to_ascii(text: str) -> str:
    """Return a text in ASCII: characters by what looks like them, letters without accents.

    >>> to_ascii("0.50 → ▁▅█, Zoë ± 3 日, 1½")
    '0.50 > _+#, Zoe +- 3 ?, 1.5'
    """
    known = "".join(_ALIKE.get(character, character) for character in text)
    plain = "".join(part for part in unicodedata.normalize("NFKD", known) if not unicodedata.combining(part))
    return plain.encode("ascii", "replace").decode("ascii")


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return to_ascii(error.object[error.start : error.end]), error.end


codecs.register_error(_ERRORS, _replace)
