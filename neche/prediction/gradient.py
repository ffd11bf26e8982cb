"""Learning within a lifetime by gradient descent, for memetic evolution: Adam on the same samples.

Symbols as in `coevolution`.
"""

import math
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F32, I64, U64, Array, jit, jit_inlined
from neche.compiled.pointers import aligned_zeros
from neche.compiled.randomness import draw
from neche.prediction.adam import Step, moved, step_of
from neche.prediction.coevolution import StrategyPlan
from neche.prediction.judging import Samples, constant_row, draw_batch, error_of, input_at, relu, sum_neurons
from neche.prediction.neurons import Neurons, Wiring

_SMALLEST = 1e-8
_TOGETHER = 8
"""Number of samples whose values are summed side by side, since each sum waits for its last addition."""
_LINE = 16
"""Weights in a cache line."""


class _GradientWorkspace(NamedTuple):
    """Working memory. Symbols as in `neurons`, and L: H + 1 padded with zeros to whole cache lines.

    neurons: [O + 1 + I, L] float32, transposed as in `judging`; gradients: the same. links: [L, K], a
    transposed copy of the weights into a second layer. sums: [_TOGETHER, 2, L + K], for several samples.
    values: [_TOGETHER]. backward: [L], the gradients of the sums. moments: [2, …], laid out as gradients.
    """

    neurons: Array
    gradients: Array
    links: Array
    sums: Array
    values: Array
    backward: Array
    moments: Array


@jit
def _add_view(wiring: Wiring, samples: Array, row: I64, view: I64, backward: Array, gradients: Array) -> None:
    """Add the gradients of one side's view of a sample; backward: [H + 1], those of the neurons' sums."""
    for neuron in range(gradients.shape[1]):
        gradients[constant_row(wiring), neuron] += backward[neuron]
    for place in range(samples[1][row]):
        at, factor = input_at(wiring, samples, row, view, np.int64(place))
        slopes = gradients[at]
        for neuron in range(gradients.shape[1]):
            slopes[neuron] += factor * backward[neuron]


@jit_inlined
def _derivative(value: F32, target: F32) -> F32:
    """Return the derivative of half the squared error of a value."""
    one = np.float32(1)
    narrow = one / np.float32(math.sqrt(one + value * value))
    return error_of(value, target) * narrow * narrow * narrow


@jit_inlined
def _activation(wiring: Wiring, sums: Array, neuron: I64) -> F32:
    """Return the activation of a hidden neuron, minus that in the other side's view if there is one."""
    activation = relu(sums[0, neuron])
    return activation - relu(sums[1, neuron]) if wiring.views == 2 else activation


@jit
def _sum_values(wiring: Wiring, neurons: Array, sums: Array, values: Array) -> None:
    """Write the values of all samples of `sums` at once; each is summed as in `judging.value_of`."""
    for index in range(_TOGETHER):
        values[index] = sums[index, 0, 0] - sums[index, 1, 0] if wiring.views == 2 else sums[index, 0, 0]
    value0, value1, value2, value3 = values[0], values[1], values[2], values[3]
    value4, value5, value6, value7 = values[4], values[5], values[6], values[7]
    for neuron in range(1, neurons.shape[1]):
        out = neurons[0, neuron]
        value0 += out * _activation(wiring, sums[0], neuron)
        value1 += out * _activation(wiring, sums[1], neuron)
        value2 += out * _activation(wiring, sums[2], neuron)
        value3 += out * _activation(wiring, sums[3], neuron)
        value4 += out * _activation(wiring, sums[4], neuron)
        value5 += out * _activation(wiring, sums[5], neuron)
        value6 += out * _activation(wiring, sums[6], neuron)
        value7 += out * _activation(wiring, sums[7], neuron)
    values[0], values[1], values[2], values[3] = value0, value1, value2, value3
    values[4], values[5], values[6], values[7] = value4, value5, value6, value7


@jit
def _add_gradients(wiring: Wiring, samples: Array, first: I64, count: I64, work: _GradientWorkspace) -> None:
    """Add the gradients of half the squared error on `count` ≤ _TOGETHER samples, from `first` on."""
    neurons, backward, gradients = work.neurons, work.backward, work.gradients
    into, slopes = neurons[0], gradients[0]
    for index in range(count):
        for view in range(wiring.views):
            sum_neurons(wiring, samples, first + index, np.int64(view), neurons, work.sums[index])
    _sum_values(wiring, neurons, work.sums, work.values)
    for index in range(count):
        outer = _derivative(work.values[index], samples[2][first + index])
        for view in range(wiring.views):
            sign, sums = outer if view == 0 else -outer, work.sums[index, view]
            for neuron in range(1, neurons.shape[1]):
                activation = relu(sums[neuron])
                slopes[neuron] += sign * activation
                backward[neuron] = sign * into[neuron] if activation > 0 else np.float32(0)
            backward[0] = sign
            _add_view(wiring, samples, first + index, np.int64(view), backward, gradients)


@jit
def _add_gradients_of_layers(wiring: Wiring, samples: Array, row: I64, work: _GradientWorkspace) -> None:
    """Do the same for one sample and neurons with a second layer.

    In `links` the weights from one neuron to the whole second layer lie side by side, in `neurons` those from
    all neurons to one of the second layer, so both passes read memory in order.
    """
    neurons, links, backward, gradients = work.neurons, work.links, work.backward, work.gradients
    sums, species = work.sums[0], neurons.shape[1]
    own, second = sums[0], sums[0, species:]
    sum_neurons(wiring, samples, row, np.int64(0), neurons, sums)
    second[:] = np.float32(0)
    for neuron in range(1, species):
        activation = relu(own[neuron])
        # most neurons are off
        if activation > 0:
            for number in range(len(second)):
                second[number] += activation * links[neuron, number]
    value = own[0]
    for number in range(len(second)):
        value += links[0, number] * relu(second[number])
    outer = _derivative(value, samples[2][row])
    backward[:] = np.float32(0)
    for number in range(len(second)):
        if second[number] > 0:
            into, back = neurons[number], outer * links[0, number]
            gradients[number, 0] += outer * second[number]
            for neuron in range(1, species):
                gradients[number, neuron] += back * relu(own[neuron])
                backward[neuron] += back * into[neuron]
    for neuron in range(1, species):
        backward[neuron] = backward[neuron] if own[neuron] > 0 else np.float32(0)
    backward[0] = outer
    _add_view(wiring, samples, row, np.int64(0), backward, gradients)


@jit
def _descend(neurons: Array, moments: Array, slopes: Array, step: Step) -> None:
    """Take one step against the gradients, and clear the gradients."""
    for neuron in range(len(neurons)):
        for at in range(neurons.shape[1]):
            neurons[neuron, at], moments[0, neuron, at], moments[1, neuron, at] = moved(
                neurons[neuron, at], moments[0, neuron, at], moments[1, neuron, at], slopes[neuron, at], step
            )
            slopes[neuron, at] = np.float32(0)


def descend(wiring: Wiring, samples: Samples, neurons: Neurons, plan: StrategyPlan, key: np.uint64) -> None:
    """Train neurons in place for `plan.batches` steps.

    Arguments as in `coevolution.coevolve`; the plan's `pairs` and `spread` are not used.
    """
    species, inputs, num_second = len(neurons), neurons.shape[1], int(wiring.second)
    lanes = -(-species // _LINE) * _LINE
    turned = aligned_zeros((inputs, lanes), np.float32)
    turned[:, :species] = neurons.T
    work = _GradientWorkspace(
        turned,
        aligned_zeros((inputs, lanes), np.float32),
        np.zeros((lanes, num_second), np.float32),
        aligned_zeros((_TOGETHER, 2, lanes + num_second), np.float32),
        np.zeros(_TOGETHER, np.float32),
        aligned_zeros((lanes,), np.float32),
        np.zeros((2, inputs, lanes), np.float32),
    )
    _take_steps(wiring, samples, plan, key, work, samples.room(plan.batch))
    neurons[:] = turned[:, :species].T


@jit
def _take_steps(
    wiring: Wiring, samples: Array, plan: StrategyPlan, key: U64, work: _GradientWorkspace, batch: Array
) -> None:
    for number in range(plan.batches):
        draw_batch(samples, draw(key, np.int64(2 * number + 1)), batch)
        if wiring.second != 0:
            for second in range(wiring.second):
                for neuron in range(len(work.links)):
                    work.links[neuron, second] = work.neurons[second, neuron]
            for index in range(plan.batch):
                _add_gradients_of_layers(wiring, batch, np.int64(index), work)
        else:
            for first in range(0, plan.batch, _TOGETHER):
                count = np.int64(min(_TOGETHER, plan.batch - first))
                _add_gradients(wiring, batch, np.int64(first), count, work)
        step = step_of(1.0 / plan.batch, plan.rate, plan.decay, _SMALLEST, np.int64(number))
        _descend(work.neurons, work.moments, work.gradients, step)
