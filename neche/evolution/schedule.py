"""Games to be played: who plays whom, on which opening, under which rules, with which random draws.

A game's keys depend on (seed, generation, stream, index) only, so a game is the same whichever worker plays
it, and whenever.

Symbols: N comparisons, G games.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from neche.arena.playing import GameResults, Schedule, draw_openings, paired
from neche.compiled.streams import stream_keys
from neche.evolution.population import FloatArray
from neche.evolution.settings import Settings
from neche.games.draws import DrawRule


class StreamName(NamedTuple):
    """The name of the random streams of some games: their purpose and generation.

    It determines the draws, so names in use must not change: another name would give another evolution.
    """

    seed: int
    generation: int
    text: str


class OpeningRange(NamedTuple):
    """Fewest and most random plies that open a game."""

    fewest: int
    most: int


TOURNAMENT_OPENINGS = OpeningRange(3, 4)
"""Openings of games that measure a champion, the same for all training games, so that runs are comparable."""


def training_rules(settings: Settings) -> tuple[OpeningRange, DrawRule]:
    """Return the openings of training games, and their draw rule."""
    games = settings.games
    draws = DrawRule(quiet_plies=games.draw_plies, man_moves_reset=False, repetition=0)
    return OpeningRange(*games.opening_plies), draws


def schedule_games(
    first: ArrayLike, second: ArrayLike, openings: OpeningRange, streams: StreamName, *, start: int = 0
) -> Schedule:
    """Schedule one game each, first [N] moving first; in their stream the games are numbered from `start`."""
    first, second = np.asarray(first, dtype=np.int32), np.asarray(second, dtype=np.int32)
    keys, plies = draw_openings(streams, len(first), openings, start)
    seed, generation, text = streams
    game_keys = stream_keys(seed, generation, f"{text}: game", len(first), start=start)
    return Schedule(first, second, keys, plies, game_keys)


def schedule_pairs(
    a: ArrayLike,
    b: ArrayLike,
    openings: OpeningRange,
    streams: StreamName,
    *,
    start: int = 0,
    num_openings: int | None = None,
) -> Schedule:
    """Schedule comparisons: a [N] and b [N] play one random opening twice, colours swapped.

    They are games 2i and 2i + 1, numbered from `start`. Openings repeat after `num_openings`, if given.
    """
    a, b = np.asarray(a, dtype=np.int32), np.asarray(b, dtype=np.int32)
    keys, plies = draw_openings(streams, min(len(a), num_openings or len(a)), openings, start)
    seed, generation, text = streams
    game_keys = stream_keys(seed, generation, f"{text}: game", 2 * len(a), start=2 * start)
    number = np.arange(len(a)) % max(len(keys), 1)
    return paired(a, b, keys[number], plies[number], game_keys)


def points_of_a(results: GameResults) -> FloatArray:
    """Return points of a [N], 0 … 2, from the games of `schedule_pairs`."""
    outcome: FloatArray = results.outcome.astype(np.float64)
    return 1.0 + 0.5 * (outcome[0::2] - outcome[1::2])
