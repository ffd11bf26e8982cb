"""Networks packed into flat arrays for compiled code: pruned, folded, exact in integers.

`N` networks; `h` and `k` neurons of the first and second layer of a network that are left after folding.
Folding changes no value: weights are the integers raw − 2^19, so sums are exact and equal evaluations are
equal. Only if a sum could exceed 61 bits (deep chains of the largest weights) is it kept in larger units,
still finer than a float64.

A dense network has no such rows, but a block at the end of `rows`, see `dense`; both kinds can be mixed.

Record of a network in `words`: header [15] | table [2, 4, 64]. The words of its neurons follow the records of
all networks, and vary in number: most networks need few, the largest one of a population many.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import Array
from neche.games.sensors import DARK_8X8, SensorLayout
from neche.network import folding
from neche.network.decode import Columns, Network, columns_of
from neche.network.dense import MANY_SYNAPSES, dense_layers, pack_dense, sensor_map
from neche.network.folding import Folded, Scratch


class PackedNetworks(NamedTuple):
    """Networks ready to evaluate.

    words: [N · 527] int64, then the words of neurons, see `folding.neuron_words`. rows: [Σ 2 · (h + k) · 64]
    int32, then the blocks of dense networks.
    """

    words: Array
    rows: Array

    @property
    def records(self) -> Array:
        """Header and table of each network: [N, 527], a view."""
        # the neurons of the first network follow the records of all
        return self.words[: self.words[folding.NEURONS]].reshape(-1, folding.RECORD)

    @property
    def are_layered(self) -> Array:
        """Which networks are dense with a second hidden layer: [N] bool."""
        return (self.records[:, folding.LANES] > 0) & (self.records[:, folding.NUM_SECOND] > 0)


def pack_networks(networks: Sequence[Network], layout: SensorLayout | None = DARK_8X8) -> PackedNetworks:
    """Pack networks, at least one, in their order; each sees the board of `layout`, or nothing.

    layout: `Game.sensors`; None if no network sees the board. InputError if a dense network has sensors for
    another board, or weights that strands cannot write.
    """
    layout, columns = layout or DARK_8X8, columns_of(networks)
    likely = np.flatnonzero(columns.is_dense | (np.diff(columns.ends) >= MANY_SYNAPSES)).tolist()
    layers = {index: dense_layers(networks[index], layout) for index in likely}
    dense = {index: found for index, found in layers.items() if found is not None}
    folded = _folded(columns, np.delete(np.arange(len(networks)), [*dense]), layout)
    return PackedNetworks(folded.words, pack_dense(folded, dense, layout) if dense else folded.rows)


def _folded(columns: Columns, sparse: Array, layout: SensorLayout) -> Folded:
    """Fold the sparse networks, given by index; the records of the others stay zero."""
    count, sensors = len(columns.mobility), sensor_map(layout)
    num_neurons = int(columns.borders[:, 3].max()) + 2
    into, feeds_second, out, row_of = np.zeros((4, num_neurons), np.int64)
    filled, room = np.zeros(2, np.int64), np.zeros((count, 2), np.int64)
    squares, weights = np.zeros((2, folding.SQUARES), np.int64)
    source, weight = np.zeros((2, int(np.diff(columns.ends).max())), np.int32)
    excitation = np.zeros(2 * num_neurons)
    worth = np.zeros((folding.SQUARES, folding.PIECES), np.int64)
    scratch = Scratch(
        into, feeds_second, out, row_of, filled, squares, weights, worth, source, weight, excitation
    )
    folding.count_rows(room, sparse, sensors, columns, scratch)
    hidden, second = room.T
    sizes, row_sizes = 4 * (hidden + second) + hidden * second, 2 * (hidden + second) * folding.SQUARES
    words = np.zeros(count * folding.RECORD + sizes.sum(), np.int64)
    rows = np.zeros(row_sizes.sum(), np.int32)
    records = words[: count * folding.RECORD].reshape(count, folding.RECORD)
    records[:, folding.NUM_HIDDEN], records[:, folding.NUM_SECOND] = hidden, second
    records[:, folding.NEURONS] = count * folding.RECORD + np.cumsum(sizes) - sizes
    records[:, folding.BLOCK] = np.cumsum(row_sizes) - row_sizes
    folded = Folded(records, words, rows)
    folding.fold_networks(folded, sparse, sensors, columns, scratch)
    return folded


def unit(packed: PackedNetworks, index: int) -> float:
    """Return the divisor that converts an evaluation by network `index` to weight units."""
    header = packed.words[index * folding.RECORD : index * folding.RECORD + folding.HEADER]
    return float(header[folding.UNIT]) * 2.0 ** -int(header[folding.SHIFT])
