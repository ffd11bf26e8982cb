"""Cooperative coevolution by neuron: each neuron is a species, evaluated together with all the others.

Every batch of samples is a generation of each species. The individuals of a species are its neuron with all
weights perturbed, in mirrored pairs; each is evaluated with the other neurons unperturbed, whose sum is
computed once. Recombination moves a neuron towards those of its individuals that predicted better, by a
step that adapts to each weight. No gradient is computed: only the prediction errors of networks are used.

All species share a perturbation, so that its sum over a position is computed once for all neurons; since
mirrored pairs share it too, an individual costs little more than its activation and its error. Over the
pairs of a batch the perturbations of two weights can be orthogonal, so that the estimated effect of one is
not confounded with that of the other.

Sources: cooperative coevolution by neuron (Moriarty and Miikkulainen 1996; Gomez, Schmidhuber and
Miikkulainen 2008), mirrored sampling (Brockhoff and others 2010), orthogonal perturbations by a Hadamard
matrix (Choromanski and others 2018), recombination in proportion to fitness with adaptive steps (Salimans and
others 2017; the moments of Kingma and Ba 2015).

Symbols: H hidden neurons, F sensors by kind, I inputs of a neuron, K mirrored pairs, N samples, M.
"""

from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F32, F64, I64, U64, Array, jit, jit_inlined
from neche.compiled.randomness import draw
from neche.prediction.adam import Step, moved, step_of
from neche.prediction.judging import Samples, draw_batch, error_of, relu
from neche.prediction.neurons import INPUTS, Neurons, Wiring

MOST_PAIRS = 256
WORD = 64
"""Number of pairs whose signs are the bits of one word."""
_SMALLEST = 1e-9
# Bit k of word i is bit i of k: these are rows 1, 2, 4, 8, 16 and 32 of a Hadamard matrix. Any other row is
# the exclusive or of the rows of the powers of two that make up its number.
_HADAMARD = (
    0xAAAAAAAAAAAAAAAA,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
)
# Number of a draw beyond those of any block.
_FIRST_WORD = 1 << 32


class StrategyPlan(NamedTuple):
    """How long to learn, and with what steps.

    batches: generations. batch: samples of each. pairs: K. spread: size of a perturbation, weight units.
    rate: largest step of a weight in one generation, weight units. block: number of weights perturbed
    orthogonally to each other, a power of two up to K; 1: each at random. decay: weight decay per
    generation, in units of the rate.
    """

    batches: I64
    batch: I64
    pairs: I64
    spread: F64
    rate: F64
    block: I64
    decay: F64


def largest_block(pairs: int) -> int:
    """Return how many weights `pairs` can perturb orthogonally, a power of two."""
    return 1 << pairs.bit_length() - 1


class _CoevolutionWork(NamedTuple):
    """Working memory. Perturbations and weights are laid out by sensor; the last row is the constant.

    signs: [K, I + 2] float32, ± spread. moves: [F + 1, K], the perturbations. weights: [F + 1, H]. direct:
    [F + 1]. sums: [2, H] and shifts: [2, K], their changes, in each view of a sample. edges: [H + 1, K] – the
    squared error of the first half of a pair minus that of the second. outs: [K], the signs of the weights to
    the output. slopes: [I + 2], estimated gradients. moments: [2, H + 1, I + 2]. batch: `samples.Samples`.
    """

    signs: Array
    moves: Array
    weights: Array
    direct: Array
    sums: Array
    shifts: Array
    edges: Array
    outs: Array
    slopes: Array
    moments: Array
    batch: Array


@jit
def _word_key(key: U64, word: I64) -> U64:
    """Return the key of the random numbers of a word; the first word has the key of the generation."""
    return np.uint64(draw(key, np.int64(_FIRST_WORD + word))) if word > 0 else np.uint64(key)


@jit
def signs_of(key: U64, row: I64, block: I64, word: I64) -> U64:
    """Return how the pairs from 64 · word on perturb the weight in a row: 64 bits, one per pair.

    The weights of a block are rows of a Hadamard matrix whose columns and rows have random signs. block: see
    `StrategyPlan`.
    """
    number, place = np.int64(row // block), np.uint64(row % block)
    # the element of row r and column c is −1 where r & c has an odd number of bits: six of c are the column's
    # place in its word, the others the number of the word
    band = np.uint64(place >> np.uint64(6))
    # a weight drawn alone takes one draw, a block two
    bits = np.uint64(draw(_word_key(key, word), np.int64(min(block, np.int64(2)) * number)))
    flips = np.uint64(draw(_word_key(key, np.int64(band)), np.int64(2 * number + 1)))
    for bit in range(len(_HADAMARD)):
        if np.uint64(np.uint64(place >> np.uint64(bit)) & np.uint64(1)):
            bits = np.uint64(bits ^ np.uint64(_HADAMARD[bit]))
    shared = np.uint64(band & np.uint64(word))
    turns = np.uint64(shared ^ np.uint64(shared >> np.uint64(1)))
    # without these flips a column would move weights of neighbouring squares alike, and so sums far
    if block > 1:
        turns = np.uint64(turns ^ np.uint64(flips >> np.uint64(place & np.uint64(63))))
    if np.uint64(turns & np.uint64(1)):
        bits = np.uint64(bits ^ np.uint64(0xFFFFFFFFFFFFFFFF))
    return bits


@jit_inlined
def sign_of(bits: U64, pair: I64, spread: F32) -> F32:
    """Return how a pair, counted within its word, perturbs a weight whose random bits are `bits`."""
    is_set = np.uint64(np.uint64(bits >> np.uint64(pair)) & np.uint64(1)) != 0
    return spread if is_set else -spread


@jit
def _perturb(wiring: Wiring, neurons: Array, plan: StrategyPlan, key: U64, work: _CoevolutionWork) -> None:
    """Draw the perturbation of a generation, and lay out perturbation and weights by sensor."""
    spread, hidden, sensors = np.float32(plan.spread), len(neurons) - 1, len(wiring.input_of)
    for row in range(work.signs.shape[1]):
        for first in range(0, plan.pairs, WORD):
            bits = signs_of(key, np.int64(row), plan.block, np.int64(first // WORD))
            for pair in range(min(WORD, plan.pairs - first)):
                work.signs[first + pair, row] = sign_of(bits, pair, spread)
    for pair in range(plan.pairs):
        work.outs[pair] = work.signs[pair, 0]
    for sensor in range(sensors + 1):
        # the constant is on in every sample; its row is the last
        row = INPUTS - 1 if sensor == sensors else INPUTS + wiring.input_of[sensor]
        factor = np.float32(1) if sensor == sensors else wiring.factor[sensor]
        for pair in range(plan.pairs):
            work.moves[sensor, pair] = factor * work.signs[pair, row]
        work.direct[sensor] = factor * neurons[0, row]
        for neuron in range(hidden):
            work.weights[sensor, neuron] = factor * neurons[neuron + 1, row]
    work.edges[:] = np.float32(0)


@jit
def _sum_view(wiring: Wiring, samples: Array, row: I64, view: I64, work: _CoevolutionWork) -> F32:
    """Sum one side's view of a sample for all neurons and perturbations; return the direct sum."""
    excited = samples[0]
    constant, hidden, pairs = len(wiring.input_of), work.sums.shape[1], work.shifts.shape[1]
    total = work.direct[constant]
    for neuron in range(hidden):
        work.sums[view, neuron] = work.weights[constant, neuron]
    for pair in range(pairs):
        work.shifts[view, pair] = work.moves[constant, pair]
    for place in range(samples[1][row]):
        sensor = np.int64(excited[row, place])
        if view == 1:
            sensor = wiring.opposite[sensor]
        total += work.direct[sensor]
        for pair in range(pairs):
            work.shifts[view, pair] += work.moves[sensor, pair]
        for neuron in range(hidden):
            work.sums[view, neuron] += work.weights[sensor, neuron]
    return total


@jit_inlined
def edge_of_output(value: F32, target: F32, move: F32) -> F32:
    """Return the squared error of the first half of a pair of the output minus that of the second."""
    plus, minus = error_of(value + move, target), error_of(value - move, target)
    return plus * plus - minus * minus


@jit_inlined
def edge_of_neuron(value: F32, total: F32, out: F32, target: F32, shift: F32, sign: F32) -> F32:
    """Return the same for a hidden neuron with this sum and weight to the output; value: of the network."""
    rest = value - out * relu(total)
    plus = error_of(rest + (out + sign) * relu(total + shift), target)
    minus = error_of(rest + (out - sign) * relu(total - shift), target)
    return plus * plus - minus * minus


@jit_inlined
def edge_of_views(
    value: F32, total: F32, other: F32, out: F32, target: F32, shift: F32, other_shift: F32, sign: F32
) -> F32:
    """Return the same for the antisymmetric perspective, where the other side's view is subtracted."""
    rest = value - out * (relu(total) - relu(other))
    more = relu(total + shift) - relu(other + other_shift)
    less = relu(total - shift) - relu(other - other_shift)
    plus = error_of(rest + (out + sign) * more, target)
    minus = error_of(rest + (out - sign) * less, target)
    return plus * plus - minus * minus


@jit
def _reach(shifts: Array) -> F32:
    """Return the largest shift of a sum, whatever its sign."""
    most = np.float32(0)
    for pair in range(len(shifts)):
        most = max(most, abs(shifts[pair]))
    return most


@jit
def _judge(wiring: Wiring, samples: Array, row: I64, neurons: Array, work: _CoevolutionWork) -> None:
    """Add the errors of all individuals of all species on one sample."""
    views, hidden, target = wiring.views, len(neurons) - 1, samples[2][row]
    sums, shifts, signs, edges = work.sums, work.shifts, work.outs, work.edges
    value = _sum_view(wiring, samples, row, np.int64(0), work)
    if views == 2:
        value -= _sum_view(wiring, samples, row, np.int64(1), work)
    for neuron in range(hidden):
        activation = relu(sums[0, neuron])
        if views == 2:
            activation -= relu(sums[1, neuron])
        value += neurons[neuron + 1, 0] * activation
    # the shifts of an unused view are 0
    for pair in range(edges.shape[1]):
        edges[0, pair] += edge_of_output(value, target, shifts[0, pair] - shifts[1, pair])
    reach, other_reach = _reach(shifts[0]), _reach(shifts[1])
    for neuron in range(hidden):
        out, total, other = neurons[neuron + 1, 0], sums[0, neuron], sums[1, neuron]
        # Most neurons are off in all individuals, which then have equal errors: every edge would be 0.
        if total + reach <= 0 and other + other_reach <= 0:
            continue
        for pair in range(edges.shape[1]):
            shift, sign = shifts[0, pair], signs[pair]
            if views == 2:
                edge = edge_of_views(value, total, other, out, target, shift, shifts[1, pair], sign)
            else:
                edge = edge_of_neuron(value, total, out, target, shift, sign)
            edges[neuron + 1, pair] += edge


@jit
def step_of_generation(plan: StrategyPlan, number: I64) -> Step:
    """Return the step of batch `number`; slopes are sums of edges, times signs, over pairs and samples."""
    share = 1.0 / (2.0 * plan.spread * plan.spread * plan.pairs * plan.batch)
    return step_of(share, plan.rate, plan.decay, _SMALLEST, number)


@jit
def _recombine(neurons: Array, moments: Array, step: Step, work: _CoevolutionWork) -> None:
    """Move every neuron towards its better individuals, weight by weight."""
    slopes = work.slopes
    for neuron in range(len(neurons)):
        slopes[:] = np.float32(0)
        # all weights side by side, pair after pair: each sum follows the order of pairs
        for pair in range(work.edges.shape[1]):
            edge = work.edges[neuron, pair]
            for row in range(len(slopes)):
                slopes[row] += edge * work.signs[pair, row]
        # the first weight of the output neuron is unused
        for row in range(1 if neuron == 0 else 0, neurons.shape[1]):
            neurons[neuron, row], moments[0, neuron, row], moments[1, neuron, row] = moved(
                neurons[neuron, row], moments[0, neuron, row], moments[1, neuron, row], slopes[row], step
            )


def coevolve(wiring: Wiring, samples: Samples, neurons: Neurons, plan: StrategyPlan, key: np.uint64) -> None:
    """Evolve neurons in place for `plan.batches` generations.

    neurons: [H + 1, 2 + I] float32, see `neurons.read_neurons`. key: determines all random numbers.
    """
    pairs, rows, hidden, sensors = plan.pairs, neurons.shape[1], len(neurons) - 1, len(wiring.input_of)
    work = _CoevolutionWork(
        np.zeros((pairs, rows), np.float32),
        np.zeros((sensors + 1, pairs), np.float32),
        np.zeros((sensors + 1, hidden), np.float32),
        np.zeros(sensors + 1, np.float32),
        np.zeros((2, hidden), np.float32),
        np.zeros((2, pairs), np.float32),
        np.zeros((hidden + 1, pairs), np.float32),
        np.zeros(pairs, np.float32),
        np.zeros(rows, np.float32),
        np.zeros((2, *neurons.shape), np.float32),
        samples.room(plan.batch),
    )
    _coevolve(wiring, samples, neurons, plan, key, work)


@jit
def _coevolve(
    wiring: Wiring, samples: Array, neurons: Array, plan: StrategyPlan, key: U64, work: _CoevolutionWork
) -> None:
    for number in range(plan.batches):
        _perturb(wiring, neurons, plan, draw(key, np.int64(2 * number)), work)
        draw_batch(samples, draw(key, np.int64(2 * number + 1)), work.batch)
        for index in range(plan.batch):
            _judge(wiring, work.batch, np.int64(index), neurons, work)
        _recombine(neurons, work.moments, step_of_generation(plan, np.int64(number)), work)
