"""Games to be played, each with its keys: who meets whom, on which opening, with which random draws.

Keys name (seed, generation, purpose, index), so a game is the same whoever plays it and whenever.

Symbols: N comparisons, G games.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from neche.arena.playing import GameResults, Pairings, paired
from neche.compiled.streams import stream_keys
from neche.evolution.population import FloatArray, IntArray

Contestants: TypeAlias = NDArray[np.int32]
Keys: TypeAlias = NDArray[np.uint64]


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
    first, second = np.asarray(first, dtype=np.int32), np.asarray(second, dtype=np.int32)
    keys, plies = _openings(len(first), openings, purpose, start)
    return Pairings(first, second, keys, plies, _game_keys(len(first), purpose, start))


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

    They are games 2i and 2i + 1, numbered from `start`. Openings repeat after `num_openings`, if given.
    """
    a, b = np.asarray(a, dtype=np.int32), np.asarray(b, dtype=np.int32)
    keys, plies = _openings(min(len(a), num_openings or len(a)), openings, purpose, start)
    game_keys = _game_keys(2 * len(a), purpose, 2 * start)
    return paired(a, b, np.resize(keys, len(a)), np.resize(plies, len(a)), game_keys)


def _openings(count: int, openings: OpeningRange, purpose: Purpose, start: int) -> tuple[Keys, Contestants]:
    """Return keys and lengths of openings."""
    seed, generation, name = purpose
    keys = stream_keys(seed, generation, f"{name}: opening", count, start=start)
    lengths = stream_keys(seed, generation, f"{name}: opening plies", count, start=start)
    spread = lengths % np.uint64(openings.most - openings.fewest + 1)
    return keys, (openings.fewest + spread.astype(np.int32)).astype(np.int32)


def _game_keys(count: int, purpose: Purpose, start: int) -> Keys:
    return stream_keys(purpose.seed, purpose.generation, f"{purpose.name}: game", count, start=start)


def points_of_a(results: GameResults) -> FloatArray:
    """Return points of a [N], 0 … 2, from the games of `schedule_pairs`."""
    return 0.5 * balances_of_a(results).astype(np.float64) + 1.0


def balances_of_a(results: GameResults) -> IntArray:
    """Return wins minus losses of a [N], −2 … 2, from the games of `schedule_pairs`."""
    outcome: IntArray = results.outcome.astype(np.int64)
    return outcome[0::2] - outcome[1::2]
