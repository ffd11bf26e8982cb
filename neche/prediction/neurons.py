"""Networks as arrays of neurons, for learning: one row per neuron, one column per weight.

    row 0      the output:   [unused, constant, inputs …]
    row h > 0  hidden h:     [weight to the output, constant, inputs …]

With a second hidden layer, which dense networks may have:

    row 0      the output:   [weight of each second neuron …, constant, inputs …]
    row h > 0  hidden h:     [weight to each second neuron …, constant, inputs …]

Weights are float32, in weight units, in the order of strands; a genome of genes has the same layout, one gene
per weight. The wiring says how sensors by kind reach the inputs, and which views of the board make up a
value: nothing else depends on the topology.

Symbols: H hidden neurons of the first layer, I inputs of a neuron, F sensors by kind, K neurons of a second
layer, O weights before the constant: K, or 1.
"""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from neche.compiled.jit import I64, Array
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, read_genes, write_genes
from neche.genome.strands import (
    LEAST_WEIGHT,
    MOST_WEIGHT,
    RAW_STEP,
    STEPS_A_UNIT,
    StrandFormat,
    Weights,
    read_weights,
    steps_of,
    write_weights,
)
from neche.network.topology import Topology

INPUTS = 2
"""First column of the input weights of a row, without a second layer."""

LEAST_LEARNED, MOST_LEARNED = LEAST_WEIGHT / STEPS_A_UNIT, MOST_WEIGHT / STEPS_A_UNIT
"""Limits of the weights that DNA can write, in weight units. Learning stays within them: a weight beyond
would be clipped when written, and the network would differ from the one that learned."""

Neurons = NDArray[np.float32]


class Wiring(NamedTuple):
    """How sensors by kind reach the inputs of neurons.

    input_of: [F] int64. factor: [F] float32 – value of the input when the sensor is on. opposite: [F]
    int64 – the sensor of the same piece in the other side's view. views: 1, the value is that of the mover's
    view; 2, that minus the value of the other side's view. second: K, neurons of a second layer, else 0; with
    a second layer views is 1.
    """

    input_of: Array
    factor: Array
    opposite: Array
    views: I64
    second: I64


def num_learning(topology: Topology, num_genes: int) -> int:
    """Return for how many hidden neurons a genome has room, each with a weight from every sensor."""
    if topology.is_dense:
        return topology.layer1
    whole = (num_genes - 1 - topology.sensors) // (INPUTS + topology.sensors)
    return max(0, min(whole, topology.layer1 + topology.layer2))


def read_neurons(genome: Digits, topology: Topology) -> Neurons:
    """Return the neurons [H + 1, O + 1 + I] of a genome that `write_neurons` could have written."""
    if topology.is_dense:
        weights = read_weights(genome, topology.strand_format) / STEPS_A_UNIT
        return cast(Neurons, as_rows(weights, topology.strand_format).astype(np.float32))
    genes = read_genes(genome, topology.gene_format)
    layout = StrandFormat(topology.sensors, num_learning(topology, len(genes.raw)))
    raw = genes.raw[: layout.num_weights]
    return cast(Neurons, as_rows((raw - WEIGHT_ZERO) / WEIGHT_SCALE, layout).astype(np.float32))


def write_neurons(neurons: Neurons, topology: Topology, num_genes: int) -> Digits:
    """Return the genome of these weights, rounded to the grid of DNA; spare genes are silent."""
    layout = layout_of(neurons, topology)
    if topology.is_dense:
        return write_weights(steps_of(as_strands(neurons, layout)))
    # rounded like strands, so that packing can treat the network as dense
    steps = steps_of(as_strands(neurons, layout)).astype(np.int64)
    source, sink = _synapses(topology, layout)
    # no synapse may enter a sensor, so genes with sensor 0 as their sink are silent
    genes = Genes(*(np.zeros(max(num_genes, layout.num_weights), np.int64) for _ in Genes._fields))
    genes.raw[:] = WEIGHT_ZERO
    count = layout.num_weights
    genes.source[:count], genes.sink[:count] = source, sink
    genes.raw[:count] += RAW_STEP * steps
    return write_genes(genes, topology.gene_format)


def random_neurons(topology: Topology, num_genes: int, sd: float, rng: np.random.Generator) -> Neurons:
    """Draw neurons: weights to the output ±0.5, direct ones 0, all others normal around zero."""
    hidden, second = num_learning(topology, num_genes), topology.layer2 if topology.is_dense else 0
    outs = second or INPUTS - 1
    neurons = rng.normal(0.0, sd, (hidden + 1, outs + 1 + topology.sensors)).astype(np.float32)
    neurons[0] = 0.0
    # both signs in equal parts, so that neither has to be discovered
    into_output = neurons[0, :second] if second else neurons[1:, 0]
    into_output[:] = np.where(np.arange(len(into_output)) % 2, 0.5, -0.5)
    return neurons


def layout_of(neurons: Neurons, topology: Topology) -> StrandFormat:
    """Return the order of the weights of neurons on strands, or on genes."""
    if topology.is_dense:
        return topology.strand_format
    return StrandFormat(neurons.shape[1] - INPUTS, len(neurons) - 1)


def as_rows(weights: NDArray[np.floating], layout: StrandFormat) -> Any:
    """Return weights in the order of strands as neurons, float64."""
    # without a second layer, the output's strand begins with its constant
    unused = np.zeros(0 if layout.second else 1)
    return np.concatenate([unused, weights]).reshape(layout.hidden + 1, -1)


def as_strands(neurons: Neurons, layout: StrandFormat) -> NDArray[np.float64]:
    """Return the weights of neurons in the order of strands."""
    return neurons.astype(np.float64).ravel()[0 if layout.second else 1 :]


def _synapses(topology: Topology, layout: StrandFormat) -> tuple[Weights, Weights]:
    """Return source and sink of the synapse of each weight, where genes write the weights."""
    inputs = np.concatenate([[topology.first_bias], np.arange(topology.sensors)])
    hidden = topology.first_layer1 + np.arange(layout.hidden)
    # for a hidden neuron first the weight to the output, then those of its inputs
    sources = np.insert(np.tile(inputs, (layout.hidden, 1)), 0, hidden, axis=1)
    sinks = np.insert(np.repeat(hidden[:, None], len(inputs), axis=1), 0, topology.output, axis=1)
    source = np.concatenate([inputs, sources.ravel()])
    return source, np.concatenate([np.full(len(inputs), topology.output), sinks.ravel()])
