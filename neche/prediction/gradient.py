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


class _Descent(NamedTuple):
    """Working memory. Symbols as in `neurons`.

    neurons: [O + 1 + I, H + 1] float32, turned as in `judging`; slopes: the same. links: [H + 1, K], the
    weights that a second layer hears them by, again. sums: [2, H + 1 + K]. backward: [H + 1], the slopes of
    the sums.
    """

    neurons: Array
    slopes: Array
    links: Array
    sums: Array
    backward: Array


@jit
def _add_view(wiring: Wiring, samples: Array, row: I64, view: I64, backward: Array, slopes: Array) -> None:
    """Add what one side's view of a sample says to the slopes; backward: [H + 1], of the neurons' sums.

    slopes: as neurons are turned in `judging`.
    """
    constant = np.int64(max(INPUTS - 1, wiring.second))
    for neuron in range(slopes.shape[1]):
        slopes[constant, neuron] += backward[neuron]
    for place in range(samples[1][row]):
        sensor = np.int64(samples[0][row, place])
        if view == 1:
            sensor = wiring.opposite[sensor]
        at, factor = constant + 1 + wiring.input_of[sensor], wiring.factor[sensor]
        for neuron in range(slopes.shape[1]):
            slopes[at, neuron] += factor * backward[neuron]


@jit_inlined
def _slope_of(value: F32, target: F32) -> F32:
    """Return by how much half the squared error of a value rises with the value."""
    one = np.float32(1)
    narrow = one / np.float32(math.sqrt(one + value * value))
    return error_of(value, target) * narrow * narrow * narrow


@jit
def _add_slopes(wiring: Wiring, samples: Array, row: I64, room: _Descent) -> None:
    """Add the slopes of half the squared error on a sample."""
    neurons, sums, backward, slopes = room.neurons, room.sums, room.backward, room.slopes
    outer = _slope_of(value_of(wiring, samples, row, neurons, sums), samples[2][row])
    for view in range(wiring.views):
        sign = outer if view == 0 else -outer
        backward[0] = sign
        for neuron in range(1, neurons.shape[1]):
            said = relu(sums[view, neuron])
            slopes[0, neuron] += sign * said
            backward[neuron] = sign * neurons[0, neuron] if said > 0 else np.float32(0)
        _add_view(wiring, samples, row, np.int64(view), backward, slopes)


@jit
def _add_slopes_of_layers(wiring: Wiring, samples: Array, row: I64, room: _Descent) -> None:
    """Do the same for neurons with a second layer.

    The weights from one neuron to all of the second layer lie side by side in the links, those from all to
    one of the second layer in the neurons: so forward and backward passes add up what lies side by side.
    """
    neurons, links, backward, slopes = room.neurons, room.links, room.backward, room.slopes
    species, own, second = neurons.shape[1], room.sums[0], room.sums[0, neurons.shape[1] :]
    sum_neurons(wiring, samples, row, np.int64(0), neurons, room.sums)
    second[:] = np.float32(0)
    for neuron in range(1, species):
        said = relu(own[neuron])
        # most neurons are off
        if said > 0:
            for number in range(len(second)):
                second[number] += said * links[neuron, number]
    value = own[0]
    for number in range(len(second)):
        value += links[0, number] * relu(second[number])
    outer = _slope_of(value, samples[2][row])
    backward[:] = np.float32(0)
    for number in range(len(second)):
        if second[number] > 0:
            heard, back = neurons[number], outer * links[0, number]
            slopes[number, 0] += outer * second[number]
            for neuron in range(1, species):
                slopes[number, neuron] += back * relu(own[neuron])
                backward[neuron] += back * heard[neuron]
    for neuron in range(1, species):
        backward[neuron] = backward[neuron] if own[neuron] > 0 else np.float32(0)
    backward[0] = outer
    _add_view(wiring, samples, row, np.int64(0), backward, slopes)


@jit
def _descend(neurons: Array, moments: Array, slopes: Array, step: Step) -> None:
    """Take one step against the slopes, and clear them."""
    for neuron in range(len(neurons)):
        for at in range(neurons.shape[1]):
            neurons[neuron, at], moments[0, neuron, at], moments[1, neuron, at] = moved(
                neurons[neuron, at], moments[0, neuron, at], moments[1, neuron, at], slopes[neuron, at], step
            )
            slopes[neuron, at] = np.float32(0)


@jit_allocating
def descend(wiring: Wiring, samples: Array, neurons: Array, plan: StrategyPlan, key: U64) -> None:
    """Train neurons in place for `plan.batches` steps.

    Arguments as of `coevolution.coevolve`; of the plan `pairs` and `spread` have no part.
    """
    turned, hears = np.ascontiguousarray(neurons.T), wiring.second
    moments = np.zeros((2, turned.shape[0], turned.shape[1]), np.float32)
    room = _Descent(
        turned,
        np.zeros(turned.shape, np.float32),
        np.zeros((len(neurons), hears), np.float32),
        room_for_sums(wiring, neurons),
        np.zeros(len(neurons), np.float32),
    )
    for number in range(plan.batches):
        batch = draw_batch(samples, draw(key, np.int64(2 * number + 1)), np.int64(plan.batch))
        room.links[:] = turned[:hears].T
        for index in range(plan.batch):
            if hears != 0:
                _add_slopes_of_layers(wiring, batch, np.int64(index), room)
            else:
                _add_slopes(wiring, batch, np.int64(index), room)
        step = step_of(1.0 / plan.batch, plan.rate, plan.decay, _SMALLEST, np.int64(number))
        _descend(turned, moments, room.slopes, step)
    neurons[:] = turned.T
