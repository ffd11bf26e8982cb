import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.growth import grow_modules, rescale_output
from neche.genome.dna import decode, random_genome
from neche.genome.gene import WEIGHT_ZERO, read_genes
from neche.network.wiring import wired_genes
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


@pytest.mark.parametrize("index", range(6))
def test_rescaling_the_output_multiplies_every_value(index):
    genome = founder(index)
    weights = (read_genes(genome).raw - WEIGHT_ZERO)[
        wired_genes(genome) & (read_genes(genome).sink == 63)
    ] / 10_000
    factor = 5.0 / np.sqrt(np.mean(weights**2))
    rescaled = rescale_output(genome, 5.0)
    assert float(value(rescaled)) == pytest.approx(factor * float(value(genome)), rel=1e-3, abs=1e-2)
