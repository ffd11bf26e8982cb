"""Placements, the discs they turn, and the list of all legal moves, passes included.

A direction is an axis, the shift of one step along it, and whether the step goes up or down the bits. Runs of
foe discs are followed in all directions at once, by doubling: after steps of 1, 1, 2 and 2 squares a run of
six, the longest that can be turned, is covered.

A move is one word of the buffer: the own discs after it. A pass leaves them as they are.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, lowest_bit64, popcount, shift_down, shift_up
from neche.compiled.jit import jit, jit_inlined
from neche.games.othello.board import Othello

MOVE_WORDS = 1
# More than any position has: a placement needs two discs on the board.
MAX_MOVES = 62
_ROW, _COLUMN, _FALLING, _RISING = 1, 8, 9, 7
# A disc in column a or h has no neighbour on one side: it is turned in its column only, and no run wraps.
_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)
_NONE = np.uint64(0)


@jit_inlined
def run_up(begin: Any, foe: Any, axis: Any) -> Any:
    """Return the foe discs in unbroken runs that begin one step up from the squares `begin`."""
    pairs = np.uint64(foe & shift_up(foe, axis))
    run = np.uint64(foe & shift_up(begin, axis))
    run = np.uint64(run | (foe & shift_up(run, axis)))
    run = np.uint64(run | (pairs & shift_up(run, 2 * axis)))
    return np.uint64(run | (pairs & shift_up(run, 2 * axis)))


@jit_inlined
def run_down(begin: Any, foe: Any, axis: Any) -> Any:
    """Return the foe discs in unbroken runs that begin one step down from the squares `begin`."""
    pairs = np.uint64(foe & shift_down(foe, axis))
    run = np.uint64(foe & shift_down(begin, axis))
    run = np.uint64(run | (foe & shift_down(run, axis)))
    run = np.uint64(run | (pairs & shift_down(run, 2 * axis)))
    return np.uint64(run | (pairs & shift_down(run, 2 * axis)))


@jit_inlined
def _behind_runs(own: Any, foe: Any, axis: Any) -> Any:
    """Squares just behind runs of foe discs that begin beside an own disc."""
    return shift_up(run_up(own, foe, axis), axis) | shift_down(run_down(own, foe, axis), axis)


@jit_inlined
def placements(own: Any, foe: Any) -> Any:
    """Return the squares where the side with the discs `own` may place a disc."""
    inner = np.uint64(foe & _INNER_COLUMNS)
    straight = _behind_runs(own, inner, _ROW) | _behind_runs(own, foe, _COLUMN)
    slanting = _behind_runs(own, inner, _FALLING) | _behind_runs(own, inner, _RISING)
    return np.uint64((straight | slanting) & invert64(own | foe))


@jit_inlined
def _turned_on(square: Any, own: Any, foe: Any, axis: Any) -> Any:
    """Return the discs on an axis through `square` that lie in a run between it and an own disc."""
    above = run_up(square, foe, axis) & run_down(own, foe, axis)
    return np.uint64(above | (run_down(square, foe, axis) & run_up(own, foe, axis)))


@jit_inlined
def turned(square: Any, own: Any, foe: Any) -> Any:
    """Return the foe discs that a disc placed on `square` turns."""
    inner = np.uint64(foe & _INNER_COLUMNS)
    straight = _turned_on(square, own, inner, _ROW) | _turned_on(square, own, foe, _COLUMN)
    slanting = _turned_on(square, own, inner, _FALLING) | _turned_on(square, own, inner, _RISING)
    return np.uint64(straight | slanting)


@jit
def must_pass(position: Any) -> Any:
    """Tell whether the other side alone can place a disc: the only move is a pass."""
    if placements(position.own, position.foe) != 0:
        return False
    return placements(position.foe, position.own) != 0


@jit
def can_move(position: Any) -> Any:
    """Tell whether there is a move: the game goes on while one of the sides can place a disc."""
    return placements(position.own, position.foe) != 0 or placements(position.foe, position.own) != 0


@jit
def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from `base` on, squares from a1 to h8; return their number.

    The one move of a side that cannot place a disc is a pass, while the other side can.
    """
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    squares = placements(own, foe)
    if squares == 0:
        if placements(foe, own) == 0:
            return np.int64(0)
        moves[base] = own
        return np.int64(1)
    at = np.int64(base)
    while squares != 0:
        square = lowest_bit64(squares)
        squares = np.uint64(squares ^ square)
        moves[at] = own | square | turned(square, own, foe)
        at += 1
    return np.int64(at - base)


@jit_inlined
def count_moves(position: Any, moves: Any, base: Any) -> Any:
    """Return the number of legal moves, see `contract.count_moves`; a pass is one."""
    squares = placements(position.own, position.foe)
    if squares == 0:
        return np.int64(placements(position.foe, position.own) != 0)
    return np.int64(popcount(squares))


@jit
def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen by the other side."""
    own = np.uint64(moves[at])
    foe = np.uint64(np.uint64(position.foe) & invert64(own))
    return Othello(foe, own, np.uint64(np.uint64(position.turn) ^ np.uint64(1)))


@jit
def outcome(position: Any) -> Any:
    """Return how a finished game ended for the side to move: more discs win."""
    lead = np.int64(popcount(np.uint64(position.own))) - np.int64(popcount(np.uint64(position.foe)))
    return np.int64(1) if lead > 0 else np.int64(-1) if lead < 0 else np.int64(0)


@jit
def mobility(position: Any) -> Any:
    """Return how many more squares the side to move may place a disc on than the other side may."""
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    return np.int64(popcount(placements(own, foe))) - np.int64(popcount(placements(foe, own)))
