"""Random playouts of draughts for kernels and lanes: the state of a playout, and one step of it.

A step is a quiet move, or one node of the search for the captures of the most pieces: the jump of a piece,
the end of a capture, or the way back from one. Which of these it is, is data, and results are selected by it:
every step runs the same straight-line code. The search keeps one capture, drawn from those that take the
most: every capture has a random number, a pure function of the random state of the ply and of the capture,
and the highest wins. So a move that is found on several ways counts once, and none need be remembered.

A king that has jumped stands on all its possible landing squares at once: it goes on from each of them, and
if it can go on from none, the capture ends on each. The last jump alone therefore identifies a node.
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
# After the four directions of jumps come the squares on which a capture may end.
_ENDS = np.uint32(4)
# A jump in the path: the number of the square jumped, and above it the direction.
_ENTRY_BITS = 8
_SQUARE_BITS, _SQUARE, _ENTRY = 6, np.uint32(0x3F), np.uint32(0xFF)


class DraughtsPlayout(NamedTuple):
    """A playout under way. A word is a board word.

    here: the position at the beginning of the ply. start: word, where the capturing piece came from, 0 at the
    root of the search. left: word, foes not taken. path: five uint32, or three and two zeros – the jumps
    made, 8 bits each, the last one lowest. open: uint32 – bit k: the jump k before the last has alternatives
    still to follow. side: uint32, and above: word – the candidates of a node still to follow are those in
    directions beyond `side`, and those of `above` in this direction. best_left, best_start, best_end: words
    of the drawn capture, all ones before there is one; best_draw: uint64, its random number. quiet: int32,
    plies since the last progress. plies: int32, of this playout and those before it. began: int32, plies at
    its start. home: turn of the side that began.
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
    """The candidates for the next step.

    first … fourth: words – pieces to jump, or squares where a quiet move or a capture ends, by direction.
    total: uint32, how many there are. jumps, ends: bool, whether they are jumps or ends of a capture; quiet
    moves if neither. vacant: word, free squares. is_root: bool, no jump was made.
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
    """Return the word that is no set of squares."""
    return word(position, invert64(np.uint64(0)))


@jit_inlined
def _entry_of(direction: Any, index: Any) -> Any:
    """Return the entry of a jump in the path; index: number of the jumped square."""
    return np.uint32(np.uint32(direction * np.uint32(2**_SQUARE_BITS)) | np.uint32(index & _SQUARE))


@jit_inlined
def _last_jump(playout: Any) -> Any:
    """Return the direction of the last jump and the jumped square, one bit."""
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
    """Return the candidates of a direction that the search has not followed yet."""
    here = playout.here
    rest = squares if playout.side < direction else word(here, 0)
    return word(here, squares & playout.above) if playout.side == direction else word(here, rest)


@jit_inlined
def steps_of(playout: Any) -> Any:
    """Return the candidates for the next step."""
    here, none = playout.here, word(playout.here, 0)
    # At the root no piece has jumped yet: all of the side's pieces may move.
    is_root = playout.start == none
    # The square that the capturing piece came from is free during the capture.
    vacant = word(here, word(here, empty_squares(here)) | playout.start)
    came, jumped = _last_jump(playout)
    # Behind the jumped piece: a man lands there, a king there or on any free square further on.
    near = turned(here, jumped, places(here, came))
    run = word(here, near | slide(here, near, vacant, came))
    is_king = word(here, here.kings & playout.start) != none
    # The pieces that can move: all at the root, else the one that jumped, a king from all landing squares.
    men = word(here, here.own & (here.kings ^ all_ones(here)))
    men = men if is_root else (none if is_king else near)
    kings = word(here, here.own & here.kings) if is_root else (run if is_king else none)
    # Men move only forward, but capture in all directions.
    rising, falling = (men, none) if here.turn == WHITE else (none, men)
    # Only foes that are left can be jumped: none is jumped twice.
    rays = (
        look(here, men, rising, kings, vacant, playout.left, np.uint32(0)),
        look(here, men, rising, kings, vacant, playout.left, np.uint32(1)),
        look(here, men, falling, kings, vacant, playout.left, np.uint32(2)),
        look(here, men, falling, kings, vacant, playout.left, np.uint32(3)),
    )
    # Jumps are compulsory: quiet moves and ends are candidates only if there is none.
    jumps = word(here, rays[0].taken | rays[1].taken | rays[2].taken | rays[3].taken) != none
    # by selecting words: `and` would branch
    ends = none if jumps else (none if is_root else word(here, men | kings))
    ends = word(here, ends & playout.above) if playout.side == _ENDS else ends
    # Quiet moves start only at the root: there are none inside a capture.
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
    """The capture drawn among those found so far, as in `DraughtsPlayout`."""

    left: Any
    start: Any
    end: Any
    number: Any


@jit_inlined
def _entry_in(below: Any, entries: Any, above: Any, goes: Any, stays: Any) -> Any:
    """Return a word of the path with one more jump (goes), unchanged (stays) or without the last jump."""
    # The words of the path form one long stack: a push shifts in 8 bits from the word below, a pop 8 bits
    # from the word above.
    pushed = shift_in(entries, below, _ENTRY_BITS)
    popped = shift_in(above, entries, 32 - _ENTRY_BITS)
    return np.uint32(pushed if goes else (entries if stays else popped))


@jit_inlined
def _path(playout: Any, jump: Any, goes: Any, stays: Any) -> Any:
    """Return the path with one more jump, unchanged, or without the last jump."""
    first, second, third, fourth, fifth = playout.path
    # An 8×8 board needs three words, four jumps each: as many jumps as a side has pieces.
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
    """Return one of two playouts, selected word by word without a branch."""
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
    """Return the capture drawn so far, and whether this capture has more ends to look at."""
    # Before the first capture all bits of best_left are set, more than there are pieces, so any capture is
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
    # The search makes a jump, looks at the next end of this capture, or goes back.
    goes = steps.jumps & (steps.total != _ZERO)
    direction, index, square = jump
    came, last = _last_jump(playout)
    # Going back puts the last jumped piece back on the board.
    back_left = word(here, playout.left | last)
    # With all foes back on the board the search is at its root.
    back_start = none if back_left == here.foe else playout.start
    # One bit per jump: whether it has alternatives still to follow.
    opened = np.uint32(np.uint32(playout.open + playout.open) | (_ONE if steps.total > _ONE else _ZERO))
    followed = square if stays else last
    # −2x has every bit above x set: candidates are followed in rising order, so those above are left.
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
    """Return the playout after one step; the result has no meaning if it is over."""
    here = playout.here
    is_quiet = (not steps.jumps) & steps.is_root
    # Only quiet moves are drawn here; all jumps are followed, and captures are drawn by their numbers.
    number = np.uint32(choose_below(state, steps.total)) if is_quiet else _ZERO
    is_down, is_left, squares, number = chosen(steps.first, steps.second, steps.third, steps.fourth, number)
    direction = direction_of(is_down, is_left)
    index = np.uint32(nth_index(here, squares, number))
    square = turned(here, word(here, 1), index)
    origin = behind(here, square, here.own, steps.vacant, direction) if steps.is_root else playout.start
    # All three outcomes are computed at every step and one is selected: lanes and threads never diverge.
    best, stays = _kept(playout, steps, square, state)
    after, by_king = moved(
        here,
        origin if is_quiet else best.start,
        square if is_quiet else best.end,
        here.foe if is_quiet else best.left,
    )
    # Only quiet moves of kings count: men's moves and captures are progress.
    quiet = np.int32(playout.quiet + np.int32(1)) if is_quiet & by_king else np.int32(0)
    later = ply(after, quiet, np.int32(playout.plies + np.int32(1)), playout.began, playout.home)
    # the end of a capture ends the search when no alternative is left
    is_made = is_quiet | (steps.ends & (not stays) & (playout.open == _ZERO))
    return _either(is_made, later, _further(playout, steps, (direction, index, square), origin, best, stays))
