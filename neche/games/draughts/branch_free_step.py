"""Random playouts of draughts for kernels and lanes: the state of one, and one step of it.

A step is a quiet move, or one node of the search for the captures of the most pieces: the jump of a piece,
the end of a capture, or the way back from one. Which it is, is data, and what depends on it is selected: the
same straight line of instructions whatever it does. The search keeps one capture, the drawn one of those that
take the most: every capture has a random number of its own, a pure function of the random state of the ply
and of the capture, and the highest is drawn. So captures that are the same move, found on several ways, count
once without being remembered.

A king that has jumped stands on all the squares at once on which it may land: from each of them it goes on,
and if from none, the capture ends on each. A node is therefore known by the last jump alone.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert64, popcount, shift_in
from neche.compiled.jit import jit_inlined
from neche.compiled.randomness import choose_below
from neche.games.draughts.board import (
    WHITE,
    empty_squares,
    new_position,
    nth_index,
    path_words,
    places,
    turned,
    word,
)
from neche.games.draughts.choosing import chosen, direction_of, moved, number_of
from neche.games.draughts.rays import behind, look, slide

_ZERO, _ONE = np.uint32(0), np.uint32(1)
# Behind the four directions of jumps come the squares on which a capture may end.
_ENDS = np.uint32(4)
# A jump in the path: the number of the square jumped, and above it the direction.
_ENTRY_BITS = 8
_SQUARE_BITS, _SQUARE, _ENTRY = 6, np.uint32(0x3F), np.uint32(0xFF)


class DraughtsPlayout(NamedTuple):
    """A playout under way. A word is a word of the board.

    here: the position at the beginning of the ply. start: word, where the piece came from whose capture is
    under way, 0 at the root of the search. left: word, foes not taken. path: five uint32, or three and two
    zeros – the jumps made, 8 bits each, the last one lowest. open: uint32 – bit k: there are other jumps
    beside the last but k. side: uint32, and above: word – of the candidates of a node those are left that lie
    in directions beyond `side`, or in this one and in `above`. best_left, best_start, best_end: words of the
    drawn capture, all ones before there is one; best_draw: uint64, its random number. quiet: int32, plies
    since the last progress. plies: int32, of this playout and those before it. began: int32, plies at its
    begin. home: turn of the side that began.
    """

    here: Any
    start: Any
    left: Any
    path: Any
    open: Any
    side: Any
    above: Any
    best_left: Any
    best_start: Any
    best_end: Any
    best_draw: Any
    quiet: Any
    plies: Any
    began: Any
    home: Any


class DraughtsSteps(NamedTuple):
    """What the next step may be.

    first … fourth: words – what is jumped, or where a quiet move or a capture ends, by direction. total:
    uint32, how many there are. jumps, ends: bool, which of it; quiet moves if neither. vacant: word, free
    squares. is_root: bool, no jump was made.
    """

    first: Any
    second: Any
    third: Any
    fourth: Any
    total: Any
    jumps: Any
    ends: Any
    vacant: Any
    is_root: Any


@jit_inlined
def all_ones(position: Any) -> Any:
    """Return the word that no set of squares is."""
    return word(position, invert64(np.uint64(0)))


@jit_inlined
def _entry_of(direction: Any, index: Any) -> Any:
    """Return a jump as it stands in the path; index: number of the square that is jumped."""
    return np.uint32(np.uint32(direction * np.uint32(2**_SQUARE_BITS)) | np.uint32(index & _SQUARE))


@jit_inlined
def _last_jump(playout: Any) -> Any:
    """Return the direction of the last jump and the square that it jumped, one bit."""
    entry = np.uint32(playout.path[0] & _ENTRY)
    square = turned(playout.here, word(playout.here, 1), np.uint32(entry & _SQUARE))
    return np.uint32(entry // np.uint32(2**_SQUARE_BITS)), square


@jit_inlined
def ply(here: Any, quiet: Any, plies: Any, began: Any, home: Any) -> Any:
    """Return the state at the beginning of a ply."""
    none, ones = word(here, 0), all_ones(here)
    return DraughtsPlayout(
        here,
        none,
        here.foe,
        (_ZERO, _ZERO, _ZERO, _ZERO, _ZERO),
        _ZERO,
        _ZERO,
        ones,
        ones,
        none,
        none,
        np.uint64(0),
        np.int32(quiet),
        np.int32(plies),
        np.int32(began),
        home,
    )


@jit_inlined
def _left_of(playout: Any, squares: Any, direction: Any) -> Any:
    """Return the candidates of a direction that the search has not followed."""
    here = playout.here
    rest = squares if playout.side < direction else word(here, 0)
    return word(here, squares & playout.above) if playout.side == direction else word(here, rest)


@jit_inlined
def steps_of(playout: Any) -> Any:
    """Return what the next step may be."""
    here, none = playout.here, word(playout.here, 0)
    # At the root no piece has jumped yet: all of the side's pieces may move.
    is_root = playout.start == none
    # The square that the capturing piece came from is free while it goes on.
    vacant = word(here, word(here, empty_squares(here)) | playout.start)
    came, jumped = _last_jump(playout)
    # Behind the last jump: a man lands there, a king on that square and all free ones further on.
    near = turned(here, jumped, places(here, came))
    run = word(here, near | slide(here, near, vacant, came))
    is_king = word(here, here.kings & playout.start) != none
    # What can move: all pieces at the root, else the one that jumped, a king from all its landing squares.
    men = word(here, here.own & (here.kings ^ all_ones(here)))
    men = men if is_root else (none if is_king else near)
    kings = word(here, here.own & here.kings) if is_root else (run if is_king else none)
    # Men move forwards only, but capture in all directions.
    rising, falling = (men, none) if here.turn == WHITE else (none, men)
    # Only foes that are left can be jumped: none is jumped twice.
    rays = (
        look(here, men, rising, kings, vacant, playout.left, np.uint32(0)),
        look(here, men, rising, kings, vacant, playout.left, np.uint32(1)),
        look(here, men, falling, kings, vacant, playout.left, np.uint32(2)),
        look(here, men, falling, kings, vacant, playout.left, np.uint32(3)),
    )
    # A jump compels: quiet moves and ends are steps only where there is none.
    jumps = word(here, rays[0].taken | rays[1].taken | rays[2].taken | rays[3].taken) != none
    # by selects of words: `and` would branch
    ends = none if jumps else (none if is_root else word(here, men | kings))
    ends = word(here, ends & playout.above) if playout.side == _ENDS else ends
    # Quiet moves only from the root: inside a capture there is none.
    quiet = word(here, all_ones(here) if is_root else none)
    first = (
        _left_of(playout, rays[0].taken, np.uint32(0))
        if jumps
        else word(here, (rays[0].targets & quiet) | ends)
    )
    second = _left_of(playout, rays[1].taken, np.uint32(1)) if jumps else word(here, rays[1].targets & quiet)
    third = _left_of(playout, rays[2].taken, np.uint32(2)) if jumps else word(here, rays[2].targets & quiet)
    fourth = _left_of(playout, rays[3].taken, np.uint32(3)) if jumps else word(here, rays[3].targets & quiet)
    # Without a candidate the search goes one jump back; at the root the game is over.
    total = np.uint32(popcount(first) + popcount(second) + popcount(third) + popcount(fourth))
    return DraughtsSteps(first, second, third, fourth, total, jumps, ends != none, vacant, is_root)


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
    pushed = shift_in(entries, below, _ENTRY_BITS)
    popped = shift_in(above, entries, 32 - _ENTRY_BITS)
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
    came, last = _last_jump(playout)
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
        _path(playout, _entry_of(direction, index), goes, stays),
        opened if goes else (playout.open if stays else np.uint32(playout.open // np.uint32(2))),
        _ZERO if goes else (_ENDS if stays else came),
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
