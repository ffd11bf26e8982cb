"""Growth: silent genes become hidden modules and direct synapses that change nothing yet.

A module is a hidden neuron that nothing uses, with a synapse from one random sensor (weight 1 or −1), one
from a random bias (weight 0) and one to the output (weight 0): the network plays on as before, and selection
decides what becomes of it. Which sensor is drawn knows nothing of the game.

Source: complexification (Stanley and Miikkulainen 2004, JAIR 21), within a genome of fixed length.
"""

import numpy as np
import numpy.typing as npt

from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, read_genes, write_genes
from neche.network.decode import wired_genes
from neche.network.topology import ORIGINAL, Topology

_GENES_A_MODULE = 3
_LARGEST_WEIGHT = 40.0


def grow_modules(
    digits: Digits, count: int, rng: np.random.Generator, *, topology: Topology = ORIGINAL
) -> Digits:
    """Return the genome [L] with up to `count` modules written over silent genes.

    There are no more than free hidden neurons and silent genes allow. No two modules share a sensor while
    there are sensors left.
    """
    genes = read_genes(digits, topology.gene_format)
    wired = wired_genes(digits, topology)
    hidden = np.arange(topology.first_layer1, topology.output)
    used = np.union1d(genes.source[wired], genes.sink[wired])
    free, silent = np.setdiff1d(hidden, used), np.flatnonzero(~wired)
    count = min(count, len(free), len(silent) // _GENES_A_MODULE)
    sensors = np.resize(rng.permutation(topology.sensors), count)
    biases = rng.integers(topology.first_bias, topology.first_layer1, size=count)
    neurons = free[:count]
    slots = rng.permutation(silent)[: count * _GENES_A_MODULE].reshape(count, _GENES_A_MODULE)
    source, sink, raw = genes.source.copy(), genes.sink.copy(), genes.raw.copy()
    source[slots], sink[slots] = np.stack([sensors, biases, neurons], axis=1), neurons[:, None]
    sink[slots[:, 2]] = topology.output
    signs = rng.choice(np.array([-1.0, 1.0]), size=count)
    weights = np.stack([signs, np.zeros(count), np.zeros(count)], axis=1)
    raw[slots] = WEIGHT_ZERO + np.rint(weights * WEIGHT_SCALE).astype(np.int64)
    return _silenced(write_genes(Genes(source, sink, raw), topology.gene_format), slots, topology)


def grow_links(
    digits: Digits, count: int, rng: np.random.Generator, *, topology: Topology = ORIGINAL
) -> Digits:
    """Return the genome [L] with a synapse of weight 0 from up to `count` random sensors to the output.

    They are written over silent genes, for sensors that have no such synapse yet.
    """
    genes = read_genes(digits, topology.gene_format)
    wired = wired_genes(digits, topology)
    linked = genes.source[wired & (genes.sink == topology.output)]
    sensors = rng.permutation(np.setdiff1d(np.arange(topology.sensors), linked))
    slots = rng.permutation(np.flatnonzero(~wired))[: min(count, len(sensors))]
    source, sink, raw = genes.source.copy(), genes.sink.copy(), genes.raw.copy()
    source[slots], sink[slots], raw[slots] = sensors[: len(slots)], topology.output, WEIGHT_ZERO
    return write_genes(Genes(source, sink, raw), topology.gene_format)


def _silenced(digits: Digits, slots: np.ndarray, topology: Topology) -> Digits:
    """Make every other gene that the modules woke up silent again: its sink becomes a sensor."""
    genes = read_genes(digits, topology.gene_format)
    sink = genes.sink.copy()
    module_neurons = sink[slots[:, 0]]
    others = np.setdiff1d(np.arange(len(sink)), slots)
    woken = others[np.isin(sink[others], module_neurons) | np.isin(genes.source[others], module_neurons)]
    sink[woken] = 0
    return write_genes(genes._replace(sink=sink), topology.gene_format)


def normalise(digits: Digits, size: float, *, topology: Topology = ORIGINAL) -> Digits:
    """Return the genome with weights of comparable size everywhere; the network orders positions as before.

    The weights into each hidden neuron get a root mean square of 1, those into the output of `size` units
    (less where the largest would not fit its digits). Scaling what enters a ReLU and unscaling what leaves it
    changes no value, scaling the output no order; rounding to the grid of weights changes a little.
    """
    genes = read_genes(digits, topology.gene_format)
    wired = wired_genes(digits, topology)
    weights = (genes.raw - WEIGHT_ZERO) / WEIGHT_SCALE
    for neuron in range(topology.first_layer1, topology.output):
        entering, leaving = wired & (genes.sink == neuron), wired & (genes.source == neuron)
        present = _size(weights[entering])
        if present > 0.0:
            weights[entering] /= present
            weights[leaving] *= present
    into_output = wired & (genes.sink == topology.output)
    present = _size(weights[into_output])
    if present > 0.0:
        largest = np.abs(weights[into_output]).max()
        weights[into_output] *= min(size / present, _LARGEST_WEIGHT / largest)
    raw = np.clip(np.rint(weights * WEIGHT_SCALE) + WEIGHT_ZERO, 0, 2 * WEIGHT_ZERO - 1).astype(np.int64)
    return write_genes(genes._replace(raw=raw), topology.gene_format)


def _size(weights: npt.NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(weights**2))) if weights.size else 0.0
