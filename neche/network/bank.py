"""Networks as flat arrays for compiled code: pruned, folded, exact in integers.

`N` networks; `H` and `K` neurons of the first and second layer, at most, that are left after folding. Folding
changes no value: weights are the integers raw − 2^19, so sums are exact and equal evaluations are equal. Only
where a sum could leave 61 bits (deep chains of the largest weights) is it kept in larger units, still finer
than a float64.

Record of a network in `words`: header [8] | table [2, 4, 64] | seen [2, H + K] | hidden bias [H] | hidden out
[H] | second bias [K] | second out [K] | second hidden [K, H]; see `folding.Folded` for what each is.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.games.sensing import DARK_8X8, SensorLayout
from neche.network.decode import Network
from neche.network.folding import (
    HEADER,
    NUM_HIDDEN,
    NUM_SECOND,
    SHIFT,
    SQUARES,
    UNIT,
    Eye,
    Synapses,
    empty_folded,
    fold_networks,
)


class Bank(NamedTuple):
    """Networks ready to evaluate.

    words: [N · record] int64. rows: [N · 2 · (H + K) · 64] int32. num_hidden, num_second: H, K. record: words
    a network.
    """

    words: Any
    rows: Any
    num_hidden: Any
    num_second: Any
    record: Any


def build_bank(networks: Sequence[Network], layout: SensorLayout = DARK_8X8) -> Bank:
    """Fold networks, at least one, that see the board of `layout`, or none, into a bank in their order."""
    synapses = _live_synapses(networks)
    most_neurons = max(network.topology.num_neurons for network in networks)
    room = _room(synapses, most_neurons)
    folded = empty_folded(len(networks), *room)
    fold_networks(synapses, _eye(layout), most_neurons, folded)
    h, k = (int(folded.header[:, column].max()) for column in (NUM_HIDDEN, NUM_SECOND))
    kept = [*range(h), *range(room[0], room[0] + k)]
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
    words = np.concatenate([part.reshape(len(networks), -1) for part in parts], axis=1)
    rows = np.ascontiguousarray(folded.rows[:, :, kept]).ravel()
    return Bank(words.ravel(), rows, h, k, words.shape[1])


def _eye(layout: SensorLayout) -> Eye:
    bits = np.array(layout.bits, np.int64)
    opposite = np.full(SQUARES, -1, np.int64)
    opposite[bits] = bits[np.array(layout.turned)]
    return Eye(bits, opposite)


def _live_synapses(networks: Sequence[Network]) -> Synapses:
    start = np.zeros(len(networks) + 1, np.int64)
    np.cumsum([network.live.sum() for network in networks], out=start[1:])

    def joined(name: str) -> NDArray[np.int64]:
        return np.concatenate([getattr(network, name)[network.live] for network in networks]).astype(np.int64)

    neurons = np.array(
        [
            (shape.first_bias, shape.first_layer1, shape.first_layer2, shape.output)
            for shape in (network.topology for network in networks)
        ],
        np.int64,
    )
    antisymmetric = np.array([network.perspective == "antisymmetric" for network in networks])
    mobility = np.array([network.mobility for network in networks], np.int64)
    columns = (joined("source"), joined("sink"), joined("weight"))
    return Synapses(start, *columns, neurons, antisymmetric, mobility)


def _room(synapses: Synapses, most_neurons: int) -> tuple[int, int]:
    """Return how many neurons of both layers, and of the second, any of the networks has, in two copies."""
    owner = np.repeat(np.arange(len(synapses.neurons)), np.diff(synapses.start))
    fed = np.unique(owner * most_neurons + synapses.sink)
    owner, sink = np.divmod(fed, most_neurons)
    _, _, first_layer2, output = synapses.neurons[owner].T
    is_hidden = sink < output
    counts = (
        np.bincount(owner[chosen], minlength=1).max()
        for chosen in (is_hidden, is_hidden & (sink >= first_layer2))
    )
    hidden, second = (2 * int(count) for count in counts)
    return hidden, second


def unit(bank: Bank, index: int) -> float:
    """Return what an evaluation by network `index` is divided by to be in weight units."""
    header = bank.words[index * bank.record : index * bank.record + HEADER]
    return float(header[UNIT]) * 2.0 ** -int(header[SHIFT])
