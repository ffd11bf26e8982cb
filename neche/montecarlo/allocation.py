"""How the playouts of a move are divided among the M children of the root, round by round.

In each round an allocation decides how many playouts each child gets next, given the counts so far and the
number of playouts left, until it is done. Under a deadline the number left is an estimate, updated every
round.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from neche.compiled.streams import stream
from neche.montecarlo.counting import PlayoutCounts

Playouts = NDArray[np.int64]

_ROUNDS = 16
_SAMPLES = 128


class Allocation(Protocol):
    """The allocation of playouts for one move."""

    def next_round(self, counts: PlayoutCounts, left: int) -> Playouts | None:
        """Return how many playouts each child gets next: [M], `left` in total at most; None at the end.

        counts: of the children so far, for the side to move at the root.
        """

    def candidates(self) -> NDArray[np.bool_]:
        """Return which children may still be chosen: [M]."""


def new_allocation(name: str, num_children: int, key: int, *, rounds: int = 1) -> Allocation:
    """Return the allocation of that name for one move; key: stream of its draws.

    rounds: number of rounds of `equal`; the others always have several.
    """
    if name == "halving":
        return _Halving(num_children)
    draw = stream(key, 0, "mcrd: allocation")
    if name == "equal":
        return _InRounds(num_children, draw, _evenly, rounds)
    return _InRounds(num_children, draw, _by_win_share if name == "proportional" else _by_top_two, _ROUNDS)


def _spread(left: int, among: NDArray[np.bool_]) -> Playouts:
    """Give each child in `among` the same number, as large as possible."""
    return np.where(among, left // max(1, int(np.count_nonzero(among))), 0).astype(np.int64)


class _Halving:
    """Sequential halving: each round gives every candidate the same number and keeps the better half.

    Each of the ⌈log2 M⌉ rounds has the same budget. A child keeps its playouts of earlier rounds.
    Source: Karnin, Koren and Somekh 2013.
    """

    def __init__(self, num_children: int) -> None:
        self._among, self._begun = np.ones(num_children, np.bool_), False
        # ⌈log2 M⌉: the bits of M − 1.
        self._rounds_left = max(1, (num_children - 1).bit_length())

    def next_round(self, counts: PlayoutCounts, left: int) -> Playouts | None:
        if self._rounds_left == 0:
            return None
        # the better half by the counts so far, ties in the order of children
        if self._begun:
            order = np.argsort(np.where(self._among, -counts.values, np.inf), kind="stable")
            self._among[order[-(-np.count_nonzero(self._among) // 2) :]] = False
        self._begun = True
        self._rounds_left -= 1
        return _spread(left // (self._rounds_left + 1), self._among)

    def candidates(self) -> NDArray[np.bool_]:
        return self._among


def _evenly(counts: PlayoutCounts, count: int, draw: np.random.Generator) -> Playouts:
    """Give every child the same number: plain MCRD. Source: Levy 2016."""
    return _spread(count, np.ones(len(counts.wins), np.bool_))


def _by_win_share(counts: PlayoutCounts, count: int, draw: np.random.Generator) -> Playouts:
    """Deal the playouts out evenly; each stays with probability equal to the child's score, else it moves.

    It moves to another child, all with equal probability. Source: Levy 2016, planned but not played.
    """
    num_children = len(counts.wins)
    if num_children == 1:
        return np.array([count])
    dealt = np.full(num_children, count // num_children) + (np.arange(num_children) < count % num_children)
    # how many stay with each child; the rest move to the others
    playouts = np.asarray(draw.binomial(dealt, counts.values), np.int64)
    for child, moved in enumerate(dealt - playouts):
        others = np.arange(num_children) != child
        playouts += draw.multinomial(moved, others / (num_children - 1))
    return playouts


def _by_top_two(counts: PlayoutCounts, count: int, draw: np.random.Generator) -> Playouts:
    """Divide by how often a child is best, or second best, in draws from the posteriors of the values.

    Top-two Thompson sampling with equal shares (Russo 2016): in each sample the children's values are drawn
    from their posteriors; half goes to the best child, half to the best of a second draw among the others.
    The posteriors are normal, with the moments of those under a uniform prior.
    """
    visits, num_children = counts.visits, len(counts.wins)
    if num_children == 1:
        return np.array([count])
    # mean and deviation of a beta distribution, one success and one failure added
    mean = (counts.values * visits + 1) / (visits + 2)
    spread = np.sqrt(mean * (1 - mean) / (visits + 3))
    first, second = mean + spread * draw.standard_normal((2, _SAMPLES, num_children))
    best = first.argmax(axis=1)
    # the second best: of the second draw, without the best of the first
    second[np.arange(_SAMPLES), best] = -np.inf
    chosen = np.bincount(np.append(best, second.argmax(axis=1)), minlength=num_children)
    playouts = count * chosen // (2 * _SAMPLES)
    # remainder from rounding
    playouts[chosen.argmax()] += count - playouts.sum()
    return np.asarray(playouts, np.int64)


@dataclass
class _InRounds:
    """Some rounds of equal size, the first divided equally, the others by the counts so far."""

    num_children: int
    draw: np.random.Generator
    share_out: Callable[[PlayoutCounts, int, np.random.Generator], Playouts]
    rounds_left: int

    def next_round(self, counts: PlayoutCounts, left: int) -> Playouts | None:
        if self.rounds_left == 0:
            return None
        count = left // self.rounds_left
        self.rounds_left -= 1
        share_out = self.share_out if counts.visits.all() else _evenly
        return share_out(counts, count, self.draw)

    def candidates(self) -> NDArray[np.bool_]:
        return np.ones(self.num_children, np.bool_)
