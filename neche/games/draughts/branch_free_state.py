"""Random playouts of draughts for kernels and lanes: the state of one, and what its next step may be.

A step is a quiet move, or one node of the search for the captures of the most pieces: the jump of a piece,
the end of a capture, or the way back from one. Which it is, is data, and what depends on it is selected. The
search keeps one capture, the drawn one of those that take the most: every capture has a random number of its
own, a pure function of the random state of the ply and of the capture, and the highest is drawn. So captures
that are the same move, found on several ways, count once without being remembered.

A king that has jumped stands on all the squares at once on which it may land: from each of them it goes on,
and if from none, the capture ends on each. A node is therefore known by the last jump alone.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert64, popcount
from neche.compiled.jit import jit_inlined
from neche.games.draughts.board import WHITE, empty_squares, places, turned, word
from neche.games.draughts.rays import look, slide

_ZERO, _ONE = np.uint32(0), np.uint32(1)
# Behind the four directions of jumps come the squares on which a capture may end.
ENDS = np.uint32(4)
# A jump in the path: the number of the square jumped, and above it the direction.
ENTRY_BITS = 8
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
def entry_of(direction: Any, index: Any) -> Any:
    """Return a jump as it stands in the path; index: number of the square that is jumped."""
    return np.uint32(np.uint32(direction * np.uint32(2**_SQUARE_BITS)) | np.uint32(index & _SQUARE))


@jit_inlined
def last_jump(playout: Any) -> Any:
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
    came, jumped = last_jump(playout)
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
    ends = word(here, ends & playout.above) if playout.side == ENDS else ends
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
