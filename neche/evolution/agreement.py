"""Agreement: whether the same members would come out on top if the games were played again.

Symbols: P members, C comparisons, G games.
"""

import numpy as np

from neche.evolution.population import FloatArray
from neche.evolution.scorebook import Games

MOST_MEMBERS = 256
"""Members compared at most: pairs grow with the square."""


def rank_agreement(games: Games, num_members: int, *, paired: bool) -> float:
    """Return Kendall's tau between the orders by odd and by even comparisons of each member.

    1: one half of the games predicts the other; 0: they have nothing in common, the ranking is chance.
    paired: a comparison is a pair of games on one opening, else a single game. Halves of whole comparisons
    share neither opening nor opponent. Members without a comparison in either half are left out.
    """
    step = 2 if paired else 1
    balance = games.outcome[0::2] - games.outcome[1::2] if paired else games.outcome
    sides = np.stack([games.first[::step], games.second[::step]], axis=1).ravel()
    balances = np.stack([balance, -balance], axis=1).ravel()
    order = np.argsort(sides, kind="stable")
    counts = np.bincount(sides, minlength=num_members)
    turn = np.empty_like(order)
    turn[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    half = turn % 2 * num_members + sides
    played = np.bincount(half, minlength=2 * num_members).reshape(2, -1)
    points = np.bincount(half, balances, 2 * num_members).reshape(2, -1)
    in_both = np.flatnonzero((played > 0).all(axis=0))[:MOST_MEMBERS]
    odd, even = points[:, in_both] / played[:, in_both]
    return kendall_tau(odd, even)


def kendall_tau(x: FloatArray, y: FloatArray) -> float:
    """Return Kendall's tau-b of two measurements [P] of the same members; 0 when either is the same for all.

    Source: Kendall, Rank Correlation Methods (1948), with the correction for ties.
    """
    x_order, y_order = (np.sign(values[:, None] - values).astype(np.int64) for values in (x, y))
    size = np.count_nonzero(x_order) * np.count_nonzero(y_order)
    return float((x_order * y_order).sum() / np.sqrt(size)) if size else 0.0
