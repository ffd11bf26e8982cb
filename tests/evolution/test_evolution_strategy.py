import msgspec
import numpy as np
import pytest

from neche.arena.probes import evaluate_probes
from neche.compiled.streams import stream
from neche.evolution.curriculum import Stage, strategy_age
from neche.evolution.evolution_strategy import (
    _standard_steps,
    add_links,
    add_modules,
    better_half,
    centre_rank,
    gene_scale,
    mirrored_steps,
    normalise,
    ranking_settings,
    step_size,
)
from neche.evolution.evolve import evolve
from neche.evolution.population import Member
from neche.evolution.ranking import rank_members
from neche.genome.dna import WEIGHT_ZERO, Genes, decode, random_genome, read_genes, write_genes
from neche.genome.operators import blend, shift_weights
from neche.network.decode import decode_population, wired_genes
from neche.network.packing import pack_networks
from neche.network.topology import parse_topology
from tests.evolution.builders import tiny_settings
from tests.oracles import genome_twin

SETTINGS = tiny_settings("depth=2", "next_depths=[]", "refine_after=2", "modules=3")


def genome(index=0):
    return random_genome(200, stream(3, 0, "genome", index))


def test_an_evolution_strategy_begins_a_number_of_generations_after_the_move_to_the_last_depth():
    settings = tiny_settings("refine_after=5", "next_depths=[2]")
    assert strategy_age(settings, 100, Stage(1, None)) is None
    assert strategy_age(settings, 14, Stage(2, 10)) is None
    assert strategy_age(settings, 15, Stage(2, 10)) == 0
    assert strategy_age(settings, 40, Stage(2, 10)) == 25
    assert strategy_age(tiny_settings("refine_after=0"), 1000, Stage(2, 10)) is None


def test_an_evolution_strategy_ranks_by_its_own_pairing_scheme(monkeypatch):
    settings = tiny_settings("depth=2", "next_depths=[]", "refine_after=2", "refine_ranking=swiss")
    assert ranking_settings(settings).ranking.ranking == "swiss"
    schemes = []

    def rank(settings, *others):
        schemes.append(settings.ranking.ranking)
        return rank_members(settings, *others)

    monkeypatch.setattr("neche.evolution.evolve.rank_members", rank)
    list(evolve(settings, 1, generations=3))
    assert schemes == ["descent", "descent", "swiss", "swiss"]


def test_steps_shrink_from_the_first_size_to_the_last_and_stay_there():
    rules = msgspec.structs.replace(
        SETTINGS.refinement, refine_sd=0.2, refine_sd_end=0.05, refine_generations=100
    )
    assert step_size(rules, 0) == pytest.approx(0.2)
    assert step_size(rules, 50) == pytest.approx(0.1)
    assert step_size(rules, 100) == step_size(rules, 500) == pytest.approx(0.05)


def test_shares_belong_to_the_better_half_and_fall_with_rank():
    members = [Member(f"g1-{index}", ("g1-0",), np.zeros(0, np.uint8)) for index in range(100)]
    better, shares = better_half(members, 0.5)
    assert better == members[:50]
    assert len(shares) == 50
    assert (np.diff(shares) < 0).all()
    assert shares[-1] > 0


def test_so_small_a_share_leaves_the_best_alone():
    members = [Member(f"g1-{index}", ("g1-0",), np.zeros(0, np.uint8)) for index in range(100)]
    assert [len(better_half(some, 0.01)[0]) for some in (members, members[:12])] == [1, 1]


def test_immigrants_are_left_out_of_the_mean_and_one_that_leads_goes_on_alone():
    natives = [Member(f"g21-{index}", ("g21-0000",), np.zeros(0, np.uint8)) for index in range(8)]
    foreign = Member("g21-0009", ("island-1.g20-0003",), np.zeros(0, np.uint8))
    all_shares = better_half([*natives, natives[0], foreign], 0.6)[1]
    better, shares = better_half([*natives[:2], foreign, *natives[2:], foreign], 0.6)
    assert better == natives[:5]
    assert shares.tolist() == all_shares[[0, 1, 3, 4, 5]].tolist()
    better, shares = better_half([foreign, *natives, foreign], 0.6)
    assert (better, shares.tolist()) == ([foreign], [all_shares[0]])


def test_a_blend_is_the_weighted_mean_of_the_weights():
    centre = genome()
    strands = shift_weights(centre, np.array([[1.0] * 200, [-0.5] * 200]))
    inside = np.abs(read_genes(centre).raw - WEIGHT_ZERO) < 2**19 - 20_000
    mean = read_genes(blend(strands, np.array([1.0, 3.0])))
    expected = read_genes(centre).raw + round((1.0 - 1.5) / 4 * 10_000)
    assert (mean.raw[inside] == expected[inside]).all()
    assert (mean.source == read_genes(centre).source).all()
    assert (mean.sink == read_genes(centre).sink).all()


def test_shifted_weights_stay_within_their_digits():
    raw = read_genes(shift_weights(genome(), np.array([[1e6] * 200, [-1e6] * 200]))).raw
    assert (raw[0] == 2**20 - 1).all()
    assert (raw[1] == 0).all()


def test_steps_come_in_mirrored_pairs_and_move_wired_genes_only():
    centre = genome()
    steps = mirrored_steps(0.1 * gene_scale(centre), 11, stream(1, 1, "steps").standard_normal)
    assert steps.shape == (11, 200)
    assert np.allclose(steps[0:10:2], -steps[1:10:2])
    assert (steps[:, ~wired_genes(centre)] == 0).all()
    assert (steps[:, wired_genes(centre)] != 0).all()


def test_a_generation_of_an_evolution_strategy_is_a_centre_and_its_variations():
    *_, founded, refined = evolve(SETTINGS, 4, generations=3)
    for generation in (founded, refined):
        centre = generation.members[centre_rank(generation.members, generation.number)]
        others = [member for member in generation.members if member is not centre]
        assert {member.parents for member in others} == {(centre.id,)}
        assert generation.record["champion_id"] == centre.id
    assert len(centre.parents) == 6
    assert set(centre.parents) <= {member.id for member in founded.members[:6]}


def test_the_centre_is_the_blend_of_the_better_half():
    *_, founded, refined = evolve(SETTINGS, 4, generations=3)
    _, shares = better_half(founded.members, 0.5)
    expected = blend(np.stack([member.genome for member in founded.members[:6]]), shares)
    assert (refined.members[centre_rank(refined.members, 3)].genome == expected).all()


def test_stopping_in_an_evolution_strategy_and_going_on_is_a_straight_run():
    straight = list(evolve(SETTINGS, 5, generations=5))
    first = list(evolve(SETTINGS, 5, generations=3))
    second = list(evolve(SETTINGS, 5, generations=5, resume_from=first[-1]))
    for one, other in zip(straight, [*first, *second], strict=True):
        assert [member.id for member in one.members] == [member.id for member in other.members]
        assert all((a.genome == b.genome).all() for a, b in zip(one.members, other.members, strict=True))
        assert one.record == other.record


def test_steps_are_drawn_while_the_generation_before_plays_and_are_the_same(monkeypatch):
    _standard_steps.cache_clear()
    ahead = list(evolve(SETTINGS, 5, generations=5))
    # Of generations 3 to 6; the last one is not asked for.
    assert _standard_steps.cache_info()[:2] == (3, 4)
    monkeypatch.setattr("neche.evolution.evolve.draw_ahead", lambda context: None)
    _standard_steps.cache_clear()
    for one, other in zip(ahead, evolve(SETTINGS, 5, generations=5), strict=True):
        assert all((a.genome == b.genome).all() for a, b in zip(one.members, other.members, strict=True))
    assert _standard_steps.cache_info()[:2] == (0, 3)


OWN, OWN_KINGS, FOE, FOE_KINGS = {0, 5, 9, 17, 24}, {30}, {31, 22, 13, 4}, {2}


def founder(index):
    return random_genome(200, stream(7, 0, "founder", index))


def value(genome):
    return genome_twin.evaluate(decode(genome), OWN, OWN_KINGS, FOE, FOE_KINGS)


@pytest.mark.parametrize("index", range(12))
def test_growth_changes_no_value(index):
    genome = founder(index)
    grown = add_modules(genome, 24, stream(7, 1, "growth", index))
    assert value(grown) == value(genome)
    assert wired_genes(grown).sum() > wired_genes(genome).sum()


@pytest.mark.parametrize("index", range(12))
def test_growth_leaves_the_wired_genes_as_they_are(index):
    genome = founder(index)
    wired = wired_genes(genome)
    grown = add_modules(genome, 24, stream(7, 1, "growth", index))
    assert (grown.reshape(-1, 16)[wired] == genome.reshape(-1, 16)[wired]).all()


def test_a_module_is_one_sensor_one_bias_and_a_silent_synapse_to_the_output():
    genome = founder(0)
    grown = add_modules(genome, 5, stream(7, 1, "growth"))
    new = wired_genes(grown) & ~wired_genes(genome)
    genes = read_genes(grown)
    source, sink, weight = genes.source[new], genes.sink[new], genes.raw[new] - WEIGHT_ZERO
    assert new.sum() == 15
    assert sorted(np.abs(weight[source < 32])) == [10_000] * 5
    assert len(set(source[source < 32])) == 5
    assert (weight[(source >= 32)] == 0).all()
    assert (sink == 63).sum() == 5


@pytest.mark.parametrize("index", range(6))
def test_grown_links_change_no_value_and_reach_every_sensor(index):
    genome = founder(index)
    linked = add_links(genome, 32, stream(7, 4, "links", index))
    genes = read_genes(linked)
    assert value(linked) == value(genome)
    assert set(range(32)) <= set(genes.source[wired_genes(linked) & (genes.sink == 63)].tolist())


def test_growth_stops_when_the_genome_or_the_topology_has_no_room():
    tiny = founder(1)[: 16 * 7]
    assert (wired_genes(add_modules(tiny, 24, stream(7, 2, "growth"))).sum()) <= 7
    everything = add_modules(founder(2), 1000, stream(7, 3, "growth"))
    sinks = set(read_genes(everything).sink[wired_genes(everything)].tolist())
    assert sinks == {*range(39, 64)}


@pytest.mark.parametrize("index", range(6))
def test_a_topology_without_a_bias_grows_modules_that_change_no_value(index):
    genome, topology = founder(index), parse_topology("32-0-31-0-1")
    grown = add_modules(genome, 5, stream(7, 1, "growth", index), topology=topology)
    assert wired_genes(grown, topology).sum() == wired_genes(genome, topology).sum() + 15
    packed = pack_networks(decode_population([genome, grown], topology=topology))
    before, after = evaluate_probes(packed, 0)
    assert (before == after).all()


def test_the_sensors_of_modules_are_drawn_from_all_alike():
    drawn = []
    for index in range(200):
        genome = founder(0)
        grown = add_modules(genome, 4, stream(index, 1, "growth"))
        new = wired_genes(grown) & ~wired_genes(genome)
        drawn += [source for source in read_genes(grown).source[new].tolist() if source < 32]
    counts = np.bincount(drawn, minlength=32)
    chi_square = ((counts - 25) ** 2 / 25).sum()
    assert chi_square < 61.1, "0.1 % point of chi-square with 31 degrees of freedom"


def sizes(genome):
    genes, wired = read_genes(genome), wired_genes(genome)
    weights = (genes.raw - WEIGHT_ZERO) / 10_000
    return {
        int(sink): np.sqrt(np.mean(weights[wired & (genes.sink == sink)] ** 2))
        for sink in np.unique(genes.sink[wired])
    }


@pytest.mark.parametrize("index", range(12))
def test_a_normalised_network_multiplies_every_value_by_one_factor(index):
    genome = founder(index)
    normal = normalise(genome, 5.0)
    pieces = [
        ({0, 9}, {30}, {31}, set()),
        ({24, 3}, set(), {12, 7}, {1}),
        (set(range(12)), set(), {20}, {28}),
    ]
    before = [float(genome_twin.evaluate(decode(genome), *placed)) for placed in pieces]
    after = [float(genome_twin.evaluate(decode(normal), *placed)) for placed in pieces]
    strongest = int(np.argmax(np.abs(before)))
    factor = after[strongest] / before[strongest] if before[strongest] else 1.0
    assert factor > 0
    assert after == pytest.approx([value * factor for value in before], rel=1e-2, abs=0.1)


@pytest.mark.parametrize("index", range(12))
def test_a_normalised_network_has_weights_of_the_same_size_into_all_hidden_neurons(index):
    for sink, size in sizes(normalise(founder(index), 5.0)).items():
        assert size == pytest.approx(5.0 if sink == 63 else 1.0, rel=0.01)


def test_normalising_keeps_the_largest_weight_within_its_digits():
    hub = write_genes(
        Genes(
            np.array([*range(32), 39, *range(20)]),
            np.array([39] * 32 + [63] * 21),
            np.array([WEIGHT_ZERO + 300_000] * 33 + [WEIGHT_ZERO + 10_000] * 20),
        )
    )
    normal = read_genes(normalise(hub, 20.0))
    assert (np.abs(normal.raw - WEIGHT_ZERO) <= 400_000).all()
