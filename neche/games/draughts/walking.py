"""Walks of draughts as kernels and lanes know them: when they are over, how they ended, what a step is."""

from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import is_record, jit_inlined, overload
from neche.games import contract
from neche.games.contract import PlayoutRule, QuietRule
from neche.games.draughts.board import plays_draughts, word
from neche.games.draughts.walk import Walk, all_ones, ply, steps_of
from neche.games.draughts.walk_step import step

_ZERO = np.uint32(0)
_NEVER = np.int32(2**31 - 1)


@jit_inlined
def _is_over(walk: Any, steps: Any, quiet_plies: Any) -> Any:
    """Tell whether there is no move, or whether it has been quiet too long; only before a ply."""
    return (steps.is_root & (steps.total == _ZERO)) | (walk.quiet >= quiet_plies)


@jit_inlined
def _is_stopped(walk: Any, steps: Any, rule: Any) -> Any:
    limit = np.int32(rule.quiet_plies) if rule.quiet_plies > 0 else _NEVER
    return _is_over(walk, steps, limit) | ((rule.max_plies > 0) & (walk.plies - walk.began >= rule.max_plies))


@jit_inlined
def _lost(walk: Any) -> Any:
    """Return the outcome, for the side that began, of a playout lost by the side to move."""
    return np.int32(-1) if walk.here.turn == walk.home else np.int32(1)


@jit_inlined
def _outcome(walk: Any, steps: Any, rule: Any) -> Any:
    if steps.total == _ZERO:
        return _lost(walk)
    lead = np.int32(popcount(walk.here.own)) - np.int32(popcount(walk.here.foe))
    is_quiet = (rule.quiet_plies > 0) & (walk.quiet >= rule.quiet_plies)
    if is_quiet or rule.by_count == 0 or lead == 0:
        return np.int32(0)
    return np.int32(-_lost(walk)) if lead > 0 else _lost(walk)


@jit_inlined
def _draws(walk: Any) -> Any:
    return (walk.start == word(walk.here, 0)) & (walk.best_left == all_ones(walk.here))


@overload(contract.begin_walk)
def _begin_walk(position: Any, plies: Any, rule: Any) -> Any:
    if plays_draughts(position):
        return lambda position, plies, rule: ply(position, 0, plies, plies, position.turn)
    return None


@overload(contract.walk_draws)
def _walk_draws(walk: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk: _draws(walk)
    return None


@overload(contract.walk_steps)
def _walk_steps(walk: Any, rule: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk, rule: steps_of(walk)
    return None


@overload(contract.walk_is_over)
def _walk_is_over(walk: Any, steps: Any, rule: Any) -> Any:
    if is_record(walk, Walk) and is_record(rule, QuietRule):
        return lambda walk, steps, rule: _is_over(walk, steps, rule.quiet_plies)
    if is_record(walk, Walk) and is_record(rule, PlayoutRule):
        return lambda walk, steps, rule: _is_stopped(walk, steps, rule)
    return None


@overload(contract.walk_outcome)
def _walk_outcome(walk: Any, steps: Any, rule: Any) -> Any:
    if is_record(walk, Walk) and is_record(rule, QuietRule):
        return lambda walk, steps, rule: (_lost(walk) if steps.total == _ZERO else np.int32(0), walk.plies)
    if is_record(walk, Walk) and is_record(rule, PlayoutRule):
        return lambda walk, steps, rule: (_outcome(walk, steps, rule), walk.plies)
    return None


@overload(contract.walk_step)
def _walk_step(walk: Any, steps: Any, state: Any) -> Any:
    if is_record(walk, Walk):
        return lambda walk, steps, state: step(walk, steps, state)
    return None
