"""Quiet moves, the list of all legal moves, and the position after a move.

A move is the position after it, still from the mover's side, in a row of the move buffer: own, foe, kings,
and the start square of a capture (0 for a quiet move, whose start shows in own).
"""

import numpy as np

from neche.compiled.bits import pop_lowest, popcount
from neche.compiled.jit import I64, U64, Bool, Moves, Position, jit, jit_inlined
from neche.games.draughts.board import WHITE, empty_squares, kings_fly, own_kings, own_men, passed_on, step
from neche.games.draughts.captures import MOVE_WORDS, can_capture, generate_captures
from neche.games.draughts.steps import all_steppers, any_of, falling, kings_after, rising, steppers


@jit
def can_move_quietly(position: Position) -> Bool:
    """Return whether there is a quiet move."""
    men, kings, empty = own_men(position), own_kings(position), empty_squares(position)
    up, down = (men | kings, kings) if position.turn == WHITE else (kings, men | kings)
    return any_of(all_steppers(position, up, down, empty)) != 0


@jit
def _count_flights(position: Position) -> I64:
    """Return the number of quiet moves of flying kings (FMJD 3.9).

    All kings move at once: no two of them reach the same square in the same direction.
    """
    kings, empty = own_kings(position), empty_squares(position)
    count = np.int64(0)
    for direction in range(4):
        reached = np.uint64(step(position, kings, direction) & empty)
        while reached:
            count += popcount(reached)
            reached = np.uint64(step(position, reached, direction) & empty)
    return count


@jit
def count_quiet(position: Position) -> I64:
    """Return the number of quiet moves."""
    found = all_steppers(position, rising(position), falling(position), empty_squares(position))
    count = popcount(found.up_right) + popcount(found.up_left)
    count += popcount(found.down_right) + popcount(found.down_left)
    if kings_fly(position) and position.own & position.kings:
        count += _count_flights(position)
    return count


@jit_inlined
def count_moves(position: Position, moves: Moves, base: I64) -> I64:
    """Return the number of legal moves, see `contract.count_moves`."""
    if can_capture(position):
        return np.int64(generate_captures(position, moves, base))
    return np.int64(count_quiet(position))


@jit_inlined
def _write(position: Position, start: U64, end: U64, moves: Moves, at: I64) -> I64:
    moves[at] = np.uint64(np.uint64(position.own) ^ start ^ end)
    moves[at + 1] = position.foe
    moves[at + 2] = kings_after(position, start, end, np.uint64(0))
    moves[at + 3] = 0
    return np.int64(at + MOVE_WORDS)


@jit_inlined
def _write_steps(position: Position, pieces: U64, direction: I64, moves: Moves, at: I64) -> I64:
    pieces = steppers(position, pieces, empty_squares(position), direction)
    while pieces:
        start, pieces = pop_lowest(pieces)
        at = _write(position, start, step(position, start, direction), moves, at)
    return at


@jit
def _write_flights(position: Position, moves: Moves, at: I64) -> I64:
    """Write the quiet moves of flying kings, over any distance."""
    empty, pieces = empty_squares(position), own_kings(position)
    while pieces:
        start, pieces = pop_lowest(pieces)
        for direction in range(4):
            end = np.uint64(step(position, start, direction) & empty)
            while end:
                at = _write(position, start, end, moves, at)
                end = np.uint64(step(position, end, direction) & empty)
    return np.int64(at)


@jit
def generate(position: Position, moves: Moves, base: I64) -> I64:
    """Write all legal moves into `moves` from row start `base` on; return their number.

    If there is a capture, only captures are written (FMJD 4.2, 4.3; WCDF 1.20).
    """
    captures = np.int64(generate_captures(position, moves, base))
    if captures > 0:
        return captures
    at, up, down = np.int64(base), rising(position), falling(position)
    at = _write_steps(position, up, 0, moves, at)
    at = _write_steps(position, up, 1, moves, at)
    at = _write_steps(position, down, 2, moves, at)
    at = _write_steps(position, down, 3, moves, at)
    if kings_fly(position) and position.own & position.kings:
        at = _write_flights(position, moves, at)
    return (at - base) // MOVE_WORDS


@jit
def successor(position: Position, moves: Moves, at: I64) -> Position:
    """Return the position after the move in row `at`, seen from the other side."""
    return passed_on(position, moves[at], moves[at + 1], moves[at + 2])


@jit
def is_progress(before: Position, after: Position, man_moves_count: Bool) -> Bool:
    """Return whether a move resets the count of quiet plies, see `contract.is_progress`."""
    if before.foe != after.own:
        return True
    kings_before = np.uint64(before.own & before.kings)
    kings_then = np.uint64(after.foe & after.kings)
    if kings_before == kings_then:
        return man_moves_count
    return popcount(kings_before) != popcount(kings_then)
