"""Learning within a lifetime by gradient descent, for memetic evolution: Adam on the same samples.

Symbols as in `coevolution`.
"""

import math

import numpy as np

from neche.compiled.jit import F32, F64, I64, U64, Array, jit, jit_allocating
from neche.compiled.randomness import draw
from neche.prediction.adam import Step, moved, step_of
from neche.prediction.coevolution import StrategyPlan
from neche.prediction.judging import draw_batch, error_of, relu, value_of
from neche.prediction.neurons import INPUTS, Wiring

_SMALLEST = 1e-8


@jit
def _add_view(wiring: Wiring, samples: Array, row: I64, view: I64, backward: Array, slopes: Array) -> None:
    """Add what one side's view of a sample says to the slopes; backward: [H + 1], of the neurons' sums.

    slopes: as neurons are turned in `judging`.
    """
    for neuron in range(slopes.shape[1]):
        slopes[INPUTS - 1, neuron] += backward[neuron]
    for place in range(samples[1][row]):
        sensor = np.int64(samples[0][row, place])
        if view == 1:
            sensor = wiring.opposite[sensor]
        at, factor = INPUTS + wiring.input_of[sensor], wiring.factor[sensor]
        for neuron in range(slopes.shape[1]):
            slopes[at, neuron] += factor * backward[neuron]


@jit
def _add_slopes(
    wiring: Wiring, samples: Array, row: I64, neurons: Array, sums: Array, backward: Array, slopes: Array
) -> F32:
    """Add the slopes of half the squared error on a sample; return the error."""
    value = value_of(wiring, samples, row, neurons, sums)
    error = error_of(value, samples[2][row])
    one = np.float32(1)
    narrow = one / np.float32(math.sqrt(one + value * value))
    outer = error * narrow * narrow * narrow
    for view in range(wiring.views):
        sign = outer if view == 0 else -outer
        backward[0] = sign
        for neuron in range(1, neurons.shape[1]):
            said = relu(sums[view, neuron])
            slopes[0, neuron] += sign * said
            backward[neuron] = sign * neurons[0, neuron] if said > 0 else np.float32(0)
        _add_view(wiring, samples, row, np.int64(view), backward, slopes)
    return error


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
def descend(wiring: Wiring, samples: Array, neurons: Array, plan: StrategyPlan, key: U64) -> F64:
    """Train neurons in place for `plan.batches` steps; return the mean squared error of the last tenth.

    Arguments as of `coevolution.coevolve`; of the plan `pairs` and `spread` have no part.
    """
    turned = np.ascontiguousarray(neurons.T)
    moments = np.zeros((2, turned.shape[0], turned.shape[1]), np.float32)
    slopes = np.zeros(turned.shape, np.float32)
    sums, backward = np.zeros((2, len(neurons)), np.float32), np.zeros(len(neurons), np.float32)
    error, judged, counted_from = 0.0, 0, plan.batches - plan.batches // 10 - 1
    for number in range(plan.batches):
        batch = draw_batch(samples, draw(key, np.int64(2 * number + 1)), np.int64(plan.batch))
        for index in range(plan.batch):
            own = np.float64(_add_slopes(wiring, batch, np.int64(index), turned, sums, backward, slopes))
            if number >= counted_from:
                error += own * own
                judged += 1
        step = step_of(1.0 / plan.batch, plan.rate, plan.decay, _SMALLEST, np.int64(number))
        _descend(turned, moments, slopes, step)
    neurons[:] = turned.T
    return error / max(judged, 1)
