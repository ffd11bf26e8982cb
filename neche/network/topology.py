"""Which neurons there are, what each is, and which synapses are allowed between them.

    stage   0                1                2               3
            sensors  0–31    layer 1  39–54   layer 2  55–62  output  63
            bias    32–38    (ReLU)           (ReLU)          (plain sum)

A synapse is allowed when it leaves a lower stage than it enters. Every other one is silent. The numbers are
those of the original program, `32-7-16-8-1` in words; they are data, and any others do as well.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from neche.errors import InputError
from neche.genome.dna import GeneFormat, format_for

Kind = Literal["sensor", "bias", "layer1", "layer2", "output"]

MAX_NEURONS = 1024
AUTO = "auto"
"""Stands for the topology that the board asks for; without a board, the original one."""

NeuronIds = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Topology:
    """Number of neurons of each kind. Their ids follow each other in this order; the output is the last."""

    sensors: int = 32
    bias: int = 7
    layer1: int = 16
    layer2: int = 8

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
    def words(self) -> str:
        """Number of neurons of each kind in words, the output last: `32-7-16-8-1`."""
        return f"{self.sensors}-{self.bias}-{self.layer1}-{self.layer2}-1"

    @cached_property
    def gene_format(self) -> GeneFormat:
        """Genes that can name every neuron."""
        return format_for(self.num_neurons)

    @property
    def ranges(self) -> dict[Kind, range]:
        """Ids of each kind."""
        return {
            "sensor": range(self.sensors),
            "bias": range(self.first_bias, self.first_layer1),
            "layer1": range(self.first_layer1, self.first_layer2),
            "layer2": range(self.first_layer2, self.output),
            "output": range(self.output, self.num_neurons),
        }

    def kind(self, neuron: int) -> Kind:
        """Name the kind of a neuron.

        Raises:
            ValueError: there is no such neuron.
        """
        for kind, ids in self.ranges.items():
            if neuron in ids:
                return kind
        raise ValueError(f"no neuron {neuron} among {self.num_neurons}")

    def allowed(self, source: NeuronIds, sink: NeuronIds) -> npt.NDArray[np.bool_]:
        """Return whether each synapse leaves a lower stage than it enters; ids beyond the output never do."""
        # the stage of a neuron is the number of stages that begin at or before it
        begins = (self.first_layer1, self.first_layer2, self.output)
        leaves, enters = (sum((ids >= begin).astype(np.int8) for begin in begins) for ids in (source, sink))
        return np.asarray((leaves < enters) & (sink <= self.output))


ORIGINAL = Topology()
"""The topology of the original program."""


@cache
def topology_for(sensors: int) -> Topology:
    """Return the topology that a board of this many squares gets unless another is asked for.

    The shares of the kinds are those of the original, whose 32 sensors are half of the ids that genes can
    name: 4^k ids, at least two for each sensor, 7 of 64 bias neurons, and of what is left two thirds layer 1.

    >>> topology_for(32) == ORIGINAL
    True
    >>> topology_for(50).words
    '50-28-118-59-1'
    """
    # 7 of 64 for bias, as the original has; the output is one of the ids that are left
    ids = format_for(2 * sensors).num_ids
    bias = 7 * ids // 64
    hidden = ids - sensors - bias - 1
    layer2 = hidden // 3
    return Topology(sensors, bias, hidden - layer2, layer2)


@cache
def parse_topology(text: str) -> Topology:
    """Return the topology that `words` writes; the original one for `auto`.

    Raises:
        InputError: it is not five numbers, the last 1, or has too few or too many neurons.
    """
    if text == AUTO:
        return ORIGINAL
    parts = text.split("-")
    if len(parts) != 5 or not all(part.isdecimal() and part.isascii() and len(part) <= 4 for part in parts):
        raise InputError(f"topology {text!r}: expected numbers of neurons such as {ORIGINAL.words}")
    *numbers, outputs = map(int, parts)
    topology = Topology(*numbers)
    if outputs != 1:
        raise InputError(f"topology {text!r}: there is one output, not {outputs}")
    if topology.sensors < 1 or topology.num_neurons > MAX_NEURONS:
        raise InputError(f"topology {text!r}: needs a sensor, and {MAX_NEURONS} neurons at most")
    return topology
