import numpy as np
from hypothesis import given

from neche.compiled.streams import stream
from neche.genome.dna import Genes, decode, encode, random_genome, read_genes, write_genes
from neche.network.decode import wired_genes
from tests.genome.strategies import genomes
from tests.oracles import genome_twin


def genes(*rows):
    source, sink, raw = np.array(rows).T
    return write_genes(Genes(source, sink, raw))


def test_a_gene_of_weight_zero_is_wired():
    assert wired_genes(genes((0, 63, 2**19))).tolist() == [True]


def test_a_gene_that_a_later_one_replaces_is_not_wired():
    assert wired_genes(genes((0, 63, 5), (1, 63, 5), (0, 63, 7))).tolist() == [False, True, True]


def test_a_hidden_neuron_is_wired_only_if_it_is_fed_and_feeds_another():
    fed_only, heard_only, both = (0, 39, 5), (40, 63, 5), ((1, 41, 5), (41, 55, 5), (55, 63, 5))
    assert wired_genes(genes(fed_only, heard_only, *both)).tolist() == [False, False, True, True, True]


def test_a_backward_gene_is_not_wired():
    assert not wired_genes(encode("TTTAAAGAAGCTACAA")).any()


@given(genomes())
def test_every_live_synapse_is_written_by_exactly_one_wired_gene(genome):
    written = read_genes(genome)
    wired = wired_genes(genome)
    pairs = list(zip(written.source[wired].tolist(), written.sink[wired].tolist(), strict=True))
    live = {(source, sink) for source, sink in genome_twin.live_synapses(decode(genome))}
    assert len(pairs) == len(set(pairs))
    assert live <= set(pairs)


def test_many_genomes_together_are_wired_like_each_alone():
    population = random_genome(5 * 200, stream(1, 0, "wiring")).reshape(5, -1)
    together = wired_genes(population)
    assert together.shape == (5, 200)
    assert together.any()
    assert (together == [wired_genes(genome) for genome in population]).all()
