"""Crossover: a child takes each whole gene from one of two parents."""

import numpy as np

from neche.errors import InputError
from neche.genome.dna import Digits
from neche.genome.gene import GENE_FORMAT, GeneFormat, as_genes


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
