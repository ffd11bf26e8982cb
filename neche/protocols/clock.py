"""How long to think about a move when a clock runs, so that it never runs out."""

import time
from typing import NamedTuple

EXPECTED_MOVES = 30
"""Moves that the rest of a game is expected to last, if the number is not given."""
# What is saved of each increment becomes time for hard positions.
_SHARE_OF_INCREMENT = 0.75
# Shares of the plan: a depth begun after 70 % of it would rarely end, one that has begun may take 150 %.
_SOFT, _HARD, _LONGER = 0.7, 1.5, 1.2
# Shares of the time left beyond the margin.
_MOST_OF_CLOCK, _MOST_OF_LAST_MOVE = 0.4, 0.9
# Enough to say what the only move is worth; no ending is solved in it.
_FORCED_SECONDS = 0.05
# 0.999 ** 700 is a half.
_FORGETTING, _CAUTION, _WATCHED_SECONDS = 0.999, 2.0, 0.15


class Clock(NamedTuple):
    """The clock of the side to move, before its move. All in seconds.

    left: time left, without the increment for this move. increment: added for each move, before it or after.
    moves: for which `left` has to last; 0 for the rest of the game.
    """

    left: float
    increment: float = 0.0
    moves: int = 0


class Budget(NamedTuple):
    """Time for one move, seconds. soft: nothing new is begun after it. hard: the search is cut off."""

    soft: float
    hard: float

    def within(self, seconds: float | None) -> "Budget":
        """Return a budget that is over after `seconds` as well; None: there is no such limit."""
        return self if seconds is None else Budget(min(self.soft, seconds), min(self.hard, seconds))

    def is_spent(self, seconds: float, searched: float) -> bool:
        """Return whether to begin nothing new after `seconds`, of which the depths so far took `searched`."""
        # The next depth takes longer than they did; what was solved in vain before them says nothing of it.
        return seconds >= self.soft and seconds + _LONGER * searched >= self.hard


def budget(clock: Clock, margin: float, num_moves: int = 0) -> Budget:
    """Return the time for a move, one of `num_moves`; the margin, seconds, always stays on the clock.

    The plan is an even share of what is left, plus most of the increment, but never more than 40 % of what is
    left beyond the margin (90 % if it is for this one move): the margin is for all that happens outside the
    search. The increment of this move is not relied on, since some interfaces add it after the move. With no
    more than the margin left the budget is zero: the engine plays the first move it finds, and the clock
    recovers by the increment.
    """
    free = max(0.0, clock.left - margin)
    plan = free / (clock.moves or EXPECTED_MOVES) + _SHARE_OF_INCREMENT * clock.increment
    most = (_MOST_OF_LAST_MOVE if clock.moves == 1 else _MOST_OF_CLOCK) * free
    limit = Budget(min(_SOFT * plan, most), min(_HARD * plan, most))
    return limit.within(_FORCED_SECONDS if num_moves == 1 else None)


class Margin:
    """The time to be left on the clock for what is not search: pipes, other programs, waiting threads.

    It begins with the user's value and the time for which the machine keeps a program waiting, and grows when
    moves take longer than their budget. Observations are forgotten slowly, half of one in 700 moves: a busy
    machine stays busy.
    """

    def __init__(self, least: float) -> None:
        self._least = least
        self._lost = 0.0

    @property
    def seconds(self) -> float:
        """The margin now."""
        return self._least + _CAUTION * self._lost

    def learn(self, limit: Budget, seconds: float) -> None:
        """Observe that a move with this budget took `seconds`."""
        # The largest delay, forgotten slowly: a mean would say little of the rare long one.
        self._lost = max(seconds - limit.hard, _FORGETTING * self._lost)

    def watch(self, seconds: float = _WATCHED_SECONDS) -> None:
        """Stay busy for `seconds`, and observe for how long the machine ran something else meanwhile."""
        last = begin = time.perf_counter()
        while last - begin < seconds:
            now = time.perf_counter()
            # A gap between two readings is time in which the system ran something else.
            self._lost = max(self._lost, now - last)
            last = now
