"""Playouts of checkers side by side in memory, word by word, so that one vector instruction serves many."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit_inlined
from neche.games.contract import LANES
from neche.games.draughts.checkers_branch_free import CheckersPlayout

NUM_WORDS = len(CheckersPlayout._fields)


@jit_inlined
def load(position: Any, words: Any, lane: Any) -> Any:
    """Return the playout of one lane, see `contract.playout_load`."""
    return CheckersPlayout(
        words[lane],
        words[LANES + lane],
        words[2 * LANES + lane],
        words[3 * LANES + lane],
        words[4 * LANES + lane],
        np.int32(words[5 * LANES + lane]),
        np.int32(words[6 * LANES + lane]),
        words[7 * LANES + lane],
    )


@jit_inlined
def store(playout: Any, words: Any, lane: Any) -> None:
    """Write a playout into a lane."""
    words[lane] = playout.own
    words[LANES + lane] = playout.foe
    words[2 * LANES + lane] = playout.kings
    words[3 * LANES + lane] = playout.upward
    words[4 * LANES + lane] = playout.movable
    words[5 * LANES + lane] = np.uint32(playout.quiet)
    words[6 * LANES + lane] = np.uint32(playout.plies)
    words[7 * LANES + lane] = playout.home
