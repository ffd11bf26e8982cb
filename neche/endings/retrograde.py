"""A pair of mirrored slices solved backwards, from decided positions to those that lead to them.

First every position is judged by the moves that leave its slice, captures and crownings, which lead to solved
positions, and its other moves are counted. Then, for n = 0, 1, 2 … plies, the positions decided in n plies
decide others: a position with a move to a lost one is won, and a position all of whose moves lead to won ones
is lost. Positions still undecided when nothing changes any more are drawn: neither side can force anything.

A distance is the number of plies to the end of the game with best play by both sides: odd ones are won, even
ones lost, since the side that cannot move has lost. If the distances of smaller slices are not kept, a loss
there counts as 0 and a win as 1, and only the parity of the results has a meaning.

Source: K. Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986).
"""

from typing import NamedTuple

import numpy as np

from neche.compiled.bits import pop_lowest, popcount
from neche.compiled.jit import I64, U64, Array, Bool, Moves, Position, jit, jit_inlined
from neche.endings.files import DRAW, LOSS, WIN
from neche.endings.indexing import located, number_of, position_of, seen_upward
from neche.endings.slices import Slice
from neche.games.contract import generate, move_words, successor
from neche.games.draughts.board import empty_squares, kings_fly, new_position, step

UNKNOWN, DRAWN = 65535, 65534
"""Marks in place of a distance."""
SETTLED = 255
"""Mark in place of the number of moves left, of a position whose result is final."""
MOST_PLIES = 511
"""The longest distance that is distinguished from longer ones: half of it fits in a byte."""


class Solved(NamedTuple):
    """All slices solved so far, one after another; see `slices.first_positions`.

    first: [7, 7, 7, 7] int64, where each begins. values: [N / 4] uint8, four in a byte, the first lowest.
    distances: [N] uint8, half the plies to the end; empty where they are not kept. binomials: see `indexing`.
    """

    first: Array
    values: Array
    distances: Array
    binomials: Array


class Pair(NamedTuple):
    """Two mirrored slices being solved, or one that is its own mirror, given twice.

    of, to: the slice whose positions are visited, and the slice with the positions that lead to them.
    distance, to_distance: [n] uint16, plies to the end, or UNKNOWN or DRAWN. left, to_left: [n] uint8, moves
    that are not known to lose, or SETTLED.
    """

    of: Slice
    to: Slice
    distance: Array
    to_distance: Array
    left: Array
    to_left: Array


@jit
def probe(solved: Solved, position: Position) -> I64:
    """Return the distance of any position in the solved slices; DRAWN if it is drawn."""
    # A side without pieces has no move either, and has lost.
    if position.own == 0:
        return np.int64(0)
    of, number = located(position, solved.binomials)
    at = solved.first[of.own_men, of.own_kings, of.foe_men, of.foe_kings] + number
    value = (np.int64(solved.values[at >> 2]) >> (2 * (at & 3))) & 3
    if value == DRAW:
        return np.int64(DRAWN)
    plies = np.int64(1) if value == WIN else np.int64(0)
    if len(solved.distances) > 0:
        plies += 2 * np.int64(solved.distances[at])
    return plies


@jit_inlined
def _stays(before: Position, after: Position) -> Bool:
    """Return whether a move captured nothing and crowned no man."""
    if popcount(after.own) != popcount(before.foe):
        return False
    return popcount(after.kings) == popcount(before.kings)


@jit
def _judge(solved: Solved, here: Position, moves: Moves, leaving_only: Bool) -> tuple[I64, I64, I64, Bool]:
    """Judge a position by all its moves, or only by those that leave its slice.

    Returns the number of the other moves, the distance of the fastest win, that of the slowest loss (0 if no
    move loses), and whether a move leads to a draw.
    """
    count = generate(here, moves, 0)
    staying, win, loss, has_draw = np.int64(0), np.int64(UNKNOWN), np.int64(0), False
    for number in range(count):
        after = successor(here, moves, number * move_words(here))
        if leaving_only and _stays(here, after):
            staying += 1
            continue
        plies = probe(solved, after)
        if plies == DRAWN:
            has_draw = True
        elif plies & 1:
            loss = max(loss, plies + 1)
        else:
            win = min(win, plies + 1)
    return staying, win, loss, has_draw


@jit
def _begin(solved: Solved, sample: Position, pair: Pair, moves: Moves) -> I64:
    """Judge all positions of a slice by the moves that leave it; return the longest distance found."""
    longest = np.int64(0)
    for number in range(len(pair.distance)):
        here = position_of(sample, np.int64(number), pair.of, solved.binomials)
        staying, win, loss, has_draw = _judge(solved, here, moves, True)
        plies, left = win, staying
        if staying == 0:
            left = np.int64(SETTLED)
            if win == UNKNOWN:
                # A position without any move is lost at once.
                plies = np.int64(DRAWN) if has_draw else loss
        elif has_draw:
            # One more move left, the drawing one: it never becomes a losing one.
            left += 1
        pair.distance[number] = plies
        pair.left[number] = left
        if plies < DRAWN:
            longest = max(longest, plies)
    return longest


@jit
def _lead_to(solved: Solved, before: Position, pair: Pair, plies: I64, moves: Moves) -> I64:
    """Update the position `before` a move to one decided in `plies`; return its distance, 0 if undecided."""
    at = number_of(before, pair.to, solved.binomials)
    # Either a capture was compulsory there, so that the move was illegal, or the result is final.
    if pair.to_left[at] == SETTLED:
        return np.int64(0)
    found = plies + 1
    if plies & 1 == 0:
        if pair.to_distance[at] > found:
            pair.to_distance[at] = found
            return found
        return np.int64(0)
    pair.to_left[at] -= 1
    if pair.to_left[at] > 0 or pair.to_distance[at] != UNKNOWN:
        return np.int64(0)
    # All moves lose; one that leaves the slice may lose more slowly.
    _, _, loss, _ = _judge(solved, before, moves, True)
    found = max(found, loss)
    pair.to_distance[at] = found
    return found


@jit
def _take_back(
    solved: Solved, here: Position, piece: U64, is_king: Bool, way: I64, pair: Pair, plies: I64, moves: Moves
) -> I64:
    """Take back all moves of a piece along the direction `way`; return the longest distance found.

    here: the side that moved is own, and moves up. piece: one bit.
    """
    longest, empty = np.int64(0), empty_squares(here)
    start = np.uint64(step(here, piece, way) & empty)
    while start:
        own = np.uint64(np.uint64(here.own) ^ piece ^ start)
        kings = np.uint64(here.kings)
        if is_king:
            kings = np.uint64(kings ^ piece ^ start)
        before = new_position(here, own, np.uint64(here.foe), kings, np.uint32(here.turn))
        longest = max(longest, _lead_to(solved, before, pair, plies, moves))
        if not (is_king and kings_fly(here)):
            break
        start = np.uint64(step(here, start, way) & empty)
    return longest


@jit
def _spread(solved: Solved, sample: Position, pair: Pair, plies: I64, moves: Moves) -> I64:
    """Let the positions decided in `plies` decide their predecessors; return the longest distance found."""
    longest = np.int64(0)
    for number in range(len(pair.distance)):
        if pair.distance[number] != plies:
            continue
        here = position_of(sample, np.int64(number), pair.of, solved.binomials)
        # The other side moved: seen as moving up, its men came from below.
        moved = seen_upward(new_position(here, here.foe, here.own, here.kings, np.uint32(1)))
        pieces = np.uint64(moved.own)
        while pieces:
            piece, pieces = pop_lowest(pieces)
            is_king = (piece & np.uint64(moved.kings)) != 0
            for direction in range(0 if is_king else 2, 4):
                found = _take_back(solved, moved, piece, is_king, np.int64(direction), pair, plies, moves)
                longest = max(longest, found)
    return longest


@jit
def solve_pair(solved: Solved, sample: Position, pair: Pair, mirrored: Pair, moves: Moves) -> None:
    """Find the distances of two mirrored slices.

    sample: any position, for its type. mirrored: the same pair seen from the other slice. moves: room for the
    moves of one position.
    """
    is_one = pair.of == pair.to
    longest = _begin(solved, sample, pair, moves)
    if not is_one:
        longest = max(longest, _begin(solved, sample, mirrored, moves))
    plies = np.int64(0)
    while plies <= longest:
        longest = max(longest, _spread(solved, sample, pair, plies, moves))
        if not is_one:
            longest = max(longest, _spread(solved, sample, mirrored, plies, moves))
        plies += 1


@jit
def store_values(distance: Array, values: Array, halves: Array, counts: Array) -> None:
    """Write distances in the form in which they are stored.

    distance: [n] uint16. values: [⌈n / 4⌉] uint8, zeros. halves: [n] uint8, or empty for none. counts: [4]
    int64: losses, draws, wins, and the longest distance.
    """
    for number in range(len(distance)):
        plies = np.int64(distance[number])
        value = np.int64(WIN if plies & 1 else LOSS)
        if plies >= DRAWN:
            value = np.int64(DRAW)
        else:
            counts[3] = max(counts[3], plies)
            if len(halves) > 0:
                halves[number] = (plies if plies < MOST_PLIES else np.int64(MOST_PLIES)) // 2
        counts[value] += 1
        values[number >> 2] |= value << (2 * (number & 3))


@jit
def num_inconsistent(solved: Solved, sample: Position, of: Slice, count: I64, moves: Moves) -> I64:
    """Return how many of the first `count` positions of a slice do not follow from their successors."""
    wrong = np.int64(0)
    for number in range(count):
        here = position_of(sample, np.int64(number), of, solved.binomials)
        _, win, loss, has_draw = _judge(solved, here, moves, False)
        expected = win
        if win == UNKNOWN:
            expected = np.int64(DRAWN) if has_draw else loss
        found = probe(solved, here)
        if found == DRAWN or expected == DRAWN:
            wrong += found != expected
        elif len(solved.distances) == 0:
            # Without distances only the parity has a meaning.
            wrong += (found ^ expected) & 1
        else:
            wrong += min(found, MOST_PLIES - 1) != min(expected, MOST_PLIES - 1)
    return wrong
