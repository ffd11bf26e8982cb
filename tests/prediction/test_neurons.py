"""Neurons and DNA: each is written as the other, and both have the values of the search."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.evolution.screening import learned
from neche.games.catalogue import GAMES, game
from neche.genome.dna import read_genes
from neche.genome.strands import STEPS_A_UNIT
from neche.network.decode import Perspective, decode, wired_genes
from neche.network.packing import pack_networks, unit
from neche.network.topology import Topology, dense_topology, topology_for
from neche.prediction.judging import Samples, value_of
from neche.prediction.neurons import INPUTS, num_learning, random_neurons, read_neurons, write_neurons
from neche.prediction.samples import excited_sensors, wiring_of
from tests.games.random_games import positions
from tests.network.test_dense import PATTERNS, SENSORS, value
from tests.prediction.builders import PLAN, dense_wiring, random_task
from tests.prediction.test_samples import words_of

SMALL = Topology(5, 2, 2, 1)
DENSE = dense_topology(6, 3)
LAYERED = dense_topology(6, 3, 2)


def steps(shape, most):
    return st.lists(st.integers(-most, most), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]).map(
        lambda numbers: np.array(numbers).reshape(shape)
    )


@given(steps((4, 8), 511))
def test_strands_hold_every_weight_in_steps(raw):
    raw[0, 0] = 0
    neurons = (raw / STEPS_A_UNIT).astype(np.float32)
    genome = write_neurons(neurons, DENSE, 0)
    assert genome.size == DENSE.strand_format.length
    assert np.array_equal(read_neurons(genome, DENSE), neurons)


@given(steps((4, 9), 511))
def test_strands_of_two_layers_hold_every_weight_in_steps(raw):
    neurons = (raw / STEPS_A_UNIT).astype(np.float32)
    genome = write_neurons(neurons, LAYERED, 0)
    assert genome.size == LAYERED.strand_format.length
    assert np.array_equal(read_neurons(genome, LAYERED), neurons)


@given(steps((4, 7), 511), st.integers(0, 9))
def test_genes_hold_every_weight_in_the_steps_of_strands(raw, more):
    raw[0, 0] = 0
    neurons = (raw / STEPS_A_UNIT).astype(np.float32)
    num_genes = 1 + 5 + 3 * (INPUTS + 5) + more
    genome = write_neurons(neurons, SMALL, num_genes)
    assert genome.size == num_genes * SMALL.gene_format.length
    assert np.array_equal(read_neurons(genome, SMALL), neurons)
    # neurons are written as the genome they were read from, so the mean of equal parents is the parent
    assert np.array_equal(write_neurons(read_neurons(genome, SMALL), SMALL, num_genes), genome)


@pytest.mark.parametrize("topology", [SMALL, DENSE], ids=["genes", "strands"])
def test_weights_out_of_range_become_the_largest_or_the_smallest(topology):
    neurons = np.full((4, INPUTS + topology.sensors), 1000.0, np.float32)
    written = read_neurons(write_neurons(neurons, topology, 40), topology)
    assert written.ravel()[1:] == pytest.approx(511 / 125)
    least = read_neurons(write_neurons(-neurons, topology, 40), topology)
    assert least.ravel()[1:] == pytest.approx(-512 / 125)


@pytest.mark.parametrize(("genes", "hidden"), [(6, 0), (12, 0), (13, 1), (26, 2), (27, 3), (500, 3), (3, 0)])
def test_genes_have_room_for_whole_neurons_only(genes, hidden):
    assert num_learning(SMALL, genes) == hidden
    assert num_learning(DENSE, genes) == 3


def test_genes_are_wired_as_far_as_neurons_need_them_and_silent_beyond():
    neurons = random_neurons(SMALL, 40, 0.3, np.random.default_rng(1))
    neurons[neurons == 0.0] = 0.1
    genome = write_neurons(neurons, SMALL, 40)
    wired = wired_genes(genome, SMALL)
    count = 1 + 5 + 3 * (INPUTS + 5)
    assert wired[:count].all()
    assert not wired[count:].any()
    genes = read_genes(genome, SMALL.gene_format)
    assert (genes.source[count:] == 0).all()
    assert (genes.sink[count:] == 0).all()


@pytest.mark.parametrize("topology", [SMALL, DENSE], ids=["genes", "strands"])
def test_networks_have_no_other_synapses_than_those_of_their_neurons(topology):
    neurons = random_neurons(topology, 40, 0.3, np.random.default_rng(2))
    neurons[0, 1:] = 0.5
    perspective: Perspective = "mover" if topology.is_dense else "antisymmetric"
    network = decode(write_neurons(neurons, topology, 40), perspective=perspective, topology=topology)
    inputs = {topology.first_bias, *range(topology.sensors)}
    hidden = set(range(topology.first_layer1, topology.first_layer1 + 3))
    expected = {(source, sink) for source in inputs for sink in (*hidden, topology.output)}
    expected |= {(neuron, topology.output) for neuron in hidden}
    found = set(zip(network.source.tolist(), network.sink.tolist(), strict=True))
    # a weight drawn as 0 may be left out
    assert found <= expected
    assert len(found) >= len(expected) - 1


def test_random_neurons_have_both_signs_and_the_output_has_no_inputs_yet():
    neurons = random_neurons(dense_topology(128, 8), 0, 0.16, np.random.default_rng(3))
    assert (neurons[0] == 0.0).all()
    assert sorted(neurons[1:, 0]) == [-0.5] * 4 + [0.5] * 4
    assert neurons[1:, 1:].std() == pytest.approx(0.16, rel=0.1)
    layered = random_neurons(dense_topology(128, 8, 4), 0, 0.16, np.random.default_rng(3))
    assert layered[0].tolist() == [-0.5, 0.5, -0.5, 0.5, *[0.0] * 129]
    assert layered[1:].std() == pytest.approx(0.16, rel=0.1)


def topologies(name):
    layout = game(name).sensors
    assert layout is not None
    squares = len(layout.squares)
    return {
        "strands": (dense_topology(SENSORS[name], 5), "mover", 0),
        "genes": (topology_for(squares), "antisymmetric", 1 + 4 * (squares + INPUTS)),
        "second layer": (Topology(squares, 2, 2, 1), "antisymmetric", 300),
        "no hidden": (dense_topology(SENSORS[name], 0), "mover", 0),
        "two layers": (dense_topology(SENSORS[name], 9, 3), "mover", 0),
        "patterns": (dense_topology(PATTERNS[name], 5), "mover", 0),
    }


@pytest.mark.parametrize(
    "coding", ["strands", "genes", "second layer", "no hidden", "two layers", "patterns"]
)
@pytest.mark.parametrize("name", GAMES)
def test_neurons_give_positions_the_values_of_the_search(name, coding):
    topology, perspective, num_genes = topologies(name)[coding]
    layout = game(name).sensors
    assert layout is not None
    rng = np.random.default_rng(5)
    chosen = [positions(name)[index] for index in rng.permutation(len(positions(name)))[:40]]
    boards = np.array([words_of(position) for position in chosen], np.uint64)
    excited, counts = excited_sensors(layout, boards, by_pattern=coding == "patterns")
    drawn = random_neurons(topology, num_genes, 0.3, rng)
    drawn[0, 1:] = rng.normal(0.0, 0.3, drawn.shape[1] - 1)
    drawn[0, 0] = 0.4 if coding == "two layers" else 0.0
    genome = write_neurons(drawn, topology, num_genes)
    neurons = read_neurons(genome, topology)
    packed = pack_networks([decode(genome, perspective=perspective, topology=topology)], layout)
    samples = Samples(excited, counts, np.zeros(len(counts), np.float32))
    wiring = wiring_of(topology, perspective, layout)
    sums = np.zeros((2, len(neurons) + int(wiring.second)), np.float32)
    turned = np.ascontiguousarray(neurons.T)
    for row, position in enumerate(chosen):
        expected = int(value(packed, 0, int(position.turn), position)) / unit(packed, 0)
        found = value_of(wiring, samples, np.int64(row), turned, sums)
        assert found == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("is_gradient", [False, True])
def test_learned_weights_stay_within_what_dna_can_write(is_gradient):
    # 144 000 batches once drove a weight out of the range of strands: error .049 instead of .010 when written
    task = random_task(dense_wiring())
    plan = PLAN._replace(batches=12, rate=1.0)
    grown = learned(task.wiring, task.samples, task.neurons, plan, 7, is_gradient)
    assert grown.max() == pytest.approx(511 / 125)
    assert grown.min() == pytest.approx(-512 / 125)
    topology = dense_topology(grown.shape[1] - INPUTS, len(grown) - 1)
    written = read_neurons(write_neurons(grown, topology, 0), topology)
    assert np.abs(written - grown).max() <= 0.5001 / STEPS_A_UNIT
