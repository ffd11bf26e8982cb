"""The chess clock of a game in a browser: all times in seconds."""

import time
from collections.abc import Callable
from typing import Any

from neche.protocols.clock import Clock
from neche.web.messages import SideTime


class GameClock:
    """The time of both sides: after the first move, the time of the side to move runs until it is used up.

    sides: initial time and increment of each. now: reads a clock. plies: number already played.
    """

    def __init__(
        self,
        sides: tuple[SideTime, SideTime],
        now: Callable[[], float] = time.perf_counter,
        *,
        plies: int = 0,
    ) -> None:
        self._sides, self._now = sides, now
        # One entry more than there are moves, so that taking back a move restores the time left.
        self._left = [[side.seconds for side in sides] for _ in range(1 + plies)]
        self._running: int | None = None
        self._since = 0.0

    def left(self) -> list[float]:
        """Return the time left to each side."""
        left = list(self._left[-1])
        if self._running is not None:
            left[self._running] = max(0.0, left[self._running] - (self._now() - self._since))
        return left

    def of(self, side: int) -> Clock:
        """Return the clock of one side, in the form that time management expects."""
        return Clock(self.left()[side], self._sides[side].increment)

    @property
    def flagged(self) -> int | None:
        """The side whose time is used up; None if neither's is."""
        left = self.left()
        return left.index(0.0) if 0.0 in left else None

    def hold(self) -> None:
        """Stop both sides' time, as while code is compiled or a player waits for a core."""
        self._left[-1], self._running = self.left(), None

    def run(self, side: int) -> None:
        """Start a side's time; before the first move no time runs."""
        self.hold()
        if len(self._left) > 1:
            self._running, self._since = side, self._now()

    def press(self, side: int) -> None:
        """Add the increment for the move just made, and start the time of `side`, now to move."""
        left, mover = self.left(), self._running
        if mover is not None:
            left[mover] += self._sides[mover].increment
        self._left.append(left)
        self._running = None
        self.run(side)

    def go_back(self, ply: int, side: int) -> None:
        """Take back the moves from number `ply` on, and restore the time they took."""
        self._running = None
        del self._left[ply + 1 :]
        self.run(side)

    def shown(self) -> dict[str, Any]:
        """Return what a page shows: seconds left and increments of both sides, and whose time runs."""
        increments = [side.increment for side in self._sides]
        return {"left": self.left(), "increments": increments, "running": self._running}
