"""The examination that moves a population up: random members against the blind player at the next depth."""

from collections.abc import Sequence

import numpy as np

from neche.arena.playing import Field, play_games
from neche.compiled.streams import stream
from neche.evolution.champion import draw_rule
from neche.evolution.diagnostics import FIGURES
from neche.evolution.schedule import OpeningRange, Purpose, points_of_a, schedule_pairs
from neche.evolution.settings import Settings
from neche.network.decode import Network, blind_network


def num_examined_members(settings: Settings) -> int:
    """Return how many members are examined, two games each."""
    return min(settings.curriculum.move_up_members, settings.members.population)


def score_against_blind(
    settings: Settings,
    seed: int,
    number: int,
    networks: Sequence[Network],
    depth: int,
    *,
    purpose: str = "examination",
) -> float:
    """Return the mean points a game (0..1) of random members of generation `number` against the blind player.

    Everybody searches `depth`. A mean below ½ means that sight does not pay at that depth yet.
    """
    num_examined = num_examined_members(settings)
    chosen = stream(seed, number, "examined").permutation(len(networks))[:num_examined]
    contestants = [networks[index] for index in chosen] + [blind_network(settings.members.perspective)]
    field = Field.of(contestants, depth, game=settings.games.game)
    pairings = schedule_pairs(
        np.arange(num_examined),
        np.full(num_examined, num_examined),
        OpeningRange(*settings.games.opening_plies),
        Purpose(seed, number, purpose),
    )
    results = play_games(field, pairings, draw_rule(settings))
    return round(float(points_of_a(results).mean() / 2), FIGURES)
