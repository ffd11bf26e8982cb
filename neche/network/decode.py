"""Decode genomes into networks: the allowed synapses, the later gene replacing the earlier.

Of strands every place is one synapse, and all of them are there. `decode` gives the network of a genome,
`viable_members` and `wired_genes` say of genomes what can be said without one, and the hand-made networks
(material, blind, one weight a square) stand at the end.

Symbols: P genomes, L nucleotides, G genes of one genome, S synapses of one network.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from neche.errors import InputError
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, read_genes, write_genes
from neche.genome.strands import RAW_STEP, read_weights, split_weights
from neche.network.topology import ORIGINAL, Topology, topology_for

Perspective = Literal["own", "antisymmetric", "mover"]

PERSPECTIVES: tuple[Perspective, ...] = ("own", "antisymmetric")
"""Of genes. own: value = f(own view). antisymmetric: value = f(own view) − f(opponent's view)."""
DENSE_PERSPECTIVE: Perspective = "mover"
"""Of strands. View and value are those of the side to move, whichever side the network plays for."""

# Genomes decoded at once: large populations would otherwise need 50 kB each while they are read.
_BATCH = 256


@dataclass(frozen=True, eq=False)
class Network:
    """The synapses that a genome wires, sorted by (sink, source), each pair at most once.

    topology: neurons there are
    source, sink: [S] int32 – neuron ids
    weight: [S] int32, ten-thousandths of a weight unit – raw weight − 2^19
    live: [S] bool – weight is not zero, and the synapse lies on a path of such synapses from a sensor or bias
        to the output; all others cannot change any value
    perspective: part of the network's identity, see PERSPECTIVES and DENSE_PERSPECTIVE
    mobility: ten-thousandths of a weight unit – worth of a move, in a hand-made evaluator; DNA writes none
    """

    topology: Topology
    source: npt.NDArray[np.int32]
    sink: npt.NDArray[np.int32]
    weight: npt.NDArray[np.int32]
    live: npt.NDArray[np.bool_]
    perspective: Perspective
    mobility: int = 0

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that change whenever any value may."""
        live = np.stack([self.source[self.live], self.sink[self.live], self.weight[self.live]]).astype("<i8")
        content = f"{self.perspective} {self.topology}".encode() + live.tobytes()
        if self.mobility:
            content += f"mobility {self.mobility}".encode()
        return hashlib.sha256(content).hexdigest()[:16]


def decode(digits: Digits, *, perspective: Perspective = "own", topology: Topology = ORIGINAL) -> Network:
    """Decode one genome [L].

    Raises:
        InputError: the genome is not whole genes or strands, or the perspective is unknown or does not fit.
    """
    return decode_population(digits[None], perspective=perspective, topology=topology)[0]


def decode_population(
    population: Digits | Sequence[Digits],
    *,
    perspective: Perspective = "own",
    topology: Topology = ORIGINAL,
) -> list[Network]:
    """Decode genomes of equal length, [P, L]: about 15 times faster than one by one.

    Raises:
        InputError: the genomes differ in length or are not whole genes or strands, or the perspective is
            unknown or does not fit.
    """
    _check_fits(check_perspective(perspective), topology)
    if len({len(digits) for digits in population}) > 1:
        raise InputError("population: the genomes differ in length")
    networks: list[Network] = []
    for begin in range(0, len(population), _BATCH):
        strands = np.asarray(population[begin : begin + _BATCH], dtype=np.uint8)
        if topology.is_dense:
            networks += _decode_strands(strands, topology)
        else:
            networks += _decode_batch(strands, perspective, topology)
    return networks


def _decode_strands(strands: Digits, topology: Topology) -> list[Network]:
    source, sink, place = topology.dense_synapses
    steps = read_weights(strands, topology.strand_format)[:, place]
    weights = steps * np.int32(RAW_STEP)
    # the path of a hidden neuron: a weight in, and one out
    layers = split_weights(read_weights(strands, topology.strand_format), topology.strand_format)
    is_heard = layers.out != 0
    is_fed = (layers.bias != 0) | (layers.hidden != 0).any(axis=-1)
    live = steps != 0
    num_in = topology.layer1 * topology.first_layer1
    live[:, :num_in] &= np.repeat(is_heard, topology.first_layer1, axis=1)
    live[:, num_in + topology.first_layer1 :] &= is_fed
    return [
        Network(topology, source, sink, weight, alive, DENSE_PERSPECTIVE)
        for weight, alive in zip(weights, live, strict=True)
    ]


def _decode_batch(strands: Digits, perspective: Perspective, topology: Topology) -> list[Network]:
    genes = read_genes(strands, topology.gene_format)
    owner, place, source, sink = _last_genes(genes, topology)
    weight = genes.raw[owner, place] - WEIGHT_ZERO
    live = _on_path(owner * topology.num_neurons, source, sink, weight != 0, topology)
    sources, sinks, weights = (array.astype(np.int32) for array in (source, sink, weight))
    ends = np.searchsorted(owner, np.arange(len(strands) + 1)).tolist()
    parts = [slice(begin, end) for begin, end in pairwise(ends)]
    return [
        Network(topology, sources[part], sinks[part], weights[part], live[part], perspective)
        for part in parts
    ]


def check_perspective(text: str) -> Perspective:
    """Return `text` when it names a perspective.

    Raises:
        InputError: it does not.
    """
    known = (*PERSPECTIVES, DENSE_PERSPECTIVE)
    for perspective in known:
        if text == perspective:
            return perspective
    raise InputError(f"perspective {text!r} is not one of {', '.join(known)}")


def _check_fits(perspective: Perspective, topology: Topology) -> None:
    if topology.is_dense != (perspective == DENSE_PERSPECTIVE):
        kind = "strands" if topology.is_dense else "genes"
        raise InputError(
            f"perspective {perspective} does not fit the topology {topology.words} of {kind}: "
            "strands need the perspective mover, and it needs strands"
        )


_Numbers = npt.NDArray[np.int64]


def _last_genes(genes: Genes, topology: Topology) -> tuple[_Numbers, _Numbers, _Numbers, _Numbers]:
    """Give genome, place in it, source and sink of the genes that write synapses, sorted by synapse.

    genes: [P, G]. A synapse is (genome, sink, source); of the genes for one only the last writes it. One
    integer holds synapse and place of the gene, so that a single sort brings the genes of one synapse side
    by side with the last of them at the end.
    """
    num_genes, num_ids = genes.raw.shape[1], topology.gene_format.num_ids
    # only allowed synapses, as (genome, place of the gene)
    flat = np.flatnonzero(topology.allowed(genes.source, genes.sink))
    owner, place = np.divmod(flat, max(num_genes, 1))
    pair = (owner * num_ids + genes.sink.reshape(-1)[flat]) * num_ids + genes.source.reshape(-1)[flat]
    key = np.sort(pair * num_genes + place)
    pair, place = np.divmod(key, max(num_genes, 1))
    # of equal pairs only the last gene counts
    last = np.ones(len(pair), dtype=np.bool_)
    np.not_equal(pair[1:], pair[:-1], out=last[:-1])
    owner, ids = np.divmod(pair[last], num_ids * num_ids)
    sink, source = np.divmod(ids, num_ids)
    return owner, place[last], source, sink


def _on_path(
    offset: _Numbers, source: _Numbers, sink: _Numbers, counts: npt.NDArray[np.bool_], topology: Topology
) -> npt.NDArray[np.bool_]:
    """Return which synapses lie on a path, of those that count, from an input to the output.

    offset: [S], rising – number of the first neuron of the synapse's genome, when the neurons of all genomes
        are numbered one after another
    """
    source_cell, sink_cell = offset + source, offset + sink
    num_cells = int(offset[-1]) + topology.num_neurons if len(offset) else 0
    fed = np.zeros(num_cells, dtype=np.bool_)
    fed.reshape(-1, topology.num_neurons)[:, : topology.first_layer1] = True
    heard = np.zeros(num_cells, dtype=np.bool_)
    heard.reshape(-1, topology.num_neurons)[:, topology.output] = True
    # Two hidden stages, so two passes settle each direction.
    for _ in range(2):
        fed[sink_cell[counts & fed[source_cell]]] = True
        heard[source_cell[counts & heard[sink_cell]]] = True
    live: npt.NDArray[np.bool_] = counts & fed[source_cell] & heard[sink_cell]
    return live


def wired_genes(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Return which genes write a synapse on a path from an input to the output, a weight of 0 included.

    digits: [..., L], one genome or many; returns [..., G]. An earlier gene for the same two neurons is
    replaced by the later one, so only the later is wired. Of strands every weight is wired: [..., W].
    """
    if topology.is_dense:
        return np.ones((*digits.shape[:-1], topology.strand_format.num_weights), np.bool_)
    members = digits.shape[:-1]
    strands = digits.reshape(math.prod(members), digits.shape[-1])
    genes = read_genes(strands, topology.gene_format)
    owner, place, source, sink = _last_genes(genes, topology)
    # wired like a synapse of weight 1: on a path, whatever the weights
    on_path = _on_path(owner * topology.num_neurons, source, sink, np.ones(len(owner), np.bool_), topology)
    wired = np.zeros(genes.source.shape, np.bool_)
    wired[owner, place] = on_path
    return wired.reshape((*members, genes.raw.shape[1]))


def is_viable(digits: Digits, topology: Topology = ORIGINAL) -> bool:
    """Return whether some allowed synapse enters the output neuron, whatever its weight.

    A genome that is not viable gives every position the same value. The rule is the original program's; it
    lets pass a synapse of weight zero and one that leaves a neuron which nothing feeds.
    """
    return bool(viable_members(digits, topology))


def viable_members(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Return of each genome of a population [..., L] whether it is viable: [...] bool; strands always are."""
    if topology.is_dense:
        return np.ones(digits.shape[:-1], np.bool_)
    genes = read_genes(digits, topology.gene_format)
    # A later gene that replaces this one enters the output too, so replacement need not be followed.
    viable: npt.NDArray[np.bool_] = np.any(
        (genes.sink == topology.output) & (genes.source < topology.output), axis=-1
    )
    return viable


def square_network(
    values: Sequence[int],
    *,
    mobility: int = 0,
    perspective: Perspective = "own",
) -> Network:
    """Build the network whose sensors feed the output with these weights, one for each square."""
    topology = topology_for(len(values))
    weight = np.array(values, np.int32) * np.int32(WEIGHT_SCALE)
    source = np.arange(len(values), dtype=np.int32)
    sink = np.full_like(source, topology.output)
    return Network(topology, source, sink, weight, weight != 0, perspective, mobility * WEIGHT_SCALE)


def material_network(perspective: Perspective = "own") -> Network:
    """Build the network that counts material: every sensor feeds the output with weight +1."""
    return decode(material_genome(), perspective=perspective)


def material_genome() -> Digits:
    """Write the genome of the material network: 32 genes."""
    sensors = np.arange(ORIGINAL.sensors, dtype=np.int64)
    raw = np.full_like(sensors, WEIGHT_ZERO + WEIGHT_SCALE)
    return write_genes(Genes(sensors, np.full_like(sensors, ORIGINAL.output), raw))


def blind_network(perspective: Perspective = "own") -> Network:
    """Build the network without synapses, to which all positions are worth nothing."""
    return decode(np.empty(0, dtype=np.uint8), perspective=perspective)
