"""Playouts of draughts side by side in memory, word by word, so that one vector instruction serves many."""

from typing import Any

import numpy as np

from neche.compiled.bits import high_half, join, low_half
from neche.compiled.jit import jit_inlined
from neche.games.contract import LANES
from neche.games.draughts.board import new_position, path_words, word
from neche.games.draughts.walk import DraughtsPlayout

# A playout is these words of the board, these of 32 bits, and its path.
_BOARD_FIELDS, _SHORT_FIELDS = 9, 8


@jit_inlined
def _squares(position: Any, words: Any, lane: Any, field: Any) -> Any:
    """Return a word of the board: two words in memory where it has more than 32 bits."""
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
    """Words of the board's fields."""
    return _BOARD_FIELDS if path_words(position) == 3 else 2 * _BOARD_FIELDS


@jit_inlined
def load(position: Any, words: Any, lane: Any) -> Any:
    """Return the playout of one lane, see `contract.playout_load`."""
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
    words[path], words[path + LANES], words[path + 2 * LANES] = (
        playout.path[0],
        playout.path[1],
        playout.path[2],
    )
    if path_words(here) > 3:
        words[path + 3 * LANES], words[path + 4 * LANES] = playout.path[3], playout.path[4]


@jit_inlined
def num_words(position: Any) -> Any:
    """Words in memory of a playout, see `contract.playout_words`."""
    return _behind_board(position) + _SHORT_FIELDS + path_words(position)
