"""Quiet moves and the list of all legal moves.

A move is the position after it, still from the mover's side, in a row of a uint32 buffer:
own, foe, kings, and the start square of a capture (0 for a quiet move, whose start shows in own).
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert32, lowest_bit, popcount
from neche.compiled.jit import jit
from neche.games.checkers.board import WHITE, Checkers, king_row, step
from neche.games.checkers.captures import generate_captures

MOVE_WORDS = 4
# No position of twelve pieces a side has more: at most 48 quiet moves, and far fewer captures.
MAX_MOVES = 96


@jit
def movers(position: Any, direction: Any) -> Any:
    """Return own pieces that can step in a direction. Source: WCDF 1.15, 1.16: men forward only."""
    empty = invert32(position.own | position.foe)
    forward_up = position.turn == WHITE
    goes_up = direction < 2
    pieces = position.own if forward_up == goes_up else position.own & position.kings
    return np.uint32(pieces & step(empty, 3 - direction))


@jit
def can_move_quietly(position: Any) -> Any:
    """Tell whether there is a quiet move."""
    upwards = movers(position, 0) | movers(position, 1)
    return (upwards | movers(position, 2) | movers(position, 3)) != 0


@jit
def count_quiet(position: Any) -> Any:
    """Return the number of quiet moves."""
    upwards = popcount(movers(position, 0)) + popcount(movers(position, 1))
    return upwards + popcount(movers(position, 2)) + popcount(movers(position, 3))


@jit
def _write_quiet(position: Any, pieces: Any, direction: Any, moves: Any, at: Any) -> Any:
    row = king_row(position.turn)
    while pieces:
        start = lowest_bit(pieces)
        pieces = np.uint32(pieces ^ start)
        end = step(start, direction)
        kings = position.kings
        if kings & start:
            kings = np.uint32(kings ^ start ^ end)
        else:
            kings = np.uint32(kings | (end & row))
        moves[at] = position.own ^ start ^ end
        moves[at + 1] = position.foe
        moves[at + 2] = kings
        moves[at + 3] = 0
        at += MOVE_WORDS
    return at


@jit
def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from row start `base` on; return their number.

    Captures are compulsory (WCDF 1.20): if there is one, only captures are written.
    """
    captures = generate_captures(position, moves, base)
    if captures > 0:
        return captures
    at = np.int64(base)
    at = _write_quiet(position, movers(position, 0), 0, moves, at)
    at = _write_quiet(position, movers(position, 1), 1, moves, at)
    at = _write_quiet(position, movers(position, 2), 2, moves, at)
    at = _write_quiet(position, movers(position, 3), 3, moves, at)
    return (at - base) // MOVE_WORDS


@jit
def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen by the other side."""
    return Checkers(moves[at + 1], moves[at], moves[at + 2], np.uint32(position.turn ^ np.uint32(1)))


@jit
def is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    """Return whether a move resets the count of quiet plies, see `contract.is_progress`."""
    kings_before = np.uint32(before.own & before.kings)
    kings_after = np.uint32(after.foe & after.kings)
    if before.foe != after.own:
        return True
    if kings_before == kings_after:
        return man_moves_count
    return popcount(kings_before) != popcount(kings_after)
