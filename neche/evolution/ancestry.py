"""Ancestry: the champions of a run so far, and whether today's still beats them.

Symbols: A ancestors, N comparisons with each.
"""

from collections.abc import Sequence

import numpy as np

from neche.arena.playing import Field, play_games
from neche.evolution.diagnostics import FIGURES
from neche.evolution.ladder import OPENINGS
from neche.evolution.population import Ancestor, Member
from neche.evolution.schedule import Purpose, points_of_a, schedule_pairs
from neche.evolution.settings import Settings
from neche.evolution.vision import networks_of
from neche.games.catalogue import game
from neche.network.decode import Network

HALL_SIZE = 6
"""Ancestors kept at most."""
MOST_GAMES = 20
"""Games with each, when the ladder has not fewer."""


def num_ancestor_games(settings: Settings) -> int:
    """Return how many games a champion plays against each ancestor."""
    return min(MOST_GAMES, settings.ladder.ladder_games)


def enter_hall(
    hall: Sequence[Ancestor], champion: Member, number: int, ladder_every: int
) -> tuple[Ancestor, ...]:
    """Return the hall after generation `number`, with its champion if it had a ladder.

    Of all ladders so far every one, every second, every fourth … is kept, so that the hall always spans the
    run from its beginning in even steps, whatever its length.
    """
    if number % ladder_every:
        return tuple(hall)
    num_ladders, step = number // ladder_every + 1, 1
    while num_ladders > HALL_SIZE * step:
        step *= 2
    entered = (*hall, Ancestor(number, champion))
    return tuple(ancestor for ancestor in entered if ancestor.generation // ladder_every % step == 0)


def meet_ancestors(
    settings: Settings, seed: int, number: int, champion: Network, hall: Sequence[Ancestor], depth: int
) -> dict[str, float]:
    """Return the champion's mean points a game (0..1) against each ancestor, by the generation it led.

    Under tournament rules; all search `depth`, all ancestors on the same openings.
    """
    num_pairs = num_ancestor_games(settings) // 2
    if not hall or num_pairs == 0:
        return {}
    ancestors = networks_of(settings.members, [ancestor.member for ancestor in hall])
    field = Field.of([champion, *ancestors], depth, game=settings.games.game)
    opponents = np.repeat(np.arange(1, len(hall) + 1), num_pairs)
    purpose = Purpose(seed, number, "ancestors")
    pairings = schedule_pairs(np.zeros_like(opponents), opponents, OPENINGS, purpose, num_openings=num_pairs)
    points = points_of_a(play_games(field, pairings, game(field.game).draws)).reshape(len(hall), num_pairs)
    means = (points.mean(axis=1) / 2).round(FIGURES).tolist()
    return {str(ancestor.generation): mean for ancestor, mean in zip(hall, means, strict=True)}
