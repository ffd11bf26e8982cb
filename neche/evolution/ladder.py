"""The ladder: the champion against fixed players, under tournament rules. It measures and never selects."""

import numpy as np

from neche.arena.playing import Field, Pairings, play_games
from neche.errors import InputError
from neche.evolution.diagnostics import FIGURES
from neche.evolution.schedule import OpeningRange, Purpose, points_of_a, schedule_pairs
from neche.evolution.settings import Settings
from neche.games.catalogue import game
from neche.network.decode import Network, blind_network
from neche.players.player import Player
from neche.players.spec import parse_player

OPENINGS = OpeningRange(3, 4)
"""Random plies from the start, the same whatever the training games are, so that runs compare."""


def ladder_players(settings: Settings) -> list[Player]:
    """Return the fixed players.

    Raises InputError for a wrong specification, or for one that thinks by the clock and so never plays alike
    twice.
    """
    players = [parse_player(text, settings.games.game) for text in settings.ladder.ladder]
    for player in players:
        if player.time_ms is not None:
            fixed = "number of playouts" if player.thinker else "depth"
            raise InputError(f"ladder player {player.name}: needs a fixed {fixed}, not a time")
    return players


def climb_ladder(
    settings: Settings, seed: int, generation: int, champion: Network, depth: int
) -> dict[str, float]:
    """Return the champion's mean points a game (0..1) against each fixed player, by the player's name.

    Both search equally deep; against a player that does not search the champion searches `depth`.
    """
    players = [player for player in ladder_players(settings) if _num_pairs(settings, player)]
    if not players:
        return {}
    contestants, depths, schedules = [], [], []
    for index, player in enumerate(players):
        contestants += [champion, player.network if player.network is not None else blind_network()]
        depths += [player.depth or depth, player.depth]
        champions = np.full(_num_pairs(settings, player), 2 * index)
        purpose = Purpose(seed, generation, f"ladder {player.name}")
        schedules.append(schedule_pairs(champions, champions + 1, OPENINGS, purpose))
    thinkers = [thinker for player in players for thinker in (None, player.thinker)]
    field = Field.of(contestants, depths, game=settings.games.game, thinkers=thinkers)
    pairings = Pairings(*(np.concatenate(columns) for columns in zip(*schedules, strict=True)))
    points = points_of_a(play_games(field, pairings, game(field.game).draws))
    ends = np.cumsum([_num_pairs(settings, player) for player in players])
    means = [round(float(part.mean() / 2), FIGURES) for part in np.split(points, ends[:-1])]
    return {player.name: mean for player, mean in zip(players, means, strict=True)}


def _num_pairs(settings: Settings, player: Player) -> int:
    games = settings.ladder.ladder_games if player.thinker is None else settings.ladder.ladder_thinker_games
    return games // 2
