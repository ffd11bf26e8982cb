"""Playouts under a whole `PlayoutRule`: stopped playouts, and kings that do not step to and fro.

They remember more than a `CheckersPlayout`, which costs registers and instructions: most playouts do without.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert32, popcount
from neche.compiled.jit import jit_inlined
from neche.games.draughts.checkers_branch_free import begin as begin_inner
from neche.games.draughts.checkers_branch_free import behind, counted, lost
from neche.games.draughts.checkers_branch_free import step as step_inner
from neche.games.draughts.checkers_branch_free import steps_of as steps_of_inner

_NONE = np.uint32(0)


class CautiousPlayout(NamedTuple):
    """A playout and what the rule needs besides.

    began: int32 – its plies when it began. own_before, foe_before: uint32 – kings as
    they stood before the last ply of each side.
    """

    inner: Any
    began: Any
    own_before: Any
    foe_before: Any


@jit_inlined
def begin(position: Any, plies: Any) -> Any:
    """Return the state of a playout that begins at `position`."""
    inner = begin_inner(position, plies)
    return CautiousPlayout(
        inner, inner.plies, np.uint32(inner.own & inner.kings), np.uint32(inner.foe & inner.kings)
    )


@jit_inlined
def steps_of(playout: Any, rule: Any) -> Any:
    """Return the steps, without the one that puts the own kings back, unless it is the only one."""
    inner = playout.inner
    steps = steps_of_inner(inner)
    kings = np.uint32(inner.own & inner.kings)
    left, wanted = (
        np.uint32(kings & invert32(playout.own_before)),
        np.uint32(playout.own_before & invert32(kings)),
    )
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
def _is_long_quiet(inner: Any, rule: Any) -> Any:
    return rule.quiet_plies > 0 and inner.quiet >= rule.quiet_plies


@jit_inlined
def is_over(playout: Any, steps: Any, rule: Any) -> Any:
    """Return whether the playout ends here."""
    inner = playout.inner
    is_stopped = rule.max_plies > 0 and inner.plies - playout.began >= rule.max_plies
    return steps.total == 0 or _is_long_quiet(inner, rule) or is_stopped


@jit_inlined
def outcome(inner: Any, steps: Any, rule: Any) -> Any:
    """Return the outcome for the side that began."""
    lead = np.int32(popcount(inner.own)) - np.int32(popcount(inner.foe))
    if steps.total == 0:
        return lost(inner)
    if _is_long_quiet(inner, rule) or rule.by_count == 0 or lead == 0:
        return np.int32(0)
    return np.int32(-lost(inner)) if lead > 0 else lost(inner)


@jit_inlined
def step(playout: Any, steps: Any, state: Any) -> Any:
    """Return the playout one step on."""
    inner = playout.inner
    after = step_inner(inner, steps, state)
    # also between two jumps of one ply: no step undoes a jump
    own_before = np.uint32(inner.own & inner.kings)
    goes_on = after.upward == inner.upward
    return CautiousPlayout(
        after,
        playout.began,
        own_before if goes_on else playout.foe_before,
        playout.foe_before if goes_on else own_before,
    )
