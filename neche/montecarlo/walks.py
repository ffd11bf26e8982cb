"""The playouts of one thread of a kernel: game after game of one position, its state in registers."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.randomness import advance, draw, moved_on
from neche.games.contract import (
    playout_draws,
    playout_init,
    playout_is_over,
    playout_result,
    playout_step,
    playout_steps,
)

MAX_GAMES = 2**16
"""Games of one call at most: the sum of their plies stays below 2^31, with 32 767 plies each on average."""


@jit
def play_walks(position: Any, key: Any, first: Any, count: Any, rule: Any) -> Any:
    """Play `count` games of a position, numbers `first` and following of the stream `key`.

    rule: decides what a walk remembers, see `contract.playout_init`. Returns wins and losses for the side to
    move in `position`, and the plies of all games, int32.

    The only branch is the one between two games: at the end of a game the step of the finished walk is
    dropped and the next begins. Beginning a game by selects would cost its 40 instructions at every step.
    """
    key = moved_on(key, first)
    left = np.int32(count)
    wins, losses, plies = np.int32(0), np.int32(0), np.int32(0)
    walk = playout_init(position, plies, rule)
    state = draw(key, np.uint64(0))
    while left > 0:
        steps = playout_steps(walk, rule)
        is_over = playout_is_over(walk, steps, rule)
        state = advance(state) if playout_draws(walk) else state
        after = playout_step(walk, steps, state)
        if is_over:
            outcome, plies = playout_result(walk, steps, rule)
            wins = np.int32(wins + np.int32(outcome > 0))
            losses = np.int32(losses + np.int32(outcome < 0))
            left = np.int32(left - np.int32(1))
            key = moved_on(key, np.uint64(1))
            state = draw(key, np.uint64(0))
            after = playout_init(position, plies, rule)
        walk = after
    return wins, losses, plies
