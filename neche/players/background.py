"""A search in a background thread, which can be stopped at any moment and waited for."""

import threading
import time
from collections.abc import Callable
from typing import Any, Generic

from neche.players.engine import Result, Stop


class Background(Generic[Result]):
    """A search in a thread of its own, while the thread that began it goes on listening.

    search: called with the `Stop` by which it ends early. after: an earlier one, of the same engine, that
    must have ended first.
    """

    def __init__(self, search: Callable[[Stop], Result], *, after: "Background[Any] | None" = None) -> None:
        self._search, self._after = search, after
        self._result: Result | None = None
        self._fault: BaseException | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self.stop = Stop()
        self._thread = threading.Thread(target=self._run, daemon=True, name="neche search")
        self._thread.start()

    def stop_at(self, deadline: float) -> None:
        """Request the stop at a reading of `time.perf_counter`, in place of an earlier deadline."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            # A deadline in the past stops at once, without a thread for the timer.
            left = deadline - time.perf_counter()
            if left <= 0:
                self.stop.request()
                return
            self._timer = threading.Timer(left, self.stop.request)
            self._timer.daemon = True
            self._timer.start()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    def result(self) -> Result:
        """Wait for the result, and hear Ctrl-C meanwhile; raise what the search raised."""
        while self._thread.is_alive():
            # A wait without end would hold Ctrl-C back on some systems.
            self._thread.join(0.1)
        if self._fault is not None:
            raise self._fault
        return self._result  # type: ignore[return-value]  # it ended without a fault

    def _run(self) -> None:
        try:
            if self._after is not None:
                self._after.wait()
                self._after = None
            self._result = self._search(self.stop)
        # Kept for the thread that asks for the result: raised here it would only be printed.
        except BaseException as fault:
            self._fault = fault
        finally:
            del self._search
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
