"""Games to be played, each with its keys: who meets whom, on which opening, with which random draws.

Keys name (seed, generation, purpose, index), so a game is the same whoever plays it and whenever.

Symbols: N comparisons, G games.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from neche.arena.playing import GameResults, Pairings
from neche.compiled.streams import stream_keys
from neche.evolution.population import FloatArray, IntArray

Contestants: TypeAlias = NDArray[np.int32]


class Purpose(NamedTuple):
    """What games are for, and when: the name of their random streams."""

    seed: int
    generation: int
    name: str


class OpeningRange(NamedTuple):
    """Fewest and most random plies that open a game."""

    fewest: int
    most: int


def schedule_games(
    first: ArrayLike, second: ArrayLike, openings: OpeningRange, purpose: Purpose, *, start: int = 0
) -> Pairings:
    """Schedule one game each, first [N] moving first; the games are number start … of their purpose."""
    contestants = np.asarray(first, dtype=np.int32), np.asarray(second, dtype=np.int32)
    return _pairings(*contestants, openings, purpose, start, games_each=1)


def schedule_pairs(
    a: ArrayLike,
    b: ArrayLike,
    openings: OpeningRange,
    purpose: Purpose,
    *,
    start: int = 0,
    num_openings: int | None = None,
) -> Pairings:
    """Schedule comparisons: a [N] and b [N] play one random opening twice, colours swapped.

    They are games 2i and 2i + 1, numbered from `start`. With `num_openings` the openings repeat after so many.
    """
    a, b = np.asarray(a, dtype=np.int32), np.asarray(b, dtype=np.int32)
    first, second = np.stack((a, b), axis=1).reshape(-1), np.stack((b, a), axis=1).reshape(-1)
    return _pairings(first, second, openings, purpose, start, games_each=2, num_openings=num_openings)


def _pairings(
    first: Contestants,
    second: Contestants,
    openings: OpeningRange,
    purpose: Purpose,
    start: int,
    *,
    games_each: int,
    num_openings: int | None = None,
) -> Pairings:
    seed, generation, name = purpose
    count = len(first) // games_each
    distinct = count if num_openings is None else min(count, num_openings)
    opening_keys = stream_keys(seed, generation, f"{name}: opening", distinct, start=start)
    length_keys = stream_keys(seed, generation, f"{name}: opening plies", distinct, start=start)
    plies = openings.fewest + (length_keys % np.uint64(openings.most - openings.fewest + 1)).astype(np.int32)
    return Pairings(
        first=first,
        second=second,
        opening_key=np.repeat(np.resize(opening_keys, count), games_each),
        opening_plies=np.repeat(np.resize(plies.astype(np.int32), count), games_each),
        game_key=stream_keys(seed, generation, f"{name}: game", len(first), start=start * games_each),
    )


def points_of_a(results: GameResults) -> FloatArray:
    """Return points of a [N], 0 … 2, from the games of `schedule_pairs`."""
    return 0.5 * balances_of_a(results) + 1.0


def balances_of_a(results: GameResults) -> IntArray:
    """Return wins minus losses of a [N], −2 … 2, from the games of `schedule_pairs`."""
    return results.outcome[0::2].astype(np.int64) - results.outcome[1::2]
