"""Signals that end a command at any moment, like Ctrl-C: one line, and an exit code that names the signal.

A handler raises KeyboardInterrupt wherever the main thread happens to be. In some places the exception is
lost or becomes another error: in functions called from C, such as `__del__`, in callbacks of weak references,
in a C module being imported. A signal that arrives there is sent again shortly, until it can end the work.
"""

import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_USUAL = (signal.SIG_DFL, signal.default_int_handler)
_LOSING = {
    "__del__",
    "__set_name__",
    "ExecutionEngine._raw_object_cache_getbuffer",
    "ExecutionEngine._raw_object_cache_notify",
    "Popen._launch",
    "_numba_unpickle",
    "finalize.__call__",
}
"""Functions, some of numba and LLVM, that lose an exception raised in them or turn it into another.

A process that is being started tells of it with a traceback of its own.
"""
_LATER = 0.02
"""Seconds after which a signal that arrived in one of them, or in an import, is sent again."""
_LONGEST_IMPORT = 5.0
"""Seconds a signal waits for imports: compiled modules may lose it, but a user's module may never end."""


@contextmanager
def ending_signals() -> Iterator[list[int]]:
    """Let SIGTERM and SIGHUP end the work like Ctrl-C, by KeyboardInterrupt, without losing any of them.

    Yields the list that receives the signal's number. A signal that is ignored stays ignored (nohup).
    """
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    ending = _Ending()
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    taken = {number: handler for number in numbers if (handler := signal.getsignal(number)) in _USUAL}
    for number in taken:
        signal.signal(number, ending.interrupt)
    sys.unraisablehook = ending.tell
    try:
        yield ending.heard
    finally:
        ending.finish()
        sys.unraisablehook = ending.tell_others
        for number, handler in taken.items():
            signal.signal(number, handler)


class _Ending:
    """The state of the signals of one command. heard: those that were raised and not lost."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.tell_others = sys.unraisablehook
        self._thread = threading.get_ident()
        self._waiting: set[int] = set()
        self._timers: dict[int, threading.Timer] = {}
        self._first_put_off = math.inf
        self._is_over = False

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt for a signal, at once or later."""
        if self._is_over:
            return
        if _is_lost(frame, in_imports=time.monotonic() < self._first_put_off + _LONGEST_IMPORT):
            self._put_off(number)
            return
        if number in self._waiting:
            self._waiting.discard(number)
            self._timers[number].cancel()
        self.heard.append(number)
        raise KeyboardInterrupt

    def tell(self, lost: Any) -> None:
        """Send an interrupt again that a callback has lost, such as numba's callbacks of weak references."""
        if self.heard and issubclass(lost.exc_type, KeyboardInterrupt):
            self._put_off(self.heard.pop())
        else:
            self.tell_others(lost)

    def finish(self) -> None:
        """Stop handling signals: one still waiting would arrive at exit, when all work is done."""
        self._is_over = True
        for timer in self._timers.values():
            timer.cancel()
            timer.join()

    def _put_off(self, number: int) -> None:
        self._first_put_off = min(self._first_put_off, time.monotonic())
        if number not in self._waiting:
            self._waiting.add(number)
            self._timers[number] = threading.Timer(_LATER, self._come_again, [number])
            self._timers[number].start()

    def _come_again(self, number: int) -> None:
        self._waiting.discard(number)
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(self._thread, number)  # to the main thread, to wake it if it sleeps
        else:
            signal.raise_signal(number)


def _is_lost(frame: FrameType | None, *, in_imports: bool) -> bool:
    """Return whether an exception raised in a frame might be lost; in_imports: also if in an import."""
    while frame is not None:
        code = frame.f_code
        is_import = in_imports and code.co_filename.startswith("<frozen importlib")
        if is_import or code.co_name in _LOSING or code.co_qualname in _LOSING:
            return True
        frame = frame.f_back
    return False
