"""Random playouts of Othello: plies on the CPU, and the same games branch-free.

Squares are numbered in the order of their bits, as `generate` writes them. A branch-free step selects a
placement or a pass. Testing whether the other side can place a disc would cost as much as all the rest, so a
`QuietRule` skips it: a side without a placement passes, and if the other side then cannot place a disc
either, the game was over before that pass, which is not counted. No ply is quiet: all are progress.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import high_half, invert64, join, low_half, nth_bit, nth_index32, popcount, shift_up
from neche.compiled.jit import I32, I64, U64, Array, Bool, Moves, Position, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.contract import register
from neche.games.othello.moves import Othello
from neche.games.othello.runs import placements, placements_in_lane, turned, turned_in_lane
from neche.games.playouts import LANES, PlayoutRule, QuietRule, RandomPly, is_stopped, stopped_outcome


@jit_inlined
def random_ply(position: Position, state: U64, memory: Any, rule: PlayoutRule, moves: Moves) -> RandomPly:
    """Play one ply, see `playouts.random_ply`."""
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    squares = placements(own, foe)
    if squares == 0 and placements(foe, own) == 0:
        return RandomPly(position, np.uint64(state), memory, False, False)
    # Once per ply, even for a pass, where nothing is drawn: the branch-free playout does the same.
    state = advance(state)
    after = own
    if squares != 0:
        square = nth_bit(squares, choose_below(state, popcount(squares)))
        after = np.uint64(own | square | turned(square, own, foe))
    left = np.uint64(foe & invert64(after))
    return RandomPly(Othello(left, after, position.turn ^ np.uint64(1)), state, memory, True, True)


class OthelloPlayout(NamedTuple):
    """An Othello playout under way; own and foe as in `Othello`.

    sign: int32 – 1 if the side to move is the one that began, else −1. passed: int32 – 1 if the last step was
    a pass. plies: int32, of this playout and those before it. began: int32 – plies at its start.
    """

    own: U64
    foe: U64
    sign: I32
    passed: I32
    plies: I32
    began: I32


class OthelloSteps(NamedTuple):
    """The next step. squares: uint64 – where a disc may be placed. is_end: bool – neither side can place."""

    squares: U64
    is_end: Bool


@jit_inlined
def _begin(position: Position, plies: I32) -> OthelloPlayout:
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    return OthelloPlayout(own, foe, np.int32(1), np.int32(0), np.int32(plies), np.int32(plies))


@jit_inlined
def _steps(playout: OthelloPlayout) -> OthelloSteps:
    """Return the placements; the end of the game is noticed one pass late."""
    squares = placements_in_lane(playout.own, playout.foe)
    return OthelloSteps(squares, squares == 0 and playout.passed != 0)


@jit_inlined
def _exact_steps(playout: OthelloPlayout) -> OthelloSteps:
    squares = placements_in_lane(playout.own, playout.foe)
    return OthelloSteps(squares, squares == 0 and placements_in_lane(playout.foe, playout.own) == 0)


@jit_inlined
def _nth_square(squares: U64, number: I64) -> U64:
    """Return only square `number` of a word; zero if the word is zero."""
    low, high = low_half(squares), high_half(squares)
    # By halves: kernels and lanes work on words of 32 bits.
    num_low = np.uint32(popcount(low))
    is_high = number >= num_low
    left = np.uint32(number - (num_low if is_high else np.uint32(0)))
    index = nth_index32(high if is_high else low, left)
    index = np.uint32(np.uint32(index & np.uint32(31)) + (np.uint32(32) if is_high else np.uint32(0)))
    return np.uint64(0) if squares == 0 else shift_up(np.uint64(1), index)


@jit_inlined
def _step(playout: OthelloPlayout, steps: OthelloSteps, state: U64) -> OthelloPlayout:
    number = np.uint32(choose_below(state, np.uint32(popcount(steps.squares))))
    square = _nth_square(steps.squares, number)
    # Without a placement `square` is zero, no disc turns and only the sides change: a pass.
    after = np.uint64(playout.own | square | turned_in_lane(square, playout.own, playout.foe))
    return OthelloPlayout(
        np.uint64(playout.foe & invert64(after)),
        after,
        np.int32(-playout.sign),
        np.int32(square == 0),
        np.int32(playout.plies + np.int32(1)),
        playout.began,
    )


@jit_inlined
def _lead(playout: OthelloPlayout) -> I32:
    return np.int32(np.int32(popcount(playout.own)) - np.int32(popcount(playout.foe)))


@jit_inlined
def _result(playout: OthelloPlayout) -> I32:
    """Return the outcome of a game that is over: more discs win."""
    lead = _lead(playout)
    sign = playout.sign if lead > 0 else np.int32(-playout.sign)
    return np.int32(0) if lead == 0 else np.int32(sign)


@jit_inlined
def _exact_result(playout: OthelloPlayout, steps: OthelloSteps, rule: PlayoutRule) -> tuple[I32, I32]:
    stopped = np.int32(playout.sign * stopped_outcome(rule, np.int32(0), _lead(playout)))
    return (_result(playout) if steps.is_end else stopped), playout.plies


@jit_inlined
def _load(position: Position, words: Array, lane: I64) -> OthelloPlayout:
    return OthelloPlayout(
        join(words[lane], words[LANES + lane]),
        join(words[2 * LANES + lane], words[3 * LANES + lane]),
        np.int32(words[4 * LANES + lane]),
        np.int32(words[5 * LANES + lane]),
        np.int32(words[6 * LANES + lane]),
        np.int32(words[7 * LANES + lane]),
    )


@jit_inlined
def _store(playout: OthelloPlayout, words: Array, lane: I64) -> None:
    words[lane], words[LANES + lane] = low_half(playout.own), high_half(playout.own)
    words[2 * LANES + lane], words[3 * LANES + lane] = low_half(playout.foe), high_half(playout.foe)
    words[4 * LANES + lane] = np.uint32(playout.sign)
    words[5 * LANES + lane] = np.uint32(playout.passed)
    words[6 * LANES + lane] = np.uint32(playout.plies)
    words[7 * LANES + lane] = np.uint32(playout.began)


def register_playouts() -> None:
    """Register the playouts of Othello."""
    register(
        Othello,
        random_ply=random_ply,
        avoids_cycles=True,  # there are no cycles
        playout_init=lambda position, plies, rule: _begin(position, plies),
        playout_words=len(OthelloPlayout._fields) + 2,  # a board is two words of 32 bits
        playout_load=_load,
    )
    register(OthelloPlayout, playout_draws=True, playout_step=_step, playout_store=_store)
    register(
        OthelloPlayout,
        rule=QuietRule,
        playout_steps=lambda playout, rule: _steps(playout),
        playout_is_over=lambda playout, steps, rule: steps.is_end,
        # the last pass was made before the end was noticed, and is not counted
        playout_result=lambda playout, steps, rule: (
            _result(playout),
            np.int32(playout.plies - playout.passed),
        ),
    )
    register(
        OthelloPlayout,
        rule=PlayoutRule,
        playout_steps=lambda playout, rule: _exact_steps(playout),
        playout_is_over=lambda playout, steps, rule: (
            steps.is_end or is_stopped(rule, np.int32(0), playout.plies - playout.began)
        ),
        playout_result=_exact_result,
    )
