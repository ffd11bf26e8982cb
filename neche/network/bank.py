"""Networks as flat arrays for compiled code: pruned, folded, exact in integers.

`N` networks; `H` and `K` neurons of the first and second layer, at most, that are left after folding. Folding
changes no value: weights are the integers raw − 2^19, so sums are exact and equal evaluations are equal. Only
where a sum could leave 61 bits (deep chains of the largest weights) is it kept in larger units, still finer
than a float64.

Record of a network in `words`: header [8] | table [2, 4, 32] | seen [2, H + K] | hidden bias [H] | hidden out
[H] | second bias [K] | second out [K] | second hidden [K, H]; see `folding.Folded` for what each is.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.network.decode import Network
from neche.network.folding import (
    HEADER,
    MAX_HIDDEN,
    NUM_HIDDEN,
    NUM_SECOND,
    PIECES,
    SHIFT,
    SQUARES,
    UNIT,
    empty_folded,
    fold_networks,
)

TABLE_WORDS = 2 * PIECES * SQUARES


class Bank(NamedTuple):
    """Networks ready to evaluate.

    words: [N · record] int64. rows: [N · 2 · (H + K) · 32] int32. num_hidden, num_second: H, K. record: words
    a network.
    """

    words: Any
    rows: Any
    num_hidden: Any
    num_second: Any
    record: Any


class Synapses(NamedTuple):
    """Live synapses of several networks end to end; those of network n are start[n] … start[n + 1] − 1."""

    start: NDArray[np.int64]
    source: NDArray[np.int64]
    sink: NDArray[np.int64]
    weight: NDArray[np.int64]
    antisymmetric: NDArray[np.bool_]


def build_bank(networks: Sequence[Network]) -> Bank:
    """Fold networks of the original topology, at least one, into a bank in their order."""
    folded = empty_folded(len(networks))
    fold_networks(_live_synapses(networks), folded)
    h, k = (int(folded.header[:, column].max()) for column in (NUM_HIDDEN, NUM_SECOND))
    kept = [*range(h), *range(MAX_HIDDEN, MAX_HIDDEN + k)]
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
    return Bank(words.ravel(), np.ascontiguousarray(folded.rows[:, :, kept]).ravel(), h, k, words.shape[1])


def _live_synapses(networks: Sequence[Network]) -> Synapses:
    start = np.zeros(len(networks) + 1, np.int64)
    np.cumsum([network.live.sum() for network in networks], out=start[1:])

    def joined(name: str) -> NDArray[np.int64]:
        return np.concatenate([getattr(network, name)[network.live] for network in networks]).astype(np.int64)

    antisymmetric = np.array([network.perspective == "antisymmetric" for network in networks])
    return Synapses(start, joined("source"), joined("sink"), joined("weight"), antisymmetric)


def unit(bank: Bank, index: int) -> float:
    """Return what an evaluation by network `index` is divided by to be in weight units."""
    header = bank.words[index * bank.record : index * bank.record + HEADER]
    return float(header[UNIT]) * 2.0 ** -int(header[SHIFT])
