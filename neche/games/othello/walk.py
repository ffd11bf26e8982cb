"""Random playouts of Othello for kernels: every step is the same straight line of instructions.

A step is a placement or a pass, selected and not branched to. On the CPU `playout.py` plays the same games.
Whether the other side could place a disc would cost as much as all else. Under a `QuietRule` it is not asked:
a side without a placement passes, and when the other one cannot place a disc either the game was over before
that pass, which is not counted.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import high_half, invert64, low_half, nth_index32, popcount, shift_up
from neche.compiled.jit import jit_inlined
from neche.compiled.randomness import choose_below
from neche.games.othello.moves import placements, turned

_NONE = np.uint64(0)


class OthelloPlayout(NamedTuple):
    """An Othello playout under way; own and foe as in `Othello`.

    sign: int32 – 1 if the side to move is the one that began, else −1. passed: int32 – 1 if the last step was
    a pass. plies: int32, of this playout and those before it. began: int32 – plies at its begin.
    """

    own: Any
    foe: Any
    sign: Any
    passed: Any
    plies: Any
    began: Any


class OthelloSteps(NamedTuple):
    """squares: uint64 – where a disc may be placed. is_end: bool – no side can place a disc."""

    squares: Any
    is_end: Any


@jit_inlined
def begin(position: Any, plies: Any) -> Any:
    """Return the state of a playout that begins at `position`."""
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    return OthelloPlayout(own, foe, np.int32(1), np.int32(0), np.int32(plies), np.int32(plies))


@jit_inlined
def steps_of(playout: Any) -> Any:
    """Return the placements; the game is known to be over one pass late."""
    squares = placements(playout.own, playout.foe)
    return OthelloSteps(squares, squares == 0 and playout.passed != 0)


@jit_inlined
def exact_steps_of(playout: Any) -> Any:
    """Return the placements, and whether the game is over."""
    squares = placements(playout.own, playout.foe)
    return OthelloSteps(squares, squares == 0 and placements(playout.foe, playout.own) == 0)


@jit_inlined
def is_over(playout: Any, steps: Any, rule: Any) -> Any:
    """Return whether a playout ends here by a whole rule."""
    return steps.is_end or (rule.max_plies > 0 and playout.plies - playout.began >= rule.max_plies)


@jit_inlined
def _result(playout: Any) -> Any:
    lead = np.int32(popcount(playout.own)) - np.int32(popcount(playout.foe))
    sign = playout.sign if lead > 0 else np.int32(-playout.sign)
    return np.int32(0) if lead == 0 else np.int32(sign)


@jit_inlined
def end(playout: Any) -> Any:
    """Return outcome and plies of a playout whose game is over."""
    # The last pass was made before the end was seen, and is not counted.
    return _result(playout), np.int32(playout.plies - playout.passed)


@jit_inlined
def outcome(playout: Any, steps: Any, rule: Any) -> Any:
    """Return outcome and plies of a playout that ended by a whole rule."""
    is_counted = steps.is_end or rule.by_count != 0
    return (_result(playout) if is_counted else np.int32(0)), playout.plies


@jit_inlined
def _nth_square(squares: Any, number: Any) -> Any:
    """Return square `number` of a word, alone; zero if the word is zero."""
    low, high = low_half(squares), high_half(squares)
    # By halves: kernels and lanes work on words of 32 bits.
    num_low = np.uint32(popcount(low))
    is_high = number >= num_low
    left = np.uint32(number - (num_low if is_high else np.uint32(0)))
    index = nth_index32(high if is_high else low, left)
    index = np.uint32(np.uint32(index & np.uint32(31)) + (np.uint32(32) if is_high else np.uint32(0)))
    return _NONE if squares == 0 else shift_up(np.uint64(1), index)


@jit_inlined
def step(playout: Any, steps: Any, state: Any) -> Any:
    """Return the playout one step on."""
    number = np.uint32(choose_below(state, np.uint32(popcount(steps.squares))))
    square = _nth_square(steps.squares, number)
    # Without a placement `square` is zero, no disc turns and only the sides change: a pass.
    after = np.uint64(playout.own | square | turned(square, playout.own, playout.foe))
    return OthelloPlayout(
        np.uint64(playout.foe & invert64(after)),
        after,
        np.int32(-playout.sign),
        np.int32(square == 0),
        np.int32(playout.plies + np.int32(1)),
        playout.began,
    )
