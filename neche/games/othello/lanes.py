"""Walks of Othello side by side in memory, word by word, so that one vector instruction serves many."""

from typing import Any

import numpy as np

from neche.compiled.bits import high_half, join, low_half
from neche.compiled.jit import is_record, jit_inlined, overload
from neche.games import contract
from neche.games.contract import LANES
from neche.games.othello.board import Othello
from neche.games.othello.walk import Walk

# A board is two words of 32 bits.
_NUM_WORDS = len(Walk._fields) + 2


@jit_inlined
def _walk_in(words: Any, lane: Any) -> Any:
    return Walk(
        join(words[lane], words[LANES + lane]),
        join(words[2 * LANES + lane], words[3 * LANES + lane]),
        np.int32(words[4 * LANES + lane]),
        np.int32(words[5 * LANES + lane]),
        np.int32(words[6 * LANES + lane]),
        np.int32(words[7 * LANES + lane]),
    )


@jit_inlined
def _put(walk: Any, words: Any, lane: Any) -> None:
    words[lane], words[LANES + lane] = low_half(walk.own), high_half(walk.own)
    words[2 * LANES + lane], words[3 * LANES + lane] = low_half(walk.foe), high_half(walk.foe)
    words[4 * LANES + lane] = np.uint32(walk.sign)
    words[5 * LANES + lane] = np.uint32(walk.passed)
    words[6 * LANES + lane] = np.uint32(walk.plies)
    words[7 * LANES + lane] = np.uint32(walk.began)


@overload(contract.walk_words)
def _walk_words(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: _NUM_WORDS
    return None


@overload(contract.walk_in_lane)
def _walk_in_lane(position: Any, words: Any, lane: Any) -> Any:
    if is_record(position, Othello):
        return lambda position, words, lane: _walk_in(words, lane)
    return None


@overload(contract.put_walk)
def _put_walk(walk: Any, words: Any, lane: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk, words, lane: _put(walk, words, lane)
    return None
