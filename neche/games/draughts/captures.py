"""Captures: compulsory, completed, and all pieces taken off at the end (FMJD 4; WCDF 1.17 to 1.20).

During a capture, `left` holds the foe's pieces not yet taken. Pieces already taken stay where they are: no
piece can land on their squares or jump them again (FMJD 4.8, 4.11: the Turkish strike). In checkers this is
the same as taking them off at once: there, jumped squares and landing squares never coincide.
"""

import numpy as np

from neche.compiled.bits import lowest_index, pop_lowest, popcount, shift_down, shift_up
from neche.compiled.jit import I64, U64, Bool, Moves, Position, jit, jit_inlined
from neche.games.contract import max_moves
from neche.games.draughts import board
from neche.games.draughts.steps import all_jumpers, any_of, falling, kings_after, may_jump, rising

MOVE_WORDS = 4
NOWHERE = 4
_SHORTEST_CIRCLE = 4
_ALL_WAYS = 0b1111


@jit
def jumping_neighbours(position: Position) -> U64:
    """Return the own pieces, flying kings excepted, that can jump over a neighbour."""
    foe, empty = np.uint64(position.foe), board.empty_squares(position)
    up, down = rising(position), falling(position)
    if board.men_capture_backward(position):
        up = down = board.own_men(position)
    return np.uint64(any_of(all_jumpers(position, up, down, foe, empty)))


@jit_inlined
def _first_taken(position: Position, square: U64, empty: U64, direction: I64) -> U64:
    """Return the first square in a direction that is not free; off the board if there is none."""
    at = board.step(position, square, direction)
    while at & empty:
        at = board.step(position, at, direction)
    return np.uint64(at)


@jit
def jumping_kings(position: Position) -> U64:
    """Return the own kings that can capture, from any distance (FMJD 4.3)."""
    kings, foe, empty = board.own_kings(position), np.uint64(position.foe), board.empty_squares(position)
    found = np.uint64(0)
    while kings:
        king, kings = pop_lowest(kings)
        for direction in range(4):
            jumped = np.uint64(_first_taken(position, king, empty, direction) & foe)
            if board.step(position, jumped, direction) & empty:
                found |= king
    return np.uint64(found)


@jit_inlined
def can_capture(position: Position) -> Bool:
    """Return whether there is a capture."""
    if not board.kings_fly(position):
        return jumping_neighbours(position) != 0
    has_kings = position.own & position.kings != 0
    return jumping_neighbours(position) != 0 or (has_kings and jumping_kings(position) != 0)


@jit
def _is_repeated(moves: Moves, base: I64, at: I64) -> Bool:
    """Return whether another capture takes the same pieces, from and to the same squares, as row `at`."""
    for row in range(base, at, MOVE_WORDS):
        if moves[row] == moves[at] and moves[row + 1] == moves[at + 1] and moves[row + 3] == moves[at + 3]:
            return True
    return False


@jit_inlined
def _may_repeat(position: Position, start: U64, left: U64) -> Bool:
    """Return whether two ways of a capture may take the same pieces to the same square."""
    if board.kings_fly(position) or board.men_capture_backward(position):
        return True
    # only in a circle, which only a king can make, in at least four jumps
    taken = np.uint64(np.uint64(position.foe) ^ left)
    return (start & np.uint64(position.kings)) != 0 and popcount(taken) >= _SHORTEST_CIRCLE


@jit
def _finish(position: Position, square: U64, start: U64, left: U64, moves: Moves, base: I64, at: I64) -> I64:
    """Write the capture that ends on `square`; return where the next row goes.

    Where the most pieces must be taken, a capture of fewer than those written is dropped, and one of more
    replaces them all (FMJD 4.13); men and kings count the same (4.14). If there are more captures than rows,
    the first are kept.
    """
    if board.most_must_be_taken(position) and at > base:
        num_left, fewest = popcount(np.uint64(left)), popcount(np.uint64(moves[base + 1]))
        if num_left > fewest:
            return np.int64(at)
        if num_left < fewest:
            at = np.int64(base)
        elif at - base >= max_moves(position) * MOVE_WORDS:
            return np.int64(at)
    moves[at] = np.uint64((np.uint64(position.own) ^ start) | square)
    moves[at + 1] = left
    moves[at + 2] = kings_after(position, start, square, np.uint64(np.uint64(position.foe) ^ left))
    moves[at + 3] = start
    if _may_repeat(position, start, left) and _is_repeated(moves, base, at):
        return np.int64(at)
    return np.int64(at + MOVE_WORDS)


@jit_inlined
def _ways_on(position: Position, square: U64, start: U64, empty: U64, left: U64) -> I64:
    """Return the directions, a bit each, in which the piece from `start`, now on `square`, can jump on.

    In checkers a man never jumps on from the king row, since it has no way forward from there (WCDF 1.19).
    """
    ways = np.int64(0)
    for direction in range(4):
        if may_jump(position, start, direction):
            jumped = np.uint64(board.step(position, square, direction) & left)
            if board.step(position, jumped, direction) & empty:
                ways |= np.int64(shift_up(1, direction))
    return ways


@jit
def _walk_by_neighbours(position: Position, start: U64, empty: U64, moves: Moves, base: I64, at: I64) -> I64:
    """Write all captures of a piece that jumps over neighbours; return where the next row goes.

    The walk goes on as far as it can, then back by one jump to try the other directions there. The way back
    is a word of directions, two bits a jump: it needs no memory, so that kernels, which cannot recurse, can
    walk it too.
    """
    square, left, at = np.uint64(start), np.uint64(position.foe), np.int64(at)
    way, length, untried = np.uint64(0), np.int64(0), np.int64(_ALL_WAYS)
    while True:
        ways = _ways_on(position, square, start, empty, left) & untried
        if ways != 0:
            direction = lowest_index(ways)
            jumped = board.step(position, square, direction)
            left, square = np.uint64(left ^ jumped), np.uint64(board.step(position, jumped, direction))
            way, length = np.uint64(shift_up(way, 2) | np.uint64(direction)), np.int64(length + 1)
            untried = np.int64(_ALL_WAYS)
            continue
        # a capture ends where no jump goes on, unless the walk has just come back from one that did
        if untried == _ALL_WAYS:
            at = np.int64(_finish(position, square, start, left, moves, base, at))
        if length == 0:
            return np.int64(at)
        direction = np.int64(way & np.uint64(3))
        jumped = board.step(position, square, 3 - direction)
        left, square = np.uint64(left | jumped), np.uint64(board.step(position, jumped, 3 - direction))
        way, length = shift_down(way, 2), np.int64(length - 1)
        untried = np.int64(shift_up(_ALL_WAYS, direction + 1)) & _ALL_WAYS


@jit_inlined
def _flight_on(position: Position, square: U64, empty: U64, left: U64, came: I64, first: I64) -> I64:
    """Return the first direction, `first` or later, in which a king on `square` can jump on; NOWHERE if none.

    came: direction of the last jump, NOWHERE before the first. Jumps further that way are left to the last of
    the squares on which the king could land, since they are the same from all of them.
    """
    for direction in range(first, NOWHERE):
        if direction == 3 - came or (direction == came and board.step(position, square, direction) & empty):
            continue
        jumped = np.uint64(_first_taken(position, square, empty, direction) & left)
        if board.step(position, jumped, direction) & empty:
            return np.int64(direction)
    return np.int64(NOWHERE)


@jit_inlined
def _jumped_in_flight(position: Position, square: U64, empty: U64, direction: I64) -> tuple[U64, U64]:
    """Return the piece that a king on `square` jumps in a direction, and the free squares before it."""
    jumped, gap = board.step(position, square, direction), np.uint64(0)
    while jumped & empty:
        jumped, gap = board.step(position, jumped, direction), np.uint64(gap + np.uint64(1))
    return np.uint64(jumped), gap


@jit
def _walk_by_flight(position: Position, start: U64, empty: U64, moves: Moves, base: I64, at: I64) -> I64:
    """Write all captures of a flying king, like `_walk_by_neighbours`.

    Besides the direction, each jump takes three bits for the free squares before the piece, seven at most.
    Those behind it, up to where the king lands, are found again on the way back.
    """
    square, left, at = np.uint64(start), np.uint64(position.foe), np.int64(at)
    way, gaps, length = np.uint64(0), np.uint64(0), np.int64(0)
    came, first = np.int64(NOWHERE), np.int64(0)
    while True:
        direction = _flight_on(position, square, empty, left, came, first)
        if direction != NOWHERE:
            jumped, gap = _jumped_in_flight(position, square, empty, direction)
            left, square = np.uint64(left ^ jumped), np.uint64(board.step(position, jumped, direction))
            way, gaps = np.uint64(shift_up(way, 2) | np.uint64(direction)), np.uint64(shift_up(gaps, 3) | gap)
            came, first, length = np.int64(direction), np.int64(0), np.int64(length + 1)
            continue
        if first == 0:
            at = np.int64(_finish(position, square, start, left, moves, base, at))
        if length == 0:
            return np.int64(at)
        direction = np.int64(way & np.uint64(3))
        further = np.uint64(board.step(position, square, direction) & empty)
        if further:
            square, came, first = further, direction, np.int64(0)
            continue
        # back over the jumped piece, to the square where the jump began
        jumped = _jumped_in_flight(position, square, empty, 3 - direction)[0]
        left, square = np.uint64(left | jumped), jumped
        for _ in range(np.int64(gaps & np.uint64(7)) + 1):
            square = np.uint64(board.step(position, square, 3 - direction))
        way, gaps, length = shift_down(way, 2), shift_down(gaps, 3), np.int64(length - 1)
        came = np.int64(way & np.uint64(3)) if length > 0 else np.int64(NOWHERE)
        first = np.int64(direction + 1)


@jit
def generate_captures(position: Position, moves: Moves, base: I64) -> I64:
    """Write all captures into `moves` from row start `base` on; return their number."""
    at = np.int64(base)
    empty, pieces = board.empty_squares(position), jumping_neighbours(position)
    while pieces:
        start, pieces = pop_lowest(pieces)
        # the square that the piece leaves is free during its own capture
        free = np.uint64(empty | start)
        at = np.int64(_walk_by_neighbours(position, start, free, moves, base, at))
    if board.kings_fly(position) and position.own & position.kings:
        pieces = jumping_kings(position)
        while pieces:
            start, pieces = pop_lowest(pieces)
            free = np.uint64(empty | start)
            at = np.int64(_walk_by_flight(position, start, free, moves, base, at))
    return (at - base) // MOVE_WORDS
