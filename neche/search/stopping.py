"""A request to end a search early, made from another thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Stop:
    """A request to stop. Once it is made it stays made: every later search that is given it ends soon.

    A search still finds a move: its first depth, or its first visit, is always finished.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flag: tuple[Any, int] | None = None
        self._is_requested = False

    @property
    def is_requested(self) -> bool:
        """Tell whether the request was made."""
        return self._is_requested

    def request(self) -> None:
        """Make the request, from any thread and any number of times."""
        with self._lock:
            self._is_requested = True
            self._raise_flag()

    @contextmanager
    def raising(self, flags: Any, index: int) -> Iterator[None]:
        """Set flags[index], which compiled code looks at, when the request is made: now, or in this context.

        flags: [n] int64. One search at a time may be in this context.
        """
        with self._lock:
            self._flag = flags, index
            if self._is_requested:
                self._raise_flag()
        try:
            yield
        finally:
            with self._lock:
                self._flag = None

    def _raise_flag(self) -> None:
        if self._flag is not None:
            flags, index = self._flag
            flags[index] = 1
