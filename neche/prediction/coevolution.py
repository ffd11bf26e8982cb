"""Cooperative coevolution by neuron: each neuron is a species, and predicts together with all the others.

Every batch of samples is a generation of each species. Its individuals are its neuron with all weights
moved a little, in mirrored pairs; each is judged in the company of the other neurons as they are, whose sum
is computed once. Recombination moves a neuron towards those of its individuals that predicted better, by a
step that adapts to each weight. No gradient is computed: of a network nothing is used but how well it
predicts.

A perturbation is shared by all species, so that its sum over a position is computed once for all neurons; and
since mirrored pairs share it too, an individual costs little more than its activation and its error.

Sources: cooperative coevolution by neuron (Moriarty and Miikkulainen 1996; Gomez, Schmidhuber and
Miikkulainen 2008), mirrored sampling (Brockhoff and others 2010), recombination in proportion to fitness
with adaptive steps (Salimans and others 2017; the moments of Kingma and Ba 2015).

Symbols: H hidden neurons, F sensors by kind, I inputs of a neuron, K mirrored pairs, N samples, M.
"""

import math
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F32, F64, I64, U64, Array, jit, jit_allocating, jit_inlined
from neche.compiled.randomness import draw, draw_below
from neche.prediction.judging import error_of, relu
from neche.prediction.neurons import INPUTS, Wiring

MOST_PAIRS = 64
_FIRST_MOMENT, _SECOND_MOMENT, _SMALLEST = 0.9, 0.999, 1e-9


class StrategyPlan(NamedTuple):
    """How long and how boldly.

    batches: generations. batch: samples of each. pairs: K. spread: size of a perturbation, weight units.
    rate: largest step of a weight in one generation, weight units.
    """

    batches: I64
    batch: I64
    pairs: I64
    spread: F64
    rate: F64


class _Room(NamedTuple):
    """Working memory. What a species is perturbed by, and weights, by sensor: the last row is the constant.

    signs: [I + 2, K] float32, ± spread. moves: [F + 1, K]. weights: [F + 1, H]. direct: [F + 1]. sums: [2, H]
    and shifts: [2, K], of each view of a sample. edges: [H + 1, K] – by how much the first half of a pair
    errs more than the second, in squares.
    """

    signs: Array
    moves: Array
    weights: Array
    direct: Array
    sums: Array
    shifts: Array
    edges: Array


@jit_allocating
def _new_room(wiring: Wiring, neurons: Array, pairs: I64) -> _Room:
    rows, hidden, sensors = neurons.shape[1], len(neurons) - 1, len(wiring.input_of)
    return _Room(
        np.zeros((rows, pairs), np.float32),
        np.zeros((sensors + 1, pairs), np.float32),
        np.zeros((sensors + 1, hidden), np.float32),
        np.zeros(sensors + 1, np.float32),
        np.zeros((2, hidden), np.float32),
        np.zeros((2, pairs), np.float32),
        np.zeros((hidden + 1, pairs), np.float32),
    )


@jit_allocating
def _spread_out(wiring: Wiring, neurons: Array, plan: StrategyPlan, key: U64, room: _Room) -> None:
    """Draw the perturbation of a generation, and lay it and the weights out by sensor."""
    spread, hidden, sensors = np.float32(plan.spread), len(neurons) - 1, len(wiring.input_of)
    for row in range(len(room.signs)):
        bits = draw(key, np.int64(row))
        for pair in range(plan.pairs):
            is_set = np.uint64(np.uint64(bits >> np.uint64(pair)) & np.uint64(1)) != 0
            room.signs[row, pair] = spread if is_set else -spread
    for sensor in range(sensors + 1):
        # the constant is on in every sample, its row is the last
        row = INPUTS - 1 if sensor == sensors else INPUTS + wiring.input_of[sensor]
        factor = np.float32(1) if sensor == sensors else wiring.factor[sensor]
        for pair in range(plan.pairs):
            room.moves[sensor, pair] = factor * room.signs[row, pair]
        room.direct[sensor] = factor * neurons[0, row]
        for neuron in range(hidden):
            room.weights[sensor, neuron] = factor * neurons[neuron + 1, row]
    room.edges[:] = np.float32(0)


@jit
def _sum_view(wiring: Wiring, samples: Array, row: I64, view: I64, room: _Room) -> F32:
    """Sum up what one side sees of a sample, for all neurons and perturbations; return the direct sum."""
    excited = samples[0]
    constant, hidden, pairs = len(wiring.input_of), room.sums.shape[1], room.shifts.shape[1]
    total = room.direct[constant]
    for neuron in range(hidden):
        room.sums[view, neuron] = room.weights[constant, neuron]
    for pair in range(pairs):
        room.shifts[view, pair] = room.moves[constant, pair]
    for place in range(samples[1][row]):
        sensor = np.int64(excited[row, place])
        if view == 1:
            sensor = wiring.opposite[sensor]
        total += room.direct[sensor]
        for pair in range(pairs):
            room.shifts[view, pair] += room.moves[sensor, pair]
        for neuron in range(hidden):
            room.sums[view, neuron] += room.weights[sensor, neuron]
    return total


@jit_inlined
def _judge_direct(value: F32, target: F32, shift: Array, other_shift: Array, edges: Array) -> None:
    """Add what the halves of each pair of the output neuron err on one sample."""
    # the shifts of a view that is not taken are 0
    for pair in range(len(edges)):
        step = shift[pair] - other_shift[pair]
        gain, loss = error_of(value + step, target), error_of(value - step, target)
        edges[pair] += gain * gain - loss * loss


@jit_inlined
def _judge_neuron(
    total: F32, out: F32, rest: F32, target: F32, shift: Array, signs: Array, edges: Array
) -> None:
    """Add what the halves of each pair of a hidden neuron err on one sample; rest: what all others say."""
    for pair in range(len(edges)):
        gain = error_of(rest + (out + signs[pair]) * relu(total + shift[pair]), target)
        loss = error_of(rest + (out - signs[pair]) * relu(total - shift[pair]), target)
        edges[pair] += gain * gain - loss * loss


@jit_inlined
def _judge_both_views(
    total: F32,
    other: F32,
    out: F32,
    rest: F32,
    target: F32,
    shift: Array,
    other_shift: Array,
    signs: Array,
    edges: Array,
) -> None:
    """Do the same for a neuron of which both sides' views are taken."""
    for pair in range(len(edges)):
        more = relu(total + shift[pair]) - relu(other + other_shift[pair])
        less = relu(total - shift[pair]) - relu(other - other_shift[pair])
        gain = error_of(rest + (out + signs[pair]) * more, target)
        loss = error_of(rest + (out - signs[pair]) * less, target)
        edges[pair] += gain * gain - loss * loss


@jit_allocating
def _judge(wiring: Wiring, samples: Array, row: I64, neurons: Array, room: _Room) -> F32:
    """Add the errors of all individuals of all species on one sample; return that of the network itself."""
    views, hidden, target = wiring.views, len(neurons) - 1, samples[2][row]
    value = _sum_view(wiring, samples, row, np.int64(0), room)
    if views == 2:
        value -= _sum_view(wiring, samples, row, np.int64(1), room)
    for neuron in range(hidden):
        said = relu(room.sums[0, neuron])
        if views == 2:
            said -= relu(room.sums[1, neuron])
        value += neurons[neuron + 1, 0] * said
    shift, other_shift, signs = room.shifts[0], room.shifts[1], room.signs[0]
    _judge_direct(value, target, shift, other_shift, room.edges[0])
    for neuron in range(hidden):
        out, total, edges = neurons[neuron + 1, 0], room.sums[0, neuron], room.edges[neuron + 1]
        said = relu(total)
        if views == 2:
            said -= relu(room.sums[1, neuron])
            rest, other = value - out * said, room.sums[1, neuron]
            _judge_both_views(total, other, out, rest, target, shift, other_shift, signs, edges)
        else:
            _judge_neuron(total, out, value - out * said, target, shift, signs, edges)
    return error_of(value, target)


@jit
def _recombine(neurons: Array, moments: Array, plan: StrategyPlan, number: I64, room: _Room) -> None:
    """Move every neuron towards its better individuals, weight by weight."""
    share = np.float32(1.0 / (2.0 * plan.spread * plan.spread * plan.pairs * plan.batch))
    first, second = np.float32(_FIRST_MOMENT), np.float32(_SECOND_MOMENT)
    # the moments begin at zero and are too small at first
    grown = np.float32(1.0 - _FIRST_MOMENT ** (number + 1.0))
    grown_square = np.float32(1.0 - _SECOND_MOMENT ** (number + 1.0))
    one, rate, smallest = np.float32(1), np.float32(plan.rate), np.float32(_SMALLEST)
    for neuron in range(len(neurons)):
        # the first word of the output neuron leads nowhere
        for row in range(1 if neuron == 0 else 0, neurons.shape[1]):
            slope = np.float32(0)
            for pair in range(plan.pairs):
                slope += room.edges[neuron, pair] * room.signs[row, pair]
            slope *= share
            mean = first * moments[0, neuron, row] + (one - first) * slope
            square = second * moments[1, neuron, row] + (one - second) * slope * slope
            moments[0, neuron, row], moments[1, neuron, row] = mean, square
            size = np.float32(math.sqrt(square / grown_square)) + smallest
            neurons[neuron, row] -= rate * (mean / grown) / size


@jit_allocating
def coevolve(wiring: Wiring, samples: Array, neurons: Array, plan: StrategyPlan, key: U64) -> F64:
    """Evolve neurons in place for `plan.batches` generations; return the mean squared error at the end.

    samples: `samples.Samples`. neurons: [H + 1, 2 + I] float32, see `neurons.read_neurons`. key: of the
    random numbers; everything follows from it.
    """
    room = _new_room(wiring, neurons, plan.pairs)
    moments = np.zeros((2, len(neurons), neurons.shape[1]), np.float32)
    error, judged, counted_from = 0.0, 0, plan.batches - plan.batches // 10 - 1
    for number in range(plan.batches):
        _spread_out(wiring, neurons, plan, draw(key, np.int64(2 * number)), room)
        rows_key = draw(key, np.int64(2 * number + 1))
        for index in range(plan.batch):
            row = draw_below(rows_key, np.int64(index), np.int64(len(samples[2])))
            own = np.float64(_judge(wiring, samples, row, neurons, room))
            if number >= counted_from:
                error += own * own
                judged += 1
        _recombine(neurons, moments, plan, np.int64(number), room)
    return error / max(judged, 1)
