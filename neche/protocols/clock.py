"""Time management: how long to think about a move so that the clock never runs out."""

import time
from typing import NamedTuple

EXPECTED_MOVES = 30
"""Number of moves that the rest of a game is expected to last, if not given."""
# The rest of each increment is saved for hard positions.
_SHARE_OF_INCREMENT = 0.75
# Shares of the planned time: a depth begun after 70 % would rarely finish; one under way may take 150 %.
_SOFT, _HARD, _LONGER = 0.7, 1.5, 1.2
# Shares of the time left beyond the margin.
_MOST_OF_CLOCK, _MOST_OF_LAST_MOVE = 0.4, 0.9
# Enough to evaluate the only move, too short to solve an ending.
_FORCED_SECONDS = 0.05
# 0.999 ** 700 is a half.
_FORGETTING, _CAUTION, _WATCHED_SECONDS = 0.999, 2.0, 0.15


class Clock(NamedTuple):
    """The clock of the side to move, before its move; times in seconds.

    left: time left, without the increment for this move. increment: added for each move, before or after it.
    moves: number of moves for which `left` has to last; 0: the rest of the game.
    """

    left: float
    increment: float = 0.0
    moves: int = 0


class Budget(NamedTuple):
    """Time for one move, seconds. soft: no new depth begins after it. hard: the search is cut off."""

    soft: float
    hard: float

    def within(self, seconds: float | None) -> "Budget":
        """Return the budget limited to `seconds`; None: no limit."""
        return self if seconds is None else Budget(min(self.soft, seconds), min(self.hard, seconds))

    def is_spent(self, seconds: float, searched: float) -> bool:
        """Return whether to begin no new depth after `seconds`, `searched` of them spent on depths so far."""
        # The next depth takes longer than those so far; time lost on failed solving before them is no guide.
        return seconds >= self.soft and seconds + _LONGER * searched >= self.hard


def budget(clock: Clock, margin: float, num_moves: int = 0) -> Budget:
    """Return the time for a move, one of `num_moves`; the margin, seconds, always stays on the clock.

    The planned time is an even share of the time left beyond the margin, plus most of the increment, but at
    most 40 % of that time (90 % if it is for this move alone). The margin covers everything outside the
    search. The increment of this move is not counted on, since some interfaces add it after the move. If only
    the margin or less is left, the budget is zero: the engine plays the first move it finds, and the clock
    recovers by the increment.
    """
    free = max(0.0, clock.left - margin)
    plan = free / (clock.moves or EXPECTED_MOVES) + _SHARE_OF_INCREMENT * clock.increment
    most = (_MOST_OF_LAST_MOVE if clock.moves == 1 else _MOST_OF_CLOCK) * free
    limit = Budget(min(_SOFT * plan, most), min(_HARD * plan, most))
    return limit.within(_FORCED_SECONDS if num_moves == 1 else None)


class Margin:
    """The time to leave on the clock for everything but search: pipes, other programs, waiting threads.

    It starts from the user's value and the observed scheduling delays, and grows when moves exceed their
    budget. Observations decay slowly, with a half-life of 700 moves, as a busy machine stays busy.
    """

    def __init__(self, least: float = 0.3) -> None:
        self._least = least
        self._lost = 0.0

    @property
    def seconds(self) -> float:
        """The current margin."""
        return self._least + _CAUTION * self._lost

    def learn(self, limit: Budget, seconds: float) -> None:
        """Observe that a move with this budget took `seconds`."""
        # The largest delay, decaying slowly: a mean would hide rare long delays.
        self._lost = max(seconds - limit.hard, _FORGETTING * self._lost)

    def watch(self, seconds: float = _WATCHED_SECONDS) -> None:
        """Busy-wait for `seconds` and observe the longest interruption by other programs."""
        last = begin = time.perf_counter()
        while last - begin < seconds:
            now = time.perf_counter()
            # In a gap between two readings the system ran something else.
            self._lost = max(self._lost, now - last)
            last = now
