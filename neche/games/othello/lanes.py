"""Playouts of Othello side by side in memory, word by word, so that one vector instruction serves many."""

from typing import Any

import numpy as np

from neche.compiled.bits import high_half, join, low_half
from neche.compiled.jit import jit_inlined
from neche.games.contract import LANES
from neche.games.othello.walk import OthelloPlayout

# A board is two words of 32 bits.
NUM_WORDS = len(OthelloPlayout._fields) + 2


@jit_inlined
def load(position: Any, words: Any, lane: Any) -> Any:
    """Return the playout of one lane, see `contract.playout_load`."""
    return OthelloPlayout(
        join(words[lane], words[LANES + lane]),
        join(words[2 * LANES + lane], words[3 * LANES + lane]),
        np.int32(words[4 * LANES + lane]),
        np.int32(words[5 * LANES + lane]),
        np.int32(words[6 * LANES + lane]),
        np.int32(words[7 * LANES + lane]),
    )


@jit_inlined
def store(playout: Any, words: Any, lane: Any) -> None:
    """Write a playout into a lane."""
    words[lane], words[LANES + lane] = low_half(playout.own), high_half(playout.own)
    words[2 * LANES + lane], words[3 * LANES + lane] = low_half(playout.foe), high_half(playout.foe)
    words[4 * LANES + lane] = np.uint32(playout.sign)
    words[5 * LANES + lane] = np.uint32(playout.passed)
    words[6 * LANES + lane] = np.uint32(playout.plies)
    words[7 * LANES + lane] = np.uint32(playout.began)
