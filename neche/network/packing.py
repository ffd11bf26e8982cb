"""Networks packed into flat arrays for compiled code: pruned, folded, exact in integers.

`N` networks; `H` and `K` neurons of the first and second layer, at most, that are left after folding. Folding
changes no value: weights are the integers raw − 2^19, so sums are exact and equal evaluations are equal. Only
where a sum could leave 61 bits (deep chains of the largest weights) is it kept in larger units, still finer
than a float64.

Record of a network in `words`: header [8] | table [2, 4, 64] | seen [2, H + K] | hidden bias [H] | hidden out
[H] | second bias [K] | second out [K] | second hidden [K, H]; see `folding.Folded` for what each is.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, jit_allocating
from neche.games.sensors import DARK_8X8, SensorLayout
from neche.network.decode import Network
from neche.network.folding import (
    HEADER,
    NUM_HIDDEN,
    NUM_SECOND,
    PIECES,
    SHIFT,
    SQUARES,
    UNIT,
    Folded,
    Neurons,
    SensorMap,
    fold_network,
)


class PackedNetworks(NamedTuple):
    """Networks ready to evaluate.

    words: [N · record] int64. rows: [N · 2 · (H + K) · 64] int32. num_hidden, num_second: H, K. record: words
    a network.
    """

    words: Array
    rows: Array
    num_hidden: I64
    num_second: I64
    record: I64


class Synapses(NamedTuple):
    """Live synapses of several networks end to end; those of network n are start[n] … start[n + 1] − 1.

    neurons: [N, 4] int64, see `Neurons`. antisymmetric: [N] bool. mobility: [N] int64, ten-thousandths of a
    weight unit.
    """

    start: Array
    source: Array
    sink: Array
    weight: Array
    neurons: Array
    antisymmetric: Array
    mobility: Array


def pack_networks(networks: Sequence[Network], layout: SensorLayout | None = DARK_8X8) -> PackedNetworks:
    """Pack networks, at least one, in their order; each sees the board of `layout`, or none.

    layout: `Game.sensors`; None where no network sees the board.
    """
    synapses = _live_synapses(networks)
    most_neurons = max(network.topology.num_neurons for network in networks)
    hidden, second = _most_hidden(synapses, most_neurons)
    count, both = len(networks), hidden + second
    folded = Folded(
        header=np.zeros((count, HEADER), np.int64),
        table=np.zeros((count, 2, PIECES, SQUARES), np.int64),
        rows=np.zeros((count, 2, both, SQUARES), np.int32),
        seen=np.zeros((count, 2, both), np.int64),
        hidden_bias=np.zeros((count, hidden), np.int64),
        hidden_out=np.zeros((count, hidden), np.int64),
        second_bias=np.zeros((count, second), np.int64),
        second_out=np.zeros((count, second), np.int64),
        second_hidden=np.zeros((count, second, hidden), np.int64),
    )
    _fold_all(synapses, _sensor_map(layout or DARK_8X8), most_neurons, folded)
    # folding leaves fewer hidden neurons than there was room for
    h, k = (int(folded.header[:, column].max()) for column in (NUM_HIDDEN, NUM_SECOND))
    kept = [*range(h), *range(hidden, hidden + k)]
    parts = (
        folded.header,
        folded.table,
        folded.seen[:, :, kept],
        folded.hidden_bias[:, :h],
        folded.hidden_out[:, :h],
        folded.second_bias[:, :k],
        folded.second_out[:, :k],
        folded.second_hidden[:, :k, :h],
    )
    words = np.concatenate([part.reshape(count, -1) for part in parts], axis=1)
    rows = np.ascontiguousarray(folded.rows[:, :, kept]).ravel()
    return PackedNetworks(words.ravel(), rows, h, k, words.shape[1])


def unit(packed: PackedNetworks, index: int) -> float:
    """Return what an evaluation by network `index` is divided by to be in weight units."""
    header = packed.words[index * packed.record : index * packed.record + HEADER]
    return float(header[UNIT]) * 2.0 ** -int(header[SHIFT])


@cache
def _sensor_map(layout: SensorLayout) -> SensorMap:
    bits = np.array(layout.bits, np.int64)
    opposite = np.full(SQUARES, -1, np.int64)
    opposite[bits] = bits[np.array(layout.turned)]
    return SensorMap(bits, opposite)


def _live_synapses(networks: Sequence[Network]) -> Synapses:
    start = np.zeros(len(networks) + 1, np.int64)
    np.cumsum([network.live.sum() for network in networks], out=start[1:])
    source, sink, weight = (
        np.concatenate([getattr(network, name)[network.live] for network in networks]).astype(np.int64)
        for name in ("source", "sink", "weight")
    )
    neurons = np.array(
        [
            (shape.first_bias, shape.first_layer1, shape.first_layer2, shape.output)
            for shape in (network.topology for network in networks)
        ],
        np.int64,
    )
    antisymmetric = np.array([network.perspective == "antisymmetric" for network in networks])
    mobility = np.array([network.mobility for network in networks], np.int64)
    return Synapses(start, source, sink, weight, neurons, antisymmetric, mobility)


def _most_hidden(synapses: Synapses, most_neurons: int) -> tuple[int, int]:
    """Return how many neurons of both layers, and of the second, any of the networks has, in two copies."""
    owner = np.repeat(np.arange(len(synapses.neurons)), np.diff(synapses.start))
    fed = np.unique(owner * most_neurons + synapses.sink)
    owner, sink = np.divmod(fed, most_neurons)
    _, _, first_layer2, output = synapses.neurons[owner].T
    is_hidden = sink < output
    # two copies, since the antisymmetric perspective has the opponent's view as well
    counts = (
        np.bincount(owner[chosen], minlength=1).max()
        for chosen in (is_hidden, is_hidden & (sink >= first_layer2))
    )
    hidden, second = (2 * int(count) for count in counts)
    return hidden, second


@jit_allocating
def _fold_all(synapses: Synapses, sensors: SensorMap, most_neurons: I64, folded: Folded) -> None:
    """Fold networks of `most_neurons` at most into `folded`, one after the other."""
    dense = np.zeros((most_neurons, most_neurons), np.int64)
    for index in range(len(synapses.start) - 1):
        begin, end = synapses.start[index], synapses.start[index + 1]
        for synapse in range(begin, end):
            dense[synapses.source[synapse], synapses.sink[synapse]] = synapses.weight[synapse]
        first = synapses.neurons[index]
        neurons = Neurons(first[0], first[1], first[2], first[3])
        antisymmetric, mobility = synapses.antisymmetric[index], synapses.mobility[index]
        fold_network(folded, index, sensors, neurons, dense, antisymmetric, mobility)
        # clear only what was written, for the next network
        for synapse in range(begin, end):
            dense[synapses.source[synapse], synapses.sink[synapse]] = 0
