"""Random playouts of draughts on the CPU, one at a time: whole moves, no move buffer, on any board.

The games are those of `branch_free.py`: quiet moves are numbered in the same order, and among the captures of
the most pieces the one with the highest number is drawn, whatever the order in which they are found.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import lowest_bit64, nth_bit, popcount
from neche.compiled.jit import U32, U64, Moves, Position, jit, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.draughts.board import (
    WHITE,
    Squares,
    empty_squares,
    entered,
    own_kings,
    own_men,
    places,
    turned,
    word,
)
from neche.games.draughts.choosing import chosen, direction_of, moved, number_of
from neche.games.draughts.rays import Rays, behind, look, seen, slide
from neche.games.playouts import PlayoutRule, RandomPly

_UP_RIGHT, _UP_LEFT, _DOWN_RIGHT, _DOWN_LEFT = map(np.uint32, range(4))


class Capture(NamedTuple):
    """The capture drawn among those found so far, as board words.

    left: foes that it does not take. start, end: one square each. num_left: int64, size of `left`; more than
    there are pieces if none was found.
    """

    left: Squares
    start: Squares
    end: Squares
    num_left: Squares


@jit_inlined
def _keep(here: Position, start: Squares, end: Squares, left: Squares, state: U64, best: Capture) -> Capture:
    """Return which of two captures is drawn: that of more pieces, else that of the higher number."""
    num_left = np.int64(popcount(left))
    # Fewer foes left means more taken, which the rules demand.
    if num_left > best.num_left:
        return best
    if num_left == best.num_left:
        if number_of(state, left, start, end) <= number_of(state, best.left, best.start, best.end):
            return best
    return Capture(word(here, left), word(here, start), word(here, end), num_left)


@jit
def _follow_man(
    here: Position, square: Squares, start: Squares, vacant: Squares, left: Squares, state: U64, best: Capture
) -> Capture:
    """Follow every capture of a man now on `square`; return the one drawn from these and `best`."""
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
def _follow_king(
    here: Position, run: Squares, start: Squares, vacant: Squares, left: Squares, state: U64, best: Capture
) -> Capture:
    """Follow every capture of a king on any square of `run`; return the one drawn from these and `best`."""
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
def _origin(here: Position, square: Squares, vacant: Squares, direction: U32) -> Squares:
    """Return the own piece that reaches `square` in a direction."""
    back = np.uint32(np.uint32(3) - direction)
    # Mostly the piece next to it; only a king can come from further away.
    near = word(here, turned(here, square, places(here, back)) & entered(here, back) & here.own)
    return near if near else behind(here, square, here.own, vacant, direction)


@jit_inlined
def _follow(
    here: Position, taken: Squares, vacant: Squares, direction: U32, state: U64, best: Capture
) -> Capture:
    """Follow every capture that begins with a jump over one of `taken` in a direction."""
    while taken:
        jumped = word(here, lowest_bit64(taken))
        taken = word(here, taken ^ jumped)
        start = _origin(here, jumped, vacant, direction)
        # The first jump is made here; its start square is free from now on.
        left, free = word(here, here.foe ^ jumped), word(here, vacant | start)
        near = turned(here, jumped, places(here, direction))
        if start & here.kings:
            run = word(here, near | slide(here, near, free, direction))
            best = _follow_king(here, run, start, free, left, state, best)
        else:
            best = _follow_man(here, near, start, free, left, state, best)
    return best


@jit_inlined
def _look(
    here: Position, men: Squares, steppers: Squares, kings: Squares, vacant: Squares, direction: U32
) -> Rays:
    """Return what the side to move reaches in a direction; usually it has no kings."""
    if kings:
        return look(here, men, steppers, kings, vacant, here.foe, direction)
    return seen(here, men, kings, steppers, vacant, here.foe, direction)


@jit
def random_ply(position: Position, state: U64, memory: Any, rule: PlayoutRule, moves: Moves) -> RandomPly:
    """Play one ply, a whole move, see `playouts.random_ply`."""
    here, state = position, advance(state)
    none, vacant = word(here, 0), word(here, empty_squares(here))
    men, kings = word(here, own_men(here)), word(here, own_kings(here))
    rising, falling = (men, none) if here.turn == WHITE else (none, men)
    # Four calls instead of a loop: the direction is constant in each, and so are shifts and masks.
    rays0 = _look(here, men, rising, kings, vacant, _UP_RIGHT)
    rays1 = _look(here, men, rising, kings, vacant, _UP_LEFT)
    rays2 = _look(here, men, falling, kings, vacant, _DOWN_RIGHT)
    rays3 = _look(here, men, falling, kings, vacant, _DOWN_LEFT)
    # Captures are compulsory: if there is one, no quiet move is drawn.
    if rays0.taken | rays1.taken | rays2.taken | rays3.taken:
        # More than any side has pieces: the first capture found is better.
        best = Capture(none, none, none, np.int64(64))
        best = _follow(here, rays0.taken, vacant, _UP_RIGHT, state, best)
        best = _follow(here, rays1.taken, vacant, _UP_LEFT, state, best)
        best = _follow(here, rays2.taken, vacant, _DOWN_RIGHT, state, best)
        best = _follow(here, rays3.taken, vacant, _DOWN_LEFT, state, best)
        after, _ = moved(here, best.start, best.end, best.left)
        return RandomPly(after, state, memory, True, True)
    total = popcount(rays0.targets) + popcount(rays1.targets)
    total += popcount(rays2.targets) + popcount(rays3.targets)
    if total == 0:
        return RandomPly(here, state, memory, False, False)
    number = np.uint32(choose_below(state, total))
    is_down, is_left, squares, number = chosen(
        rays0.targets, rays1.targets, rays2.targets, rays3.targets, number
    )
    direction = direction_of(is_down, is_left)
    end = word(here, nth_bit(np.uint64(squares), np.int64(number)))
    start = _origin(here, end, vacant, direction)
    after, by_king = moved(here, start, end, here.foe)
    return RandomPly(after, state, memory, True, not by_king)
