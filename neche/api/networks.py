"""Networks: from a run, a file, a champion or letters; as a graph, as matrices, as a picture."""

import numpy as np
from numpy.typing import NDArray

from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.players.source import network_of, read_source


def read_network(
    source: str, identifier: str | None = None, *, perspective: str | None = None, topology: str | None = None
) -> Network:
    """Return the network of a run directory's champion, a FASTA file, a shipped champion, or DNA letters.

    perspective, topology: what the file says, else `own` and the original 64 neurons.

    >>> read_network("AAATTTGAAGCTACAA").sink.tolist()
    [63]

    Raises:
        InputError: there is no such source or genome.
    """
    return network_of(read_source(source, identifier), perspective=perspective, topology=topology)


def weights(of: Network) -> NDArray[np.float64]:
    """Return the weights of all allowed synapses as a matrix [source neuron, sink neuron], weight units.

    >>> float(weights(read_network("AAATTTGAAGCTACAA"))[0, 63])
    1.0
    """
    matrix = np.zeros((of.topology.num_neurons, of.topology.num_neurons))
    matrix[of.source, of.sink] = of.weight / WEIGHT_SCALE
    return matrix
