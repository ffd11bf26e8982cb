"""The promotion test of the curriculum: random members against the blind player.

It stands apart from the curriculum because it plays: what makes members must not reach rules or search.
"""

from collections.abc import Sequence

import numpy as np

from neche.arena.playing import Contestants, play_games
from neche.compiled.streams import stream
from neche.evolution.population import RECORD_DECIMALS, Context, Member, networks_of
from neche.evolution.schedule import StreamName, points_of_a, schedule_pairs, training_rules
from neche.evolution.settings import Settings
from neche.network.decode import blind_network


def num_tested_members(settings: Settings) -> int:
    """Return how many members play against the blind player, two games each."""
    return min(settings.curriculum.move_up_members, settings.members.population)


def score_against_blind(
    context: Context, members: Sequence[Member], depth: int, *, purpose: str = "examination"
) -> float:
    """Return the mean points a game (0..1) of random members against the blind player.

    All search `depth`. A mean below ½ means that sight does not pay at that depth yet. purpose: names the
    random streams of the games.
    """
    settings, seed, number = context
    num_tested = num_tested_members(settings)
    chosen = stream(seed, number, "examined").permutation(len(members))[:num_tested]
    networks = networks_of(settings.members, [members[index] for index in chosen.tolist()])
    field = Contestants.of([*networks, blind_network()], depth, game=settings.games.game)
    openings, draws = training_rules(settings)
    pairings = schedule_pairs(
        np.arange(num_tested), np.full(num_tested, num_tested), openings, StreamName(seed, number, purpose)
    )
    results = play_games(field, pairings, draws)
    return round(float(points_of_a(results).mean() / 2), RECORD_DECIMALS)
