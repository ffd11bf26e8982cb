"""Random games, one after another, in compiled code: on the CPU, and branch-free in the threads of a GPU."""

import numpy as np

from neche.compiled.jit import I64, U64, Moves, Position, jit
from neche.compiled.randomness import advance, draw, moved_on
from neche.games.playouts import (
    PlayoutRule,
    QuietRule,
    play_out,
    playout_draws,
    playout_init,
    playout_is_over,
    playout_result,
    playout_step,
    playout_steps,
)

MAX_GAMES = 2**16
"""Most games of one call of `play_branch_free`: the sum of their plies stays below 2^31, with up to 32 767
plies each on average."""


@jit
def play_many(
    position: Position, key: U64, first: I64, last: I64, rule: PlayoutRule, moves: Moves
) -> tuple[I64, I64, I64, I64]:
    """Play games number `first` … `last` − 1 of a stream; return the sums of their counts."""
    wins, draws, losses, plies = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for number in range(first, last):
        outcome, length = play_out(position, draw(key, np.uint64(number)), rule, moves)
        # Comparisons are added up, not branched on: the result of a random game cannot be predicted.
        wins += outcome == 1
        draws += outcome == 0
        losses += outcome == -1
        plies += length
    return wins, draws, losses, plies


@jit
def play_branch_free(
    position: Position, key: U64, first: I64, count: I64, rule: QuietRule | PlayoutRule
) -> tuple[I64, I64, I64]:
    """Play `count` games of a position, numbered from `first` in the stream `key`, in registers.

    rule: decides what a playout tracks, see `playouts.playout_init`. Returns wins and losses for the side
    to move in `position`, and the plies of all games, int32.

    The only branch is the one between two games: at the end of a game the step of the finished playout is
    dropped and the next begins. Starting a game by selects would cost its 40 instructions at every step.
    """
    # The key advances from game to game, so that the game's number need not be kept beside it.
    key = moved_on(key, first)
    left = np.int32(count)
    wins, losses, plies = np.int32(0), np.int32(0), np.int32(0)
    playout = playout_init(position, plies, rule)
    state = draw(key, np.uint64(0))
    while left > 0:
        # one step, even if the game is already over
        steps = playout_steps(playout, rule)
        is_over = playout_is_over(playout, steps, rule)
        state = advance(state) if playout_draws(playout) else state
        after = playout_step(playout, steps, state)
        # count the game and begin the next one, which continues the count of plies
        if is_over:
            outcome, plies = playout_result(playout, steps, rule)
            wins = np.int32(wins + np.int32(outcome > 0))
            losses = np.int32(losses + np.int32(outcome < 0))
            left = np.int32(left - np.int32(1))
            key = moved_on(key, np.uint64(1))
            state = draw(key, np.uint64(0))
            after = playout_init(position, plies, rule)
        playout = after
    return wins, losses, plies
