"""Quiet moves and the list of all legal moves.

A move is the position after it, still from the mover's side, in a row of the move buffer: own, foe, kings,
and the start square of a capture (0 for a quiet move, whose start shows in own).
"""

from typing import Any

import numpy as np

from neche.compiled.bits import lowest_bit64, popcount
from neche.compiled.jit import jit, jit_inlined
from neche.games.draughts.board import (
    WHITE,
    empty_squares,
    king_row,
    own_kings,
    own_men,
    passed_on,
    step,
)
from neche.games.draughts.captures import MOVE_WORDS, generate_captures


@jit_inlined
def men_that_step(position: Any, side: Any) -> Any:
    """Own men that can step forward, to the right (side 0) or to the left (1). Source: FMJD 3.4."""
    back = 3 - side if position.turn == WHITE else 1 - side
    return np.uint64(own_men(position) & step(position, empty_squares(position), back))


@jit
def can_move_quietly(position: Any) -> Any:
    """Tell whether there is a quiet move."""
    if men_that_step(position, 0) | men_that_step(position, 1):
        return True
    kings, around = own_kings(position), np.uint64(0)
    for direction in range(4):
        around |= step(position, kings, direction)
    return (around & empty_squares(position)) != 0


@jit
def count_king_moves(position: Any) -> Any:
    """Return the number of quiet moves of kings, any distance (FMJD 3.9).

    All kings go at once: no two of them reach the same square from the same side.
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
def count_quiet(position: Any) -> Any:
    """Return the number of quiet moves."""
    men = popcount(men_that_step(position, 0)) + popcount(men_that_step(position, 1))
    return men + count_king_moves(position) if position.own & position.kings else men


@jit_inlined
def _write(own: Any, foe: Any, kings: Any, moves: Any, at: Any) -> Any:
    moves[at] = own
    moves[at + 1] = foe
    moves[at + 2] = kings
    moves[at + 3] = 0
    return np.int64(at + MOVE_WORDS)


@jit_inlined
def _write_men(position: Any, side: Any, moves: Any, at: Any) -> Any:
    own, kings, row = np.uint64(position.own), np.uint64(position.kings), king_row(position)
    forward = side if position.turn == WHITE else 2 + side
    pieces = men_that_step(position, side)
    while pieces:
        start = lowest_bit64(pieces)
        pieces = np.uint64(pieces ^ start)
        end = step(position, start, forward)
        at = _write(np.uint64(own ^ start ^ end), position.foe, np.uint64(kings | (end & row)), moves, at)
    return at


@jit
def _write_kings(position: Any, moves: Any, at: Any) -> Any:
    own, kings, empty = np.uint64(position.own), np.uint64(position.kings), empty_squares(position)
    pieces = own_kings(position)
    while pieces:
        start = lowest_bit64(pieces)
        pieces = np.uint64(pieces ^ start)
        for direction in range(4):
            end = np.uint64(step(position, start, direction) & empty)
            while end:
                at = _write(
                    np.uint64(own ^ start ^ end), position.foe, np.uint64(kings ^ start ^ end), moves, at
                )
                end = np.uint64(step(position, end, direction) & empty)
    return np.int64(at)


@jit
def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from row start `base` on; return their number.

    If there is a capture, only captures are written (FMJD 4.2, 4.3).
    """
    captures = np.int64(generate_captures(position, moves, base))
    if captures > 0:
        return captures
    at = np.int64(base)
    at = _write_men(position, 0, moves, at)
    at = _write_men(position, 1, moves, at)
    if position.own & position.kings:
        at = _write_kings(position, moves, at)
    return (at - base) // MOVE_WORDS


@jit
def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen by the other side."""
    return passed_on(position, moves[at], moves[at + 1], moves[at + 2])
