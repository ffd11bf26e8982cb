"""Which genes of a genome are wired: could reach the output, whatever their weights."""

import numpy as np
import numpy.typing as npt

from neche.genome.dna import Digits, read_genes
from neche.network.topology import ORIGINAL, Topology


def wired_genes(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Tell which genes write a synapse on a path from an input to the output, a weight of 0 included.

    digits: [..., L], one genome or many; returns [..., G]. An earlier gene for the same two neurons is
    replaced by the later one, so only the later is wired.
    """
    genes = read_genes(digits, topology.gene_format)
    num_genes = genes.source.shape[-1]
    source, sink = (ends.reshape(-1, num_genes) for ends in (genes.source, genes.sink))
    owner = np.broadcast_to(np.arange(len(source))[:, None], source.shape)
    num_ids = topology.gene_format.num_ids
    pair = source * num_ids + sink
    last_place = np.zeros((len(source), num_ids**2), np.int64)
    np.maximum.at(last_place, (owner, pair), np.arange(num_genes))
    is_last = np.take_along_axis(last_place, pair, axis=1) == np.arange(num_genes)
    wired: npt.NDArray[np.bool_] = is_last & topology.allowed(source, sink)
    neurons = np.broadcast_to(np.arange(num_ids), (len(source), num_ids))
    fed, heard = neurons < topology.first_layer1, neurons == topology.output
    # Two hidden stages, so two passes settle each direction.
    for _ in range(2):
        reached = wired & fed[owner, source]
        fed[owner[reached], sink[reached]] = True
        reached = wired & heard[owner, sink]
        heard[owner[reached], source[reached]] = True
    wired &= fed[owner, source] & heard[owner, sink]
    return wired.reshape(genes.source.shape)
