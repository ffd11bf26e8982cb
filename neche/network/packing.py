"""Networks packed into flat arrays for compiled code: pruned, folded, exact in integers.

`N` networks; `H` and `K` neurons of the first and second layer, at most, that are left after folding. Folding
changes no value: weights are the integers raw − 2^19, so sums are exact and equal evaluations are equal. Only
where a sum could leave 61 bits (deep chains of the largest weights) is it kept in larger units, still finer
than a float64.

A dense network has no rows of this kind, but a block at the end of `rows`, see `dense`; both kinds can stand
side by side.

Record of a network in `words`: header [12] | table [2, 4, 64] | seen [2, H + K] | hidden bias [H] | hidden
out [H] | second bias [K] | second out [K] | second hidden [K, H]; see `folding.Folded` for what each is.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array
from neche.games.sensors import DARK_8X8, SensorLayout
from neche.network.decode import Network
from neche.network.dense import MANY_SYNAPSES, dense_layers, pack_dense, sensor_map
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
    fold_network,
)


class PackedNetworks(NamedTuple):
    """Networks ready to evaluate.

    words: [N · record] int64. rows: [N · 2 · (H + K) · 64] int32, then blocks of dense networks.
    num_hidden, num_second: H, K. record: words a network.
    """

    words: Array
    rows: Array
    num_hidden: I64
    num_second: I64
    record: I64


def pack_networks(networks: Sequence[Network], layout: SensorLayout | None = DARK_8X8) -> PackedNetworks:
    """Pack networks, at least one, in their order; each sees the board of `layout`, or none.

    layout: `Game.sensors`; None where no network sees the board.

    Raises:
        InputError: a dense network has sensors for another board, or weights that strands cannot write.
    """
    layout = layout or DARK_8X8
    dense = {}
    for index, network in enumerate(networks):
        is_likely = network.topology.is_dense or len(network.live) >= MANY_SYNAPSES
        if is_likely and (layers := dense_layers(network, layout)) is not None:
            dense[index] = layers
    sparse = {index: network for index, network in enumerate(networks) if index not in dense}
    rooms = [(0, 0), *map(_num_hidden, sparse.values())]
    hidden, second = (max(room) for room in zip(*rooms, strict=True))
    folded = _folded(len(networks), sparse, layout, hidden, second)
    # folding leaves fewer hidden neurons than there was room for
    h, k = (int(folded.header[:, column].max()) for column in (NUM_HIDDEN, NUM_SECOND))
    kept = [*range(h), *range(hidden, hidden + k)]
    rows = np.ascontiguousarray(folded.rows[:, :, kept]).ravel()
    if dense:
        rows = pack_dense(folded, [*dense], [*dense.values()], layout, rows)
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
    return PackedNetworks(words.ravel(), rows, h, k, words.shape[1])


def _folded(
    count: int, networks: Mapping[int, Network], layout: SensorLayout, hidden: int, second: int
) -> Folded:
    """Fold the sparse networks of `count`, by their index; the rows of the others stay zero."""
    both = hidden + second
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
    sensors = sensor_map(layout)
    for index, network in networks.items():
        shape, live = network.topology, network.live
        neurons = Neurons(shape.first_bias, shape.first_layer1, shape.first_layer2, shape.output)
        weights = np.zeros((shape.num_neurons, shape.num_neurons), np.int64)
        weights[network.source[live], network.sink[live]] = network.weight[live]
        is_antisymmetric = network.perspective == "antisymmetric"
        fold_network(folded, index, sensors, neurons, weights, is_antisymmetric, network.mobility)
    return folded


def unit(packed: PackedNetworks, index: int) -> float:
    """Return what an evaluation by network `index` is divided by to be in weight units."""
    header = packed.words[index * packed.record : index * packed.record + HEADER]
    return float(header[UNIT]) * 2.0 ** -int(header[SHIFT])


def _num_hidden(network: Network) -> tuple[int, int]:
    """Return room for the live neurons of both hidden layers, and for those of the second.

    For two copies of each, since the antisymmetric perspective has the opponent's view as well.
    """
    fed = np.bincount(network.sink[network.live], minlength=network.topology.num_neurons) > 0
    first, second, output = (
        getattr(network.topology, at) for at in ("first_layer1", "first_layer2", "output")
    )
    return 2 * int(fed[first:output].sum()), 2 * int(fed[second:output].sum())
