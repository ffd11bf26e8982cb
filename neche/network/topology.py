"""Which neurons there are, what each is, and which synapses are allowed between them.

    stage   0                1                2               3
            sensors  0–31    layer 1  39–54   layer 2  55–62  output  63
            bias    32–38    (ReLU)           (ReLU)          (plain sum)

A synapse is allowed when it leaves a lower stage than it enters. Every other one is silent.
"""

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Kind = Literal["sensor", "bias", "layer1", "layer2", "output"]

SENSOR_SQUARES: tuple[str, ...] = (
    *("A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8"),
    *("G1", "H2", "A3", "B4", "C5", "D6", "E7", "F8"),
    *("E1", "F2", "G3", "H4", "A5", "B6", "C7", "D8"),
    *("C1", "D2", "E3", "F4", "G5", "H6", "A7", "B8"),
)
"""Board square of each sensor: column A–H from the left, row 1–8 from the bottom, own side at the bottom."""

ROTATED_SENSOR: tuple[int, ...] = tuple((39 - sensor) % 32 for sensor in range(32))
"""Sensor that sees the same square after the board is turned by 180°: A1 ↔ H8."""

NeuronIds = npt.NDArray[np.integer]


class Topology(NamedTuple):
    """Number of neurons of each kind. Their ids follow each other in this order; the output is the last."""

    sensors: int = 32
    bias: int = 7
    layer1: int = 16
    layer2: int = 8

    @property
    def first_bias(self) -> int:
        """Id of the first bias neuron."""
        return self.sensors

    @property
    def first_layer1(self) -> int:
        """Id of the first neuron of layer 1; all ids below it are inputs."""
        return self.first_bias + self.bias

    @property
    def first_layer2(self) -> int:
        """Id of the first neuron of layer 2."""
        return self.first_layer1 + self.layer1

    @property
    def output(self) -> int:
        """Id of the output neuron."""
        return self.first_layer2 + self.layer2

    @property
    def num_neurons(self) -> int:
        """Neurons of all kinds."""
        return self.output + 1

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

    def stage(self, neuron: NeuronIds) -> npt.NDArray[np.int8]:
        """Give the stage 0..3 of each neuron; ids beyond the output count as stage 3."""
        first, second = neuron >= self.first_layer1, neuron >= self.first_layer2
        return first.astype(np.int8) + second + (neuron >= self.output)

    def allowed(self, source: NeuronIds, sink: NeuronIds) -> npt.NDArray[np.bool_]:
        """Tell for each synapse whether it is allowed; ids beyond the output never are."""
        return (self.stage(source) < self.stage(sink)) & (sink <= self.output)


ORIGINAL = Topology()
"""The topology of the original program."""
