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
    fold_networks,
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
    folded = _folded(len(networks), sparse, layout)
    hidden = folded.hidden_bias.shape[1]
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


def _folded(count: int, networks: Mapping[int, Network], layout: SensorLayout) -> Folded:
    """Fold the sparse networks of `count`, by their index; the rows of the others stay zero."""
    sparse = networks.values()
    neurons = np.array([network.topology.borders for network in sparse], np.int64).reshape(-1, 4)
    # The empty column, where all networks are dense.
    live, source, sink, weight = (
        np.concatenate([np.empty(0, kind), *(getattr(network, name) for network in sparse)])
        for name, kind in (("live", bool), ("source", np.int32), ("sink", np.int32), ("weight", np.int32))
    )
    ends = np.append(0, np.cumsum(live))[np.cumsum([0, *(len(network.live) for network in sparse)])]
    source, sink, weight = source[live], sink[live], weight[live]
    hidden, second = _room(neurons, np.repeat(np.arange(len(neurons)), np.diff(ends)), sink)
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
    is_antisymmetric = np.array([network.perspective == "antisymmetric" for network in sparse], np.bool_)
    kinds = is_antisymmetric, np.array([network.mobility for network in sparse], np.int64)
    rows = np.array([*networks], np.int64)
    fold_networks(folded, rows, sensor_map(layout), neurons, (ends, source, sink, weight), kinds)
    return folded


def _room(neurons: Array, owner: Array, sink: Array) -> tuple[int, int]:
    """Return room for the live neurons of both hidden layers, and for those of the second.

    For two copies of each, since the antisymmetric perspective has the opponent's view as well.
    """
    _, first_layer, second_layer, output = neurons.T[..., None]
    ids = np.arange(output.max(initial=0) + 1)
    is_fed = np.zeros((len(neurons), len(ids)), np.bool_)
    is_fed[owner, sink] = True
    is_fed &= (ids >= first_layer) & (ids < output)
    second = (is_fed & (ids >= second_layer)).sum(axis=1).max(initial=0)
    return 2 * int(is_fed.sum(axis=1).max(initial=0)), 2 * int(second)


def unit(packed: PackedNetworks, index: int) -> float:
    """Return what an evaluation by network `index` is divided by to be in weight units."""
    header = packed.words[index * packed.record : index * packed.record + HEADER]
    return float(header[UNIT]) * 2.0 ** -int(header[SHIFT])
