"""Quicksort as a tournament: the members of a partition play its pivot, level by level.

All comparisons of one level, over all partitions, are one batch, so that they can be played at the same time.
About n·log n comparisons order n members.

Symbols: P members, C comparisons of a batch.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from neche.evolution.population import IntArray

Compare: TypeAlias = Callable[[IntArray, IntArray], IntArray]
"""(a [C], b [C]) member indices → wins minus losses of a against b [C]; plays the games, all at once."""

Ties: TypeAlias = Literal["beside", "random"]
"""Where a member goes that is level with the pivot: beside it, not sorted further, or to a random side."""


def sort_members(num_members: int, compare: Compare, rng: np.random.Generator, *, ties: Ties) -> IntArray:
    """Return the members [P], best first, after one quicksort from a fresh shuffle."""
    return _sort([rng.permutation(num_members)], compare, rng, ties)


def _sort(partitions: list[IntArray], compare: Compare, rng: np.random.Generator, ties: Ties) -> IntArray:
    """Sort each of the shuffled partitions, all in step, and return them end to end."""
    while any(len(partition) > 1 for partition in partitions):
        # A pivot is the first of its partition: random, since every split keeps the shuffled order.
        challengers = np.concatenate([partition[1:] for partition in partitions])
        pivots = np.concatenate([np.repeat(partition[:1], len(partition) - 1) for partition in partitions])
        balances = compare(challengers, pivots)
        coins = rng.random(len(balances)) < 0.5
        ends = np.cumsum([len(partition) - 1 for partition in partitions])[:-1]
        parts = zip(partitions, np.split(balances, ends), np.split(coins, ends), strict=True)
        partitions = [piece for part in parts for piece in _split(*part, ties) if len(piece)]
    return np.concatenate(partitions)


def _split(partition: IntArray, balances: IntArray, coins: np.ndarray, ties: Ties) -> list[IntArray]:
    pivot, rest = partition[:1], partition[1:]
    if ties == "random":
        balances = np.where(balances == 0, np.where(coins, 1, -1), balances)
    level = np.concatenate((pivot, rest[balances == 0]))
    # Members beside the pivot are in their place: as partitions of one they are compared no more.
    return [rest[balances > 0], *np.split(level, len(level)), rest[balances < 0]]


def sum_ranks(num_members: int, rounds: int, compare: Compare, rng: np.random.Generator) -> IntArray:
    """Return the sum of ranks [P] over several quicksorts, worst 0 and best P − 1 in each.

    The ranking of the original program, level by level: `compare` plays one game in which the member of the
    partition moves first, and a draw counts as equal.
    Source: the original program's description ("3 rounds … and sum up each network's ranks").
    """
    shuffles = [rng.permutation(num_members) for _ in range(rounds)]
    total = np.zeros(num_members, dtype=np.int64)
    # The rounds do not depend on each other, so a level of all of them is one batch: more work to share out.
    for order in _sort(shuffles, compare, rng, "beside").reshape(rounds, num_members):
        total[order] += np.arange(num_members - 1, -1, -1)
    return total
