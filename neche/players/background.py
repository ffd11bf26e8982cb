"""A search in a background thread, which can be stopped at any moment and waited for."""

import threading
import time
from collections.abc import Callable
from typing import Any, Generic

from neche.players.engine import Result, Stop


class Background(Generic[Result]):
    """A search in its own thread, while the thread that started it keeps listening.

    search: called with the `Stop` that ends it early. after: an earlier search of the same engine, which must
    end first.
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
        """Request the stop at a reading of `time.perf_counter`; this replaces an earlier deadline."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            # A deadline in the past stops at once, without a timer thread.
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
        """Wait for the result, responding to Ctrl-C; raise what the search raised."""
        while self._thread.is_alive():
            # Waiting without a limit would block Ctrl-C on some systems.
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
        # Kept for the thread that requests the result: raised here, it would only be printed.
        except BaseException as fault:
            self._fault = fault
        finally:
            del self._search
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
