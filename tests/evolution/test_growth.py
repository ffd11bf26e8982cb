import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.growth import grow_links, grow_modules, normalise
from neche.genome.dna import WEIGHT_ZERO, Genes, decode, random_genome, read_genes, write_genes
from neche.network.decode import wired_genes
from tests.oracles import genome_twin

OWN, OWN_KINGS, FOE, FOE_KINGS = {0, 5, 9, 17, 24}, {30}, {31, 22, 13, 4}, {2}


def founder(index):
    return random_genome(200, stream(7, 0, "founder", index))


def value(genome):
    return genome_twin.evaluate(decode(genome), OWN, OWN_KINGS, FOE, FOE_KINGS)


@pytest.mark.parametrize("index", range(12))
def test_growth_changes_no_value(index):
    genome = founder(index)
    grown = grow_modules(genome, 24, stream(7, 1, "growth", index))
    assert value(grown) == value(genome)
    assert wired_genes(grown).sum() > wired_genes(genome).sum()


@pytest.mark.parametrize("index", range(12))
def test_growth_leaves_the_wired_genes_as_they_are(index):
    genome = founder(index)
    wired = wired_genes(genome)
    grown = grow_modules(genome, 24, stream(7, 1, "growth", index))
    assert (grown.reshape(-1, 16)[wired] == genome.reshape(-1, 16)[wired]).all()


def test_a_module_is_one_sensor_one_bias_and_a_silent_synapse_to_the_output():
    genome = founder(0)
    grown = grow_modules(genome, 5, stream(7, 1, "growth"))
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
    linked = grow_links(genome, 32, stream(7, 4, "links", index))
    genes = read_genes(linked)
    assert value(linked) == value(genome)
    assert set(range(32)) <= set(genes.source[wired_genes(linked) & (genes.sink == 63)].tolist())


def test_growth_stops_when_the_genome_or_the_topology_has_no_room():
    tiny = founder(1)[: 16 * 7]
    assert (wired_genes(grow_modules(tiny, 24, stream(7, 2, "growth"))).sum()) <= 7
    everything = grow_modules(founder(2), 1000, stream(7, 3, "growth"))
    sinks = set(read_genes(everything).sink[wired_genes(everything)].tolist())
    assert sinks == {*range(39, 64)}


def test_the_sensors_of_modules_are_drawn_from_all_alike():
    drawn = []
    for index in range(200):
        genome = founder(0)
        grown = grow_modules(genome, 4, stream(index, 1, "growth"))
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
