"""Mutations: each takes a genome [L] and returns a new one of the same length.

The strand given is never changed. Every draw comes from the `rng` given, which is advanced.
Point mutation and translocation are the original program's; duplication, creep and renewal are ours.
"""

import numpy as np

from neche.genome.dna import NUCLEOTIDES, Digits
from neche.genome.gene import GENE_FORMAT, WEIGHT_SCALE, GeneFormat, as_genes, read_genes, write_genes

_NUM_LETTERS = len(NUCLEOTIDES)


def point_mutation(digits: Digits, rate: float, rng: np.random.Generator) -> Digits:
    """Redraw each nucleotide with probability `rate`; it may be redrawn as itself."""
    child = digits.copy()
    hit = np.flatnonzero(rng.random(digits.size) < rate)
    child[hit] = rng.integers(_NUM_LETTERS, size=hit.size, dtype=np.uint8)
    return child


def translocate(digits: Digits, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """Cut out one run of whole genes and put it back at another gene border, so that the strand changes.

    The two ends of the run and the border are uniform; a draw that leaves the text as it was is drawn anew.
    A genome whose genes are all alike cannot change and is returned as it is.
    """
    genes = as_genes(digits, gene_format)
    if (genes == genes[:1]).all():
        return digits.copy()
    while True:
        child = _move_run(genes, rng)
        if not np.array_equal(child, genes):
            return child.reshape(-1)


def _move_run(genes: Digits, rng: np.random.Generator) -> Digits:
    """One draw of a translocation on genes [G, nucleotides]; may put the run back where it was."""
    num_genes = len(genes)
    begin, end = sorted(rng.integers(num_genes + 1, size=2).tolist())
    border = int(rng.integers(num_genes - (end - begin) + 1))
    run = genes[begin:end]
    if border <= begin:
        parts = (genes[:border], run, genes[border:begin], genes[end:])
    else:
        after = border + (end - begin)
        parts = (genes[:begin], genes[end:after], run, genes[after:])
    return np.concatenate(parts)


def duplicate_genes(
    digits: Digits,
    count: int,
    source_rate: float,
    sink_rate: float,
    rng: np.random.Generator,
    *,
    gene_format: GeneFormat = GENE_FORMAT,
) -> Digits:
    """Copy a random gene over a random other slot, `count` times, one after the other.

    With probability `source_rate` the copy gets a new uniform source neuron and, independently, with
    probability `sink_rate` a new uniform sink neuron. So a working synapse spreads to other squares with its
    weight kept.
    """
    child = digits.copy()
    genes = as_genes(child, gene_format)
    num_genes, ids = len(genes), gene_format.id_digits
    if num_genes < 2:
        return child
    originals = rng.integers(num_genes, size=count)
    slots = (originals + rng.integers(1, num_genes, size=count)) % num_genes
    new_source, new_sink = (rng.random((2, count)) < [[source_rate], [sink_rate]]).tolist()
    letters = rng.integers(_NUM_LETTERS, size=(count, 2 * ids), dtype=np.uint8)
    for index, (original, slot) in enumerate(zip(originals.tolist(), slots.tolist(), strict=True)):
        genes[slot] = genes[original]
        if new_source[index]:
            genes[slot, :ids] = letters[index, :ids]
        if new_sink[index]:
            genes[slot, ids : 2 * ids] = letters[index, ids:]
    return child


def creep_weights(
    digits: Digits,
    count: int,
    sd: float,
    rng: np.random.Generator,
    *,
    gene_format: GeneFormat = GENE_FORMAT,
) -> Digits:
    """Add a normal step to the weights of `count` random different genes (all of them when there are fewer).

    sd: weight units – standard deviation of a step; the raw weight is rounded and kept within its digits.
    """
    child = digits.copy()
    genes = as_genes(child, gene_format)
    chosen = rng.permutation(len(genes))[:count]
    old = read_genes(genes[chosen].reshape(-1), gene_format)
    steps = np.rint(rng.normal(0.0, sd * WEIGHT_SCALE, size=chosen.size)).astype(np.int64)
    raw = np.clip(old.raw + steps, 0, gene_format.num_raw - 1)
    genes[chosen] = as_genes(write_genes(old._replace(raw=raw), gene_format), gene_format)
    return child


def renew_genes(
    digits: Digits, rate: float, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT
) -> Digits:
    """Replace each whole gene by a random one with probability `rate`."""
    child = digits.copy()
    genes = as_genes(child, gene_format)
    hit = np.flatnonzero(rng.random(len(genes)) < rate)
    genes[hit] = rng.integers(_NUM_LETTERS, size=(hit.size, gene_format.length), dtype=np.uint8)
    return child
