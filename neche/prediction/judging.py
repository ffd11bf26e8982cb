"""The prediction error of networks on samples: the forward pass, one sample after another.

Neurons are transposed here, [O + 1 + I, H + 1]: the weights of one sensor to all neurons lie side by side.

Symbols as in `neurons`, and N samples, M: most sensors that are on in a sample.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.jit import F32, F64, I64, U64, Array, jit, jit_inlined
from neche.compiled.randomness import draw_below
from neche.prediction.neurons import INPUTS, Neurons, Wiring


class Samples(NamedTuple):
    """Positions with their targets.

    excited: [N, M] uint8 – the sensors by kind that are on in the view of the side to move; uint16 for
    sensors by pattern. counts: [N] uint8, how many are on. targets: [N] float32, −1 … 1.
    """

    excited: NDArray[np.uint8 | np.uint16]
    counts: NDArray[np.uint8]
    targets: NDArray[np.float32]

    def room(self, size: int) -> "Samples":
        """Allocate room for a batch of samples."""
        excited = np.empty((size, self.excited.shape[1]), self.excited.dtype)
        return Samples(excited, np.empty(size, np.uint8), np.empty(size, np.float32))


@jit_inlined
def relu(value: F32) -> F32:
    """Return the activation of a hidden neuron from the weighted sum of its inputs."""
    return value if value > np.float32(0) else np.float32(0)


@jit_inlined
def error_of(value: F32, target: F32) -> F32:
    """Return a value, squashed to an expected result, minus its target; see `samples.squash`."""
    return value / np.float32(math.sqrt(np.float32(1) + value * value)) - target


@jit
def draw_batch(samples: Array, key: U64, batch: Array) -> None:
    """Draw samples with replacement, and copy them into `batch`, so that waits for memory overlap."""
    excited, counts, targets = batch
    for index in range(len(targets)):
        row = draw_below(key, np.int64(index), np.int64(len(samples[2])))
        counts[index], targets[index] = samples[1][row], samples[2][row]
        for place in range(excited.shape[1]):
            excited[index, place] = samples[0][row, place]


@jit_inlined
def input_at(wiring: Wiring, samples: Array, row: I64, view: I64, place: I64) -> tuple[I64, F32]:
    """Return the row of the transposed neurons that an excited sensor feeds, and the input's value."""
    sensor = np.int64(samples[0][row, place])
    if view == 1:
        sensor = wiring.opposite[sensor]
    return constant_row(wiring) + 1 + wiring.input_of[sensor], wiring.factor[sensor]


@jit_inlined
def constant_row(wiring: Wiring) -> I64:
    """Return the row of the constants in the transposed neurons."""
    return np.int64(max(INPUTS - 1, wiring.second))


@jit
def sum_neurons(wiring: Wiring, samples: Array, row: I64, view: I64, neurons: Array, sums: Array) -> None:
    """Write the weighted sums of the output and the first layer, in one side's view, into sums[view]."""
    constants, total = neurons[constant_row(wiring)], sums[view]
    for neuron in range(neurons.shape[1]):
        total[neuron] = constants[neuron]
    count = np.int64(samples[1][row])
    whole = count - count % 4
    # four at a time, so that each sum is loaded and stored once for all four; added in the same order
    for place in range(0, whole, 4):
        at0, factor0 = input_at(wiring, samples, row, view, np.int64(place))
        at1, factor1 = input_at(wiring, samples, row, view, np.int64(place + 1))
        at2, factor2 = input_at(wiring, samples, row, view, np.int64(place + 2))
        at3, factor3 = input_at(wiring, samples, row, view, np.int64(place + 3))
        row0, row1, row2, row3 = neurons[at0], neurons[at1], neurons[at2], neurons[at3]
        for neuron in range(neurons.shape[1]):
            first = (total[neuron] + factor0 * row0[neuron]) + factor1 * row1[neuron]
            total[neuron] = (first + factor2 * row2[neuron]) + factor3 * row3[neuron]
    for place in range(whole, count):
        at, factor = input_at(wiring, samples, row, view, np.int64(place))
        last = neurons[at]
        for neuron in range(neurons.shape[1]):
            total[neuron] += factor * last[neuron]


@jit
def value_of(wiring: Wiring, samples: Array, row: I64, neurons: Array, sums: Array) -> F32:
    """Return the value of a sample, weight units; sums: [2, H + 1 + K] float32, receives those of neurons."""
    sum_neurons(wiring, samples, row, np.int64(0), neurons, sums)
    if wiring.second != 0:
        return _value_of_second(neurons, sums[0])
    value = sums[0, 0]
    if wiring.views == 2:
        sum_neurons(wiring, samples, row, np.int64(1), neurons, sums)
        value -= sums[1, 0]
    for neuron in range(1, neurons.shape[1]):
        activation = relu(sums[0, neuron])
        if wiring.views == 2:
            activation -= relu(sums[1, neuron])
        value += neurons[0, neuron] * activation
    return value


@jit
def _value_of_second(neurons: Array, sums: Array) -> F32:
    """Return the value from the sums of the first layer, and write those of the second after them."""
    species, value = neurons.shape[1], sums[0]
    for second in range(len(sums) - species):
        total = np.float32(0)
        for neuron in range(1, species):
            total += neurons[second, neuron] * relu(sums[neuron])
        sums[species + second] = total
        value += neurons[second, 0] * relu(total)
    return value


def squared_error(wiring: Wiring, samples: Samples, rows: NDArray[np.int64], neurons: Neurons) -> float:
    """Return the sum of squared errors on the samples in `rows`; neurons: see `neurons.read_neurons`."""
    sums = np.zeros((2, len(neurons) + wiring.second), np.float32)
    return float(_squared_error(wiring, samples, rows, np.ascontiguousarray(neurons.T), sums))


@jit
def _squared_error(wiring: Wiring, samples: Array, rows: Array, neurons: Array, sums: Array) -> F64:
    total = 0.0
    for row in rows:
        error = np.float64(error_of(value_of(wiring, samples, row, neurons, sums), samples[2][row]))
        total += error * error
    return total
