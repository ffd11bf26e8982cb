"""Playouts of games whose kings fly, under the contract."""

from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import jit_inlined
from neche.games.contract import PlayoutRule, QuietRule, register
from neche.games.draughts.board import word
from neche.games.draughts.lanes import load, num_words, store
from neche.games.draughts.playout import play_out
from neche.games.draughts.walk import DraughtsPlayout, all_ones, ply, steps_of
from neche.games.draughts.walk_step import step

_ZERO = np.uint32(0)
_NEVER = np.int32(2**31 - 1)


@jit_inlined
def is_over(playout: Any, steps: Any, quiet_plies: Any) -> Any:
    """Tell whether there is no move, or whether it has been quiet too long; only before a ply."""
    return (steps.is_root & (steps.total == _ZERO)) | (playout.quiet >= quiet_plies)


@jit_inlined
def is_stopped(playout: Any, steps: Any, rule: Any) -> Any:
    """Return whether the playout ends here by a whole rule."""
    limit = np.int32(rule.quiet_plies) if rule.quiet_plies > 0 else _NEVER
    return is_over(playout, steps, limit) | (
        (rule.max_plies > 0) & (playout.plies - playout.began >= rule.max_plies)
    )


@jit_inlined
def lost(playout: Any) -> Any:
    """Return the outcome, for the side that began, of a playout lost by the side to move."""
    return np.int32(-1) if playout.here.turn == playout.home else np.int32(1)


@jit_inlined
def outcome(playout: Any, steps: Any, rule: Any) -> Any:
    """Return the outcome for the side that began."""
    if steps.total == _ZERO:
        return lost(playout)
    lead = np.int32(popcount(playout.here.own)) - np.int32(popcount(playout.here.foe))
    is_quiet = (rule.quiet_plies > 0) & (playout.quiet >= rule.quiet_plies)
    if is_quiet or rule.by_count == 0 or lead == 0:
        return np.int32(0)
    return np.int32(-lost(playout)) if lead > 0 else lost(playout)


@jit_inlined
def draws(playout: Any) -> Any:
    """Return whether the next step is drawn."""
    return (playout.start == word(playout.here, 0)) & (playout.best_left == all_ones(playout.here))


def register_playouts(record: Any) -> None:
    """Register the playouts of the game whose positions are `record`s."""
    register(
        record,
        play_out=play_out,
        playout_init=lambda position, plies, rule: ply(position, 0, plies, plies, position.turn),
        playout_words=num_words,
        playout_load=load,
    )


register(
    DraughtsPlayout,
    playout_draws=draws,
    playout_steps=lambda playout, rule: steps_of(playout),
    playout_step=step,
    playout_store=store,
)
register(
    DraughtsPlayout,
    rule=QuietRule,
    playout_is_over=lambda playout, steps, rule: is_over(playout, steps, rule.quiet_plies),
    playout_result=lambda playout, steps, rule: (
        lost(playout) if steps.total == np.uint32(0) else np.int32(0),
        playout.plies,
    ),
)
register(
    DraughtsPlayout,
    rule=PlayoutRule,
    playout_is_over=is_stopped,
    playout_result=lambda playout, steps, rule: (outcome(playout, steps, rule), playout.plies),
)
