"""The fixed workload: always the same positions and games, so that node counts and rates are comparable.

Seconds are CPU time of this process, which uses one thread.
"""

import time
from collections.abc import Callable
from itertools import cycle
from typing import Any

import joblib
import numpy as np

from neche.arena.playing import Contestants, GameBatch, paired, play_batch
from neche.compiled.streams import stream, stream_key, stream_keys
from neche.games.catalogue import game
from neche.games.draws import TRAINING_DRAWS
from neche.genome.dna import random_genome
from neche.montecarlo.counting import RULE, PlayoutCounts
from neche.montecarlo.playouts_cpu import count_playouts
from neche.network.decode import Network, decode_population, material_network
from neche.players.alpha_beta import search_position

PERFT_DEPTH = 11
SEARCH_DEPTH = 13
GAMES = {1: 20_000, 6: 200}
"""Number of games by search depth."""
PLAYOUTS = {"side_by_side": 3_000_000, "one_by_one": 300_000}
"""Random games from the start position, in lanes and one by one."""

_GENES = 200
_CONTESTANTS = 20
_POSITIONS = 24
_OPENING_PLIES = 10
_TRAINING_OPENING_PLIES = 4

Measurement = dict[str, float | int]


def bench_perft() -> Measurement:
    """Count the leaves below the start position of checkers."""
    rules = game("checkers")
    rules.perft(rules.start(), 2)
    leaves, seconds = _timed(lambda: rules.perft(rules.start(), PERFT_DEPTH))
    return {"nodes": leaves, "seconds": seconds, "leaves_per_second": leaves / seconds}


def bench_search(seed: int) -> Measurement:
    """Search positions of random games with random networks and the material network."""
    rules = game("checkers")
    networks = [material_network(), *_random_networks(seed, 3)]
    positions = [_random_position(seed, number) for number in range(_POSITIONS)]
    search_position(rules, positions[0], networks[0], depth=2)

    def search_all() -> int:
        judged = zip(positions, cycle(networks), strict=False)
        return sum(search_position(rules, *pair, depth=SEARCH_DEPTH).nodes for pair in judged)

    nodes, seconds = _timed(search_all)
    return {"nodes": nodes, "seconds": seconds, "nodes_per_second": nodes / seconds}


def bench_games(seed: int, depth: int, count: int, *, game_name: str = "checkers") -> Measurement:
    """Play `count` games (even) between random genomes, as an evolution does."""
    networks = _random_networks(seed, _CONTESTANTS)
    contestants, first = Contestants.of(networks, depth, game=game_name), np.arange(count // 2) % _CONTESTANTS
    openings = stream_keys(seed, depth, "bench: opening", count // 2)
    keys = stream_keys(seed, depth, "bench: game", count)
    schedule = paired(first, (7 * first + 3) % _CONTESTANTS, openings, _TRAINING_OPENING_PLIES, keys)
    results, seconds = _timed(lambda: play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS)))
    nodes = int(results.nodes.sum())
    return {
        "games": count,
        "nodes": nodes,
        "plies": int(results.plies.sum()),
        "seconds": seconds,
        "games_per_second": count / seconds,
        "nodes_per_second": nodes / seconds,
    }


def bench_playouts(seed: int, way: str, count: int) -> Measurement:
    """Play `count` random games on one core; nodes are their plies."""
    rules = game("checkers")
    # A limit that no game reaches, and that only games played one by one support.
    rule = RULE if way == "side_by_side" else RULE._replace(max_plies=10**6)
    key = stream_key(seed, 0, "bench: playouts")

    def play(games: int) -> PlayoutCounts:
        with joblib.parallel_config(n_jobs=1):
            return count_playouts(rules, [rules.start()], [games], [key], rule=rule)

    play(100)
    counts, seconds = _timed(lambda: play(count))
    return {
        "playouts": count,
        **{name: int(column[0]) for name, column in counts._asdict().items()},
        "nodes": int(counts.plies[0]),
        "seconds": seconds,
        "playouts_per_second": count / seconds,
    }


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    result = call()
    return result, max(time.process_time() - began, 1e-9)


def _random_networks(seed: int, count: int) -> list[Network]:
    genomes = [random_genome(_GENES, stream(seed, 0, "bench: genome", index)) for index in range(count)]
    return [*decode_population(genomes)]


def _random_position(seed: int, number: int) -> Any:
    rules = game("checkers")
    draw = stream(seed, 0, "bench: position", number)
    position = rules.start()
    for _ in range(_OPENING_PLIES):
        moves = rules.legal_moves(position)
        position = moves[draw.integers(len(moves))].after
    return position
