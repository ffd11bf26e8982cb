"""The scorebook of a generation: plays comparisons on demand and keeps every game.

Symbols: P members, C comparisons of a batch, G games in the book.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from neche.arena.playing import GameResults, Pairings
from neche.evolution.population import FloatArray, IntArray
from neche.evolution.schedule import OpeningRange, Purpose, balances_of_a, schedule_games, schedule_pairs

Play: TypeAlias = Callable[[Pairings], GameResults]
"""Plays games among the members of the generation."""


class Games(NamedTuple):
    """Games that were played, in the order of their schedule.

    first, second: [G] member indices, first moved first; outcome: [G] +1 first won, 0 draw, −1; plies, nodes:
    [G].
    """

    first: IntArray
    second: IntArray
    outcome: IntArray
    plies: IntArray
    nodes: IntArray


class Scorebook:
    """Plays the comparisons of one ranking and remembers the games; each game gets keys of its own."""

    def __init__(self, play: Play, openings: OpeningRange, purpose: Purpose):
        self._play = play
        self._openings = openings
        self._purpose = purpose
        self._batches: list[Games] = []
        self._num_scheduled = 0

    def compare(self, a: IntArray, b: IntArray) -> IntArray:
        """Let a [C] and b [C] play an opening twice, colours swapped; return wins minus losses of a [C]."""
        pairings = schedule_pairs(a, b, self._openings, self._purpose, start=self._num_scheduled)
        self._num_scheduled += len(a)
        return balances_of_a(self._enter(pairings))

    def compare_once(self, first: IntArray, second: IntArray) -> IntArray:
        """Let first [C] play one game against second [C] and move first; return its outcome [C] for first."""
        pairings = schedule_games(first, second, self._openings, self._purpose, start=self._num_scheduled)
        self._num_scheduled += len(first)
        outcome: IntArray = self._enter(pairings).outcome.astype(np.int64)
        return outcome

    def _enter(self, pairings: Pairings) -> GameResults:
        results = self._play(pairings)
        columns = (pairings.first, pairings.second, results.outcome, results.plies, results.nodes)
        self._batches.append(Games(*(np.asarray(column, dtype=np.int64) for column in columns)))
        return results

    def games(self) -> Games:
        """Return all games so far."""
        if not self._batches:
            empty = np.zeros(0, dtype=np.int64)
            return Games(empty, empty, empty, empty, empty)
        return Games(*(np.concatenate(columns) for columns in zip(*self._batches, strict=True)))


def count_games(games: Games, num_members: int) -> IntArray:
    """Return games played by each member [P]."""
    return np.bincount(games.first, minlength=num_members) + np.bincount(games.second, minlength=num_members)


def mean_points(games: Games, num_members: int) -> FloatArray:
    """Return points a game of each member [P], ½ for one that did not play."""
    balance = np.bincount(games.first, games.outcome, num_members)
    balance -= np.bincount(games.second, games.outcome, num_members)
    return 0.5 + 0.5 * balance / np.maximum(count_games(games, num_members), 1)
