import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.genome import dna
from neche.network.decode import (
    PERSPECTIVES,
    blind_network,
    check_perspective,
    columns_of,
    decode,
    decode_population,
    material_network,
)
from neche.network.topology import ORIGINAL, Topology
from tests.genome.strategies import genomes
from tests.oracles import genome_twin

# Genes that name few neurons often meet: replaced synapses, paths through both hidden layers, dead ends.
SOURCES = ["AAA", "GAA", "GCT", "GCT", "TCT", "TCT", "TTT"]
SINKS = ["GCT", "TCT", "TTT", "AAA"]
WEIGHTS = ["GAAAAAAAAA", "GAAAAAAAAC", "AAAAAAAAAA", "TTTTTTTTTT"]
GENES = st.tuples(*map(st.sampled_from, (SOURCES, SINKS, WEIGHTS))).map("".join)
CROWDED = st.lists(GENES, min_size=1, max_size=12).map("".join)


def synapses(network):
    columns = (network.source, network.sink, network.weight, network.live)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def slow_synapses(text):
    live = genome_twin.live_synapses(text)
    wired = [
        (source, sink, int(weight * 10_000), (source, sink) in live)
        for (source, sink), weight in genome_twin.synapses(text).items()
    ]
    return sorted(wired, key=lambda synapse: (synapse[1], synapse[0]))


@pytest.mark.parametrize(
    ("text", "synapse"),
    [("CGATGGTAGTCGGATC", (24, 58, 308_877, False)), ("AAATTTGAAGCTACAA", (0, 63, 10_000, True))],
)
def test_the_two_documented_genes_decode_as_documented(text, synapse):
    assert synapses(decode(dna.encode(text))) == [synapse]


@given(genomes(max_genes=40) | CROWDED.map(dna.encode))
def test_a_genome_decodes_as_the_slow_twin_decodes_it(digits):
    assert synapses(decode(digits)) == slow_synapses(dna.decode(digits))


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_populations_decode_as_the_slow_twin_decodes_them(count):
    population = np.random.default_rng(11).integers(4, size=(count, 3200), dtype=np.uint8)
    for digits, network in zip(population, decode_population(population), strict=True):
        assert synapses(network) == slow_synapses(dna.decode(digits))


@given(st.data())
def test_genomes_that_write_the_same_synapses_are_decoded_as_the_slow_twin_decodes_them(data):
    size = data.draw(st.integers(1, 8))
    ids = st.lists(st.tuples(st.sampled_from(SOURCES), st.sampled_from(SINKS)), min_size=size, max_size=size)
    both, weights = (data.draw(ids), data.draw(ids)), st.lists(st.sampled_from(WEIGHTS), min_size=size)
    texts = [
        "".join(source + sink + weight for (source, sink), weight in zip(both[which], written, strict=False))
        for which, written in data.draw(st.lists(st.tuples(st.integers(0, 1), weights), min_size=2))
    ]
    population = np.stack([dna.encode(text) for text in texts])
    for text, network in zip(texts, decode_population(population), strict=True):
        assert synapses(network) == slow_synapses(text)


def test_a_later_gene_replaces_an_earlier_one_even_with_weight_zero():
    network = decode(dna.encode("AAATTTGAAGCTACAA" + "AAATTTGAAAAAAAAA"))
    assert synapses(network) == [(0, 63, 0, False)]


def test_a_synapse_of_weight_zero_cuts_others_off_from_the_output():
    chain = ["AAAGCTGAAAAAAAAC", "GCTTCTGAAAAAAAAC", "TCTTTTGAAAAAAAAC"]
    assert [synapse[3] for synapse in synapses(decode(dna.encode("".join(chain))))] == [True, True, True]
    chain[1] = "GCTTCTGAAAAAAAAA"
    assert [synapse[3] for synapse in synapses(decode(dna.encode("".join(chain))))] == [False, False, False]


def test_a_bias_alone_keeps_its_path_alive():
    assert synapses(decode(dna.encode("GAATTTGAAAAAAAAC"))) == [(32, 63, 1, True)]


@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_the_perspective_travels_with_the_network(perspective):
    digits = dna.encode("AAATTTGAAGCTACAA")
    assert decode(digits, perspective=perspective).perspective == perspective
    assert material_network(perspective).perspective == perspective
    assert blind_network(perspective).perspective == perspective


def test_the_material_network_feeds_every_sensor_to_the_output_with_one():
    assert synapses(material_network()) == [(sensor, 63, 10_000, True) for sensor in range(32)]


def test_the_blind_network_has_no_synapse():
    assert synapses(blind_network()) == []
    assert blind_network().topology == ORIGINAL


def test_arrays_have_the_documented_types():
    network = material_network()
    assert {column.dtype for column in (network.source, network.sink, network.weight)} == {np.dtype(np.int32)}
    assert network.live.dtype == np.bool_


def test_genes_with_ids_outside_a_smaller_topology_are_silent():
    small = Topology(sensors=4, bias=1, layer1=2, layer2=1)
    network = decode(dna.encode("AAAAGAGAAAAAAAAC" + "CAAAGAGAAAAAAAAC" + "AAATTTGAAAAAAAAC"), topology=small)
    assert synapses(network) == [(0, 8, 1, True)]


def test_no_genomes_decode_to_no_networks():
    assert decode_population([]) == []


def test_genomes_of_different_length_are_refused_together():
    with pytest.raises(InputError, match="differ in length"):
        decode_population([np.zeros(16, np.uint8), np.zeros(32, np.uint8)])


def test_a_strand_that_is_not_whole_genes_is_refused():
    with pytest.raises(InputError, match="not whole genes"):
        decode(np.zeros(15, np.uint8))


def test_an_unknown_perspective_is_refused():
    with pytest.raises(InputError, match="perspective 'other' is not one of own, antisymmetric"):
        check_perspective("other")


def test_a_population_decoded_in_pieces_is_the_same(monkeypatch):
    rng = np.random.default_rng(5)
    population = [dna.random_genome(40, rng) for _ in range(7)]
    whole = columns_of(decode_population(population))
    monkeypatch.setattr("neche.network.decode._DECODED_AT_ONCE", 3)
    pieces = columns_of(decode_population(population))
    for name, column in whole._asdict().items():
        assert column.dtype == getattr(pieces, name).dtype
        assert column.tolist() == getattr(pieces, name).tolist()
