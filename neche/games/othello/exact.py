"""Exact Othello endgames: the last empty squares searched to the end by alpha-beta, scored in discs.

A score is the discs of the side to move minus those of the other when the game is over; squares that stay
empty count for the winner (World Othello Federation). A search with a window keeps the alpha-beta contract: a
value within it is exact, one at or below alpha an upper bound, one at or above beta a lower bound.

The search is fast because moves that leave the opponent few replies come first, and among the last squares
those in quadrants with an odd number of them, so that one has the last word there; because of a table of
positions with more than a few empty squares; and because of null windows for all moves but the first.

Sources: G. Andersson, Zebra (fastest first, parity); M. Buro, The Othello match of the year, ICCA Journal 20
(1997).
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert64, lowest_bit64, lowest_index, pop_lowest, popcount, shift_down
from neche.compiled.jit import I64, U64, Array, jit, jit_inlined
from neche.games.othello.moves import MAX_MOVES
from neche.games.othello.runs import placements, turned

MOST_DISCS = 64
NODES, STOP = 0, 1
"""Places in `ExactWork.counters`."""
# With so few empty squares the table costs more than it saves.
_SHALLOW = 6
# Of a line, passes included.
_MOST_PLIES = 128
_QUADRANTS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))
_CORNERS = np.uint64(0x8100000000000081)
_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


class ExactWork(NamedTuple):
    """Working memory of the solver: one for each thread.

    counters: [2] int64, positions visited, and a flag that ends the search early when set; the result then
    has no meaning. squares, keys: [moves of all plies] uint64 and int64, moves and their order. own, foe: [T]
    uint64, positions in the table. bounds: [T] int64, their bounds and best moves, see `_packed`.
    """

    counters: Array
    squares: Array
    keys: Array
    own: Array
    foe: Array
    bounds: Array


def _new_work(num_empty: int) -> ExactWork:
    """Allocate memory for solving positions with this many empty squares."""
    size = 1 << max(12, min(22, num_empty + 4))
    rows = MAX_MOVES * _MOST_PLIES
    return ExactWork(
        np.zeros(2, np.int64),
        np.zeros(rows, np.uint64),
        np.zeros(rows, np.int64),
        np.zeros(size, np.uint64),
        np.zeros(size, np.uint64),
        np.zeros(size, np.int64),
    )


@jit_inlined
def _final(own: U64, foe: U64) -> I64:
    """Return the score of a game that is over."""
    lead = np.int64(popcount(own)) - np.int64(popcount(foe))
    left = MOST_DISCS - np.int64(popcount(own)) - np.int64(popcount(foe))
    return lead + left if lead > 0 else lead - left if lead < 0 else np.int64(0)


@jit_inlined
def _odd_squares(empty: U64) -> U64:
    """Return the quadrants with an odd number of empty squares."""
    odd = np.uint64(0)
    for quadrant in _QUADRANTS:
        if popcount(np.uint64(empty & quadrant)) & 1:
            odd |= quadrant
    return np.uint64(odd)


@jit_inlined
def _last_square(own: U64, foe: U64, square: U64) -> I64:
    """Return the score with one empty square."""
    mine = turned(square, own, foe)
    lead = 2 * np.int64(popcount(own)) - (MOST_DISCS - 1)
    if mine:
        return lead + 2 * np.int64(popcount(mine)) + 1
    theirs = turned(square, foe, own)
    if theirs:
        return lead - 2 * np.int64(popcount(theirs)) - 1
    return lead + 1 if lead > 0 else lead - 1


@jit
def _solve_shallow(work: ExactWork, own: U64, foe: U64, alpha: I64, beta: I64) -> I64:
    """Return the score of a position with few empty squares, within a window."""
    work.counters[NODES] += 1
    empty = invert64(np.uint64(own | foe))
    if popcount(empty) == 1:
        return np.int64(_last_square(own, foe, empty))
    squares = placements(own, foe)
    if squares == 0:
        if placements(foe, own) == 0:
            return np.int64(_final(own, foe))
        return np.int64(-_solve_shallow(work, foe, own, np.int64(-beta), np.int64(-alpha)))
    best = np.int64(-MOST_DISCS - 1)
    odd = np.uint64(squares & _odd_squares(empty))
    rest = np.uint64(squares ^ odd)
    while odd | rest:
        square = lowest_bit64(odd if odd else rest)
        odd, rest = np.uint64(odd & invert64(square)), np.uint64(rest & invert64(square))
        flips = turned(square, own, foe)
        after, mine = np.uint64(foe ^ flips), np.uint64(own | square | flips)
        found = np.int64(-_solve_shallow(work, after, mine, np.int64(-beta), np.int64(-max(alpha, best))))
        if found > best:
            best = found
            if best >= beta:
                break
    return best


@jit_inlined
def _slot(work: ExactWork, own: U64, foe: U64) -> I64:
    """Return the place of a position in the table."""
    mixed = np.uint64(np.uint64(own * _MIX[0]) ^ np.uint64(foe * _MIX[1]))
    return np.int64(shift_down(np.uint64(mixed ^ shift_down(mixed, 29)), 20) & np.uint64(len(work.own) - 1))


@jit_inlined
def _packed(low: I64, high: I64, square: U64) -> I64:
    """Return the bounds of a score and the best move as one number of three bytes."""
    return (low + MOST_DISCS) + 256 * (high + MOST_DISCS) + 65536 * np.int64(lowest_index(square))


@jit_inlined
def _known(work: ExactWork, slot: I64, own: U64, foe: U64) -> tuple[I64, I64, I64]:
    """Return the bounds that the table has for a position, and the move to try first, −1 for none."""
    if work.own[slot] != own or work.foe[slot] != foe:
        return np.int64(-MOST_DISCS), np.int64(MOST_DISCS), np.int64(-1)
    known = work.bounds[slot]
    return (known & 255) - MOST_DISCS, (known // 256 & 255) - MOST_DISCS, known // 65536


@jit
def _order(work: ExactWork, own: U64, foe: U64, squares: U64, hint: I64, base: I64) -> I64:
    """Write moves and their keys, the lowest tried first; return how many. hint: the square to try first."""
    count, odd = np.int64(0), _odd_squares(invert64(np.uint64(own | foe)))
    while squares:
        square, squares = pop_lowest(squares)
        flips = turned(square, own, foe)
        after, mine = np.uint64(foe ^ flips), np.uint64(own | square | flips)
        replies = placements(after, mine)
        # Replies in corners count twice: they are seldom bad.
        key = 8 * (np.int64(popcount(replies)) + np.int64(popcount(np.uint64(replies & _CORNERS))))
        if square & odd:
            key -= 4
        if square & _CORNERS:
            key -= 16
        if np.int64(lowest_index(square)) == hint:
            key = np.int64(-1000)
        work.squares[base + count], work.keys[base + count] = square, key
        count += 1
    return count


@jit_inlined
def _next_square(work: ExactWork, base: I64, at: I64, count: I64) -> U64:
    """Swap the move with the lowest key from number `at` on to that place, and return it."""
    least = at
    for number in range(at + 1, count):
        if work.keys[base + number] < work.keys[base + least]:
            least = number
    square = work.squares[base + least]
    work.squares[base + least], work.keys[base + least] = work.squares[base + at], work.keys[base + at]
    return np.uint64(square)


@jit
def _solve(work: ExactWork, own: U64, foe: U64, alpha: I64, beta: I64, ply: I64) -> I64:
    """Return the score of a position within a window; ply: distance from the root."""
    if popcount(np.uint64(own | foe)) >= MOST_DISCS - _SHALLOW:
        return np.int64(_solve_shallow(work, own, foe, alpha, beta))
    work.counters[NODES] += 1
    if work.counters[STOP]:
        return np.int64(0)
    squares = placements(own, foe)
    if squares == 0:
        if placements(foe, own) == 0:
            return np.int64(_final(own, foe))
        return np.int64(-_solve(work, foe, own, np.int64(-beta), np.int64(-alpha), np.int64(ply + 1)))
    slot = _slot(work, own, foe)
    low, high, hint = _known(work, slot, own, foe)
    if low >= beta or low == high:
        return np.int64(low)
    if high <= alpha:
        return np.int64(high)
    base = np.int64(ply * MAX_MOVES)
    count = _order(work, own, foe, squares, hint, base)
    best, best_square = np.int64(-MOST_DISCS - 1), np.uint64(1)
    for number in range(count):
        square = _next_square(work, base, np.int64(number), count)
        flips = turned(square, own, foe)
        after, mine = np.uint64(foe ^ flips), np.uint64(own | square | flips)
        floor = max(alpha, best)
        below = np.int64(ply + 1)
        if number == 0 or beta - floor == 1:
            found = np.int64(-_solve(work, after, mine, np.int64(-beta), np.int64(-floor), below))
        else:
            found = np.int64(-_solve(work, after, mine, np.int64(-floor - 1), np.int64(-floor), below))
            if floor < found < beta:
                found = np.int64(-_solve(work, after, mine, np.int64(-beta), np.int64(-found), below))
        if found > best:
            best, best_square = found, square
            if best >= beta:
                break
    if work.counters[STOP] == 0:
        work.own[slot], work.foe[slot] = own, foe
        low, high = best if best > alpha else low, best if best < beta else high
        work.bounds[slot] = _packed(low, high, best_square)
    return best


class OthelloSolver:
    """Solves positions with up to `num_empty` empty squares, in one thread; flags[stop] ends a search."""

    stop = STOP

    def __init__(self, num_empty: int) -> None:
        self._work = _new_work(num_empty)
        self.flags = self._work.counters

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._work.counters[NODES])

    def score(self, position: Any, low: int = -MOST_DISCS, high: int = MOST_DISCS) -> int:
        """Return the discs by which the side to move wins; exact only between `low` and `high`."""
        own, foe = np.uint64(position.own), np.uint64(position.foe)
        return int(_solve(self._work, own, foe, np.int64(low), np.int64(high), np.int64(0)))


def num_empty(position: Any) -> int:
    """Return the number of empty squares."""
    return MOST_DISCS - int(popcount(position.own)) - int(popcount(position.foe))
