"""The genetic operators: crossover and mutation.

Each returns new genomes of the same length and never changes its arguments. Every draw comes from the given
`rng`, which is advanced. All but translocation take one genome [L] or a population [P, L], and treat every
genome independently, in a tenth of the time that one genome after another would take.

Crossover, point mutation and translocation come from the original program; duplication, creep and renewal are
ours.

Symbols: P genomes, L nucleotides, G genes of one genome.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from neche.compiled.jit import I64, Array, jit
from neche.errors import InputError
from neche.genome.dna import (
    GENE_FORMAT,
    NUCLEOTIDES,
    WEIGHT_SCALE,
    Digits,
    GeneFormat,
    Units,
    as_genes,
    gene_number,
    put_gene,
    read_genes,
    units_of,
    write_genes,
)

_NUM_LETTERS = len(NUCLEOTIDES)
_DRAWS_AT_ONCE = 1 << 18
# Few enough for a core's cache; a multiple of 4, so that the draws are the same as if made all at once.
_CROSSED_AT_ONCE = 256

FloatArray: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = int | npt.NDArray[np.int64]
"""How many genes to change: one number for all genomes, or one per genome [...]."""


def cross(
    mother: Digits, father: Digits, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT
) -> Digits:
    """Align the parents' genes and take each from either parent with probability ½.

    mother, father: [L], or [..., L] for as many children at once. InputError if they differ in length, or are
    not whole genes.
    """
    if mother.shape != father.shape:
        raise InputError(f"crossover: the parents have {mother.shape[-1]} and {father.shape[-1]} nucleotides")
    parents = np.stack([mother, father]).reshape(-1, mother.shape[-1])
    couples = np.arange(len(parents)).reshape(2, -1).T
    return cross_couples(parents, couples, rng, gene_format=gene_format).reshape(mother.shape)


def cross_couples(
    strands: Sequence[Digits] | Digits,
    couples: npt.NDArray[np.int64],
    rng: np.random.Generator,
    *,
    gene_format: GeneFormat = GENE_FORMAT,
) -> Digits:
    """Return the children [C, L] that `cross` makes of couples [C, 2], given as numbers of genomes [P, L]."""
    # Several nucleotides at once: a complex number is the largest that NumPy moves as a unit.
    unit = np.uint16 if gene_format.length % 16 else np.complex128
    parents, numbers = np.unique(couples, return_inverse=True)
    genes = as_genes(np.concatenate([strands[one] for one in parents.tolist()]), gene_format).view(unit)
    num_genes = len(genes) // len(parents)
    children = np.empty((len(couples), num_genes, *genes.shape[1:]), unit)
    for begin in range(0, len(couples), _CROSSED_AT_ONCE):
        part = slice(begin, begin + _CROSSED_AT_ONCE)
        maternal, paternal = num_genes * numbers.reshape(-1, 2, 1)[part].swapaxes(0, 1)
        # One bit per gene, not per nucleotide: genes are inherited whole.
        from_mother = rng.integers(2, size=(len(maternal), num_genes), dtype=np.uint8)
        # Arithmetic instead of a branch: no processor can predict a random choice.
        place = from_mother * (maternal - paternal) + (paternal + np.arange(num_genes))
        np.take(genes, place, axis=0, out=children[part], mode="clip")
    return children.view(np.uint8).reshape(len(couples), -1)


def blend(strands: Digits, shares: FloatArray, *, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """Return the genome [L] whose weights are the mean of the parents' [P, L], weighted by shares [P].

    Meant for parents that write the same synapses in the same places: source and sink are the first parent's.
    Source: intermediate recombination of evolution strategies (Rechenberg 1994; Beyer and Schwefel 2002).
    """
    mean = np.rint((shares / shares.sum()) @ read_genes(strands, gene_format).raw).astype(np.int64)
    return write_genes(read_genes(strands[0], gene_format)._replace(raw=mean), gene_format)


def point_mutation(digits: Digits, rate: float, rng: np.random.Generator) -> Digits:
    """Redraw each nucleotide with probability `rate`; it may be redrawn as itself."""
    letters = digits.flatten()
    # In pieces that fit in a core's cache; the draws are the same.
    hits = [
        begin + np.flatnonzero(rng.random(min(_DRAWS_AT_ONCE, letters.size - begin), dtype=np.float32) < rate)
        for begin in range(0, letters.size, _DRAWS_AT_ONCE)
    ]
    hit = np.concatenate([np.empty(0, np.int64), *hits])
    letters[hit] = rng.integers(_NUM_LETTERS, size=hit.size, dtype=np.uint8)
    return letters.reshape(digits.shape)


def translocate(digits: Digits, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """Cut out one run of whole genes and reinsert it at another gene border, so that the strand changes.

    The two ends of the run and the border are uniform; a draw that changes nothing is repeated.
    A genome whose genes are all the same cannot change and is returned as it is.
    """
    genes = as_genes(digits, gene_format)
    if (genes == genes[:1]).all():
        return digits.copy()
    num_genes = len(genes)
    while True:
        begin, end = sorted(rng.integers(num_genes + 1, size=2).tolist())
        border = int(rng.integers(num_genes - (end - begin) + 1))
        rest = np.concatenate((genes[:begin], genes[end:]))
        child = np.concatenate((rest[:border], genes[begin:end], rest[border:]))
        if not np.array_equal(child, genes):
            return child.reshape(-1)


def duplicate_genes(
    digits: Digits,
    count: Counts,
    source_rate: float,
    sink_rate: float,
    rng: np.random.Generator,
    *,
    gene_format: GeneFormat = GENE_FORMAT,
) -> Digits:
    """Copy a random gene over another random slot, `count` times in sequence.

    With probability `source_rate` the copy gets a new uniform source neuron and, independently, with
    probability `sink_rate` a new uniform sink neuron. So a working synapse spreads to other squares and keeps
    its weight.
    """
    genes = as_genes(np.array(digits, ndmin=2), gene_format)
    num_genes = genes.shape[1]
    if num_genes < 2:
        return genes.reshape(digits.shape)
    ids = gene_format.id_digits
    # Each pass makes one copy in every genome, so that a later copy may copy an earlier one.
    left = np.broadcast_to(count, digits.shape[:-1]).reshape(-1).copy()
    while (row := np.flatnonzero(left > 0)).size:
        original = rng.integers(num_genes, size=row.size)
        # Never the gene's own slot: an offset of 1 to G − 1.
        slot = (original + rng.integers(1, num_genes, size=row.size)) % num_genes
        copies = genes[row, original]
        redrawn = rng.random((row.size, 2)) < (source_rate, sink_rate)
        # Drawn whether used or not, so that later draws do not depend on the rates.
        letters = rng.integers(_NUM_LETTERS, size=(row.size, 2 * ids), dtype=np.uint8)
        copies[:, : 2 * ids] = np.where(redrawn.repeat(ids, axis=1), letters, copies[:, : 2 * ids])
        genes[row, slot] = copies
        left[row] -= 1
    return genes.reshape(digits.shape)


def creep_weights(
    digits: Digits,
    count: Counts,
    sd: float,
    rng: np.random.Generator,
    *,
    gene_format: GeneFormat = GENE_FORMAT,
) -> Digits:
    """Add a normal step to the weights of `count` distinct random genes (all of them if there are fewer).

    sd: weight units – standard deviation of a step; the raw weight is rounded and clipped to its digits.
    """
    genes = as_genes(np.array(digits, ndmin=2), gene_format)
    num_genes = genes.shape[1]
    counts = np.broadcast_to(np.minimum(count, num_genes), digits.shape[:-1]).reshape(-1).astype(np.int64)
    chosen, end = np.empty(counts.sum(), np.int64), 0
    size = max(1, _DRAWS_AT_ONCE // max(1, num_genes))
    for first in range(0, len(genes), size):
        part = counts[first : first + size]
        begin, end = end, end + int(part.sum())
        _choose_genes(rng.random((len(part), num_genes), dtype=np.float32), part, chosen[begin:end])
        chosen[begin:end] += first * num_genes
    every = genes.reshape(-1, gene_format.length)
    old = read_genes(every[chosen].reshape(-1), gene_format)
    steps = np.rint(rng.normal(0.0, sd * WEIGHT_SCALE, size=chosen.size)).astype(np.int64)
    raw = np.clip(old.raw + steps, 0, gene_format.num_raw - 1)
    every[chosen] = as_genes(write_genes(old._replace(raw=raw), gene_format), gene_format)
    return genes.reshape(digits.shape)


@jit
def _choose_genes(lots: Array, counts: Array, chosen: Array) -> None:
    """Choose the `counts` [P] genes of each genome with the lowest lots [P, G], the lowest first."""
    begin, num_genes = 0, lots.shape[1]
    for genome in range(len(counts)):
        first, last = genome * num_genes, begin + counts[genome] - 1
        highest = np.inf if last >= begin else 0.0
        for gene in range(first, first + num_genes):
            lot = lots[genome, gene - first]
            # If lots are equal, the earlier gene comes first.
            if lot >= highest:
                continue
            at = min(begin + gene - first, last)
            while at > begin and lots[genome, chosen[at - 1] - first] > lot:
                chosen[at] = chosen[at - 1]
                at -= 1
            chosen[at] = gene
            if begin + gene - first >= last:
                highest = lots[genome, chosen[last] - first]
        begin = last + 1


def renew_genes(
    digits: Digits, rate: float, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT
) -> Digits:
    """Replace each whole gene by a random one with probability `rate`."""
    genes = as_genes(digits.flatten(), gene_format)
    hit = np.flatnonzero(rng.random(len(genes)) < rate)
    genes[hit] = rng.integers(_NUM_LETTERS, size=(hit.size, gene_format.length), dtype=np.uint8)
    return genes.reshape(digits.shape)


def shift_weights(digits: Digits, steps: FloatArray, *, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """Add `steps` [C, G], weight units, to the weights of a genome [L]: a new genome for each row of steps.

    The raw weights are rounded and clipped to their digits.
    """
    shifted = np.empty((len(steps), len(digits)), np.uint8)
    units, most = units_of(shifted, gene_format), gene_format.num_raw - 1
    numbers = np.empty(steps.shape[1], np.int64)
    _write_shifted(units_of(digits, gene_format), steps, most, numbers, units)
    return shifted


@jit
def _write_shifted(genome: Units, steps: Array, most: I64, numbers: Array, shifted: Units) -> None:
    """Write copies of a genome with its raw weights, the lowest bits of each gene, moved by steps [C, G].

    numbers: room for its genes [G].
    """
    num_genes = len(numbers)  # not the length of steps: so several genes are written at once, 4 times as fast
    for gene in range(num_genes):
        numbers[gene] = gene_number(genome, gene)
    for child in range(len(steps)):
        for gene in range(num_genes):
            number = numbers[gene]
            raw = number & most
            moved = min(max(np.rint(raw + steps[child, gene] * WEIGHT_SCALE), 0.0), np.float64(most))
            put_gene(shifted, child * num_genes + gene, number - raw + np.int64(moved))
