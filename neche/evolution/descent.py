"""Descent: quicksort only where the decision is.

Only the order around the parents' cut matters, so after each level just the partition that holds the cut is
split further. The whole descent is repeated from fresh pivots until the comparisons are spent; strengths are
then fitted to all games. Ties go to a random side: a member that is level with a pivot meets others instead
of being set beside it. At equal games this is level with random partners and clearly better than a full
quicksort.
"""

from typing import NamedTuple

import numpy as np

from neche.evolution.population import IntArray
from neche.evolution.quicksort import Compare

COMPARISONS_A_DESCENT = 3
"""Comparisons a member of one whole descent, roughly; decides how many descents are made side by side."""


class Partition(NamedTuple):
    """The members whose ranks are `start` and the following ones, in random order."""

    members: IntArray
    start: int


def play_descents(
    num_members: int, cut: int, num_comparisons: int, compare: Compare, rng: np.random.Generator
) -> None:
    """Spend `num_comparisons` on descents to the border between rank cut − 1 and rank cut.

    When the comparisons suffice for several whole descents, that many advance in lockstep, each one level a
    batch: batches stay large for many workers, and who plays whom does not depend on how many workers there
    are.
    """
    cut = min(cut, num_members - 1)  # below the last rank there is no border to look for
    lanes: list[Partition | None] = [None] * max(1, num_comparisons // (COMPARISONS_A_DESCENT * num_members))
    left = num_comparisons
    while left > 0:
        partitions = [lane or Partition(rng.permutation(num_members), 0) for lane in lanes]
        challengers = np.concatenate([partition.members[1:] for partition in partitions])
        pivots = np.concatenate([np.repeat(part.members[:1], len(part.members) - 1) for part in partitions])
        challengers, pivots = challengers[:left], pivots[:left]
        left -= len(challengers)
        balances = compare(challengers, pivots)
        if left > 0:
            balances = np.where(balances == 0, np.where(rng.random(len(balances)) < 0.5, 1, -1), balances)
            ends = np.cumsum([len(partition.members) - 1 for partition in partitions])[:-1]
            pieces = zip(partitions, np.split(balances, ends), strict=True)
            lanes = [_part_with_cut(partition, piece, cut) for partition, piece in pieces]


def _part_with_cut(partition: Partition, balances: IntArray, cut: int) -> Partition | None:
    """Return the side of the pivot that the cut runs through; None when it runs beside the pivot."""
    rest = partition.members[1:]
    better, worse = rest[balances > 0], rest[balances < 0]
    pivot_rank = partition.start + len(better)
    if cut < pivot_rank:
        return Partition(better, partition.start)
    if cut > pivot_rank + 1:
        return Partition(worse, pivot_rank + 1)
    return None
