import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.diagnostics import describe_games, describe_networks, mean_distance, warnings
from neche.evolution.parameters import Members
from neche.evolution.population import Member, first_members
from neche.evolution.scorebook import Games
from neche.genome.dna import random_genome
from neche.network.decode import blind_network, decode_population, material_network


def test_material_sees_all_squares_and_a_blind_network_none():
    described = describe_networks([material_network(), blind_network()])
    assert described == {"live_synapses": 16.0, "squares_seen": 16.0, "hidden_neurons": 0.0, "constant": 0.5}


def test_random_genomes_are_as_empty_as_the_pilot_study_found():
    # 4 000 random genomes of 200 genes: 5.9 live synapses, 3.6 squares seen, 7.7 % see nothing.
    genomes = random_genome(200 * 1000, stream(1, 0, "pilot")).reshape(1000, 3200)
    described = describe_networks(decode_population(genomes))
    assert described["live_synapses"] == pytest.approx(5.9, abs=0.5)
    assert described["squares_seen"] == pytest.approx(3.6, abs=0.4)
    assert described["constant"] == pytest.approx(0.077, abs=0.03)


def test_random_dna_differs_in_three_nucleotides_of_four_and_copies_in_none():
    members = first_members(Members(population=20), 1)
    assert mean_distance(members, stream(1, 0, "distance")) == pytest.approx(0.75, abs=0.01)
    twins = [Member("a", (), members[0].genome)] * 5
    assert mean_distance(twins, stream(1, 0, "distance")) == 0.0


def test_games_are_described():
    games = Games(*(np.array(column) for column in ([0, 1], [1, 0], [0, 1], [40, 61], [100, 200])))
    assert describe_games(games) == {"games": 2, "nodes": 300, "draws": 0.5, "plies": 50.5}


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"constant": 0.1, "draws": 0.4}, []),
        (
            {"constant": 0.9, "draws": 0.4},
            ["90% of the networks see no square: the population is going blind"],
        ),
        ({"constant": 0.1, "draws": 1.0}, ["all games were drawn: the ranking is chance"]),
    ],
)
def test_trouble_is_put_into_words(record, words):
    assert warnings(record) == words
