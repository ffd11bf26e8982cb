"""Standard streams and signals, so that none of them ends a command with a traceback.

A stream may be closed from the start, full, or a terminal that is gone. What is said to people is then lost,
and the work goes on; results that cannot be written are a fault (`output.write_out`).

A stream of another encoding than UTF-8 is usual on Windows (cp1252, when output goes to a file) and where the
locale is C. Characters that one cannot write are replaced by what looks like them, most by one character, so
that columns stay where they are.
"""

import codecs
import errno
import io
import math
import os
import re
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

# Colours are let through: pictures of boards are made of them, and they can do no harm.
_CONTROL = re.compile(r"(\x1b\[[0-9;]*m)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")

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

_USUAL = (signal.SIG_DFL, signal.default_int_handler)
_LOSING = {
    "__del__",
    "__set_name__",
    "ExecutionEngine._raw_object_cache_getbuffer",
    "ExecutionEngine._raw_object_cache_notify",
    "finalize.__call__",
}
"""Functions, two of LLVM's compiler, that lose what is raised in them or make another error of it."""
_LATER = 0.02
"""Seconds, after which a signal that came in one of them, or in an import, comes again."""
_LONGEST_IMPORT = 5.0
"""Seconds that a signal waits for imports: compiled modules may lose it, and one of a user may never end."""


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


def lose_output() -> None:
    """Give what is left for standard output nowhere to go: Python would complain of it at exit."""
    with suppress(OSError, ValueError):  # a stream that is no file has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Patient:
    """A stream that loses what cannot be written, for these reasons; for any reason without one."""

    def __init__(self, stream: Any, reasons: tuple[int, ...]) -> None:
        self._stream, self._reasons = stream, reasons

    def write(self, text: str) -> int:
        """Write, or lose it."""
        with self._lost():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, or lose it."""
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


@contextmanager
def ending_signals() -> Iterator[list[int]]:
    """Let SIGTERM and SIGHUP end the work like Ctrl-C: by KeyboardInterrupt, and none of them be lost.

    Yields the list that the number of the signal is put into. A signal that is ignored stays so (nohup).
    """
    heard: list[int] = []
    waiting: set[int] = set()
    timers: dict[int, threading.Timer] = {}
    thread = threading.get_ident()
    first_put_off = math.inf
    is_over = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        if is_over:
            return
        if _is_lost(frame, in_imports=time.monotonic() < first_put_off + _LONGEST_IMPORT):
            put_off(number)
            return
        if number in waiting:
            waiting.discard(number)
            timers[number].cancel()
        heard.append(number)
        raise KeyboardInterrupt

    def put_off(number: int) -> None:
        nonlocal first_put_off
        first_put_off = min(first_put_off, time.monotonic())
        if number not in waiting:
            waiting.add(number)
            timers[number] = threading.Timer(_LATER, come_again, [number])
            timers[number].start()

    def come_again(number: int) -> None:
        waiting.discard(number)
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(thread, number)  # to the main thread, to wake it if it sleeps
        else:
            signal.raise_signal(number)

    def tell_unless_interrupted(told: Any) -> None:
        # Callbacks of weak references, of numba and others, lose it as well, and only tell of it.
        if heard and issubclass(told.exc_type, KeyboardInterrupt):
            put_off(heard.pop())
        else:
            tell(told)

    known = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in known if is_main}
    taken = [number for number, handler in handlers.items() if handler in _USUAL]
    for number in taken:
        signal.signal(number, interrupt)
    tell = sys.unraisablehook
    if is_main:
        sys.unraisablehook = tell_unless_interrupted
    try:
        yield heard
    finally:
        # A signal that still waits would come at exit, when all is done: it has nothing left to end.
        is_over = True
        for timer in timers.values():
            timer.cancel()
            timer.join()
        if is_main:
            sys.unraisablehook = tell
        for number in taken:
            signal.signal(number, handlers[number])


def _is_lost(frame: FrameType | None, *, in_imports: bool) -> bool:
    """Return whether what is raised in a frame might be lost, in an import if that is to count."""
    while frame is not None:
        code = frame.f_code
        if code.co_name in _LOSING or code.co_qualname in _LOSING:
            return True
        if in_imports and code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def for_terminal(text: str) -> str:
    r"""Return a text as a terminal may get it: control characters as their escapes, apart from colours.

    >>> for_terminal("a\x1b]0;title\x07\tb\n") == "a\\x1b]0;title\\x07\tb\n"
    True
    """
    return _CONTROL.sub(lambda found: found[1] or ascii(found[0])[1:-1], text)


def write_any_text() -> None:
    """Let standard output and standard error write any text, in their own encoding."""
    for stream in (sys.stdout, sys.stderr):
        # A caller may have put something else in their place, such as a StringIO.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


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
