"""Compiled code that finds the synapses that the genes of many genomes wire; of two genes the later counts.

Symbols: P genomes, G genes of one genome, S synapses of all genomes.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from neche.compiled.bits import lowest_index
from neche.compiled.jit import I64, Array, Bool, jit_allocating, jit_inlined
from neche.genome.dna import Units, gene_number

GeneShape: TypeAlias = tuple[I64, I64, I64, I64, I64]  # see `Topology.gene_shape`
_WORD = 64


class _Written(NamedTuple):
    """The synapses that a genome writes.

    words: [G] int64 – its genes. gene: [sinks + 1, ids] int32 – the last gene for each sink and source.
    sources: [sinks + 1, words] uint64 – a bit for each source of a sink. Sinks are numbered from layer 1 on;
    the last row is for genes that are not allowed, and is never read.
    """

    words: Array
    gene: Array
    sources: Array


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


@jit_allocating
def _on_path(ends: Array, alike: Array, source: Array, sink: Array, counts: Array, shape: GeneShape) -> Array:
    """Return which synapses lie on a path of those that count [S] from an input to the output: [S] bool."""
    _, _, layer1, _, output = shape
    live, (fed, heard) = np.zeros(len(counts), np.bool_), np.zeros((2, output + 1), np.bool_)
    for genome in range(len(ends) - 1):
        begin, end = ends[genome], ends[genome + 1]
        before = 2 * begin - end
        if alike[genome] and np.array_equal(counts[begin:end], counts[before:begin]):
            live[begin:end] = live[before:begin]
            continue
        for neuron in range(output + 1):
            fed[neuron], heard[neuron] = neuron < layer1, neuron == output
        # Sorted by sink, and lower stages have lower ids: synapses into a neuron come before those out of it.
        for at in range(begin, end):
            if counts[at] and fed[source[at]]:
                fed[sink[at]] = True
        for at in range(end - 1, begin - 1, -1):
            if counts[at] and heard[sink[at]]:
                heard[source[at]], live[at] = True, fed[source[at]]
    return live


@jit_allocating
def wire_genes(
    units: Units, num_genomes: I64, shape: GeneShape, any_weight: Bool
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return the allowed synapses that genomes, end to end, write, by (genome, sink, source), each once.

    A synapse is allowed if it leaves a lower stage than it enters; ids beyond the output never are. The last
    gene for a synapse counts. Returns ends [P + 1] int64: genome p has synapses ends[p] … ends[p + 1] − 1;
    and [S] int32 each: place of the gene, source, sink and raw weight, see `genome.dna.Genes`; and [S] bool:
    whether it lies on a path from an input to the output. any_weight: even through weights of 0.
    """
    id_digits, weight_digits, layer1, _, output = shape
    num_genes = len(units.numbers) // len(units.shifts) // max(1, num_genomes)
    num_ids, num_rows = 1 << 2 * id_digits, output - layer1 + 2
    written = _Written(
        np.zeros(num_genes, np.int64),
        np.empty((num_rows, num_ids), np.int32),
        np.zeros((num_rows, (num_ids + _WORD - 1) // _WORD), np.uint64),
    )
    ends, total = np.zeros(num_genomes + 1, np.int64), np.int64(0)
    alike = np.zeros(num_genomes, np.bool_)
    place, source, sink, raw = np.empty((4, num_genomes * num_genes), np.int32)
    for genome in range(num_genomes):
        begin = total
        alike[genome] = _read_genes(units, genome, shape, written.words)
        if alike[genome]:
            # The synapses of the previous genome with other weights, as in an evolution strategy.
            total += begin - ends[max(0, genome - 1)]
            for column in (place, source, sink):
                column[begin:total] = column[2 * begin - total : begin]
        else:
            _note_genes(written, shape)
            for row in range(num_rows - 1):
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
        ends[genome + 1] = total
    counts = raw[:total] != 1 << (2 * weight_digits - 1)
    live = _on_path(ends, alike, source, sink, counts | any_weight, shape)
    return ends, place[:total], source[:total], sink[:total], raw[:total], live


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
