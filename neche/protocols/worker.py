"""One search at a time in a thread of its own, while the thread that began it goes on listening."""

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from neche.players.engine import Analysis, Limits, Stop
from neche.protocols.clock import Budget
from neche.protocols.engine import ProtocolEngine


class Question(NamedTuple):
    """What is to be searched: a position that is not over.

    budget: time for it, counted from `begin`, a reading of `time.perf_counter`; None for no limit.
    is_new_game: what the engine remembers is of another game.
    """

    engine: ProtocolEngine
    position: Any
    limits: Limits = Limits()
    budget: Budget | None = None
    begin: float = 0.0
    is_new_game: bool = False


class Answer(NamedTuple):
    """What came of it. seconds: from the beginning of the question's time to its end."""

    analysis: Analysis
    seconds: float


class Search:
    """A running search.

    tell: hears what is known so far. finish: hears the answer, also of a search that was stopped. fail: hears
    what went wrong instead. after: an earlier search of the same engine, which must have ended first. All are
    called in the thread of the search.
    """

    def __init__(
        self,
        question: Question,
        *,
        tell: Callable[[Analysis], None],
        finish: Callable[[Answer], None],
        fail: Callable[[BaseException], None],
        after: "Search | None" = None,
    ) -> None:
        self._question = question
        self._tell, self._finish, self._fail = tell, finish, fail
        self._after = after
        self._stop = Stop()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._soft_end: float | None = None
        self._begin = question.begin or time.perf_counter()
        self._thread = threading.Thread(target=self._run, daemon=True)
        if question.budget is not None:
            self.start_clock(question.budget, self._begin)
        if self._stop.is_requested and (after is None or not after.is_running):
            # no time at all: another thread would only have to be waited for
            self._run()
        else:
            self._thread.start()

    @property
    def is_running(self) -> bool:
        """Tell whether the answer is still to come."""
        return self._thread.is_alive()

    @property
    def is_stopping(self) -> bool:
        """Tell whether it was asked to stop, or its time is over."""
        return self._stop.is_requested

    def start_clock(self, budget: Budget, begin: float) -> None:
        """From now on there is this much time, counted from `begin`."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._begin = begin
            self._soft_end = begin + budget.soft
            left = begin + budget.hard - time.perf_counter()
            if left <= 0:
                self._stop.request()
                return
            self._timer = threading.Timer(left, self._stop.request)
            self._timer.daemon = True
            self._timer.start()

    def stop(self) -> None:
        """Ask for the answer now; does not wait."""
        self._stop.request()

    def wait(self) -> None:
        """Wait for the answer."""
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        engine, position, limits = self._question[:3]
        if self._after is not None:
            self._after.wait()
            self._after = None
        try:
            if self._question.is_new_game:
                engine.forget()
            found = engine.search(position, limits, self._stop, self._hear)
            self._finish(Answer(found, time.perf_counter() - self._begin))
        except BaseException as fault:
            self._fail(fault)
        finally:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()

    def _hear(self, found: Analysis) -> None:
        if self._soft_end is not None and time.perf_counter() >= self._soft_end:
            self._stop.request()
        self._tell(found)
