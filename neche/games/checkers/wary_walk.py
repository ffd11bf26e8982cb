"""Walks under a whole `PlayoutRule`: stopped playouts, and kings that do not step to and fro.

They remember more than a `Walk`, which costs registers and instructions: most playouts do without.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert32, popcount
from neche.compiled.jit import is_record, jit_inlined, overload
from neche.games import contract
from neche.games.checkers.board import Checkers
from neche.games.checkers.walk import begin, behind, counted, lost, step, steps_of
from neche.games.contract import PlayoutRule

_NONE = np.uint32(0)


class WaryWalk(NamedTuple):
    """A walk and what the rule needs besides.

    began: int32 – the walk's plies at the begin of this playout. own_before, foe_before: uint32 – kings as
    they stood before the last ply of each side.
    """

    walk: Any
    began: Any
    own_before: Any
    foe_before: Any


@jit_inlined
def _begin(position: Any, plies: Any) -> Any:
    walk = begin(position, plies)
    return WaryWalk(walk, walk.plies, np.uint32(walk.own & walk.kings), np.uint32(walk.foe & walk.kings))


@jit_inlined
def _steps(wary: Any, rule: Any) -> Any:
    """Return the steps, without the one that puts the own kings back, unless it is the only one."""
    walk = wary.walk
    steps = steps_of(walk)
    kings = np.uint32(walk.own & walk.kings)
    left, wanted = np.uint32(kings & invert32(wary.own_before)), np.uint32(wary.own_before & invert32(kings))
    is_way_back = rule.avoid_cycles != 0 and popcount(left) == 1 and popcount(wanted) == 1
    left = left if is_way_back and not steps.are_jumps and steps.total != 1 else _NONE
    return counted(
        np.uint32(steps.up_right & invert32(left & behind(wanted, 1))),
        np.uint32(steps.up_left & invert32(left & behind(wanted, 9))),
        np.uint32(steps.down_right & invert32(left & behind(wanted, 23))),
        np.uint32(steps.down_left & invert32(left & behind(wanted, 31))),
        steps.are_jumps,
    )


@jit_inlined
def _is_long_quiet(walk: Any, rule: Any) -> Any:
    return rule.quiet_plies > 0 and walk.quiet >= rule.quiet_plies


@jit_inlined
def _is_over(wary: Any, steps: Any, rule: Any) -> Any:
    walk = wary.walk
    is_stopped = rule.max_plies > 0 and walk.plies - wary.began >= rule.max_plies
    return steps.total == 0 or _is_long_quiet(walk, rule) or is_stopped


@jit_inlined
def _outcome(walk: Any, steps: Any, rule: Any) -> Any:
    lead = np.int32(popcount(walk.own)) - np.int32(popcount(walk.foe))
    if steps.total == 0:
        return lost(walk)
    if _is_long_quiet(walk, rule) or rule.by_count == 0 or lead == 0:
        return np.int32(0)
    return np.int32(-lost(walk)) if lead > 0 else lost(walk)


@jit_inlined
def _step(wary: Any, steps: Any, state: Any) -> Any:
    walk = wary.walk
    after = step(walk, steps, state)
    # also between two jumps of one ply: no step undoes a jump
    own_before = np.uint32(walk.own & walk.kings)
    goes_on = after.upward == walk.upward
    return WaryWalk(
        after,
        wary.began,
        own_before if goes_on else wary.foe_before,
        wary.foe_before if goes_on else own_before,
    )


@overload(contract.begin_walk)
def _begin_walk(position: Any, plies: Any, rule: Any) -> Any:
    if is_record(position, Checkers) and is_record(rule, PlayoutRule):
        return lambda position, plies, rule: _begin(position, plies)
    return None


@overload(contract.walk_draws)
def _walk_draws(walk: Any) -> Any:
    if is_record(walk, WaryWalk):
        return lambda walk: True
    return None


@overload(contract.walk_steps)
def _walk_steps(walk: Any, rule: Any) -> Any:
    if is_record(walk, WaryWalk):
        return lambda walk, rule: _steps(walk, rule)
    return None


@overload(contract.walk_is_over)
def _walk_is_over(walk: Any, steps: Any, rule: Any) -> Any:
    if is_record(walk, WaryWalk):
        return lambda walk, steps, rule: _is_over(walk, steps, rule)
    return None


@overload(contract.walk_outcome)
def _walk_outcome(walk: Any, steps: Any, rule: Any) -> Any:
    if is_record(walk, WaryWalk):
        return lambda walk, steps, rule: (_outcome(walk.walk, steps, rule), walk.walk.plies)
    return None


@overload(contract.walk_step)
def _walk_step(walk: Any, steps: Any, state: Any) -> Any:
    if is_record(walk, WaryWalk):
        return lambda walk, steps, state: _step(walk, steps, state)
    return None
