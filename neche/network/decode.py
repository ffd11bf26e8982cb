"""Decode genomes into networks: the allowed synapses, a later gene replacing an earlier one.

On strands every place is one synapse, and the network has all of them. Hand-made networks (material, blind,
one weight per square) are at the end.

Symbols: P genomes, L nucleotides, G genes of one genome, S synapses of one network.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from neche.errors import InputError
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, as_genes, units_of, write_genes
from neche.genome.strands import RAW_STEP, read_weights, split_weights
from neche.network.topology import ORIGINAL, Topology, topology_for
from neche.network.wiring import enters_output, wire_genes

Perspective = Literal["own", "antisymmetric", "mover"]

PERSPECTIVES: tuple[Perspective, ...] = ("own", "antisymmetric")
"""For genes. own: value = f(own view). antisymmetric: value = f(own view) − f(opponent's view)."""
DENSE_PERSPECTIVE: Perspective = "mover"
"""For strands. View and value are those of the side to move, whichever side the network plays for."""
_DECODED_AT_ONCE = 1024


@dataclass(frozen=True, eq=False)
class Network:
    """The synapses that a genome wires, sorted by (sink, source), each pair at most once.

    topology: the neurons
    source, sink: [S] int32 – neuron ids
    weight: [S] int32, ten-thousandths of a weight unit – raw weight − 2^19
    live: [S] bool – weight is not zero, and the synapse lies on a path of such synapses from a sensor or bias
        to the output; all others cannot change any value
    perspective: part of the network's identity, see PERSPECTIVES and DENSE_PERSPECTIVE
    mobility: ten-thousandths of a weight unit – value of a move, in a hand-made evaluator; 0 for DNA
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
        """Sixteen hexadecimal digits that change whenever the value of any position may change."""
        live = np.stack([self.source[self.live], self.sink[self.live], self.weight[self.live]]).astype("<i8")
        content = f"{self.perspective} {self.topology}".encode() + live.tobytes()
        if self.mobility:
            content += f"mobility {self.mobility}".encode()
        return hashlib.sha256(content).hexdigest()[:16]


class Columns(NamedTuple):
    """Many networks as columns, the synapses of one network after those of another.

    borders: [N, 4] int64 – see `Topology.borders`. is_dense, is_antisymmetric: [N] bool. mobility: [N] int64.
    ends: [N + 1] int64 – synapses of network n are ends[n] … ends[n + 1] − 1 in the remaining columns, which
    are as in `Network`.
    """

    borders: npt.NDArray[np.int64]
    is_dense: npt.NDArray[np.bool_]
    is_antisymmetric: npt.NDArray[np.bool_]
    mobility: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    source: npt.NDArray[np.int32]
    sink: npt.NDArray[np.int32]
    weight: npt.NDArray[np.int32]
    live: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Networks(Sequence[Network]):
    """Networks of one topology, decoded together: each is created when it is accessed."""

    topology: Topology
    perspective: Perspective
    columns: Columns

    def __len__(self) -> int:
        return len(self.columns.mobility)

    def __getitem__(self, index: Any) -> Any:
        """Return a network, or a list of networks for a slice."""
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        part = slice(self.columns.ends[number], self.columns.ends[number + 1])
        _, _, _, _, _, source, sink, weight, live = self.columns
        return Network(self.topology, source[part], sink[part], weight[part], live[part], self.perspective)


def columns_of(networks: Sequence[Network]) -> Columns:
    """Return networks as columns."""
    if isinstance(networks, Networks):
        return networks.columns
    return Columns(
        np.array([network.topology.borders for network in networks], np.int64).reshape(-1, 4),
        np.array([network.topology.is_dense for network in networks], np.bool_),
        np.array([network.perspective == "antisymmetric" for network in networks], np.bool_),
        np.array([network.mobility for network in networks], np.int64),
        np.cumsum([0, *(len(network.live) for network in networks)]),
        np.concatenate([network.source for network in networks]),
        np.concatenate([network.sink for network in networks]),
        np.concatenate([network.weight for network in networks]),
        np.concatenate([network.live for network in networks]),
    )


def decode(digits: Digits, *, perspective: Perspective = "own", topology: Topology = ORIGINAL) -> Network:
    """Decode one genome [L]; InputError as in `decode_population`."""
    return decode_population(digits[None], perspective=perspective, topology=topology)[0]


def decode_population(
    population: Digits | Sequence[Digits], *, perspective: Perspective = "own", topology: Topology = ORIGINAL
) -> Sequence[Network]:
    """Decode genomes of equal length, [P, L]: about 15 times faster than one by one.

    InputError if the genomes differ in length or are not whole genes or strands, or the perspective is
    unknown or does not fit.
    """
    if topology.is_dense != (check_perspective(perspective) == DENSE_PERSPECTIVE):
        kind = "strands" if topology.is_dense else "genes"
        raise InputError(
            f"perspective {perspective} does not fit the topology {topology.words} of {kind}: "
            "strands need the perspective mover, and only strands take it"
        )
    if len({len(digits) for digits in population}) > 1:
        raise InputError("population: the genomes differ in length")
    if len(population) == 0:
        return []
    if topology.is_dense:
        return _decode_strands(np.require(population, np.uint8), topology)
    return _decode_genes(population, perspective, topology)


def _decode_strands(strands: Digits, topology: Topology) -> list[Network]:
    source, sink, place = topology.dense_synapses
    written = read_weights(strands, topology.strand_format)
    steps = written[:, place]
    weights = steps * np.int32(RAW_STEP)
    # a synapse lies on a path if its source is fed and its sink leads to the output
    layers = split_weights(written, topology.strand_format)
    is_fed = np.ones((len(strands), topology.num_neurons), np.bool_)
    is_heard, second = is_fed.copy(), slice(topology.first_layer2, topology.output)
    first, links = slice(topology.first_layer1, topology.first_layer2), layers.out != 0
    is_fed[:, first] = (layers.bias != 0) | (layers.hidden != 0).any(axis=-1)
    if topology.layer2:
        is_heard[:, second] = layers.second != 0
        is_fed[:, second] = (links & is_fed[:, first, None]).any(axis=1)
        links = links & is_heard[:, None, second]
    is_heard[:, first] = links.any(axis=-1)
    live = (steps != 0) & is_fed[:, source] & is_heard[:, sink]
    return [
        Network(topology, source, sink, weight, alive, DENSE_PERSPECTIVE)
        for weight, alive in zip(weights, live, strict=True)
    ]


def _decode_genes(
    population: Digits | Sequence[Digits], perspective: Perspective, topology: Topology
) -> Networks:
    as_genes(population[0], topology.gene_format)  # raises if genomes are not whole genes
    count, parts = len(population), []
    for begin in range(0, count, _DECODED_AT_ONCE):
        part = population[begin : begin + _DECODED_AT_ONCE]
        strands = np.concatenate(part).reshape(len(part), -1)
        units = units_of(strands, topology.gene_format)
        first, _, source, sink, raw, live = wire_genes(units, len(strands), topology.gene_shape, False)
        # Copies, since wiring returns views of arrays with room for all genes.
        parts.append((np.diff(first), source.copy(), sink.copy(), raw - np.int32(WEIGHT_ZERO), live))
    sizes, source, sink, weight, live = (np.concatenate(column) for column in zip(*parts, strict=True))
    ends = np.concatenate([[0], np.cumsum(sizes)])
    columns = Columns(
        np.tile(np.array(topology.borders, np.int64), (count, 1)),
        np.zeros(count, np.bool_),
        np.full(count, perspective == "antisymmetric"),
        np.zeros(count, np.int64),
        *(ends, source, sink, weight, live),
    )
    return Networks(topology, perspective, columns)


def check_perspective(text: str) -> Perspective:
    """Return `text` if it names a perspective; else raise InputError."""
    known = (*PERSPECTIVES, DENSE_PERSPECTIVE)
    for perspective in known:
        if text == perspective:
            return perspective
    raise InputError(f"perspective {text!r} is not one of {', '.join(known)}")


def wired_genes(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Return which genes write a synapse on a path from an input to the output, even with weight 0.

    digits: [..., L], one genome or many; returns [..., G]. An earlier gene for the same two neurons is
    replaced by the later one, so only the later is wired. On strands every weight is wired: [..., W].
    """
    if topology.is_dense:
        return np.ones((*digits.shape[:-1], topology.strand_format.num_weights), np.bool_)
    members = digits.shape[:-1]
    strands = digits.reshape(math.prod(members), digits.shape[-1])
    num_genes = as_genes(strands, topology.gene_format).shape[1]
    wired = np.zeros((len(strands), num_genes), np.bool_)
    units = units_of(strands, topology.gene_format)
    # as if every synapse had weight 1: on a path, whatever the weights
    ends, place, _, _, _, on_path = wire_genes(units, len(strands), topology.gene_shape, True)
    wired[np.repeat(np.arange(len(strands)), np.diff(ends)), place] = on_path
    return wired.reshape((*members, num_genes))


def is_viable(digits: Digits, topology: Topology = ORIGINAL) -> bool:
    """Return whether some allowed synapse enters the output neuron, whatever its weight.

    A genome that is not viable gives every position the same value. The rule is the original program's; it
    also accepts a synapse of weight zero, and one from a neuron that nothing feeds.
    """
    return bool(viable_members(digits, topology))


def viable_members(digits: Digits, topology: Topology = ORIGINAL) -> npt.NDArray[np.bool_]:
    """Return whether each genome of a population [..., L] is viable: [...] bool; strands always are."""
    if topology.is_dense:
        return np.ones(digits.shape[:-1], np.bool_)
    as_genes(digits, topology.gene_format)  # raises if genomes are not whole genes
    # A gene that replaces one into the output enters the output too, so replacement can be ignored.
    strands = digits.reshape(math.prod(digits.shape[:-1]), digits.shape[-1])
    units = units_of(strands, topology.gene_format)
    viable: npt.NDArray[np.bool_] = enters_output(units, len(strands), topology.gene_shape)
    return viable.reshape(digits.shape[:-1])


def square_network(values: Sequence[int], *, mobility: int = 0) -> Network:
    """Build the network whose sensors feed the output with these weights, one per square."""
    topology = topology_for(len(values))
    weight = np.array(values, np.int32) * np.int32(WEIGHT_SCALE)
    source = np.arange(len(values), dtype=np.int32)
    sink = np.full_like(source, topology.output)
    return Network(topology, source, sink, weight, weight != 0, "own", mobility * WEIGHT_SCALE)


def material_network(perspective: Perspective = "own") -> Network:
    """Build the network that counts material: every sensor feeds the output with weight +1."""
    return decode(material_genome(), perspective=perspective)


def material_genome() -> Digits:
    """Write the genome of the material network: 32 genes."""
    sensors = np.arange(ORIGINAL.sensors, dtype=np.int64)
    raw = np.full_like(sensors, WEIGHT_ZERO + WEIGHT_SCALE)
    return write_genes(Genes(sensors, np.full_like(sensors, ORIGINAL.output), raw))


def blind_network(perspective: Perspective = "own") -> Network:
    """Build the network without synapses, which gives every position the value 0."""
    return decode(np.empty(0, dtype=np.uint8), perspective=perspective)
