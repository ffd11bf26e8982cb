"""Branch-free playouts of games with flying kings: when one ends, and how it is stored in a lane.

Playouts are interleaved word by word across the lanes, so that one vector instruction serves many.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import high_half, join, low_half, popcount
from neche.compiled.jit import I32, Bool, jit_inlined
from neche.games.contract import register
from neche.games.draughts.board import new_position, path_words, word
from neche.games.draughts.branch_free_step import (
    DraughtsPlayout,
    DraughtsSteps,
    all_ones,
    ply,
    step,
    steps_of,
)
from neche.games.draughts.playout import random_ply
from neche.games.playouts import LANES, is_stopped, stopped_outcome

_ZERO = np.uint32(0)
# A playout has this many board words, this many of 32 bits, and its path.
_BOARD_FIELDS, _SHORT_FIELDS = 9, 8


@jit_inlined
def is_over(playout: DraughtsPlayout, steps: DraughtsSteps, rule: Any) -> Bool:
    """Return whether the playout ends here, for lack of a move or by the rule; only before a ply."""
    is_stuck = steps.is_root & (steps.total == _ZERO)
    return is_stuck | is_stopped(rule, playout.quiet, playout.plies - playout.began)


@jit_inlined
def result(playout: DraughtsPlayout, steps: DraughtsSteps, rule: Any) -> tuple[I32, I32]:
    """Return the outcome for the side that began, and the plies."""
    lead = np.int32(popcount(playout.here.own)) - np.int32(popcount(playout.here.foe))
    # who cannot move has lost
    outcome = np.int32(-1) if steps.total == _ZERO else stopped_outcome(rule, playout.quiet, lead)
    return (outcome if playout.here.turn == playout.home else np.int32(-outcome)), playout.plies


@jit_inlined
def draws(playout: Any) -> Any:
    """Return whether the next step is random."""
    return (playout.start == word(playout.here, 0)) & (playout.best_left == all_ones(playout.here))


@jit_inlined
def _squares(position: Any, words: Any, lane: Any, field: Any) -> Any:
    """Return a board word; it takes two words in memory if it has more than 32 bits."""
    if path_words(position) == 3:
        return word(position, words[field * LANES + lane])
    return word(position, join(words[2 * field * LANES + lane], words[(2 * field + 1) * LANES + lane]))


@jit_inlined
def _put_squares(position: Any, squares: Any, words: Any, lane: Any, field: Any) -> None:
    if path_words(position) == 3:
        words[field * LANES + lane] = np.uint32(squares)
    else:
        words[2 * field * LANES + lane] = low_half(squares)
        words[(2 * field + 1) * LANES + lane] = high_half(squares)


@jit_inlined
def _behind_board(position: Any) -> Any:
    """Return how many words the board fields take."""
    return _BOARD_FIELDS if path_words(position) == 3 else 2 * _BOARD_FIELDS


@jit_inlined
def load(position: Any, words: Any, lane: Any) -> Any:
    """Return the playout of one lane, see `playouts.playout_load`."""
    at = _behind_board(position) * LANES + lane
    path = at + _SHORT_FIELDS * LANES
    is_long = path_words(position) > 3
    return DraughtsPlayout(
        new_position(
            position,
            _squares(position, words, lane, 0),
            _squares(position, words, lane, 1),
            _squares(position, words, lane, 2),
            words[at],
        ),
        _squares(position, words, lane, 3),
        _squares(position, words, lane, 4),
        (
            words[path],
            words[path + LANES],
            words[path + 2 * LANES],
            words[path + 3 * LANES] if is_long else np.uint32(0),
            words[path + 4 * LANES] if is_long else np.uint32(0),
        ),
        words[at + LANES],
        words[at + 2 * LANES],
        _squares(position, words, lane, 5),
        _squares(position, words, lane, 6),
        _squares(position, words, lane, 7),
        _squares(position, words, lane, 8),
        join(words[at + 3 * LANES], words[at + 4 * LANES]),
        np.int32(words[at + 5 * LANES]),
        np.int32(words[at + 6 * LANES]),
        np.int32(0),
        word(position, words[at + 7 * LANES]),
    )


@jit_inlined
def store(playout: Any, words: Any, lane: Any) -> None:
    """Write a playout into a lane."""
    here = playout.here
    _put_squares(here, here.own, words, lane, 0)
    _put_squares(here, here.foe, words, lane, 1)
    _put_squares(here, here.kings, words, lane, 2)
    _put_squares(here, playout.start, words, lane, 3)
    _put_squares(here, playout.left, words, lane, 4)
    _put_squares(here, playout.above, words, lane, 5)
    _put_squares(here, playout.best_left, words, lane, 6)
    _put_squares(here, playout.best_start, words, lane, 7)
    _put_squares(here, playout.best_end, words, lane, 8)
    at = _behind_board(here) * LANES + lane
    words[at] = np.uint32(here.turn)
    words[at + LANES], words[at + 2 * LANES] = playout.open, playout.side
    words[at + 3 * LANES], words[at + 4 * LANES] = low_half(playout.best_draw), high_half(playout.best_draw)
    words[at + 5 * LANES], words[at + 6 * LANES] = np.uint32(playout.quiet), np.uint32(playout.plies)
    words[at + 7 * LANES] = np.uint32(playout.home)
    path = at + _SHORT_FIELDS * LANES
    jumps = playout.path
    words[path], words[path + LANES], words[path + 2 * LANES] = jumps[0], jumps[1], jumps[2]
    if path_words(here) > 3:
        words[path + 3 * LANES], words[path + 4 * LANES] = jumps[3], jumps[4]


@jit_inlined
def num_words(position: Any) -> Any:
    """Return how many words hold a playout, see `playouts.playout_words`."""
    return _behind_board(position) + _SHORT_FIELDS + path_words(position)


def register_playouts(record: Any) -> None:
    """Register the playouts of the game whose positions have the type `record`."""
    register(
        record,
        random_ply=random_ply,
        playout_init=lambda position, plies, rule: ply(position, 0, plies, plies, position.turn),
        playout_words=num_words,
        playout_load=load,
    )


register(
    DraughtsPlayout,
    playout_draws=draws,
    playout_steps=lambda playout, rule: steps_of(playout),
    playout_is_over=is_over,
    playout_result=result,
    playout_step=step,
    playout_store=store,
)
