"""Which synapses the genes of many genomes wire, in compiled code: one after another, the later gene counts.

Symbols: P genomes, L nucleotides, G genes of one genome, S synapses of all genomes.
"""

from typing import TypeAlias

import numpy as np

from neche.compiled.jit import I64, Array, jit_allocating, jit_inlined

GeneShape: TypeAlias = tuple[I64, I64, I64, I64, I64]  # see `Topology.gene_shape`
_BASE = 4


@jit_inlined
def _number(digits: Array, begin: I64, count: I64) -> I64:
    number = np.int64(0)
    for place in range(begin, begin + count):
        number = number * _BASE + digits[place]
    return number


@jit_allocating
def wire_genes(population: Array, shape: GeneShape) -> tuple[Array, Array, Array, Array, Array]:
    """Return the allowed synapses that genomes [P, L] write, by (genome, sink, source), each at most once.

    Allowed is what leaves a lower stage than it enters; ids beyond the output never do. Of the genes for one
    synapse the last writes it. Returns ends [P + 1] int64: those of genome p are ends[p] … ends[p + 1] − 1;
    and [S] int32 each: place of the gene, source, sink and raw weight, see `genome.dna.Genes`.
    """
    id_digits, weight_digits, layer1, layer2, output = shape
    length = 2 * id_digits + weight_digits
    num_genes = population.shape[1] // length
    ends, total = np.zeros(len(population) + 1, np.int64), np.int64(0)
    place, source, sink, raw = np.empty((4, len(population) * num_genes), np.int32)
    # One more than the number of the gene that wrote a synapse, by sink and source.
    last, is_entered = np.zeros((output + 1, output + 1), np.int32), np.zeros(output + 1, np.bool_)
    for genome in range(len(population)):
        digits = population[genome]
        for gene in range(num_genes):
            leaves = _number(digits, gene * length, id_digits)
            enters = _number(digits, gene * length + id_digits, id_digits)
            is_higher = leaves < layer1 <= enters or leaves < layer2 <= enters or leaves < output <= enters
            if is_higher and enters <= output:
                last[enters, leaves], is_entered[enters] = gene + 1, True
        for enters in range(output + 1):
            # A lower stage has lower ids.
            for leaves in range(enters if is_entered[enters] else 0):
                gene = last[enters, leaves] - 1
                if gene >= 0:
                    place[total], source[total], sink[total] = gene, leaves, enters
                    raw[total] = _number(digits, gene * length + 2 * id_digits, weight_digits)
                    total, last[enters, leaves] = total + 1, 0
            is_entered[enters] = False
        ends[genome + 1] = total
    return ends, place[:total], source[:total], sink[:total], raw[:total]


@jit_allocating
def enters_output(population: Array, shape: GeneShape) -> Array:
    """Return of each genome [P, L] whether an allowed synapse enters the output neuron: [P] bool."""
    id_digits, weight_digits, _, _, output = shape
    found = np.zeros(len(population), np.bool_)
    for genome in range(len(population)):
        digits = population[genome]
        for begin in range(0, len(digits), 2 * id_digits + weight_digits):
            sink = _number(digits, begin + id_digits, id_digits)
            if sink == output and _number(digits, begin, id_digits) < output:
                found[genome] = True
                break
    return found


@jit_allocating
def on_path(ends: Array, source: Array, sink: Array, counts: Array, shape: GeneShape) -> Array:
    """Return which synapses of `wire_genes` lie on a path, of those that count [S], from input to output."""
    _, _, layer1, _, output = shape
    live, ids = np.zeros(len(counts), np.bool_), np.arange(output + 1)
    for genome in range(len(ends) - 1):
        fed, heard = ids < layer1, ids == output
        begin, end = ends[genome], ends[genome + 1]
        # Two hidden stages, so two passes settle each direction.
        for _ in range(2):
            for at in range(begin, end):
                if counts[at]:
                    fed[sink[at]] |= fed[source[at]]
                    heard[source[at]] |= heard[sink[at]]
        for at in range(begin, end):
            live[at] = counts[at] and fed[source[at]] and heard[sink[at]]
    return live
