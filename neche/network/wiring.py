"""Which genes of a genome are wired: could reach the output, whatever their weights."""

import numpy as np
import numpy.typing as npt

from neche.genome.dna import Digits
from neche.genome.gene import read_genes
from neche.network.topology import ORIGINAL, Topology


def wired_genes(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Tell which genes [G] write a synapse on a path from an input to the output, a weight of 0 included.

    An earlier gene for the same two neurons is replaced by the later one, so only the later is wired.
    """
    genes = read_genes(digits)
    source, sink = genes.source, genes.sink
    num_genes = len(source)
    pair = source * topology.num_neurons + sink
    last_place = num_genes - 1 - np.unique(pair[::-1], return_index=True)[1]
    is_last = np.zeros(num_genes, np.bool_)
    is_last[last_place] = True
    wired: npt.NDArray[np.bool_] = is_last & topology.allowed(source, sink)
    fed = np.arange(topology.num_neurons) < topology.first_layer1
    heard = np.arange(topology.num_neurons) == topology.output
    # Two hidden stages, so two passes settle each direction.
    for _ in range(2):
        fed[sink[wired & fed[source]]] = True
        heard[source[wired & heard[sink]]] = True
    wired &= fed[source] & heard[sink]
    return wired
