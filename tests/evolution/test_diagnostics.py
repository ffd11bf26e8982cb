from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import kendalltau

from neche.compiled.streams import stream
from neche.evolution.diagnostics import (
    MEMORY,
    MOST_SPREAD,
    _sampled_pairs,
    describe_diversity,
    describe_games,
    describe_networks,
    evaluation_distance,
    kendall_tau,
    man_spreads,
    mean_distance,
    running_figures,
    split_half_reliability,
    wired_distance,
)
from neche.evolution.population import Context, Member, first_members
from neche.evolution.ranking import PlayedGames, Scorebook, play_random_rounds
from neche.evolution.schedule import OpeningRange, StreamName
from neche.evolution.settings import MemberSettings, Settings
from neche.games.sensors import DARK_8X8
from neche.genome.dna import random_genome
from neche.network.decode import blind_network, decode, decode_population, material_network, wired_genes
from neche.network.packing import pack_networks
from neche.network.topology import dense_topology
from tests.evolution.builders import ranked_generation, tiny_settings
from tests.evolution.fake_games import fake_play
from tests.genome.drawn import random_strands


def test_material_sees_all_squares_and_a_blind_network_none():
    described = describe_networks([material_network(), blind_network()], DARK_8X8)
    assert described == {"live_synapses": 16.0, "squares_seen": 16.0, "hidden_neurons": 0.0}


def test_random_genomes_are_as_empty_as_the_pilot_study_found():
    # 4 000 random genomes of 200 genes: 5.9 live synapses, 3.6 squares seen, 7.7 % see nothing.
    genomes = random_genome(200 * 1000, stream(1, 0, "pilot")).reshape(1000, 3200)
    described = describe_networks(decode_population(genomes), DARK_8X8)
    assert described["live_synapses"] == pytest.approx(5.9, abs=0.5)
    assert described["squares_seen"] == pytest.approx(3.6, abs=0.4)


@pytest.mark.parametrize("by_pattern", [False, True])
def test_a_square_counts_once_whichever_of_its_sensors_a_network_uses(by_pattern):
    sensors = DARK_8X8.num_pattern_sensors if by_pattern else DARK_8X8.num_kind_sensors
    topology = dense_topology(sensors, 5)
    (genome,) = random_strands(topology.strand_format, stream(1, 0, "squares"), sd=0.5, count=1)
    network = decode(genome, perspective="mover", topology=topology)
    assert describe_networks([network], DARK_8X8)["squares_seen"] == 32.0
    # one way that four squares can look; or two kinds of piece on one square
    used = [7] if by_pattern else [3, 3 + 32]
    narrow = replace(
        network, live=network.live & ((network.source >= sensors) | np.isin(network.source, used))
    )
    assert describe_networks([narrow], DARK_8X8)["squares_seen"] == (4.0 if by_pattern else 1.0)


def test_the_most_squares_seen_are_no_more_than_a_board_has():
    # An older history has 128 sensors there.
    past = {"squares_seen_most": 128.0, "rank_agreement_mean": 0.4}
    found = running_figures({"squares_seen": 31.5, "rank_agreement": 0.4}, past, 9, 32)
    assert found == {"squares_seen_most": 32.0, "rank_agreement_mean": 0.4}


def test_games_are_described():
    games = PlayedGames(*(np.array(column) for column in ([0, 1], [1, 0], [0, 1], [40, 61], [100, 200])))
    assert describe_games(games) == {"games": 2, "nodes": 300, "draws": 0.5, "plies": 50.5}


def test_even_values_of_men_have_no_spread_and_worthless_men_the_most():
    men = np.array(
        [[1.0, 1.0, 1.0, np.nan], [1.0, 3.0, 1.0, 3.0], [0.0] * 4, [-1.0, 1.0, np.nan, 0.0], [np.nan] * 4]
    )
    assert man_spreads(men).tolist() == [0.0, 0.5, MOST_SPREAD, MOST_SPREAD, MOST_SPREAD]


def test_the_past_is_remembered_by_its_most_and_by_a_mean_that_forgets():
    first = running_figures({"squares_seen": 5.0, "rank_agreement": 0.4}, {}, 0, 32)
    assert first == {"squares_seen_most": 5.0, "rank_agreement_mean": 0.4}
    second = running_figures({"squares_seen": 3.0, "rank_agreement": 0.2}, first, 1, 32)
    assert second == {"squares_seen_most": 5.0, "rank_agreement_mean": pytest.approx(0.3)}
    late = running_figures({"squares_seen": 7.0, "rank_agreement": 0.5}, second, 400, 32)
    assert late == {"squares_seen_most": 7.0, "rank_agreement_mean": pytest.approx(0.3 + 0.2 / MEMORY)}


MEMBERS = first_members(MemberSettings(population=20), 1)


def described(members, before=None, settings=None):
    packed = pack_networks(decode_population([member.genome for member in members]))
    return describe_diversity(Context(settings or Settings(), 1, 1), members, packed, before)


def twins(count=5):
    return [Member(f"g0-{index:04d}", (), MEMBERS[0].genome) for index in range(count)]


def test_random_dna_differs_in_three_nucleotides_of_four_and_copies_in_none():
    assert mean_distance(MEMBERS, stream(1, 0, "distance")) == pytest.approx(0.75, abs=0.01)
    assert wired_distance(MEMBERS, stream(1, 0, "distance")) == pytest.approx(0.75, abs=0.02)
    assert mean_distance(twins(), stream(1, 0, "distance")) == 0.0
    assert wired_distance(twins(), stream(1, 0, "distance")) == 0.0


def test_silent_genes_hide_that_all_are_wired_alike():
    """Genes into sensor 0 are always silent."""
    wired = np.repeat(wired_genes(MEMBERS[0].genome), 16)
    into_sensor = np.tile(np.repeat([False, True, False], [3, 3, 10]), 200)
    drifted = [
        msgspec.structs.replace(
            member, genome=np.where(wired, MEMBERS[0].genome, np.where(into_sensor, 0, member.genome))
        )
        for member in MEMBERS
    ]
    assert mean_distance(drifted, stream(1, 0, "distance")) > 0.5
    assert wired_distance(drifted, stream(1, 0, "distance")) == 0.0


def test_members_without_wired_genes_do_not_differ():
    blind = [msgspec.structs.replace(member, genome=np.zeros(3200, np.uint8)) for member in MEMBERS]
    assert wired_distance(blind, stream(1, 0, "distance")) == 0.0


def test_only_the_order_of_positions_counts():
    values = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 21.0]])
    assert evaluation_distance(values, stream(1, 0, "x")) == 0.0
    assert evaluation_distance(values * [[1], [-1]], stream(1, 0, "x")) == 1.0
    assert evaluation_distance(np.array([[1.0, 2.0], [1.0, 1.0]]), stream(1, 0, "x")) == 1.0


@given(st.integers(2, 5), st.integers(2, 6), st.randoms(use_true_random=False))
def test_the_evaluation_distance_is_that_of_pairs_compared_one_by_one(num_members, num_probes, random):
    # Few different values, so that ties are common.
    values = np.array([[random.randrange(4) / 3 for _ in range(num_probes)] for _ in range(num_members)])
    differing = []
    for a, b in zip(*_sampled_pairs(num_members, stream(1, 0, "x")), strict=True):
        for i, j in combinations(range(num_probes), 2):
            orders = [(row[i] > row[j], row[i] < row[j]) for row in (values[a], values[b])]
            differing.append(orders[0] != orders[1])
    assert evaluation_distance(values, stream(1, 0, "x")) == sum(differing) / len(differing)


def test_about_one_random_genome_in_thirteen_is_constant():
    # 4 000 random genomes of 200 genes: 7.7 % see nothing.
    found = described(first_members(MemberSettings(population=500), 1))
    assert found["constant"] == pytest.approx(0.077, abs=0.04)
    assert found["evaluation_distance"] > 0.5
    assert "changed_children" not in found


def test_children_have_changed_when_they_think_otherwise_than_their_first_parent():
    settings = tiny_settings("perspective=own")
    before = ranked_generation(settings)
    elite, mother, father = before.members[:3]
    same = Member("g1-0000", (mother.id, father.id), mother.genome)
    other = Member("g1-0001", (mother.id, father.id), father.genome)
    assert described([elite, same], before, settings)["changed_children"] == 0.0
    assert described([elite, same, other], before, settings)["changed_children"] == 0.5


def test_the_parent_of_a_variation_is_the_centre_of_its_own_generation():
    settings = tiny_settings("perspective=own")
    before = ranked_generation(settings)
    ids = tuple(member.id for member in before.members[:4])
    centre = Member("g1-0000", ids, before.members[0].genome)
    variations = [
        Member("g1-0001", (centre.id,), centre.genome),
        Member("g1-0002", (centre.id,), before.members[1].genome),
    ]
    found = described([centre, *variations], before, settings)
    assert found["changed_children"] == pytest.approx(1 / 3)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_tau_is_that_of_scipy_and_0_where_it_has_none(pairs):
    x, y = np.array(pairs, dtype=np.float64).T
    expected = kendalltau(x, y).statistic
    assert kendall_tau(x, y) == pytest.approx(0.0 if np.isnan(expected) else expected)


def games_of(play, num_members=40, rounds=6):
    scorebook = Scorebook(play, OpeningRange(2, 4), StreamName(1, 0, "ranking"))
    play_random_rounds(num_members, rounds, scorebook.compare, stream(1, 0, "ranking"))
    return scorebook.games()


def test_games_that_the_stronger_wins_agree_and_games_of_chance_do_not():
    def toss(pairings):
        chance = (pairings.game_key % np.uint64(3)).astype(np.int8) - 1
        return fake_play(np.zeros(40))(pairings)._replace(outcome=chance.astype(np.int8))

    assert split_half_reliability(games_of(fake_play(range(40))), 40, paired=True) > 0.5
    assert abs(split_half_reliability(games_of(toss), 40, paired=True)) < 0.25


def test_drawn_games_say_nothing():
    assert split_half_reliability(games_of(fake_play(np.zeros(40))), 40, paired=True) == 0.0


def test_the_two_games_of_a_pair_fall_into_one_half():
    # Two comparisons, of the same two: 0 wins both games of the first, 1 both of the second.
    first, second, outcome = np.array([0, 1, 0, 1]), np.array([1, 0, 1, 0]), np.array([1, -1, -1, 1])
    games = PlayedGames(first, second, outcome, outcome, outcome)
    assert split_half_reliability(games, 2, paired=True) == -1.0


def test_single_games_are_comparisons_of_their_own():
    first, second, outcome = np.array([0, 0]), np.array([1, 1]), np.array([1, 1])
    games = PlayedGames(first, second, outcome, outcome, outcome)
    assert split_half_reliability(games, 3, paired=False) == 1.0
