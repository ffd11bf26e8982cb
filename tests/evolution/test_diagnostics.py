import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.diagnostics import (
    MEMORY,
    MOST_SPREAD,
    describe_games,
    describe_networks,
    man_spreads,
    remembered,
)
from neche.evolution.scorebook import Games
from neche.genome.dna import random_genome
from neche.network.decode import blind_network, decode_population, material_network


def test_material_sees_all_squares_and_a_blind_network_none():
    described = describe_networks([material_network(), blind_network()])
    assert described == {"live_synapses": 16.0, "squares_seen": 16.0, "hidden_neurons": 0.0}


def test_random_genomes_are_as_empty_as_the_pilot_study_found():
    # 4 000 random genomes of 200 genes: 5.9 live synapses, 3.6 squares seen, 7.7 % see nothing.
    genomes = random_genome(200 * 1000, stream(1, 0, "pilot")).reshape(1000, 3200)
    described = describe_networks(decode_population(genomes))
    assert described["live_synapses"] == pytest.approx(5.9, abs=0.5)
    assert described["squares_seen"] == pytest.approx(3.6, abs=0.4)


def test_games_are_described():
    games = Games(*(np.array(column) for column in ([0, 1], [1, 0], [0, 1], [40, 61], [100, 200])))
    assert describe_games(games) == {"games": 2, "nodes": 300, "draws": 0.5, "plies": 50.5}


def test_even_values_of_men_have_no_spread_and_worthless_men_the_most():
    men = np.array(
        [[1.0, 1.0, 1.0, np.nan], [1.0, 3.0, 1.0, 3.0], [0.0, 0.0, 0.0, 0.0], [-1.0, 1.0, np.nan, 0.0]]
    )
    assert man_spreads(men).tolist() == [0.0, 0.5, MOST_SPREAD, MOST_SPREAD]


def test_the_past_is_remembered_by_its_most_and_by_a_mean_that_forgets():
    first = remembered({"squares_seen": 5.0, "rank_agreement": 0.4}, {}, 0)
    assert first == {"squares_seen_most": 5.0, "rank_agreement_mean": 0.4}
    second = remembered({"squares_seen": 3.0, "rank_agreement": 0.2}, first, 1)
    assert second == {"squares_seen_most": 5.0, "rank_agreement_mean": pytest.approx(0.3)}
    late = remembered({"squares_seen": 7.0, "rank_agreement": 0.5}, second, 400)
    assert late == {"squares_seen_most": 7.0, "rank_agreement_mean": pytest.approx(0.3 + 0.2 / MEMORY)}
