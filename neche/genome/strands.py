"""Strands: a genome that writes every weight of a dense network, one strand a neuron.

    output                          constant, then a weight for each sensor
    neuron 1, neuron 2, …           weight to the output, constant, then a weight for each sensor

A place on a strand always means the same synapse, so parents can be crossed place by place, a neuron taken
over whole, and a strand copied to become another neuron. A weight is five letters, a base-4 number with the
most significant letter first: raw 0 … 1023, which means raw − 512 steps of 0.008 weight units. That step is
exact in ten-thousandths of a unit, and 64 such weights add up within 16 bits.

Symbols: L nucleotides, W weights, S sensors, H hidden neurons; leading axes (a population) are carried
through everywhere.
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
"""A step in ten-thousandths of a weight unit, in which `Genes` count."""

Weights = NDArray[np.int16]
"""[..., W] int16, steps – weights of genomes in the order of their strands."""


@dataclass(frozen=True)
class StrandFormat:
    """How many strands a genome has, and how long they are. sensors: S. hidden: H, which may be 0."""

    sensors: int
    hidden: int

    @cached_property
    def num_weights(self) -> int:
        """Weights of a genome."""
        return 1 + self.sensors + self.hidden * (2 + self.sensors)

    @cached_property
    def length(self) -> int:
        """Nucleotides of a genome."""
        return WEIGHT_LETTERS * self.num_weights

    @cached_property
    def strands(self) -> tuple[slice, ...]:
        """Weights of each strand, the output's first."""
        first, other = 1 + self.sensors, 2 + self.sensors
        begins = [first + neuron * other for neuron in range(self.hidden)]
        return (slice(0, first), *(slice(begin, begin + other) for begin in begins))

    @cached_property
    def letters(self) -> tuple[slice, ...]:
        """Nucleotides of each strand."""
        return tuple(slice(WEIGHT_LETTERS * part.start, WEIGHT_LETTERS * part.stop) for part in self.strands)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each strand."""
        return ("output", *(f"neuron {number}" for number in range(1, self.hidden + 1)))


class Layers(NamedTuple):
    """Weights of genomes as matrices, in steps.

    constant: [...] of the output. direct: [..., S] from the sensors to the output. out: [..., H] from the
    hidden neurons to the output. bias: [..., H] constants of the hidden neurons. hidden: [..., H, S] from
    the sensors to the hidden neurons.
    """

    constant: Weights
    direct: Weights
    out: Weights
    bias: Weights
    hidden: Weights


def read_weights(digits: Digits, strand_format: StrandFormat) -> Weights:
    """Read the weights [..., W] of genomes [..., L].

    Raises:
        InputError: the genomes are not as long as their strands.
    """
    check_length(digits.shape[-1], strand_format)
    places = digits.reshape(*digits.shape[:-1], strand_format.num_weights, WEIGHT_LETTERS)
    raw = places[..., 0].astype(np.int16)
    for place in range(1, WEIGHT_LETTERS):
        raw *= 4
        raw += places[..., place]
    raw -= _ZERO
    return raw


def check_length(length: int, strand_format: StrandFormat) -> None:
    """Check that a genome of this many nucleotides is as long as its strands.

    Raises:
        InputError: it is not.
    """
    if length != strand_format.length:
        topology = f"{strand_format.sensors}-{strand_format.hidden}-1"
        raise InputError(
            f"genome: {length} nucleotides are not the {strand_format.length} of the strands of {topology}"
        )


def write_weights(weights: NDArray[np.integer]) -> Digits:
    """Write weights [..., W], in steps, as digits [..., L]; the inverse of `read_weights`.

    Raises:
        InputError: a weight lies outside −512 … 511.
    """
    if np.any((weights < LEAST_WEIGHT) | (weights > MOST_WEIGHT)):
        raise InputError(f"strand: a weight lies outside {LEAST_WEIGHT}..{MOST_WEIGHT}")
    raw = weights.astype(np.int16) + np.int16(_ZERO)
    digits = np.empty((*raw.shape, WEIGHT_LETTERS), np.uint8)
    for place in reversed(range(WEIGHT_LETTERS)):
        digits[..., place] = raw % 4
        raw //= 4
    return digits.reshape(*weights.shape[:-1], -1)


def neurons_of(weights: Weights, strand_format: StrandFormat) -> Weights:
    """Return a view of weights [..., W] as hidden neurons [..., H, 2 + S], rows of their strands."""
    hidden, width = strand_format.hidden, 2 + strand_format.sensors
    return weights[..., 1 + strand_format.sensors :].reshape(*weights.shape[:-1], hidden, width)


def split_weights(weights: Weights, strand_format: StrandFormat) -> Layers:
    """Return views of weights [..., W] as matrices; what is written into them is written into the weights."""
    first = 1 + strand_format.sensors
    neurons = neurons_of(weights, strand_format)
    return Layers(weights[..., 0], weights[..., 1:first], neurons[..., 0], neurons[..., 1], neurons[..., 2:])


def steps_of(values: NDArray[np.floating]) -> Weights:
    """Return weights in steps, the nearest that there are, of weights in weight units."""
    steps: Weights = np.clip(np.rint(values * STEPS_A_UNIT), LEAST_WEIGHT, MOST_WEIGHT).astype(np.int16)
    return steps


def random_strands(
    strand_format: StrandFormat, rng: np.random.Generator, *, sd: float, count: int | None = None
) -> Digits:
    """Draw a genome [L], or `count` of them [count, L], whose weights are normal around zero.

    sd: standard deviation, weight units.
    """
    shape = () if count is None else (count,)
    return write_weights(steps_of(rng.normal(0.0, sd, (*shape, strand_format.num_weights))))
