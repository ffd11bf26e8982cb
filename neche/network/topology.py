"""The neurons of a network, their kinds, and the synapses that are allowed between them.

    stage   0                1                2               3
            sensors  0–31    layer 1  39–54   layer 2  55–62  output  63
            bias    32–38    (ReLU)           (ReLU)          (plain sum)

A synapse is allowed if it leaves a lower stage than it enters. Every other one is silent. The numbers are
those of the original program, written `32-7-16-8-1`; they are data, and other numbers work as well.

Five numbers are the topology of genes, which wire some of the synapses; each sensor sees a square. Three
numbers, `128-32-1`, or four, `128-32-8-1`, are the topology of strands (`genome.strands`), which write every
synapse from a layer to the next: each sensor sees a kind of piece on a square, one layer of hidden neurons
sees all sensors, and a second layer, if there is one, sees all of the first. Or each sensor sees a pattern of
men on four squares, as in `712-32-1`: the number of sensors tells which.
"""

from bisect import bisect
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from neche.errors import InputError, check_type
from neche.genome.dna import GeneFormat, format_for
from neche.genome.fasta import parse_counts
from neche.genome.strands import StrandFormat

Coding = Literal["genes", "strands"]
Kind = Literal["sensor", "bias", "layer1", "layer2", "output"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MAX_NEURONS, MAX_STRAND_NEURONS = 1024, 4096
"""Most neurons for genes, whose ids are at most five letters, and for strands."""
MAX_SECOND = 32
"""Most neurons in a second layer of strands: an evaluation keeps them in registers."""
AUTO = "auto"
"""Stands for the default topology of the board; without a board, for the original one."""
PATTERNS = "patterns"
"""Stands for the number of sensors by pattern of a board, or by kind if it has none by pattern."""

DenseIds = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Topology:
    """The number of neurons of each kind. Their ids are consecutive in this order; the output is the last.

    coding: how genomes write the synapses, and so what a sensor sees.
    """

    sensors: int = 32
    bias: int = 7
    layer1: int = 16
    layer2: int = 8
    # not part of a topology's repr, which enters the digest of a network
    coding: Coding = field(default="genes", repr=False)

    @cached_property
    def first_bias(self) -> int:
        """Id of the first bias neuron."""
        return self.sensors

    @cached_property
    def first_layer1(self) -> int:
        """Id of the first neuron of layer 1; all ids below it are inputs."""
        return self.first_bias + self.bias

    @cached_property
    def first_layer2(self) -> int:
        """Id of the first neuron of layer 2."""
        return self.first_layer1 + self.layer1

    @cached_property
    def output(self) -> int:
        """Id of the output neuron."""
        return self.first_layer2 + self.layer2

    @cached_property
    def num_neurons(self) -> int:
        """Neurons of all kinds."""
        return self.output + 1

    @cached_property
    def borders(self) -> tuple[int, int, int, int]:
        """First ids of bias, layer 1, layer 2 and output."""
        return self.first_bias, self.first_layer1, self.first_layer2, self.output

    @cached_property
    def words(self) -> str:
        """The number of neurons of each kind, the output last: `32-7-16-8-1`; for strands `128-32-1`."""
        if self.is_dense:
            return self.strand_format.topology
        return f"{self.sensors}-{self.bias}-{self.layer1}-{self.layer2}-1"

    @cached_property
    def is_dense(self) -> bool:
        """Whether strands write every synapse."""
        return self.coding == "strands"

    @cached_property
    def gene_format(self) -> GeneFormat:
        """The format of genes that can name every neuron; InputError if strands write the synapses."""
        if self.is_dense:
            raise InputError(f"topology {self.words}: strands write its synapses, not genes")
        return format_for(self.num_neurons)

    @cached_property
    def gene_shape(self) -> tuple[int, int, int, int, int]:
        """For `wiring`: nucleotides of an id and of a weight; first ids of layer 1, layer 2 and output."""
        return self.gene_format.id_digits, self.gene_format.weight_digits, *self.borders[1:]

    @cached_property
    def strand_format(self) -> StrandFormat:
        """The format of strands that write every synapse; InputError if genes write the synapses."""
        if not self.is_dense:
            raise InputError(f"topology {self.words}: genes write its synapses, not strands")
        return StrandFormat(self.sensors, self.layer1, self.layer2)

    @cached_property
    def dense_synapses(self) -> tuple[DenseIds, DenseIds, npt.NDArray[np.int64]]:
        """Source, sink, and weight number on the strands, of every synapse, by (sink, source)."""
        form = self.strand_format
        inputs = np.arange(self.first_layer1, dtype=np.int32)
        # the constant comes before the sensors on a strand, but after them among the neurons
        at_input = np.where(inputs == self.first_bias, 0, inputs + 1)
        begins = np.array([strand.start for strand in form.strands[1:]], np.int64)
        hidden = np.arange(self.first_layer1, self.first_layer2, dtype=np.int32)
        second = np.arange(self.first_layer2, self.output, dtype=np.int32)
        last, at_last = (second, np.arange(len(second))) if form.second else (hidden, begins)
        source = [np.tile(inputs, len(hidden)), np.tile(hidden, len(second)), inputs, last]
        ends = np.full(len(inputs) + len(last), self.output, np.int32)
        sink = [np.repeat(hidden, len(inputs)), np.repeat(second, len(hidden)), ends]
        place = [
            (begins[:, None] + form.outs + at_input).ravel(),
            (np.arange(form.second)[:, None] + begins).ravel(),
            form.second + at_input,
            at_last,
        ]
        return np.concatenate(source), np.concatenate(sink), np.concatenate(place)

    def kind(self, neuron: int) -> Kind:
        """Name the kind of a neuron; ValueError if there is no such neuron."""
        if not 0 <= neuron < self.num_neurons:
            raise ValueError(f"no neuron {neuron} among {self.num_neurons}")
        return KINDS[bisect(self.borders, neuron)]


ORIGINAL = Topology()
"""The topology of the original program."""


@cache
def topology_for(sensors: int) -> Topology:
    """Return the default topology for a board of this many squares.

    The shares of the kinds are those of the original, whose 32 sensors take half of the ids that genes can
    name: 4^k ids, at least two per sensor, 7 of 64 for bias neurons, and two thirds of the rest for layer 1.

    >>> topology_for(32) == ORIGINAL
    True
    >>> topology_for(50).words
    '50-28-118-59-1'
    """
    # one of the remaining ids is the output
    ids = format_for(2 * sensors).num_ids
    bias = 7 * ids // 64
    hidden = ids - sensors - bias - 1
    layer2 = hidden // 3
    return Topology(sensors, bias, hidden - layer2, layer2)


def dense_topology(sensors: int, hidden: int, second: int = 0) -> Topology:
    """Return the topology of strands with these numbers of sensors and hidden neurons, in one layer or two.

    >>> dense_topology(128, 32).words
    '128-32-1'
    >>> dense_topology(128, 32, 8).words
    '128-32-8-1'
    """
    return Topology(sensors, 1, hidden, second, "strands")


@cache
def parse_topology(text: str) -> Topology:
    """Return the topology for a text as written by `words`; the original one for `auto`.

    InputError unless it is three to five numbers, the last 1, for neither too few nor too many neurons.
    """
    check_type(text, str, "a topology in words")
    if text == AUTO:
        return ORIGINAL
    what = f"topology {text!r}"
    counts = parse_counts(text)
    if len(counts) not in (3, 4, 5):
        raise InputError(f"{what}: expected numbers of neurons such as {ORIGINAL.words} or 128-32-1")
    *numbers, outputs = counts
    if len(numbers) < len(ORIGINAL.borders):
        topology = dense_topology(*numbers)
    else:
        sensors, bias, layer1, layer2 = numbers
        topology = Topology(sensors, bias, layer1, layer2)
    if outputs != 1:
        raise InputError(f"{what}: there is one output, not {outputs}")
    most = MAX_STRAND_NEURONS if topology.is_dense else MAX_NEURONS
    if topology.sensors < 1 or topology.num_neurons > most:
        raise InputError(f"{what}: needs at least one sensor, and at most {most} neurons")
    if topology.is_dense and topology.layer2 > (MAX_SECOND if topology.layer1 else 0):
        raise InputError(f"{what}: a second layer of strands needs a first, and at most {MAX_SECOND} neurons")
    return topology


@cache
def topology_of(text: str, name: str, squares: int, kinds: int, patterns: int) -> Topology:
    """Return the topology for a game from a text, which may begin with `auto` or `patterns`.

    name: of the game. squares, kinds, patterns: number of sensors of each sort for its board, 0 if none.
    InputError if it is not a topology, or sees another board.
    """
    if text != AUTO and not kinds and text.startswith((AUTO, PATTERNS)):
        raise InputError(f"topology {text}: networks do not see the board of {name}")
    written = text.replace(PATTERNS, str(patterns or kinds)).replace(AUTO, str(kinds))
    usual = topology_for(squares) if squares else ORIGINAL
    given = usual if text == AUTO else parse_topology(written)
    if given.sensors not in ((kinds, patterns) if given.is_dense else (usual.sensors,)):
        has = f"{kinds} sensors by kind and {patterns} by pattern"
        has = has if given.is_dense else f"{usual.sensors} squares"
        raise InputError(f"topology {text}: the board of {name} has {has}, not {given.sensors}")
    if given.is_dense and given.sensors == patterns and given.layer2 == MAX_SECOND:
        most = f"{MAX_SECOND - 1} neurons at most"
        raise InputError(f"topology {text}: with sensors by pattern a second layer has {most}")
    return given
