"""Scores of ladders with their errors, and what they are in Elo.

A score is a mean of games won (1), drawn (½) and lost (0). Its 95 % interval is Wilson's, which takes every
game for won or lost: with draws it is wider than need be.
"""

from typing import NamedTuple

from neche.arena.elo import elo_difference
from neche.errors import InputError
from neche.evolution.ladder import ladder_players
from neche.evolution.settings import Settings
from neche.montecarlo.interval import interval

MOST_ELO = 800.0
"""Differences beyond are not told apart: a hundred games would not show them."""


class Point(NamedTuple):
    """A value in a generation, and the ends of its error."""

    generation: int
    value: float
    low: float
    high: float


def games_against(settings: Settings) -> dict[str, int]:
    """Return how many games a measurement plays against each player of the ladder, by name."""
    try:
        players = ladder_players(settings)
    except InputError:
        # A player read from a file that is not here: whoever plays no playouts has the usual number.
        return dict.fromkeys(settings.ladder.ladder, settings.ladder.ladder_games)
    ladder = settings.ladder
    return {
        player.name: ladder.ladder_games if player.thinker is None else ladder.ladder_thinker_games
        for player in players
    }


def score_point(generation: int, score: float, games: int) -> Point:
    """Return a score with its error."""
    return Point(generation, score, *interval(score, games))


def elo_point(point: Point) -> Point:
    """Return the same in Elo, cut off at `MOST_ELO`."""
    return Point(point.generation, *map(elo_of, point[1:]))


def elo_of(score: float) -> float:
    """Return the Elo difference of a score, cut off at `MOST_ELO`.

    >>> round(elo_of(0.75)), elo_of(1.0), elo_of(0.0)
    (191, 800.0, -800.0)
    """
    if score <= 0.0 or score >= 1.0:
        return MOST_ELO if score > 0.5 else -MOST_ELO
    return max(-MOST_ELO, min(MOST_ELO, elo_difference(score)))
