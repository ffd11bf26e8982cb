"""Networks and arrays packed small for another process or machine: the members that play, and no zeros.

A network has the room of the largest of its generation, most of it zeros: packed it is 100 bytes instead of
10 kB, which matters where thousands of batches a second leave one machine (docs/how-to/run-on-a-cluster.md).
"""

import pickle
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.network.folding import BLOCK, KING_ROWS, LANES, PIECES, SQUARES
from neche.network.packing import PackedNetworks

# Quick, since one machine packs for all: a higher level takes twice as long for a tenth less.
_LEVEL = 1


def members_only(packed: PackedNetworks, members: NDArray[np.integer[Any]]) -> PackedNetworks:
    """Return the networks `members` [M], in that order, as if they alone had been packed."""
    words = packed.words.reshape(-1, packed.record)
    count, words = len(words), words[members]
    room = 2 * (packed.num_hidden + packed.num_second) * SQUARES
    rows = packed.rows[: count * room].reshape(count, room)[members].ravel().view(np.int16)
    # Blocks of dense networks stand behind the rows of all; a header says where its own begins.
    sizes = words[:, LANES] * (2 + PIECES * words[:, KING_ROWS])
    every = packed.rows.view(np.int16)
    begins = zip(words[:, BLOCK].tolist(), sizes.tolist(), strict=True)
    blocks = [every[begin : begin + size] for begin, size in begins if size]
    has_block = sizes > 0
    words[has_block, BLOCK] = len(rows) + (np.cumsum(sizes) - sizes)[has_block]
    rows = np.concatenate([rows, *blocks]) if blocks else rows
    return packed._replace(words=words.ravel(), rows=rows.view(np.int32))


def packed_arrays(arrays: Sequence[NDArray[Any]]) -> bytes:
    """Return flat arrays as few bytes, for `unpacked_arrays`."""
    columns = []
    for array in arrays:
        places = np.flatnonzero(array)
        # Gaps between values are small numbers, which repeat; places are large and do not.
        gaps = np.diff(places, prepend=0).astype(np.uint32)
        columns.append((len(array), gaps, array[places]))
    return zlib.compress(pickle.dumps(columns, pickle.HIGHEST_PROTOCOL), _LEVEL)


def unpacked_arrays(data: bytes) -> list[NDArray[Any]]:
    """Return the arrays that `packed_arrays` was given, as new ones that may be written to."""
    arrays = []
    # No new trust: these bytes come inside a call that joblib has unpickled already, from the same sender.
    for length, gaps, values in pickle.loads(zlib.decompress(data)):
        array = np.zeros(length, values.dtype)
        array[np.cumsum(gaps, dtype=np.int64)] = values
        arrays.append(array)
    return arrays
