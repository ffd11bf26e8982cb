"""Networks and arrays packed for other processes or machines: only playing members, and no zeros.

The table of a network is mostly zeros: packed, it takes 100 bytes instead of 4 kB, which matters if one
machine sends thousands of batches a second (docs/how-to/run-on-a-cluster.md).
"""

import pickle
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.network.dense import block_sizes, group_rows
from neche.network.folding import BLOCK, NEURONS, NUM_HIDDEN, NUM_SECOND, SQUARES
from neche.network.groups import empty_groups, fill_groups
from neche.network.packing import PackedNetworks

# Fast, since one machine packs for all: a higher level takes twice as long to save a tenth.
_LEVEL = 1


def members_only(packed: PackedNetworks, members: NDArray[np.integer[Any]]) -> PackedNetworks:
    """Return the networks `members` [M], in that order, as if only they had been packed."""
    records = packed.records[members]
    sizes = np.diff(packed.records[:, NEURONS], append=len(packed.words))[members]
    # a second layer after a dense one has no rows, but links after its block
    has_links = packed.are_layered[members]
    num_second = np.where(has_links, 0, records[:, NUM_SECOND])
    row_sizes = 2 * SQUARES * (records[:, NUM_HIDDEN] + num_second)
    neurons = packed.words[_places(records[:, NEURONS], sizes)]
    rows = packed.rows[_places(records[:, BLOCK], row_sizes)].view(np.int16)
    records[:, NEURONS] = records.size + np.cumsum(sizes) - sizes
    # Blocks of dense networks, which have no rows, follow the rows of all.
    sizes_of_blocks = block_sizes(records)
    every = packed.rows.view(np.int16)
    starts = zip(records[:, BLOCK].tolist(), sizes_of_blocks.tolist(), strict=True)
    blocks = [every[start : start + size] for start, size in starts if size]
    records[:, BLOCK] = np.where(
        sizes_of_blocks,
        len(rows) + np.cumsum(sizes_of_blocks) - sizes_of_blocks,
        np.cumsum(row_sizes) - row_sizes,
    )
    rows = np.concatenate([rows, *blocks]) if blocks else rows
    return PackedNetworks(np.concatenate([records.ravel(), neurons]), rows.view(np.int32))


def packed_networks(packed: PackedNetworks, members: NDArray[np.integer[Any]]) -> PackedNetworks:
    """Return `members_only` with zeros for everything that `unpacked_networks` can recompute."""
    some = members_only(packed, members)
    for rows in group_rows(some.records, some.rows):
        empty_groups(rows)
    return some


def unpacked_networks(words: NDArray[np.int64], rows: NDArray[np.int32]) -> PackedNetworks:
    """Return the networks of the arrays from `packed_networks`, completing these in place."""
    packed = PackedNetworks(words, rows)
    for group in group_rows(packed.records, rows):
        fill_groups(group)
    return packed


def _places(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of parts that begin at `starts`, one part after another."""
    return np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())


def packed_arrays(arrays: Sequence[NDArray[Any]]) -> bytes:
    """Return flat arrays as compressed bytes, for `unpacked_arrays`."""
    columns = []
    for array in arrays:
        places = np.flatnonzero(array)
        # Gaps between values are small numbers, which repeat; places are large and do not.
        gaps = np.diff(places, prepend=0).astype(np.uint32)
        columns.append((len(array), gaps, array[places]))
    return zlib.compress(pickle.dumps(columns, pickle.HIGHEST_PROTOCOL), _LEVEL)


def unpacked_arrays(data: bytes) -> list[NDArray[Any]]:
    """Return the arrays given to `packed_arrays`, as new, writable ones."""
    arrays = []
    # No additional trust: these bytes come inside a call that joblib has already unpickled, from that sender.
    for length, gaps, values in pickle.loads(zlib.decompress(data)):
        array = np.zeros(length, values.dtype)
        array[np.cumsum(gaps, dtype=np.int64)] = values
        arrays.append(array)
    return arrays
