"""Coevolution of many networks at once on a CUDA device: equal to `coevolution.coevolve`, bit for bit.

A batch of samples takes three queued launches; a large batch is split, and the first two alternate:

    sum_samples   a block of threads for each sample of each network: its sums, its value
    judge         a thread for each pair of each species of each network, over the samples in their order
    recombine     a thread for each weight

Symbols as in `coevolution`, and P networks, V views, S samples of a launch. Neurons are transposed, as in
`judging`: [2 + I, H + 1].
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from neche.compiled.cuda import cuda, kernel, launch
from neche.compiled.jit import F32, I64, Array
from neche.compiled.randomness import draw, draw_below
from neche.prediction.adam import Step, moved
from neche.prediction.coevolution import (
    MOST_PAIRS,
    WORD,
    StrategyPlan,
    edge_of_neuron,
    edge_of_output,
    edge_of_views,
    sign_of,
    signs_of,
    step_of_generation,
)
from neche.prediction.judging import Samples, relu
from neche.prediction.neurons import INPUTS, Neurons, Wiring

# At most 255 sensors are on in a sample, since their count is a byte; the constant precedes them.
_MOST_PLACES = 256
_MOST_BITS = _MOST_PLACES * (MOST_PAIRS // WORD)


class Mutations(NamedTuple):
    """Size of the perturbations, and number of weights perturbed orthogonally; see `StrategyPlan`."""

    spread: F32
    block: I64


@kernel
def sum_samples(
    rows: Array,
    factors: Array,
    excited: Array,
    counts: Array,
    targets: Array,
    neurons: Array,
    keys: Array,
    number: I64,
    first: I64,
    mutations: Mutations,
    sums: Array,
    shifts: Array,
    ends: Array,
) -> None:
    """Sum samples first … first + S − 1 of a batch as `coevolution` does, each sum in its own thread.

    rows: [V, F] uint64 – of a neuron, and factors: [V, F] float32, by sensor. neurons: [P, 2 + I, H + 1].
    sums: [P, S, V, H + 1], the output's first; shifts: [P, S, V, K]; ends: [P, S, 2] – value and target.
    """
    network, index = cuda.blockIdx.x // sums.shape[1], cuda.blockIdx.x % sums.shape[1]
    species, pairs, begin = neurons.shape[2], shifts.shape[3], cuda.threadIdx.x
    moves_key = np.uint64(draw(keys[network], np.int64(2 * number)))
    rows_key = np.uint64(draw(keys[network], np.int64(2 * number + 1)))
    sample = draw_below(rows_key, np.int64(first + index), np.int64(len(targets)))
    places = 1 + np.int64(counts[sample])
    # shared by all threads of the block: which weights are on, and how they are perturbed
    at = cuda.shared.array(_MOST_PLACES, np.uint64)
    factor = cuda.shared.array(_MOST_PLACES, np.float32)
    bits = cuda.shared.array(_MOST_BITS, np.uint64)
    for view in range(sums.shape[2]):
        for place in range(begin, places, cuda.blockDim.x):
            at[place], factor[place] = np.uint64(INPUTS - 1), np.float32(1)
            if place > 0:
                sensor = excited[sample, place - 1]
                at[place], factor[place] = rows[view, sensor], factors[view, sensor]
            for w in range(-(-pairs // WORD)):
                bits[w * _MOST_PLACES + place] = signs_of(moves_key, np.int64(at[place]), mutations.block, w)
        cuda.syncthreads()
        for neuron in range(begin, species, cuda.blockDim.x):
            weights = neurons[network, :, neuron]
            total = factor[0] * weights[at[0]]
            for place in range(np.uint64(1), np.uint64(places)):
                total += factor[place] * weights[at[place]]
            sums[network, index, view, neuron] = total
        for pair in range(begin, pairs, cuda.blockDim.x):
            drawn, bit = bits[pair // WORD * _MOST_PLACES :], np.int64(pair % WORD)
            total = factor[0] * np.float32(sign_of(drawn[0], bit, mutations.spread))
            for place in range(np.uint64(1), np.uint64(places)):
                total += factor[place] * np.float32(sign_of(drawn[place], bit, mutations.spread))
            shifts[network, index, view, pair] = total
        cuda.syncthreads()
    if begin == 0:
        own, foe, outs = sums[network, index, 0], sums[network, index, sums.shape[2] - 1], neurons[network, 0]
        value = own[0] - foe[0] if sums.shape[2] == 2 else own[0]
        for neuron in range(np.uint64(1), np.uint64(species)):
            activation = np.float32(relu(own[neuron]))
            if sums.shape[2] == 2:
                activation -= np.float32(relu(foe[neuron]))
            value += outs[neuron] * activation
        ends[network, index, 0], ends[network, index, 1] = value, targets[sample]


@kernel
def judge(
    neurons: Array,
    keys: Array,
    number: I64,
    first: I64,
    count: I64,
    mutations: Mutations,
    sums: Array,
    shifts: Array,
    ends: Array,
    edges: Array,
) -> None:
    """Add the errors of all individuals to edges [P, K, H + 1]; sample 0 of a batch begins new sums."""
    thread = cuda.grid(1)
    pairs, species = edges.shape[1], edges.shape[2]
    pair, neuron, network = thread % pairs, thread // pairs % species, thread // (pairs * species)
    if network >= edges.shape[0]:
        return
    out, views = neurons[network, 0, neuron], sums.shape[2]
    edge = edges[network, pair, neuron] if first > 0 else np.float32(0)
    # the columns of this thread
    values, targets = ends[network, :, 0], ends[network, :, 1]
    totals, others = sums[network, :, 0, neuron], sums[network, :, views - 1, neuron]
    moves, other_moves = shifts[network, :, 0, pair], shifts[network, :, views - 1, pair]
    moves_key = np.uint64(draw(keys[network], np.int64(2 * number)))
    bits = np.uint64(signs_of(moves_key, np.int64(0), mutations.block, np.int64(pair // WORD)))
    sign = np.float32(sign_of(bits, np.int64(pair % WORD), mutations.spread))
    # an unsigned index needs no special case for negative indices
    for index in range(np.uint64(count)):
        value, target, total, shift = values[index], targets[index], totals[index], moves[index]
        if neuron == 0:
            move = shift - other_moves[index] if views == 2 else shift
            edge += np.float32(edge_of_output(value, target, move))
        elif views == 2:
            other, other_shift = others[index], other_moves[index]
            edge += np.float32(edge_of_views(value, total, other, out, target, shift, other_shift, sign))
        else:
            edge += np.float32(edge_of_neuron(value, total, out, target, shift, sign))
    edges[network, pair, neuron] = edge


@kernel
def recombine(
    weights: Array, moments: Array, edges: Array, keys: Array, number: I64, mutations: Mutations, step: Step
) -> None:
    """Move every weight towards the better individuals.

    weights: [P · (2 + I) · (H + 1)], the neurons of all networks; moments: two rows like it. One index
    addresses both, which takes fewer registers in the loop than three indices.
    """
    thread = cuda.grid(1)
    rows, species = len(weights) // (len(edges) * edges.shape[2]), edges.shape[2]
    neuron, row, network = thread % species, thread // species % rows, thread // (species * rows)
    # the first weight of the output neuron is unused
    if thread >= len(weights) or (neuron == 0 and row == 0):
        return
    moves_key = np.uint64(draw(keys[network], np.int64(2 * number)))
    slope, pair, column = np.float32(0), np.uint64(0), edges[network, :, neuron]
    while pair < np.uint64(len(column)):
        word = np.int64(pair // np.uint64(WORD))
        bits = np.uint64(signs_of(moves_key, np.int64(row), mutations.block, word))
        end = min(pair + np.uint64(WORD), np.uint64(len(column)))
        while pair < end:
            # the next pair's bit moves to the front: a shift by one is cheaper than a shift by a count
            slope += column[pair] * np.float32(sign_of(bits, np.int64(0), mutations.spread))
            bits >>= np.uint64(1)
            pair += np.uint64(1)
    weights[thread], moments[0, thread], moments[1, thread] = moved(
        weights[thread], moments[0, thread], moments[1, thread], slope, step
    )


def coevolve_all(
    wiring: Wiring,
    samples: Samples,
    neurons: Sequence[Neurons],
    plan: StrategyPlan,
    keys: Sequence[int],
    *,
    block: int = 64,
    room_bytes: int = 2**28,
) -> list[Neurons]:
    """Return networks of one topology after coevolution, each with its key, on the current CUDA device.

    Arguments as in `coevolution.coevolve`. block: threads per block. room_bytes: limit on the sums of a
    launch, which decides how many samples it takes. No result depends on either.
    """
    if not neurons:
        return []
    views, pairs = int(wiring.views), int(plan.pairs)
    turned = np.ascontiguousarray(np.stack(neurons).transpose(0, 2, 1))
    networks, rows, species = turned.shape
    count = max(1, min(int(plan.batch), room_bytes // (4 * networks * views * (species + pairs))))
    sensors = np.stack([np.arange(len(wiring.opposite)), wiring.opposite])[:views]
    given = ((INPUTS + wiring.input_of[sensors]).astype(np.uint64), wiring.factor[sensors], *samples)
    table = [cuda.to_device(np.ascontiguousarray(column)) for column in given]
    state, streams = cuda.to_device(turned), cuda.to_device(np.array(keys, np.uint64))
    weights = state.reshape(turned.size)
    shapes = (networks, pairs, species), (2, turned.size)
    edges, moments = (cuda.to_device(np.zeros(shape, np.float32)) for shape in shapes)
    mutations = Mutations(np.float32(plan.spread), np.int64(plan.block))
    widths = ((views, species), (views, pairs), (2,))
    room = [cuda.device_array((networks, count, *width), np.float32) for width in widths]
    for number in range(plan.batches):
        for first in range(0, plan.batch, count):
            part = (number, first, min(count, plan.batch - first))
            launch(sum_samples, networks * count, block, *table, state, streams, *part[:2], mutations, *room)
            blocks = -(-networks * pairs * species // block)
            launch(judge, blocks, block, state, streams, *part, mutations, *room, edges)
        step = Step(*map(np.float32, step_of_generation(plan, np.int64(number))))
        blocks = -(-networks * rows * species // block)
        launch(recombine, blocks, block, weights, moments, edges, streams, number, mutations, step)
    return [np.ascontiguousarray(one.T) for one in state.copy_to_host()]
