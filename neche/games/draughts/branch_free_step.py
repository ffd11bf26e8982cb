"""One step of a playout, the same straight line of instructions whatever it does: choices are selects."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import popcount, shift_in
from neche.compiled.jit import jit_inlined
from neche.compiled.randomness import choose_below
from neche.games.draughts.board import new_position, nth_index, path_words, turned, word
from neche.games.draughts.branch_free_state import (
    ENDS,
    ENTRY_BITS,
    DraughtsPlayout,
    all_ones,
    entry_of,
    last_jump,
    ply,
)
from neche.games.draughts.choosing import chosen, direction_of, moved, number_of
from neche.games.draughts.rays import behind

_ZERO, _ONE = np.uint32(0), np.uint32(1)


class Best(NamedTuple):
    """The drawn one of the captures found, as in `DraughtsPlayout`."""

    left: Any
    start: Any
    end: Any
    number: Any


@jit_inlined
def _entry_in(below: Any, entries: Any, above: Any, goes: Any, stays: Any) -> Any:
    """Return a word of the path after a jump (goes), after none (stays) or without the last one."""
    # The words of the path are one long stack: pushing takes in 8 bits from the word below, popping from
    # above.
    pushed = shift_in(entries, below, ENTRY_BITS)
    popped = shift_in(above, entries, 32 - ENTRY_BITS)
    return np.uint32(pushed if goes else (entries if stays else popped))


@jit_inlined
def _path(playout: Any, jump: Any, goes: Any, stays: Any) -> Any:
    """Return the jumps made with one more, as they are, or without the last one."""
    first, second, third, fourth, fifth = playout.path
    # 8×8 needs three words of path, four jumps each: as many jumps as a side has pieces.
    added = np.uint32(jump if goes else _ZERO)
    is_long = path_words(playout.here) > 3
    return (
        np.uint32(_entry_in(_ZERO, first, second, goes, stays) | added),
        _entry_in(first, second, third, goes, stays),
        _entry_in(second, third, fourth, goes, stays),
        _entry_in(third, fourth, fifth, goes, stays) if is_long else fourth,
        _entry_in(fourth, fifth, _ZERO, goes, stays) if is_long else fifth,
    )


@jit_inlined
def _either(is_first: Any, first: Any, second: Any) -> Any:
    """Return one of two playouts, word by word: no branch."""
    here, there = first.here, second.here
    return DraughtsPlayout(
        new_position(
            here,
            here.own if is_first else there.own,
            here.foe if is_first else there.foe,
            here.kings if is_first else there.kings,
            here.turn if is_first else there.turn,
        ),
        first.start if is_first else second.start,
        first.left if is_first else second.left,
        (
            first.path[0] if is_first else second.path[0],
            first.path[1] if is_first else second.path[1],
            first.path[2] if is_first else second.path[2],
            first.path[3] if is_first else second.path[3],
            first.path[4] if is_first else second.path[4],
        ),
        first.open if is_first else second.open,
        first.side if is_first else second.side,
        first.above if is_first else second.above,
        first.best_left if is_first else second.best_left,
        first.best_start if is_first else second.best_start,
        first.best_end if is_first else second.best_end,
        first.best_draw if is_first else second.best_draw,
        first.quiet if is_first else second.quiet,
        first.plies if is_first else second.plies,
        second.began,
        second.home,
    )


@jit_inlined
def _kept(playout: Any, steps: Any, square: Any, state: Any) -> Any:
    """Return the drawn one of the captures so far, and whether there are more ends of this one to look at."""
    # Before the first capture all bits of best_left are set, more than there are pieces: any capture is
    # better.
    num_left, fewest = np.int32(popcount(playout.left)), np.int32(popcount(playout.best_left))
    number = number_of(state, playout.left, playout.start, square)
    # `&` and `|` of bools, where `and` and `or` would branch.
    is_drawn = (num_left < fewest) | ((num_left == fewest) & (number > playout.best_draw))
    is_kept = steps.ends & is_drawn
    best = Best(
        playout.left if is_kept else playout.best_left,
        playout.start if is_kept else playout.best_start,
        square if is_kept else playout.best_end,
        number if is_kept else playout.best_draw,
    )
    return best, steps.ends & (num_left <= fewest) & (steps.total > _ONE)


@jit_inlined
def _further(playout: Any, steps: Any, jump: Any, origin: Any, best: Any, stays: Any) -> Any:
    """Return the playout after a jump, at the next end of the same capture (stays), or one jump back."""
    here, none, ones = playout.here, word(playout.here, 0), all_ones(playout.here)
    # Three ways on: into a jump, to the next end of this capture, or back.
    goes = steps.jumps & (steps.total != _ZERO)
    direction, index, square = jump
    came, last = last_jump(playout)
    # Going back puts the last jumped piece on the board again.
    back_left = word(here, playout.left | last)
    # With all foes back on the board the search is at its root.
    back_start = none if back_left == here.foe else playout.start
    # One bit a jump: whether another candidate waits beside it.
    opened = np.uint32(np.uint32(playout.open + playout.open) | (_ONE if steps.total > _ONE else _ZERO))
    followed = square if stays else last
    # −2x has every bit above x: candidates are followed in rising order, and those above are what is left.
    above = word(here, none - word(here, followed + followed))
    return DraughtsPlayout(
        here,
        origin if goes else (playout.start if stays else back_start),
        word(here, playout.left ^ square) if goes else (playout.left if stays else back_left),
        _path(playout, entry_of(direction, index), goes, stays),
        opened if goes else (playout.open if stays else np.uint32(playout.open // np.uint32(2))),
        _ZERO if goes else (ENDS if stays else came),
        ones if goes else above,
        best.left,
        best.start,
        best.end,
        best.number,
        playout.quiet,
        playout.plies,
        playout.began,
        playout.home,
    )


@jit_inlined
def step(playout: Any, steps: Any, state: Any) -> Any:
    """Return the playout one step on; without meaning if it is over."""
    here = playout.here
    is_quiet = (not steps.jumps) & steps.is_root
    # Only a quiet move is drawn here; jumps are all followed, and the capture is drawn by its number.
    number = np.uint32(choose_below(state, steps.total)) if is_quiet else _ZERO
    is_down, is_left, squares, number = chosen(steps.first, steps.second, steps.third, steps.fourth, number)
    direction = direction_of(is_down, is_left)
    index = np.uint32(nth_index(here, squares, number))
    square = turned(here, word(here, 1), index)
    origin = behind(here, square, here.own, steps.vacant, direction) if steps.is_root else playout.start
    # All three outcomes are computed at every step, and one is selected: lanes and threads never part.
    best, stays = _kept(playout, steps, square, state)
    after, by_king = moved(
        here,
        origin if is_quiet else best.start,
        square if is_quiet else best.end,
        here.foe if is_quiet else best.left,
    )
    # Only quiet moves of kings are counted: moves of men and captures are progress.
    quiet = np.int32(playout.quiet + np.int32(1)) if is_quiet & by_king else np.int32(0)
    next_ply = ply(after, quiet, np.int32(playout.plies + np.int32(1)), playout.began, playout.home)
    # the end of a capture beside which no way is left to look at ends the search
    is_made = is_quiet | (steps.ends & (not stays) & (playout.open == _ZERO))
    return _either(
        is_made, next_ply, _further(playout, steps, (direction, index, square), origin, best, stays)
    )
