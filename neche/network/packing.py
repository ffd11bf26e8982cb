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

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array
from neche.games.sensors import DARK_8X8, SensorLayout
from neche.network.decode import Columns, Network, columns_of
from neche.network.dense import MANY_SYNAPSES, dense_layers, pack_dense, sensor_map
from neche.network.folding import (
    HEADER,
    PIECES,
    SHIFT,
    SQUARES,
    UNIT,
    Folded,
    Scratch,
    count_rows,
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
    layout, columns = layout or DARK_8X8, columns_of(networks)
    likely = np.flatnonzero(columns.is_dense | (np.diff(columns.ends) >= MANY_SYNAPSES)).tolist()
    layers = {index: dense_layers(networks[index], layout) for index in likely}
    dense = {index: found for index, found in layers.items() if found is not None}
    folded = _folded(columns, np.setdiff1d(np.arange(len(networks)), [*dense]), layout)
    hidden, second = folded.hidden_bias.shape[1], folded.second_bias.shape[1]
    rows = folded.rows.ravel()
    if dense:
        rows = pack_dense(folded, [*dense], [*dense.values()], layout, rows)
    parts = [part for name, part in folded._asdict().items() if name != "rows"]
    words = np.concatenate([part.reshape(len(networks), -1) for part in parts], axis=1)
    return PackedNetworks(words.ravel(), rows, hidden, second, words.shape[1])


def _folded(columns: Columns, sparse: Array, layout: SensorLayout) -> Folded:
    """Fold the sparse networks, given by index; the rows of the others stay zero."""
    count, sensors = len(columns.mobility), sensor_map(layout)
    num_neurons = int(columns.borders[:, 3].max()) + 2
    into, feeds_second, out, row_of = np.zeros((4, num_neurons), np.int64)
    squares, weights = np.zeros((2, SQUARES), np.int64)
    source, weight = np.zeros((2, int(np.diff(columns.ends).max())), np.int32)
    excitation = np.zeros(2 * num_neurons)
    worth = np.zeros((SQUARES, PIECES), np.int64)
    scratch = Scratch(into, feeds_second, out, row_of, squares, weights, worth, source, weight, excitation)
    hidden, second = count_rows(sparse, sensors, columns, scratch)
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
    fold_networks(folded, sparse, sensors, columns, scratch)
    return folded


def unit(packed: PackedNetworks, index: int) -> float:
    """Return what an evaluation by network `index` is divided by to be in weight units."""
    header = packed.words[index * packed.record : index * packed.record + HEADER]
    return float(header[UNIT]) * 2.0 ** -int(header[SHIFT])
