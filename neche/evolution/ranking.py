"""Ranking: pair the members of a generation, read their games, order them.

    descent    quicksort only into the partition that holds the parents' cut, repeated; fitted strengths
    random     rounds of random partners; mean points
    swiss      rounds of neighbours by points; mean points
    quicksort  a full quicksort, ties to a random side; fitted strengths
    original   several full quicksorts of one game a comparison; sum of ranks

Symbols: P members.
"""

import math
from typing import NamedTuple

import numpy as np

from neche.arena.bradley_terry import fit_strengths
from neche.evolution.descent import play_descents
from neche.evolution.population import FloatArray, IntArray
from neche.evolution.quicksort import sort_members, sum_ranks
from neche.evolution.rounds import play_random_rounds, play_swiss_rounds
from neche.evolution.scorebook import Games, Scorebook, count_games, mean_points
from neche.evolution.selection import parent_cut
from neche.evolution.settings import Settings

FIGURES = 6
"""Decimals kept of scores and strengths, which are rounded before they order anything."""

# Comparisons of one sort in units of n ln n, measured: 2 without ties, fewer when ties end a sorting early.
_LEVEL_TIES, _RANDOM_TIES = 0.65, 1.2


class Standing(NamedTuple):
    """The outcome of a ranking.

    order: [P] member indices, best first; scores, strengths, games: [P] by member index, as in `Generation`.
    """

    order: IntArray
    scores: FloatArray
    strengths: FloatArray
    games: IntArray


def planned_games(settings: Settings) -> int:
    """Return how many games a ranking plays; for full quicksorts an estimate."""
    num_members = settings.members.population
    full_sort = num_members * math.log(num_members)
    if settings.ranking.ranking == "original":
        return settings.ranking.original_rounds * math.ceil(_LEVEL_TIES * full_sort)
    if settings.ranking.ranking == "quicksort":
        return 2 * math.ceil(_RANDOM_TIES * full_sort)
    rounds = settings.ranking.games_per_member // 2
    if settings.ranking.ranking == "descent":
        return 2 * _num_comparisons(settings)
    return 2 * rounds * (num_members // 2)


def _num_comparisons(settings: Settings) -> int:
    # A member's games count for both who play them, and a comparison is two games.
    return settings.members.population * settings.ranking.games_per_member // 4


def rank_members(settings: Settings, scorebook: Scorebook, rng: np.random.Generator) -> Standing:
    """Play the games of the ranking that the settings name, and order the members by what they show."""
    num_members, rounds = settings.members.population, settings.ranking.games_per_member // 2
    strengths: FloatArray | None = None
    match settings.ranking.ranking:
        case "descent":
            comparisons = _num_comparisons(settings)
            play_descents(num_members, parent_cut(settings), comparisons, scorebook.compare, rng)
        case "random":
            play_random_rounds(num_members, rounds, scorebook.compare, rng)
        case "swiss":
            play_swiss_rounds(num_members, rounds, scorebook.compare, rng)
        case "quicksort":
            sort_members(num_members, scorebook.compare, rng, ties="random")
        case "original":
            rounds = settings.ranking.original_rounds
            strengths = sum_ranks(num_members, rounds, scorebook.compare_once, rng).astype(np.float64)
    games = scorebook.games()
    if strengths is None:
        strengths = _fitted(games, num_members, settings.ranking.strength_spread)
    scores = mean_points(games, num_members).round(FIGURES)
    by_points = settings.ranking.ranking in ("random", "swiss")
    return Standing(
        order=_best_first(scores, strengths) if by_points else _best_first(strengths, scores),
        scores=scores,
        strengths=strengths,
        games=count_games(games, num_members),
    )


def _fitted(games: Games, num_members: int, prior_sd: float) -> FloatArray:
    points = 0.5 + 0.5 * games.outcome
    fitted = fit_strengths(games.first, games.second, points, num_members, prior_sd=prior_sd)
    # Adding 0 turns a rounded −0.0, which would print differently, into 0.0.
    return np.round(fitted, FIGURES) + 0.0


def _best_first(key: FloatArray, tie_break: FloatArray) -> IntArray:
    """Order by `key`, then `tie_break`, both falling, then by index."""
    return np.lexsort((-tie_break, -key))
