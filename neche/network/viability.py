"""Viability: the least that a genome must wire before it may play."""

import numpy as np

from neche.genome.dna import Digits
from neche.genome.gene import read_genes
from neche.network.topology import ORIGINAL, Topology


def is_viable(digits: Digits, topology: Topology = ORIGINAL) -> bool:
    """Tell whether some allowed synapse enters the output neuron, whatever its weight.

    A genome that is not viable gives every position the same value. The rule is the original program's; it
    lets pass a synapse of weight zero and one that leaves a neuron which nothing feeds.
    """
    genes = read_genes(digits)
    # A later gene that replaces this one enters the output too, so replacement need not be followed.
    return bool(np.any((genes.sink == topology.output) & (genes.source < topology.output)))
