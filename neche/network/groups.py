"""Rows of weights for groups of squares: one for each of the 81 ways that men can stand on four squares.

A network that sees patterns has these rows in its genome. For one that sees single pieces they are computed:
the row of a state is the sum of the rows of its men. So an evaluation adds up one row per group, eight in
checkers where there may be 24 men, and a loop of fixed length has no exit to mispredict.

Kings have separate rows: with five digits there would be 625 states, whose rows fit in no cache.
"""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from neche.compiled.lanes import STATES
from neche.games.sensors import SensorLayout

_DIGITS = np.array([digits[::-1] for digits in product(range(3), repeat=4)])
"""Digits of every state, that of the first square first: [81, 4]."""
_SIZES: tuple[int, ...] = tuple(3**square for square in range(_DIGITS.shape[1]))
_HAS_MANY = np.count_nonzero(_DIGITS, axis=1) > 1
_SQUARES = 64


def num_rows(layout: SensorLayout) -> int:
    """Return the number of rows for a board as one side sees it: those of groups, then of kings."""
    return STATES * len(layout.grouping.groups) + layout.has_kings * 2 * layout.grouping.king_bits


@cache
def rows_of_men(layout: SensorLayout) -> NDArray[np.int64]:
    """Return the row of a single man on each bit, own and enemy: [2, 64]; −1 for a bit without a square."""
    rows = np.full((2, _SQUARES), -1)
    for group, bits in enumerate(layout.grouping.groups):
        for bit, size in zip(bits, _SIZES, strict=False):
            rows[:, bit] = group * STATES + size * np.array([1, 2])
    rows[:, np.setdiff1d(np.arange(_SQUARES), layout.bits)] = -1
    return rows


@cache
def patterns_of_rows(layout: SensorLayout) -> NDArray[np.int64]:
    """Return the sensor by pattern of every group row, with the first side to move, then with the other.

    [sides, rows]; one side if the board is turned for the other one. A group without squares gets the number
    of sensors instead. layout: of a board that has such sensors.
    """
    has_square = np.array([max(group) >= 0 for group in layout.groups])
    begins = STATES * (np.cumsum(has_square) - 1)
    own = begins[:, None] + np.arange(STATES)
    own[~has_square] = layout.num_pattern_sensors
    if layout.grouping.is_turned:
        return own.reshape(1, -1)
    places = {
        sensor: (group, size)
        for group, sensors in enumerate(layout.groups)
        for sensor, size in zip(sensors, _SIZES, strict=True)
    }
    other = own.copy()
    for group in np.flatnonzero(has_square):
        sensors = layout.groups[group]
        seen = [places[layout.turned[sensor]] if sensor >= 0 else None for sensor in sensors]
        first = next(place[0] for place in seen if place)
        other[group] = begins[first] + _DIGITS @ np.array([place[1] if place else 0 for place in seen])
    return np.stack([own.ravel(), other.ravel()])


def excited_patterns(men: NDArray[np.int64], layout: SensorLayout) -> NDArray[np.int64]:
    """Return the sensor by pattern that each group of squares excites: [N, groups], ascending.

    men: [N, squares] – 0 empty, 1 own, 2 the enemy's, as the side to move sees the board.
    """
    # a missing square counts as empty
    columns = np.concatenate([men, np.zeros((len(men), 1), np.int64)], axis=1)
    groups = np.array([group for group in layout.groups if max(group) >= 0])
    states: NDArray[np.int64] = columns[:, groups] @ np.array(_SIZES)
    return states + STATES * np.arange(len(groups))


def fill_groups(rows: NDArray[np.int16]) -> None:
    """Sum the rows [groups · 81, lanes] of states with many men from those with one; they wrap at 16 bits."""
    groups = rows.reshape(-1, STATES, rows.shape[1])
    groups[:, 0] = 0
    for size in _SIZES:
        for begin in (size, 2 * size):
            # states of the squares before, plus this man
            groups[:, begin + 1 : begin + size] = groups[:, 1:size] + groups[:, begin, None]


def empty_groups(rows: NDArray[np.int16]) -> None:
    """Zero the rows that `fill_groups` writes."""
    groups = rows.reshape(-1, STATES, rows.shape[1])
    groups[:, 0] = groups[:, _HAS_MANY] = 0
