"""The ladder: the champion against fixed players, under tournament rules. A yardstick, never a source of selection."""

import numpy as np

from neche.arena.playing import TOURNAMENT_DRAWS, Field, play_games
from neche.errors import InputError
from neche.evolution.diagnostics import FIGURES
from neche.evolution.schedule import OpeningRange, Purpose, points_of_a, schedule_pairs
from neche.evolution.settings import Settings
from neche.network.decode import Network, blind_network
from neche.players.spec import Player, parse_player

FEWEST_OPENING_PLIES = 3
"""A ladder without random openings would play one and the same game over and over."""


def ladder_players(settings: Settings) -> list[Player]:
    """Return the fixed players.

    Raises InputError for a wrong specification, or for one that thinks by the clock and so never plays alike twice.
    """
    players = [parse_player(text) for text in settings.ladder.ladder]
    for player in players:
        if player.time_ms is not None:
            raise InputError(f"ladder player {player.name}: needs a fixed depth, not a time")
    return players


def climb_ladder(
    settings: Settings, seed: int, generation: int, champion: Network, depth: int
) -> dict[str, float]:
    """Return the champion's mean points a game (0..1) against each fixed player, by the player's name.

    Both search equally deep; against the random player, which does not search, the champion searches `depth`.
    """
    scores = {}
    openings = OpeningRange(*settings.games.opening_plies)
    if openings.most == 0:
        openings = OpeningRange(FEWEST_OPENING_PLIES, FEWEST_OPENING_PLIES)
    for player in ladder_players(settings):
        opponent = player.network if player.network is not None else blind_network()
        field = Field.of([champion, opponent], [player.depth or depth, player.depth])
        num_pairs = settings.ladder.ladder_games // 2
        purpose = Purpose(seed, generation, f"ladder {player.name}")
        pairings = schedule_pairs(np.zeros(num_pairs), np.ones(num_pairs), openings, purpose)
        results = play_games(field, pairings, TOURNAMENT_DRAWS)
        if num_pairs:
            scores[player.name] = round(float(points_of_a(results).mean() / 2), FIGURES)
    return scores
