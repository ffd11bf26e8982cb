"""Viability: the least that a genome must wire before it may play."""

import numpy as np
import numpy.typing as npt

from neche.genome.dna import Digits, read_genes
from neche.network.topology import ORIGINAL, Topology


def is_viable(digits: Digits, topology: Topology = ORIGINAL) -> bool:
    """Tell whether some allowed synapse enters the output neuron, whatever its weight.

    A genome that is not viable gives every position the same value. The rule is the original program's; it
    lets pass a synapse of weight zero and one that leaves a neuron which nothing feeds.
    """
    return bool(viable_members(digits, topology))


def viable_members(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Tell of each genome of a population [..., L] whether it is viable: [...] bool."""
    genes = read_genes(digits, topology.gene_format)
    # A later gene that replaces this one enters the output too, so replacement need not be followed.
    viable: npt.NDArray[np.bool_] = np.any(
        (genes.sink == topology.output) & (genes.source < topology.output), axis=-1
    )
    return viable
