"""Strands: a genome that writes every weight of a dense network, one strand per neuron.

    output                          constant, then a weight for each sensor
    neuron 1, neuron 2, …           weight to the output, constant, then a weight for each sensor

With a second hidden layer, its neurons feed the output and are fed by those of the first:

    output                          a weight for each second neuron, constant, then a weight for each sensor
    neuron 1, neuron 2, …           a weight to each second neuron, constant, then a weight for each sensor

Neurons of the second layer need no strand, and no constant: a first-layer neuron that is always on serves.

A place on a strand always means the same synapse, so parents can be crossed place by place, a neuron can be
inherited whole, and a strand can be copied to become another neuron. A weight is five letters, a base-4
number with the most significant letter first: raw 0 … 1023, which means raw − 512 steps of 0.008 weight
units. That step is exact in ten-thousandths of a unit, and the sum of 64 such weights fits in 16 bits.

Symbols: L nucleotides, W weights, S sensors, H hidden neurons of the first layer, K of the second, O weights
of a first-layer neuron to the next layer (K, or 1 if there is no second layer); leading axes (a population)
are carried through everywhere.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.errors import InputError
from neche.genome.dna import WEIGHT_SCALE, Digits

WEIGHT_LETTERS = 5
_ZERO = 4**WEIGHT_LETTERS // 2
"""Raw weight that means zero."""
LEAST_WEIGHT, MOST_WEIGHT = -_ZERO, _ZERO - 1
"""Range of a weight in steps."""
STEPS_A_UNIT = 125
"""Steps in one unit of weight."""
RAW_STEP = WEIGHT_SCALE // STEPS_A_UNIT
"""A step in ten-thousandths of a weight unit, the unit of `Genes`."""

Weights = NDArray[np.int16]
"""[..., W] int16, steps – weights of genomes in the order of their strands."""


@dataclass(frozen=True)
class StrandFormat:
    """How many strands a genome has, and how long they are.

    sensors: S. hidden: H, which may be 0. second: K, 0 if the first layer feeds the output.
    """

    sensors: int
    hidden: int
    second: int = 0

    @property
    def topology(self) -> str:
        """The topology as text: `128-32-1`, or `128-32-8-1` with a second layer."""
        numbers = (self.sensors, self.hidden, *([self.second] if self.second else []), 1)
        return "-".join(map(str, numbers))

    @property
    def outs(self) -> int:
        """Weights of a hidden neuron to the next layer: O."""
        return self.second or 1

    @cached_property
    def num_weights(self) -> int:
        """Weights of a genome."""
        return self.second + 1 + self.sensors + self.hidden * (self.outs + 1 + self.sensors)

    @cached_property
    def length(self) -> int:
        """Nucleotides of a genome."""
        return WEIGHT_LETTERS * self.num_weights

    @cached_property
    def strands(self) -> tuple[slice, ...]:
        """Weights of each strand, the output's first."""
        first, other = self.second + 1 + self.sensors, self.outs + 1 + self.sensors
        begins = [first + neuron * other for neuron in range(self.hidden)]
        return (slice(0, first), *(slice(begin, begin + other) for begin in begins))

    @cached_property
    def letters(self) -> tuple[slice, ...]:
        """Nucleotides of each strand."""
        return tuple(slice(WEIGHT_LETTERS * part.start, WEIGHT_LETTERS * part.stop) for part in self.strands)


class Layers(NamedTuple):
    """Weights of genomes as matrices, in steps.

    second: [..., K] from the second layer to the output. constant: [...] of the output. direct: [..., S] from
    the sensors to the output. out: [..., H, O] from the hidden neurons to the second layer, or to the output.
    bias: [..., H] constants of the hidden neurons. hidden: [..., H, S] from the sensors to the hidden
    neurons.
    """

    second: Weights
    constant: Weights
    direct: Weights
    out: Weights
    bias: Weights
    hidden: Weights


def read_weights(digits: Digits, strand_format: StrandFormat) -> Weights:
    """Read the weights [..., W] of genomes [..., L]; InputError if they are not as long as their strands."""
    check_length(digits.shape[-1], strand_format)
    places = digits.reshape(*digits.shape[:-1], strand_format.num_weights, WEIGHT_LETTERS)
    raw = places[..., 0].astype(np.int16)
    for place in range(1, WEIGHT_LETTERS):
        raw *= 4
        raw += places[..., place]
    raw -= _ZERO
    return raw


def check_length(length: int, strand_format: StrandFormat) -> None:
    """Raise InputError unless a genome of this many nucleotides is as long as its strands."""
    if length != strand_format.length:
        raise InputError(
            f"genome: {length} nucleotides are not the {strand_format.length} of the strands of "
            f"{strand_format.topology}"
        )


def write_weights(weights: NDArray[np.integer]) -> Digits:
    """Write weights [..., W], −512 … 511 steps, as digits [..., L]; InputError if one lies outside."""
    if np.any((weights < LEAST_WEIGHT) | (weights > MOST_WEIGHT)):
        raise InputError(f"strand: a weight lies outside {LEAST_WEIGHT}..{MOST_WEIGHT}")
    raw = weights.astype(np.int16) + np.int16(_ZERO)
    digits = np.empty((*raw.shape, WEIGHT_LETTERS), np.uint8)
    for place in reversed(range(WEIGHT_LETTERS)):
        digits[..., place] = raw % 4
        raw //= 4
    return digits.reshape(*weights.shape[:-1], -1)


def neurons_of(weights: Weights, strand_format: StrandFormat) -> Weights:
    """Return a view of weights [..., W] as hidden neurons [..., H, O + 1 + S], rows of their strands."""
    hidden, width = strand_format.hidden, strand_format.outs + 1 + strand_format.sensors
    return weights[..., strand_format.strands[0].stop :].reshape(*weights.shape[:-1], hidden, width)


def split_weights(weights: Weights, strand_format: StrandFormat) -> Layers:
    """Return views of weights [..., W] as matrices; writing into them changes the weights."""
    second, outs, first = strand_format.second, strand_format.outs, strand_format.strands[0].stop
    neurons = neurons_of(weights, strand_format)
    return Layers(
        weights[..., :second],
        weights[..., second],
        weights[..., second + 1 : first],
        neurons[..., :outs],
        neurons[..., outs],
        neurons[..., outs + 1 :],
    )


def steps_of(values: NDArray[np.floating]) -> Weights:
    """Return weights in steps, the nearest possible ones, from weights in weight units."""
    steps: Weights = np.clip(np.rint(values * STEPS_A_UNIT), LEAST_WEIGHT, MOST_WEIGHT).astype(np.int16)
    return steps
