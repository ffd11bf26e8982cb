"""Contestants and schedules for the tests of games."""

from collections.abc import Sequence

import numpy as np

from neche.arena.playing import Contestants, Schedule, paired, record_game
from neche.compiled.streams import stream_keys
from neche.games.catalogue import game
from neche.games.draws import DrawRule
from neche.genome.dna import random_genome
from neche.network.decode import Network, blind_network, decode_population, material_network
from tests.oracles import checkers_twin as twin

CHECKERS = game("checkers")


def pairings_of(
    a: int | Sequence[int], b: int | Sequence[int], pairs: int, *, opening_plies: int = 4, seed: int = 1
) -> Schedule:
    """Pair two contestants, or several in turn, over openings of their own."""
    return paired(
        np.resize(np.asarray(a, np.int32), pairs),
        np.resize(np.asarray(b, np.int32), pairs),
        stream_keys(seed, 0, "opening", pairs),
        opening_plies,
        stream_keys(seed, 0, "game", 2 * pairs),
    )


def mixed_field(num_random: int = 4, *, depth: int = 2) -> Contestants:
    """Return material, of both perspectives, blind, random genomes at several depths, and a random player."""
    strands = [random_genome(200, np.random.default_rng(seed)) for seed in range(num_random)]
    networks: list[Network] = [material_network(), material_network("antisymmetric"), blind_network()]
    networks += decode_population(strands, perspective="antisymmetric")
    depths = [depth, depth, depth, *(1 + index % depth for index in range(num_random)), 0]
    return Contestants.of([*networks, blind_network()], depths)


def positions_of(
    contestants: Contestants, schedule: Schedule, index: int, rule: DrawRule
) -> list[twin.Position]:
    """Return all positions of a game, as the slow twin reads them."""
    line = [twin.parse(twin.START)]
    for move in record_game(contestants, schedule, index, rule):
        line.append(twin.parse(CHECKERS.format_fen(move.after)))
    return line
