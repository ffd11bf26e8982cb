"""Crossover: a child takes each whole gene from one of two parents, or the mean of many."""

import numpy as np
import numpy.typing as npt

from neche.errors import InputError
from neche.genome.dna import Digits
from neche.genome.gene import GENE_FORMAT, GeneFormat, Genes, as_genes, read_genes, write_genes

FloatArray = npt.NDArray[np.float64]


def cross(
    mother: Digits, father: Digits, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT
) -> Digits:
    """Lay the parents' genes side by side and take each from either with probability ½.

    mother, father: [L], or [..., L] for as many children at once.

    Raises:
        InputError: the parents differ in length, or are not whole genes.
    """
    if mother.shape != father.shape:
        raise InputError(f"crossover: parents of {mother.shape[-1]} and {father.shape[-1]} nucleotides")
    maternal, paternal = as_genes(mother, gene_format), as_genes(father, gene_format)
    from_mother = rng.integers(2, size=(*maternal.shape[:-1], 1), dtype=np.uint8).view(np.bool_)
    return np.where(from_mother, maternal, paternal).reshape(mother.shape)


def blend(strands: Digits, shares: FloatArray, *, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """Return the genome [L] whose weights are the mean of the parents' [P, L], weighted by shares [P].

    Meant for parents that write the same synapses in the same places: source and sink are the first parent's.
    Source: intermediate recombination of evolution strategies (Rechenberg 1994; Beyer and Schwefel 2002).
    """
    genes = read_genes(strands, gene_format)
    mean = np.rint((shares / shares.sum()) @ genes.raw).astype(np.int64)
    return write_genes(Genes(genes.source[0], genes.sink[0], mean), gene_format)
