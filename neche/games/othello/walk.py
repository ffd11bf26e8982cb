"""Random playouts of Othello for kernels: every step is the same straight line of instructions.

A step is a placement or a pass, selected and not branched to. On the CPU `playout.py` plays the same games.
Whether the other side could place a disc would cost as much as all else. Under a `QuietRule` it is not asked:
a side without a placement passes, and when the other one cannot place a disc either the game was over before
that pass, which is not counted.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import high_half, invert64, low_half, nth_index32, popcount, shift_up
from neche.compiled.jit import is_record, jit_inlined, overload
from neche.compiled.randomness import choose_below
from neche.games import contract
from neche.games.contract import PlayoutRule, QuietRule
from neche.games.othello.board import Othello
from neche.games.othello.moves import placements, turned

contract.WALKING.add(Othello)

_NONE = np.uint64(0)


class Walk(NamedTuple):
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


class Steps(NamedTuple):
    """squares: uint64 – where a disc may be placed. is_end: bool – no side can place a disc."""

    squares: Any
    is_end: Any


@jit_inlined
def _begin(position: Any, plies: Any) -> Any:
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    return Walk(own, foe, np.int32(1), np.int32(0), np.int32(plies), np.int32(plies))


@jit_inlined
def _steps(walk: Any) -> Any:
    squares = placements(walk.own, walk.foe)
    return Steps(squares, squares == 0 and walk.passed != 0)


@jit_inlined
def _exact_steps(walk: Any) -> Any:
    squares = placements(walk.own, walk.foe)
    return Steps(squares, squares == 0 and placements(walk.foe, walk.own) == 0)


@jit_inlined
def _is_over(walk: Any, steps: Any, rule: Any) -> Any:
    return steps.is_end or (rule.max_plies > 0 and walk.plies - walk.began >= rule.max_plies)


@jit_inlined
def _result(walk: Any) -> Any:
    lead = np.int32(popcount(walk.own)) - np.int32(popcount(walk.foe))
    sign = walk.sign if lead > 0 else np.int32(-walk.sign)
    return np.int32(0) if lead == 0 else np.int32(sign)


@jit_inlined
def _end(walk: Any) -> Any:
    """Return outcome and plies of a walk whose game is over."""
    return _result(walk), np.int32(walk.plies - walk.passed)


@jit_inlined
def _outcome(walk: Any, steps: Any, rule: Any) -> Any:
    is_counted = steps.is_end or rule.by_count != 0
    return (_result(walk) if is_counted else np.int32(0)), walk.plies


@jit_inlined
def _nth_square(squares: Any, number: Any) -> Any:
    """Return square `number` of a word, alone; zero if the word is zero."""
    low, high = low_half(squares), high_half(squares)
    num_low = np.uint32(popcount(low))
    is_high = number >= num_low
    left = np.uint32(number - (num_low if is_high else np.uint32(0)))
    index = nth_index32(high if is_high else low, left)
    index = np.uint32(np.uint32(index & np.uint32(31)) + (np.uint32(32) if is_high else np.uint32(0)))
    return _NONE if squares == 0 else shift_up(np.uint64(1), index)


@jit_inlined
def _step(walk: Any, steps: Any, state: Any) -> Any:
    number = np.uint32(choose_below(state, np.uint32(popcount(steps.squares))))
    square = _nth_square(steps.squares, number)
    after = np.uint64(walk.own | square | turned(square, walk.own, walk.foe))
    return Walk(
        np.uint64(walk.foe & invert64(after)),
        after,
        np.int32(-walk.sign),
        np.int32(square == 0),
        np.int32(walk.plies + np.int32(1)),
        walk.began,
    )


@overload(contract.position_at)
def _position_at(columns: Any, index: Any) -> Any:
    if is_record(columns, Othello):
        return lambda columns, index: Othello(columns.own[index], columns.foe[index], columns.turn[index])
    return None


@overload(contract.position_in)
def _position_in(sample: Any, table: Any, row: Any, index: Any) -> Any:
    if is_record(sample, Othello):
        return lambda sample, table, row, index: Othello(
            np.uint64(table[row, index]), np.uint64(table[row + 1, index]), np.uint64(table[row + 2, index])
        )
    return None


@overload(contract.begin_walk)
def _begin_walk(position: Any, plies: Any, rule: Any) -> Any:
    if is_record(position, Othello):
        return lambda position, plies, rule: _begin(position, plies)
    return None


@overload(contract.walk_draws)
def _walk_draws(walk: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk: True
    return None


@overload(contract.walk_steps)
def _walk_steps(walk: Any, rule: Any) -> Any:
    if is_record(walk, Walk) and is_record(rule, QuietRule):
        return lambda walk, rule: _steps(walk)
    if is_record(walk, Walk) and is_record(rule, PlayoutRule):
        return lambda walk, rule: _exact_steps(walk)
    return None


@overload(contract.walk_is_over)
def _walk_is_over(walk: Any, steps: Any, rule: Any) -> Any:
    if is_record(walk, Walk) and is_record(rule, QuietRule):
        return lambda walk, steps, rule: steps.is_end
    if is_record(walk, Walk) and is_record(rule, PlayoutRule):
        return lambda walk, steps, rule: _is_over(walk, steps, rule)
    return None


@overload(contract.walk_outcome)
def _walk_outcome(walk: Any, steps: Any, rule: Any) -> Any:
    if is_record(walk, Walk) and is_record(rule, QuietRule):
        return lambda walk, steps, rule: _end(walk)
    if is_record(walk, Walk) and is_record(rule, PlayoutRule):
        return lambda walk, steps, rule: _outcome(walk, steps, rule)
    return None


@overload(contract.walk_step)
def _walk_step(walk: Any, steps: Any, state: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk, steps, state: _step(walk, steps, state)
    return None
