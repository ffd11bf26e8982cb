"""Draughts as search and playouts know it: what all its boards register."""

from collections.abc import Callable
from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import jit
from neche.games.contract import PlayoutRule, QuietRule, register
from neche.games.draughts.board import new_position
from neche.games.draughts.captures import MOVE_WORDS, can_capture, generate_captures
from neche.games.draughts.endings import ending
from neche.games.draughts.lanes import load, num_words, store
from neche.games.draughts.moves import can_move_quietly, generate, successor
from neche.games.draughts.playout import play_out
from neche.games.draughts.walk import DraughtsPlayout, ply, steps_of
from neche.games.draughts.walk_step import step
from neche.games.draughts.walking import draws, is_over, is_stopped, lost, outcome


@jit
def is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    """Return whether a move resets the count of quiet plies, see `contract.is_progress`."""
    if before.foe != after.own:
        return True
    kings_before = np.uint64(before.own & before.kings)
    kings_after = np.uint64(after.foe & after.kings)
    if kings_before == kings_after:
        return man_moves_count
    return popcount(kings_before) != popcount(kings_after)


def register_draughts(record: Any, *, max_moves: int, position_words: Callable[[Any], Any]) -> None:
    """Register a game whose board is described by `board.register_board`."""
    register(
        record,
        generate=generate,
        generate_captures=generate_captures,
        is_quiet=lambda position: not can_capture(position),
        can_move_quietly=can_move_quietly,
        successor=successor,
        move_words=MOVE_WORDS,
        max_moves=max_moves,
        position_words=position_words,
        is_progress=is_progress,
        ending=ending,
        play_out=play_out,
        position_at=lambda columns, index: record(
            columns.own[index], columns.foe[index], columns.kings[index], columns.turn[index]
        ),
        position_in=lambda sample, table, row, index: new_position(
            sample, table[row, index], table[row + 1, index], table[row + 2, index], table[row + 3, index]
        ),
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
