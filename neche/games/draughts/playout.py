"""Random playouts of draughts on the CPU, one at a time: whole moves, no move buffer, whatever the board.

The games are those of `walk.py`: quiet moves are numbered in the same order, and of the captures of the most
pieces the one with the highest number is drawn, in whatever order they are found.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import lowest_bit64, nth_bit, popcount
from neche.compiled.jit import jit, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.draughts.board import (
    WHITE,
    empty_squares,
    entered,
    own_kings,
    own_men,
    places,
    turned,
    word,
)
from neche.games.draughts.choosing import chosen, moved, number_of
from neche.games.draughts.rays import behind, look, seen, slide

_NEVER = np.int64(2**62)
_UP_RIGHT, _UP_LEFT, _DOWN_RIGHT, _DOWN_LEFT = map(np.uint32, range(4))


class Capture(NamedTuple):
    """The drawn one of the captures found: words of the board.

    left: foes that it does not take. start, end: one square each. num_left: int64, of `left`; more than there
    are pieces if none was found.
    """

    left: Any
    start: Any
    end: Any
    num_left: Any


class PlayedPly(NamedTuple):
    """The position after a ply, whether there was a move, and whether that was progress."""

    here: Any
    moved: Any
    progress: Any


@jit_inlined
def _keep(here: Any, start: Any, end: Any, left: Any, state: Any, best: Any) -> Any:
    """Return which of two captures is drawn: that of more pieces, else that of the higher number."""
    num_left = np.int64(popcount(left))
    # Fewer foes left is more taken, which the rules demand.
    if num_left > best.num_left:
        return best
    if num_left == best.num_left:
        if number_of(state, left, start, end) <= number_of(state, best.left, best.start, best.end):
            return best
    return Capture(word(here, left), word(here, start), word(here, end), num_left)


@jit
def _follow_man(here: Any, square: Any, start: Any, vacant: Any, left: Any, state: Any, best: Any) -> Any:
    """Follow every capture of a man now on `square`; return the drawn one of these and `best`."""
    ended = True
    for side in range(4):
        direction = np.uint32(side)
        one = places(here, direction)
        open_to = word(here, entered(here, direction))
        jumped = word(here, turned(here, square, one) & open_to & left)
        landing = word(here, turned(here, jumped, one) & open_to & vacant)
        if landing:
            ended = False
            best = _follow_man(here, landing, start, vacant, word(here, left ^ jumped), state, best)
    if ended:
        best = _keep(here, start, square, left, state, best)
    return best


@jit
def _follow_king(here: Any, run: Any, start: Any, vacant: Any, left: Any, state: Any, best: Any) -> Any:
    """Follow every capture of a king on any square of `run`; return the drawn one of these and `best`."""
    ended, none = True, word(here, 0)
    for side in range(4):
        direction = np.uint32(side)
        taken = look(here, none, none, run, vacant, left, direction).taken
        while taken:
            ended = False
            jumped = word(here, lowest_bit64(taken))
            taken = word(here, taken ^ jumped)
            near = turned(here, jumped, places(here, direction))
            beyond = word(here, near | slide(here, near, vacant, direction))
            best = _follow_king(here, beyond, start, vacant, word(here, left ^ jumped), state, best)
    if ended:
        while run:
            end = word(here, lowest_bit64(run))
            run = word(here, run ^ end)
            best = _keep(here, start, end, left, state, best)
    return best


@jit_inlined
def _origin(here: Any, square: Any, vacant: Any, direction: Any) -> Any:
    """Return the own piece that reaches `square` in a direction."""
    back = np.uint32(np.uint32(3) - direction)
    # The piece beside it, mostly; only a king can come from further away.
    near = word(here, turned(here, square, places(here, back)) & entered(here, back) & here.own)
    return near if near else behind(here, square, here.own, vacant, direction)


@jit_inlined
def _follow(here: Any, taken: Any, vacant: Any, direction: Any, state: Any, best: Any) -> Any:
    """Follow every capture that begins by one of the jumps `taken` in a direction."""
    while taken:
        jumped = word(here, lowest_bit64(taken))
        taken = word(here, taken ^ jumped)
        start = _origin(here, jumped, vacant, direction)
        # The first jump is made here; its square of origin is free from now on.
        left, free = word(here, here.foe ^ jumped), word(here, vacant | start)
        near = turned(here, jumped, places(here, direction))
        if start & here.kings:
            run = word(here, near | slide(here, near, free, direction))
            best = _follow_king(here, run, start, free, left, state, best)
        else:
            best = _follow_man(here, near, start, free, left, state, best)
    return best


@jit_inlined
def _look(here: Any, men: Any, steppers: Any, kings: Any, vacant: Any, direction: Any) -> Any:
    """Return what the side to move reaches in a direction; most of the time it has no kings."""
    if kings:
        return look(here, men, steppers, kings, vacant, here.foe, direction)
    return seen(here, men, kings, steppers, vacant, here.foe, direction)


@jit
def play_ply(here: Any, state: Any) -> Any:
    """Play one ply; state: already advanced. Without a move the position stays."""
    none, vacant = word(here, 0), word(here, empty_squares(here))
    men, kings = word(here, own_men(here)), word(here, own_kings(here))
    rising, falling = (men, none) if here.turn == WHITE else (none, men)
    # Four calls and no loop: the direction is a constant in each, and so are shifts and masks.
    rays0 = _look(here, men, rising, kings, vacant, _UP_RIGHT)
    rays1 = _look(here, men, rising, kings, vacant, _UP_LEFT)
    rays2 = _look(here, men, falling, kings, vacant, _DOWN_RIGHT)
    rays3 = _look(here, men, falling, kings, vacant, _DOWN_LEFT)
    # Captures are compulsory: if there is one, no quiet move is drawn.
    if rays0.taken | rays1.taken | rays2.taken | rays3.taken:
        # More than the pieces of any side: the first capture found is better.
        best = Capture(none, none, none, np.int64(64))
        best = _follow(here, rays0.taken, vacant, _UP_RIGHT, state, best)
        best = _follow(here, rays1.taken, vacant, _UP_LEFT, state, best)
        best = _follow(here, rays2.taken, vacant, _DOWN_RIGHT, state, best)
        best = _follow(here, rays3.taken, vacant, _DOWN_LEFT, state, best)
        after, _ = moved(here, best.start, best.end, best.left)
        return PlayedPly(after, True, True)
    total = popcount(rays0.targets) + popcount(rays1.targets)
    total += popcount(rays2.targets) + popcount(rays3.targets)
    if total == 0:
        return PlayedPly(here, False, False)
    number = np.uint32(choose_below(state, total))
    direction, squares, number = chosen(rays0.targets, rays1.targets, rays2.targets, rays3.targets, number)
    end = word(here, nth_bit(np.uint64(squares), np.int64(number)))
    start = _origin(here, end, vacant, direction)
    after, by_king = moved(here, start, end, here.foe)
    return PlayedPly(after, True, not by_king)


@jit
def play_out(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    """Play uniformly random moves to the end; return outcome and plies, see `games.contract.play_out`."""
    here, state = position, np.uint64(state)
    quiet_plies = np.int64(rule.quiet_plies) if rule.quiet_plies > 0 else _NEVER
    max_plies = np.int64(rule.max_plies) if rule.max_plies > 0 else _NEVER
    plies, began_quiet, sign = np.int64(0), np.int64(0), np.int64(1)
    while True:
        state = advance(state)
        ply = play_ply(here, state)
        if not ply.moved:
            return -sign, plies
        # The end of the game comes before the limit: a side without a move has lost even at the last ply.
        if plies >= min(max_plies, began_quiet + quiet_plies):
            is_counted = rule.by_count and plies < began_quiet + quiet_plies
            lead = popcount(here.own) - popcount(here.foe)
            return (sign * (np.int64(lead > 0) - np.int64(lead < 0)) if is_counted else np.int64(0)), plies
        here, sign = ply.here, -sign
        plies += 1
        began_quiet = plies if ply.progress else began_quiet
