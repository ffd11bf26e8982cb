"""Selection: who has offspring, and how likely.

Symbols: P members in rank order, best first.
"""

import numpy as np

from neche.evolution.population import FloatArray, Generation, IntArray
from neche.evolution.settings import Settings


def parent_cut(settings: Settings) -> int:
    """Return how many of the best members `truncation` draws parents from; at least one."""
    return max(1, round(settings.selection.parent_share * settings.members.population))


def parent_weights(settings: Settings, generation: Generation) -> FloatArray:
    """Return weights [P] proportional to the probability that a member is drawn as a parent.

    truncation: 1 for the best share, 0 below it. rank-sum: rank sum + ½; a ranking without rounds counts as
    one round, in which the worst has rank 0 and the best P − 1.
    Source: the original program ("ranks are offset and normalized to form a non-uniform distribution").
    """
    num_members = len(generation.members)
    if settings.selection.selection == "rank-sum":
        if settings.ranking.ranking == "original":
            return generation.strengths + 0.5
        return np.arange(num_members - 1, -1, -1, dtype=np.float64) + 0.5
    return (np.arange(num_members) < parent_cut(settings)).astype(np.float64)


def draw_parents(weights: FloatArray, count: int, rng: np.random.Generator) -> IntArray:
    """Draw mother and father, possibly the same, of `count` children by weights [P]: ranks [count, 2]."""
    cumulative = np.cumsum(weights)
    ranks: IntArray = np.searchsorted(cumulative, rng.random((count, 2)) * cumulative[-1], side="right")
    return ranks
