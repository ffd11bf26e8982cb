"""Standard streams, made safe so that none of them ends a command with a traceback.

A stream may be closed from the start, full, or a terminal that is gone. Messages for people are then lost and
the work continues; results that cannot be written are a fault (`write_out`).

Encodings other than UTF-8 are usual on Windows (cp1252, when output goes to a file) and in the C locale.
Characters that such a stream cannot write are replaced by similar ones, mostly one for one, so that columns
stay aligned.
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
from neche.parsing import naming_file

# Colours are let through: drawings of boards need them, and they can do no harm.
_CONTROL = re.compile(r"(\x1b\[[0-9;]*m)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_RESULTS: list[Any] = []
"""Standard output, while `results_alone` is active."""
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
    """Replace closed standard streams by the null device; keep a vanished terminal from ending the work."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It takes the missing stream's descriptor; if left free, the next file opened would get it, and
            # anything written to the stream would go into that file.
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 (open to the end)
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
    if not isinstance(sys.stdout, _Patient):
        sys.stdout = _Patient(sys.stdout, (errno.EIO,))
    if not isinstance(sys.stderr, _Patient):
        sys.stderr = _Patient(sys.stderr, ())


@contextmanager
def results_alone() -> Iterator[None]:
    """Reserve standard output for `write_out`: other prints, as by plug-ins, go to standard error."""
    _RESULTS.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _RESULTS.pop()


def print_aside() -> None:
    """Send prints of this worker process to standard error: standard output is for results only."""
    sys.stdout = sys.stderr


def results() -> Any:
    """Return the stream that results are written to."""
    return _RESULTS[-1] if _RESULTS else sys.stdout


def lose_output() -> None:
    """Redirect standard output to the null device: Python would complain at exit of what it cannot write."""
    with suppress(OSError, ValueError):  # a stream that is no file has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), results().fileno())


class _Patient:
    """A stream that drops text it cannot write. reasons: errors for which it does; empty: for all."""

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
    r"""Return a text safe for a terminal: control characters other than colours become visible escapes.

    >>> for_terminal("a\x1b]0;title\x07\tb\n") == "a\\x1b]0;title\\x07\tb\n"
    True
    """
    return _CONTROL.sub(lambda found: found[1] or ascii(found[0])[1:-1], text)


def write_out(text: str) -> None:
    """Write to standard output and flush; InputError if that fails, such as on a full disk."""
    output = results()
    try:
        with naming_file("standard output", "written"):
            output.write(for_terminal(text) if output.isatty() else text)
            output.flush()
    except InputError:
        lose_output()
        raise


def allow_any_text() -> None:
    """Let standard streams write any text in their own encoding, and read undecodable input."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _ERRORS), (sys.stderr, _ERRORS)):
        # A caller may have replaced them, such as by a StringIO, or have read a part.
        if isinstance(stream, io.TextIOWrapper):
            with suppress(io.UnsupportedOperation):
                stream.reconfigure(errors=errors)


def to_ascii(text: str) -> str:
    """Return a text in ASCII: characters replaced by similar ones, letters without accents.

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
