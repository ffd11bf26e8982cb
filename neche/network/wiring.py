"""Compiled code that finds the synapses that the genes of many genomes wire; of two genes the later counts.

Symbols: P genomes, G genes of one genome, S synapses of all genomes.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from neche.compiled.bits import lowest_index
from neche.compiled.jit import I64, Array, Bool, jit, jit_allocating, jit_inlined
from neche.genome.dna import Units, gene_number

GeneShape: TypeAlias = tuple[I64, I64, I64, I64, I64]  # see `Topology.gene_shape`
_WORD = 64


class _Written(NamedTuple):
    """The synapses that a genome writes.

    words: [G] int64 – its genes. gene: [sinks + 1, ids] int32 – the last gene for each sink and source.
    sources: [sinks + 1, words] uint64 – a bit for each source of a sink. Sinks are numbered from layer 1 on;
    the last row is for genes that are not allowed, and is never read. fed, heard: [neurons] bool – whether a
    path from an input, or to the output, reaches it. alike: [P] bool – of all genomes, see `_read_genes`.
    """

    words: Array
    gene: Array
    sources: Array
    fed: Array
    heard: Array
    alike: Array


class _Synapses(NamedTuple):
    """Room for the synapses of all genomes, see `wire_genes`. counts: [S] bool – by their weight."""

    ends: Array
    place: Array
    source: Array
    sink: Array
    raw: Array
    counts: Array
    live: Array


@jit_inlined
def _ids(word: I64, shape: GeneShape) -> tuple[I64, I64]:
    """Return source and sink of a gene."""
    id_digits, weight_digits, _, _, _ = shape
    ids = word >> 2 * weight_digits
    return ids >> 2 * id_digits, ids & ((1 << 2 * id_digits) - 1)


@jit_inlined
def _read_genes(units: Units, genome: I64, shape: GeneShape, words: Array) -> Bool:
    """Read the genes [G] of a genome; return whether they name the same neurons as those read before."""
    change = np.int64(0)
    for gene in range(len(words)):
        number = gene_number(units, genome * len(words) + gene)
        change |= number ^ words[gene]
        words[gene] = number
    return change >> 2 * shape[1] == 0


@jit_inlined
def _note_genes(written: _Written, shape: GeneShape) -> None:
    """Note the last of a genome's genes for each synapse."""
    _, _, layer1, layer2, output = shape
    words, silent = written.words, len(written.gene) - 1
    for gene in range(len(words)):
        leaves, enters = _ids(words[gene], shape)
        # Without branches, since about half of all random genes are allowed.
        is_higher = (leaves < layer1) | ((leaves < layer2) & (layer2 <= enters)) | (leaves < output == enters)
        is_higher &= (layer1 <= enters) & (enters <= output)
        row = enters - layer1 if is_higher else silent
        written.gene[row, leaves] = gene
        written.sources[row, leaves // _WORD] |= np.uint64(1) << np.uint64(leaves % _WORD)


@jit
def _note_paths(synapses: _Synapses, written: _Written, shape: GeneShape) -> None:
    """Note which synapses lie on a path of those that count from an input to the output."""
    _, _, layer1, _, output = shape
    ends, _, source, sink, _, counts, live = synapses
    fed, heard = written.fed, written.heard
    for genome in range(len(ends) - 1):
        begin, end = ends[genome], ends[genome + 1]
        before = 2 * begin - end
        # Loops here and below, since numba compiles seconds longer for assignments to slices.
        is_repeated = written.alike[genome]
        for at in range(begin, end if is_repeated else begin):
            is_repeated &= counts[at] == counts[at - begin + before]
        if is_repeated:
            for at in range(begin, end):
                live[at] = live[at - begin + before]
            continue
        for neuron in range(output + 1):
            fed[neuron], heard[neuron] = neuron < layer1, neuron == output
        # Sorted by sink, and lower stages have lower ids: synapses into a neuron come before those out of it.
        for at in range(begin, end):
            live[at] = False
            if counts[at] and fed[source[at]]:
                fed[sink[at]] = True
        for at in range(end - 1, begin - 1, -1):
            if counts[at] and heard[sink[at]]:
                heard[source[at]], live[at] = True, fed[source[at]]


def wire_genes(
    units: Units, num_genomes: int, shape: GeneShape, any_weight: bool
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return the allowed synapses that genomes, end to end, write, by (genome, sink, source), each once.

    A synapse is allowed if it leaves a lower stage than it enters; ids beyond the output never are. The last
    gene for a synapse counts. Returns ends [P + 1] int64: genome p has synapses ends[p] … ends[p + 1] − 1;
    and [S] int32 each: place of the gene, source, sink and raw weight, see `genome.dna.Genes`; and [S] bool:
    whether it lies on a path from an input to the output. any_weight: even through weights of 0.
    """
    id_digits, _, layer1, _, output = shape
    num_ids, num_rows = 1 << 2 * id_digits, output - layer1 + 2
    num_genes = len(units.numbers) // len(units.shifts) // max(1, num_genomes)
    written = _Written(
        np.zeros(num_genes, np.int64),
        np.empty((num_rows, num_ids), np.int32),
        np.zeros((num_rows, -(-num_ids // _WORD)), np.uint64),
        np.empty(output + 1, np.bool_),
        np.empty(output + 1, np.bool_),
        np.empty(num_genomes, np.bool_),
    )
    columns = np.empty((4, num_genomes * num_genes), np.int32)
    flags = np.empty((2, num_genomes * num_genes), np.bool_)
    synapses = _Synapses(np.zeros(num_genomes + 1, np.int64), *columns, *flags)
    _wire(units, shape, any_weight, written, synapses)
    ends, *of_synapse = synapses
    place, source, sink, raw, _, live = (column[: ends[-1]] for column in of_synapse)
    return ends, place, source, sink, raw, live


@jit
def _wire(units: Units, shape: GeneShape, any_weight: Bool, written: _Written, synapses: _Synapses) -> None:
    _, weight_digits, layer1, _, _ = shape
    ends, place, source, sink, raw, counts, _ = synapses
    total = np.int64(0)
    for genome in range(len(ends) - 1):
        begin = total
        written.alike[genome] = _read_genes(units, genome, shape, written.words)
        if written.alike[genome]:
            # The synapses of the previous genome with other weights, as in an evolution strategy.
            before = ends[genome - 1] if genome > 0 else begin
            total += begin - before
            for at in range(begin, total):
                old = at - begin + before
                place[at], source[at], sink[at] = place[old], source[old], sink[old]
        else:
            _note_genes(written, shape)
            for row in range(len(written.sources) - 1):
                for part in range(written.sources.shape[1]):
                    left = written.sources[row, part]
                    written.sources[row, part] = 0
                    while left:
                        leaves = _WORD * part + lowest_index(left)
                        left &= np.uint64(left - np.uint64(1))
                        place[total], source[total] = written.gene[row, leaves], leaves
                        sink[total] = layer1 + row
                        total += 1
        for at in range(begin, total):
            raw[at] = written.words[place[at]] & ((1 << 2 * weight_digits) - 1)
            counts[at] = any_weight or raw[at] != 1 << (2 * weight_digits - 1)
        ends[genome + 1] = total
    _note_paths(synapses, written, shape)


@jit_allocating
def enters_output(units: Units, num_genomes: I64, shape: GeneShape) -> Array:
    """Return whether an allowed synapse of each genome enters the output neuron: [P] bool."""
    _, _, _, _, output = shape
    found = np.zeros(num_genomes, np.bool_)
    num_genes = len(units.numbers) // len(units.shifts) // max(1, num_genomes)
    for genome in range(num_genomes):
        for gene in range(genome * num_genes, (genome + 1) * num_genes):
            leaves, enters = _ids(gene_number(units, gene), shape)
            if enters == output and leaves < output:
                found[genome] = True
                break
    return found
