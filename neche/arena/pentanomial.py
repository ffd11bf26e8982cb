"""Colour-swapped pairs of games, counted: the unit of every strength claim.

Two games from one opening with the colours swapped are one result. An opening that favours one side then
shows up as a pair 1-1 instead of as noise, so the counts of pairs carry more than the counts of games.

Source: fastchess and fishtest ("Ptnml(0-2)"); M. Van den Bergh, "The pentanomial model", 2020.
"""

from typing import NamedTuple

import numpy as np

from neche.arena.elo import Strength, measure
from neche.errors import InputError

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Pentanomial(NamedTuple):
    """How many pairs gave the first player 0, ½, 1, 1½ and 2 points of 2."""

    loss_loss: int = 0
    loss_draw: int = 0
    even: int = 0
    win_draw: int = 0
    win_win: int = 0

    @property
    def num_pairs(self) -> int:
        """Number of pairs counted."""
        return sum(self)


def pair_points(outcomes: np.ndarray) -> np.ndarray:
    """Return the half-points (0..4) the first player made in each pair.

    outcomes: [2N] int, +1 won, 0 drawn, −1 lost by the first player – games 2i and 2i + 1 are one pair
    Returns [N] int64.
    Errors: InputError for an odd number of games or an outcome that is none of the three.
    """
    outcomes = np.asarray(outcomes, dtype=np.int64)
    if outcomes.size % 2 or (np.abs(outcomes) > 1).any():
        raise InputError("pairs of games need an even number of outcomes, each +1, 0 or -1")
    points: np.ndarray = outcomes.reshape(-1, 2).sum(axis=1) + 2
    return points


def count_pairs(half_points: np.ndarray) -> Pentanomial:
    """Count pairs by the half-points (0..4) the first player made in them."""
    counts = np.bincount(np.asarray(half_points, dtype=np.int64), minlength=len(PAIR_SCORES))
    if counts.size != len(PAIR_SCORES):
        raise InputError("a pair of games holds at most 4 half-points")
    return Pentanomial(*(int(count) for count in counts))


def measure_pairs(pairs: Pentanomial) -> Strength:
    """Measure pairs of games (pentanomial): Elo and its error from the variance of whole pairs.

    >>> strength = measure_pairs(Pentanomial(379, 10170, 21828, 10640, 343))
    >>> round(strength.normalised_elo, 2), round(strength.normalised_elo_error, 2)
    (3.05, 2.31)
    """
    return measure(PAIR_SCORES, pairs, games_per_result=2)
