"""How much an interface lets the engine think: the command `level`."""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from neche.errors import InputError
from neche.protocols.clock import Budget, Clock, budget
from neche.protocols.engine import Effort
from neche.protocols.squares import shown

_NUMBER = re.compile(r"-?\d{1,12}(\.\d{0,12})?")
_UNTOLD_SECONDS = 1.0


class Level(NamedTuple):
    """A level.

    effort: depth and nodes. seconds: for each move, None if not given. clock: None if there is none.
    is_endless: until the interface says stop.
    """

    effort: Effort = Effort()
    seconds: float | None = _UNTOLD_SECONDS
    clock: Clock | None = None
    is_endless: bool = False

    def budget(self, margin: float, most: float | None) -> Budget | None:
        """Return the time for the next move; None for any. most: seconds that the player allows itself."""
        limits = []
        if self.clock is not None:
            limits.append(budget(self.clock, margin))
        for seconds in (self.seconds, most):
            if seconds is not None:
                # a time for each move is no clock that runs out: most of it is worth more than a large margin
                hard = seconds - min(margin, 0.2 * seconds)
                limits.append(Budget(hard, hard))
        if not limits or self.is_endless:
            return None
        return Budget(min(limit.soft for limit in limits), min(limit.hard for limit in limits))


UNTOLD = Level()
"""The level when none was given."""


def read_level(arguments: Mapping[str, str]) -> Level:
    """Return the level that the arguments of the command describe.

    Raises:
        InputError: a value is no number in its range, or none is given.
    """
    if "infinite" in arguments:
        return Level(seconds=None, is_endless=True)
    known = {"depth", "nodes", "move-time", "time", "inc", "moves"} & set(arguments)
    if not known - {"inc", "moves"}:
        raise InputError("level: depth, nodes, move-time, time or infinite is needed")
    seconds = _number(arguments, "move-time", 0.001, 1e7) if "move-time" in known else None
    effort = Effort(_whole(arguments, "depth", 1), _whole(arguments, "nodes", 1))
    clock = None
    if "time" in known:
        # whoever adds the increment before the move, as Hub does, may send less than nothing
        left = _number(arguments, "time", -1e7, 1e7)
        clock = Clock(left, _number(arguments, "inc", 0.0, 1e6), _whole(arguments, "moves", 0))
    return Level(effort, seconds, clock)


def _number(arguments: Mapping[str, str], name: str, low: float, high: float) -> float:
    text = arguments.get(name, "0")
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not low <= number <= high:
        raise InputError(f"level: {name}={shown(text)}: a number from {low:g} to {high:g} is needed")
    return number


def _whole(arguments: Mapping[str, str], name: str, low: int) -> int:
    """Return a whole number; 0 where it is not given."""
    text = arguments.get(name)
    if text is None:
        return 0
    if not _NUMBER.fullmatch(text) or "." in text or int(text) < low:
        raise InputError(f"level: {name}={shown(text)}: a whole number of at least {low} is needed")
    return int(text)
