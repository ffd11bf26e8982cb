"""Learning within a lifetime by gradient descent, for memetic evolution: Adam on the same samples.

Sources: Kingma and Ba 2015; weights that decay apart from the slopes, Loshchilov and Hutter 2019. Symbols as
in `coevolution`.
"""

import math

import numpy as np

from neche.compiled.jit import F32, F64, I64, U64, Array, jit, jit_allocating
from neche.compiled.randomness import draw
from neche.prediction.coevolution import StrategyPlan
from neche.prediction.judging import draw_batch, error_of, relu, value_of, writable
from neche.prediction.neurons import INPUTS, Wiring

_FIRST_MOMENT, _SECOND_MOMENT, _SMALLEST = 0.9, 0.999, 1e-8


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
def _step(neurons: Array, moments: Array, slopes: Array, plan: StrategyPlan, number: I64) -> None:
    """Take one step of Adam against the slopes, and clear them."""
    first, second, one = np.float32(_FIRST_MOMENT), np.float32(_SECOND_MOMENT), np.float32(1)
    grown = np.float32(1.0 - _FIRST_MOMENT ** (number + 1.0))
    grown_square = np.float32(1.0 - _SECOND_MOMENT ** (number + 1.0))
    share, rate = np.float32(1.0 / plan.batch), np.float32(plan.rate)
    kept = np.float32(1.0 - plan.rate * plan.decay)
    for neuron in range(len(neurons)):
        for at in range(neurons.shape[1]):
            slope = slopes[neuron, at] * share
            slopes[neuron, at] = np.float32(0)
            mean = first * moments[0, neuron, at] + (one - first) * slope
            square = second * moments[1, neuron, at] + (one - second) * slope * slope
            moments[0, neuron, at], moments[1, neuron, at] = mean, square
            size = np.float32(math.sqrt(square / grown_square)) + np.float32(_SMALLEST)
            neurons[neuron, at] = writable(neurons[neuron, at] * kept - rate * (mean / grown) / size)


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
        _step(turned, moments, slopes, plan, np.int64(number))
    neurons[:] = turned.T
    return error / max(judged, 1)
