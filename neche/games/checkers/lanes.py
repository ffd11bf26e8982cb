"""Walks of checkers side by side in memory, word by word, so that one vector instruction serves many."""

from typing import Any

import numpy as np

from neche.compiled.jit import is_record, jit_inlined, overload
from neche.games import contract
from neche.games.checkers.board import Checkers
from neche.games.checkers.walk import Walk
from neche.games.contract import LANES

_NUM_WORDS = len(Walk._fields)


@jit_inlined
def _walk_in(words: Any, lane: Any) -> Any:
    return Walk(
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
def _put(walk: Any, words: Any, lane: Any) -> None:
    words[lane] = walk.own
    words[LANES + lane] = walk.foe
    words[2 * LANES + lane] = walk.kings
    words[3 * LANES + lane] = walk.upward
    words[4 * LANES + lane] = walk.movable
    words[5 * LANES + lane] = np.uint32(walk.quiet)
    words[6 * LANES + lane] = np.uint32(walk.plies)
    words[7 * LANES + lane] = walk.home


@overload(contract.walk_words)
def _walk_words(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: _NUM_WORDS
    return None


@overload(contract.walk_in_lane)
def _walk_in_lane(position: Any, words: Any, lane: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position, words, lane: _walk_in(words, lane)
    return None


@overload(contract.put_walk)
def _put_walk(walk: Any, words: Any, lane: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk, words, lane: _put(walk, words, lane)
    return None
