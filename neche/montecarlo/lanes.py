"""Many playouts at a time on one CPU core: walks side by side, led on by vector instructions.

The loop over the lanes has no branch, so LLVM makes vector instructions of it: 16 walks in one register with
AVX-512, 8 with AVX2, 4 with NEON. Games end one by one: between two such loops, lanes that have are given the
next game.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import high_half, join, low_half
from neche.compiled.jit import jit, jit_inlined
from neche.compiled.randomness import advance, draw
from neche.games.contract import (
    LANES,
    playout_draws,
    playout_init,
    playout_is_over,
    playout_load,
    playout_result,
    playout_step,
    playout_steps,
    playout_store,
    playout_words,
    position_at,
)

# More steps between two looks at the lanes leave more lanes waiting, fewer cost more looks.
_STEPS_BETWEEN_LOOKS = 4
_IDLE = -1
# Of a lane, behind those of its walk: halves of its random state, and whether its game is over.
_WORDS_BEHIND = 3


class Runs(NamedTuple):
    """Games to play: those number first[k] … last[k] − 1 of the stream keys[k], from position k of K.

    positions: record of the fields of the positions, [K] each. keys: [K] uint64. first, last: [K] int64.
    """

    positions: Any
    keys: Any
    first: Any
    last: Any


class Lanes(NamedTuple):
    """Games under way.

    words: [words a lane · LANES] uint32, laid out as `contract.playout_load` says. run: [LANES] int64 – the
    run that a lane plays for, −1 for none.
    """

    words: Any
    run: Any


def new_lanes(position: Any) -> Lanes:
    """Allocate the lanes of one thread, for the game of a position."""
    words = int(_words_of_walk(position)) + _WORDS_BEHIND
    return Lanes(np.zeros(words * LANES, np.uint32), np.full(LANES, _IDLE, np.int64))


@jit
def _words_of_walk(position: Any) -> Any:
    return playout_words(position)


@jit_inlined
def _lead_on(position: Any, words: Any, lane: Any, rule: Any) -> Any:
    """Lead the walk of a lane one step on, or leave it where it is over."""
    at = playout_words(position) * LANES + lane
    walk = playout_load(position, words, lane)
    state = join(words[at], words[at + LANES])
    state = advance(state) if playout_draws(walk) else state
    steps = playout_steps(walk, rule)
    is_over = playout_is_over(walk, steps, rule)
    after = playout_step(walk, steps, state)
    playout_store(walk if is_over else after, words, lane)
    words[at], words[at + LANES] = low_half(state), high_half(state)
    words[at + 2 * LANES] = np.uint32(is_over)


@jit
def _lead_all_on(position: Any, words: Any, rule: Any) -> None:
    for _ in range(_STEPS_BETWEEN_LOOKS):
        for lane in range(LANES):
            _lead_on(position, words, lane, rule)


@jit_inlined
def _begin(position: Any, state: Any, words: Any, lane: Any, rule: Any) -> Any:
    at = playout_words(position) * LANES + lane
    playout_store(playout_init(position, np.int32(0), rule), words, lane)
    words[at], words[at + LANES], words[at + 2 * LANES] = low_half(state), high_half(state), np.uint32(0)


@jit_inlined
def _count(position: Any, lanes: Any, lane: Any, rule: Any, sums: Any) -> Any:
    """Add the result of a lane's finished game to its run."""
    walk = playout_load(position, lanes.words, lane)
    outcome, plies = playout_result(walk, playout_steps(walk, rule), rule)
    run = lanes.run[lane]
    sums[0, run] += outcome > 0
    sums[1, run] += outcome == 0
    sums[2, run] += outcome < 0
    sums[3, run] += plies


@jit
def _deal(runs: Any, run: Any, number: Any, lanes: Any, lane: Any, rule: Any) -> Any:
    """Begin the next game in a lane, if there is one; return its run and number, or K."""
    num_runs = len(runs.keys)
    number += 1
    while run < num_runs and number >= runs.last[run]:
        run += 1
        number = runs.first[run] if run < num_runs else 0
    lanes.run[lane] = run if run < num_runs else _IDLE
    if run < num_runs:
        state = draw(runs.keys[run], np.uint64(number))
        _begin(position_at(runs.positions, run), state, lanes.words, lane, rule)
    return run, number


@jit
def play_runs(runs: Any, rule: Any, lanes: Any, sums: Any) -> None:
    """Play all games of `runs`; add wins, draws, losses and plies to sums: [4, K] int64.

    Results are for the side to move in each position. They do not depend on how games meet in the lanes.
    """
    words = lanes.words
    position = position_at(runs.positions, 0)
    over = playout_words(position) * LANES + 2 * LANES
    run, number, active = np.int64(0), np.int64(runs.first[0] - 1), np.int64(0)
    for lane in range(LANES):
        # a lane without a game of its own plays one that nobody counts
        _begin(position, np.uint64(lane), words, lane, rule)
        run, number = _deal(runs, run, number, lanes, lane, rule)
        active += lanes.run[lane] != _IDLE
    while active > 0:
        _lead_all_on(position, words, rule)
        for lane in range(LANES):
            if words[over + lane] and lanes.run[lane] != _IDLE:
                _count(position, lanes, lane, rule, sums)
                run, number = _deal(runs, run, number, lanes, lane, rule)
                active -= lanes.run[lane] == _IDLE
