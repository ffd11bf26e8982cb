from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.sensors import DARK_8X8
from neche.genome.dna import Genes, write_genes
from neche.network.decode import decode_population
from neche.network.topology import (
    ORIGINAL,
    Topology,
    dense_topology,
    parse_topology,
    topology_for,
    topology_of,
)
from tests.oracles import genome_twin


def test_neurons_are_numbered_as_in_the_original():
    counts = {"sensor": 32, "bias": 7, "layer1": 16, "layer2": 8, "output": 1}
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    assert [ORIGINAL.kind(neuron) for neuron in range(64)] == kinds
    assert (ORIGINAL.output, ORIGINAL.num_neurons) == (63, 64)


BORDERS = {0: "sensor", 31: "sensor", 32: "bias", 38: "bias", 39: "layer1", 54: "layer1", 55: "layer2"}


@pytest.mark.parametrize(("neuron", "kind"), [*BORDERS.items(), (62, "layer2"), (63, "output")])
def test_the_kind_of_a_neuron_is_known_at_its_borders(neuron, kind):
    assert ORIGINAL.kind(neuron) == kind


@pytest.mark.parametrize("neuron", [-1, 64])
def test_an_id_outside_the_topology_has_no_kind(neuron):
    with pytest.raises(ValueError, match="no neuron"):
        ORIGINAL.kind(neuron)


def allowed(topology, pairs):
    """Return the pairs of source and sink that genes can wire, each written by a genome of one gene."""
    source, sink = np.array(pairs).T[..., None]
    genomes = write_genes(Genes(source, sink, np.zeros_like(source)), topology.gene_format)
    networks = decode_population(genomes, topology=topology)
    return [pair for pair, network in zip(pairs, networks, strict=True) if len(network.source)]


def test_every_pair_of_neurons_is_allowed_exactly_where_the_slow_twin_allows_it():
    pairs = list(product(range(64), repeat=2))
    assert allowed(ORIGINAL, pairs) == [pair for pair in pairs if genome_twin.is_allowed(*pair)]


def test_a_smaller_topology_keeps_the_same_rule():
    small = Topology(sensors=4, bias=1, layer1=2, layer2=1)
    assert small.output == 8
    pairs = [(4, 5), (5, 7), (7, 8), (5, 6), (8, 8), (8, 9), (4, 63)]
    assert allowed(small, pairs) == pairs[:3]


def test_sensors_see_the_32_dark_squares():
    assert len(set(DARK_8X8.squares)) == 32
    assert all(("ABCDEFGH".index(square[0]) + int(square[1])) % 2 for square in DARK_8X8.squares)
    assert DARK_8X8.squares[24] == "C1"


def test_rotation_maps_each_sensor_to_the_square_across_the_board():
    assert list(DARK_8X8.turned) == [genome_twin.turned(sensor) for sensor in range(32)]


@given(st.tuples(st.integers(1, 300), st.integers(0, 200), st.integers(0, 300), st.integers(0, 200)))
def test_a_topology_in_words_reads_back(numbers):
    topology = Topology(*numbers)
    assert parse_topology(topology.words) == topology
    ids = topology.gene_format.num_ids
    assert ids >= topology.num_neurons
    assert ids == 64 or ids // 4 < topology.num_neurons


@given(st.integers(1, 300), st.integers(1, 300), st.integers(0, 32))
def test_dense_topologies_read_back_and_have_every_synapse_to_the_next_layer(sensors, hidden, second):
    numbers = sensors, hidden, second
    topology = dense_topology(*numbers)
    assert parse_topology(topology.words) == topology
    assert topology.words == "-".join(map(str, (*numbers[: 3 if numbers[2] else 2], 1)))
    source, sink, place = topology.dense_synapses
    assert len(source) == (sensors + 1) * (hidden + 1) + (hidden * second + second if second else hidden)
    assert sorted(place) == list(range(topology.strand_format.num_weights))
    assert (source < sink).all()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("32-7", "expected numbers of neurons such as 32-7-16-8-1"),
        ("32-7-16-8", "there is one output, not 8"),
        ("128-64-33-1", "a second layer of strands needs a first, and at most 32 neurons"),
        ("128-0-2-1", "a second layer of strands needs a first"),
        ("4000-100-32-1", "at most 4096 neurons"),
        ("32-7-16-8-1-1", "expected numbers"),
        ("32-7--8-1", "expected numbers"),
        ("32-7-x-8-1", "expected numbers"),
        ("32-7-99999-8-1", "expected numbers"),
        ("٣٢-7-16-8-1", "expected numbers"),
        ("", "expected numbers"),
        ("32-7-16-8-2", "there is one output, not 2"),
        ("0-7-16-8-1", "needs at least one sensor"),
        ("600-7-600-8-1", "at most 1024 neurons"),
    ],
)
def test_a_wrong_topology_is_refused_in_one_line(text, fault):
    with pytest.raises(InputError, match=fault) as refusal:
        parse_topology(text)
    assert "\n" not in str(refusal.value)


def test_a_board_of_32_squares_gets_the_original_topology():
    assert topology_for(32) == ORIGINAL
    assert parse_topology("32-7-16-8-1") == parse_topology("auto") == ORIGINAL


@given(st.integers(1, 256))
def test_a_topology_for_any_board_has_a_sensor_for_each_square_and_uses_every_id(squares):
    topology = topology_for(squares)
    assert topology.sensors == squares
    assert topology.num_neurons == topology.gene_format.num_ids
    assert min(topology.bias, topology.layer1, topology.layer2) > 0


@pytest.mark.parametrize("text", ["patterns-255-1", "auto-255-1"])
def test_a_topology_for_a_board_that_networks_do_not_see_is_named_as_it_was_written(text):
    with pytest.raises(InputError, match=f"topology {text}: networks do not see the board of bare"):
        topology_of(text, "bare", 0, 0, 0)
