"""How sure a score is."""

import math

_NORMAL_95 = 1.959964


def interval(value: float, count: int) -> tuple[float, float]:
    """Bounds of an expected score that is the mean of `count` results 0 … 1, 95 %; Wilson 1927.

    Draws count half: with many of them the bounds are wider than need be.

    >>> interval(0.5, 0)
    (0.0, 1.0)
    >>> tuple(round(bound, 3) for bound in interval(0.5, 100))
    (0.404, 0.596)
    """
    if count == 0:
        return 0.0, 1.0
    square = _NORMAL_95**2
    middle = value + square / (2 * count)
    reach = _NORMAL_95 * math.sqrt(value * (1 - value) / count + square / (4 * count**2))
    low, high = ((middle + sign * reach) / (1 + square / count) for sign in (-1, 1))
    return max(0.0, low), min(1.0, high)
