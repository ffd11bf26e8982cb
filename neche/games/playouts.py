"""Random playouts of every game: when they end, one by one on the CPU, and branch-free for all else.

A playout is a loop over random plies (`play_out`). A game may define its own random ply (`random_ply`), which
is faster than drawing among the rows of its move buffer. CUDA threads and vector instructions advance
playouts step by step, every step the same straight-line code: `playout_init`, `playout_steps`,
`playout_is_over`, `playout_step`, `playout_result`. Both ways play the same games, bit for bit.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I32, I64, U64, Array, Bool, Moves, Position, jit, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.contract import (
    generate,
    is_progress,
    lead,
    move_words,
    needed,
    optional,
    outcome,
    register,
    successor,
)

LANES = 32
"""Playouts that a CPU core advances side by side, in vector instructions."""


class PlayoutRule(NamedTuple):
    """When a playout ends before its game does.

    The outcome of a finished game comes first. The other rules apply at the beginning of a ply:
    quiet_plies: draw after this many consecutive plies without progress, counted from 0 when a playout
    begins; 0 disables the rule. max_plies: stop the playout after this many plies; 0 disables the rule.
    by_count: 1: a stopped playout is won by the side with more pieces; 0: it is drawn. avoid_cycles: 1: leave
    out a king's quiet step that returns the own kings to where they stood before the own previous ply, if
    there is another step. whole_moves: 1: draw among whole moves even if the game has steps; on the CPU only,
    without by_count and avoid_cycles.
    """

    quiet_plies: int = 80
    max_plies: int = 0
    by_count: int = 0
    avoid_cycles: int = 0
    whole_moves: int = 0


class QuietRule(NamedTuple):
    """The part of a `PlayoutRule` that most playouts need, with less state to keep; int32, never 0."""

    quiet_plies: Any


@needed
def is_stopped(rule: Any, quiet: I64, plies: I64) -> Bool:
    """Return whether a rule ends an open game here. quiet: plies since progress. plies: of this playout."""


@needed
def stopped_outcome(rule: Any, quiet: I64, lead: I64) -> I32:
    """Return the outcome for the side to move of a playout that a rule ends; lead: see `contract.lead`."""


@jit_inlined
def _is_quiet_too_long(rule: PlayoutRule, quiet: I64) -> Bool:
    return (rule.quiet_plies > 0) & (quiet >= rule.quiet_plies)


@jit_inlined
def _by_count(rule: PlayoutRule, quiet: I64, lead: I64) -> I32:
    if _is_quiet_too_long(rule, quiet) or rule.by_count == 0 or lead == 0:
        return np.int32(0)
    return np.int32(1) if lead > 0 else np.int32(-1)


register(
    QuietRule,
    is_stopped=lambda rule, quiet, plies: quiet >= rule.quiet_plies,
    stopped_outcome=lambda rule, quiet, lead: np.int32(0),
)
register(
    PlayoutRule,
    is_stopped=lambda rule, quiet, plies: (
        _is_quiet_too_long(rule, quiet) | ((rule.max_plies > 0) & (plies >= rule.max_plies))
    ),
    stopped_outcome=_by_count,
)


class RandomPly(NamedTuple):
    """A ply of a playout.

    here: the position after it. state: of the random numbers. memory: what the game remembers between plies.
    has_moved: bool, there was a move. is_progress: bool, the move was progress.
    """

    here: Position
    state: U64
    memory: Any
    has_moved: Bool
    is_progress: Bool


@jit_inlined
def random_move(position: Position, state: U64, memory: Any, moves: Moves) -> RandomPly:
    """Play a random whole move, number high32(state) · n >> 32 of the n legal moves."""
    count = generate(position, moves, 0)
    if count == 0:
        return RandomPly(position, np.uint64(state), memory, False, False)
    state = advance(state)
    after = successor(position, moves, choose_below(state, count) * move_words(position))
    return RandomPly(after, state, memory, True, is_progress(position, after, True))


@optional
def random_ply(position: Position, state: U64, memory: Any, rule: PlayoutRule, moves: Moves) -> RandomPly:
    """Play one ply in uniformly random steps.

    A step is a whole move or one jump of a capture, after which the same piece goes on while it can. It is
    number high32(state) · n >> 32 of the n possible steps; `state` is advanced before each step
    (`randomness.advance`), even if there is no choice. Where numbering the steps costs too much, the step
    with the highest random number is taken, a function of the state and the step. moves: move buffer of one
    position.
    """
    return random_move(position, state, memory, moves)


@optional
def first_memory(position: Position) -> Any:
    """Return what a game remembers in a playout that begins at `position`."""
    return np.int64(0)


@jit_inlined
def _play_plies(
    position: Position, state: U64, rule: PlayoutRule, moves: Moves, whole_moves: Bool
) -> tuple[I64, I64]:
    here, state, memory = position, np.uint64(state), first_memory(position)
    plies, began_quiet, sign = np.int64(0), np.int64(0), np.int64(1)
    while True:
        if whole_moves:
            ply = random_move(here, state, memory, moves)
        else:
            ply = random_ply(here, state, memory, rule, moves)
        if not ply.has_moved:
            return sign * np.int64(outcome(here)), plies
        if is_stopped(rule, plies - began_quiet, plies):
            return sign * np.int64(stopped_outcome(rule, plies - began_quiet, lead(here))), plies
        here, state, memory, sign = ply.here, ply.state, ply.memory, -sign
        plies += 1
        began_quiet = plies if ply.is_progress else began_quiet


@jit
def play_out(position: Position, state: U64, rule: PlayoutRule, moves: Moves) -> tuple[I64, I64]:
    """Play random plies to the end; return outcome and plies.

    state: `draw(key, number of the game)`. moves: move buffer of one position. outcome: 1 the side to move in
    `position` wins, 0 draw, −1 it loses.
    """
    # a loop for each: one loop for both is a quarter slower when whole moves are drawn
    if rule.whole_moves:
        return _play_plies(position, state, rule, moves, True)
    return _play_plies(position, state, rule, moves, False)


@optional
def avoids_cycles(position: Position) -> Bool:
    """Return whether the playouts of a game obey `PlayoutRule.avoid_cycles`."""
    return False


@needed
def position_at(columns: Position, index: I64) -> Position:
    """Return position `index` of `columns`, a record of positions whose fields are arrays."""


@needed
def position_in(sample: Position, table: Array, row: I64, index: I64) -> Position:
    """Return the position with fields table[row, index], table[row + 1, index] …; sample: any of the game."""


@needed
def playout_init(position: Position, plies: I32, rule: Any) -> Any:
    """Return the state of a playout that begins at `position`, to be advanced step by step without branches.

    plies: where its count of plies starts, that of the games before. rule: its type decides what the state
    remembers, least for a `QuietRule`. CUDA devices and vector instructions need this, the functions below,
    `position_at` and `position_in`.
    """


@needed
def playout_draws(playout: Any) -> Bool:
    """Return whether the next step is random: only then does the random state advance, see `random_ply`."""


@needed
def playout_steps(playout: Any, rule: Any) -> Any:
    """Return the steps from which the side to move draws one."""


@needed
def playout_is_over(playout: Any, steps: Any, rule: Any) -> Bool:
    """Return whether the playout ends here, before a step is drawn."""


@needed
def playout_result(playout: Any, steps: Any, rule: Any) -> Any:
    """Return the outcome, as `play_out` does, of a playout that is over, and the plies counted."""


@needed
def playout_step(playout: Any, steps: Any, state: U64) -> Any:
    """Return the playout after one step, the same step as that of `random_ply`; branch-free.

    state: already advanced for this step. A playout that is over may be advanced: the result has no meaning.
    """


@needed
def playout_words(position: Position) -> I64:
    """Return how many words hold a playout under a `QuietRule`; such playouts run side by side on the CPU."""


@needed
def playout_load(position: Position, words: Array, lane: I64) -> Any:
    """Return the playout of one lane; position: any of the game.

    words: [playout_words · LANES] uint32 – word w of lane i is words[w · LANES + i].
    """


@needed
def playout_store(playout: Any, words: Array, lane: I64) -> None:
    """Write a playout into a lane, see `playout_load`."""
