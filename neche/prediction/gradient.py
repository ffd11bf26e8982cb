"""Learning within a lifetime by gradient descent, for memetic evolution: Adam on the same samples.

Symbols as in `coevolution`.
"""

import math
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F32, I64, U64, Array, jit, jit_allocating, jit_inlined
from neche.compiled.randomness import draw
from neche.prediction.adam import Step, moved, step_of
from neche.prediction.coevolution import StrategyPlan
from neche.prediction.judging import draw_batch, error_of, relu, room_for_sums, sum_neurons, value_of
from neche.prediction.neurons import INPUTS, Wiring

_SMALLEST = 1e-8


class _GradientWorkspace(NamedTuple):
    """Working memory. Symbols as in `neurons`.

    neurons: [O + 1 + I, H + 1] float32, transposed as in `judging`; gradients: the same. links:
    [H + 1, K], a transposed copy of the weights into a second layer. sums: [2, H + 1 + K]. backward: [H + 1],
    the gradients of the sums.
    """

    neurons: Array
    gradients: Array
    links: Array
    sums: Array
    backward: Array


@jit
def _add_view(wiring: Wiring, samples: Array, row: I64, view: I64, backward: Array, gradients: Array) -> None:
    """Add the gradients of one side's view of a sample; backward: [H + 1], those of the neurons' sums.

    gradients: transposed as in `judging`.
    """
    constant = np.int64(max(INPUTS - 1, wiring.second))
    for neuron in range(gradients.shape[1]):
        gradients[constant, neuron] += backward[neuron]
    for place in range(samples[1][row]):
        sensor = np.int64(samples[0][row, place])
        if view == 1:
            sensor = wiring.opposite[sensor]
        at, factor = constant + 1 + wiring.input_of[sensor], wiring.factor[sensor]
        for neuron in range(gradients.shape[1]):
            gradients[at, neuron] += factor * backward[neuron]


@jit_inlined
def _derivative(value: F32, target: F32) -> F32:
    """Return the derivative of half the squared error of a value."""
    one = np.float32(1)
    narrow = one / np.float32(math.sqrt(one + value * value))
    return error_of(value, target) * narrow * narrow * narrow


@jit
def _add_gradients(wiring: Wiring, samples: Array, row: I64, work: _GradientWorkspace) -> None:
    """Add the gradients of half the squared error on a sample."""
    neurons, sums, backward, gradients = work.neurons, work.sums, work.backward, work.gradients
    outer = _derivative(value_of(wiring, samples, row, neurons, sums), samples[2][row])
    for view in range(wiring.views):
        sign = outer if view == 0 else -outer
        backward[0] = sign
        for neuron in range(1, neurons.shape[1]):
            activation = relu(sums[view, neuron])
            gradients[0, neuron] += sign * activation
            backward[neuron] = sign * neurons[0, neuron] if activation > 0 else np.float32(0)
        _add_view(wiring, samples, row, np.int64(view), backward, gradients)


@jit
def _add_gradients_of_layers(wiring: Wiring, samples: Array, row: I64, work: _GradientWorkspace) -> None:
    """Do the same for neurons with a second layer.

    The weights from one neuron to all of the second layer lie side by side in the links, those from all to
    one of the second layer in the neurons: so both passes read memory in order.
    """
    neurons, links, backward, gradients = work.neurons, work.links, work.backward, work.gradients
    species, own, second = neurons.shape[1], work.sums[0], work.sums[0, neurons.shape[1] :]
    sum_neurons(wiring, samples, row, np.int64(0), neurons, work.sums)
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
    """Take one step against the gradients, and clear them."""
    for neuron in range(len(neurons)):
        for at in range(neurons.shape[1]):
            neurons[neuron, at], moments[0, neuron, at], moments[1, neuron, at] = moved(
                neurons[neuron, at], moments[0, neuron, at], moments[1, neuron, at], slopes[neuron, at], step
            )
            slopes[neuron, at] = np.float32(0)


@jit_allocating
def descend(wiring: Wiring, samples: Array, neurons: Array, plan: StrategyPlan, key: U64) -> None:
    """Train neurons in place for `plan.batches` steps.

    Arguments as of `coevolution.coevolve`; `pairs` and `spread` of the plan are not used.
    """
    turned, num_second = np.ascontiguousarray(neurons.T), wiring.second
    moments = np.zeros((2, turned.shape[0], turned.shape[1]), np.float32)
    work = _GradientWorkspace(
        turned,
        np.zeros(turned.shape, np.float32),
        np.zeros((len(neurons), num_second), np.float32),
        room_for_sums(wiring, neurons),
        np.zeros(len(neurons), np.float32),
    )
    for number in range(plan.batches):
        batch = draw_batch(samples, draw(key, np.int64(2 * number + 1)), np.int64(plan.batch))
        work.links[:] = turned[:num_second].T
        for index in range(plan.batch):
            if num_second != 0:
                _add_gradients_of_layers(wiring, batch, np.int64(index), work)
            else:
                _add_gradients(wiring, batch, np.int64(index), work)
        step = step_of(1.0 / plan.batch, plan.rate, plan.decay, _SMALLEST, np.int64(number))
        _descend(turned, moments, work.gradients, step)
    neurons[:] = turned.T
