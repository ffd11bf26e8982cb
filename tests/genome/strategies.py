"""Hypothesis strategies for genomes, shared by the tests of genomes and of networks."""

import numpy as np
from hypothesis import strategies as st

from neche.genome import dna


def genomes(
    min_genes: int = 1, max_genes: int = 12, alphabet: str = dna.NUCLEOTIDES
) -> st.SearchStrategy[dna.Digits]:
    genes = st.text(alphabet=alphabet, min_size=16, max_size=16)
    return st.lists(genes, min_size=min_genes, max_size=max_genes).map(
        lambda parts: dna.encode("".join(parts))
    )


def generators() -> st.SearchStrategy[np.random.Generator]:
    return st.integers(0, 2**32).map(np.random.default_rng)
