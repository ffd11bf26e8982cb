"""Plays games in the CUDA simulator, in a separate process, as numba selects the simulator on import.

Reads cases as JSON from stdin, the fields of each. Prints outcomes, plies and nodes of their games.
"""

import json
import sys
from typing import NamedTuple

import numpy as np

from neche.arena import games_gpu
from neche.arena.playing import Contestants, GameResults, Schedule, paired, play_games
from neche.compiled.streams import stream_keys
from neche.evolution.population import first_members, networks_of
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from neche.games.catalogue import game
from neche.games.draws import DrawRule
from neche.players.spec import parse_player

STRANDS = ("perspective=mover", "topology=auto-5-1")
PATTERNS = ("perspective=mover", "topology=patterns-5-1")
MANY_GENES = ("genes=400",)
RULE = DrawRule(quiet_plies=20, man_moves_reset=False, repetition=0)


class Case(NamedTuple):
    """Pairs of games between random members and the shipped champion; the last three divide the work."""

    game: str = "checkers"
    depths: tuple[int, ...] = (2,)
    ways: tuple[str, ...] = ()
    pairs: int = 6
    most_opening_plies: int = 9
    games_a_launch: int = 0
    block: int = 8
    spare_moves: int = 0


def games_of(case: Case) -> tuple[Contestants, Schedule]:
    """Return the contestants and the games; depths take turns."""
    settings = load_recipe("tournament")
    for way in (f"game={case.game}", "population=5", *case.ways):
        settings = override(settings, way)
    members = resolve(settings).members
    search = parse_player(game(case.game).champion, case.game).batch_search
    assert search is not None
    networks = [*networks_of(members, first_members(members, 7)), search.network]
    depths = [case.depths[index % len(case.depths)] for index in range(len(networks))]
    rng = np.random.default_rng(2)
    a = rng.integers(len(networks), size=case.pairs)
    b = (a + rng.integers(1, len(networks), size=case.pairs)) % len(networks)
    plies = rng.integers(case.most_opening_plies + 1, size=case.pairs)
    keys = [
        stream_keys(9, 0, purpose, count) for purpose, count in (("o", case.pairs), ("g", 2 * case.pairs))
    ]
    return Contestants.of(networks, depths, game=case.game), paired(a, b, keys[0], plies, keys[1])


def as_lists(results: GameResults) -> list[list[int]]:
    return [column.tolist() for column in results]


def played_on_the_cpu(case: Case) -> list[list[int]]:
    return as_lists(play_games(*games_of(case), RULE))


def played_on_the_device(case: Case) -> list[list[int]]:
    results = games_gpu.play_games(
        *games_of(case),
        RULE,
        games_a_launch=case.games_a_launch,
        block=case.block,
        spare_moves=case.spare_moves,
    )
    return as_lists(results)


def main() -> None:
    json.dump([played_on_the_device(Case(*fields)) for fields in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
