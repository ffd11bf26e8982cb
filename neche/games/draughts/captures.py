"""Captures: compulsory, completed, the most pieces, and all of them taken off at the end (FMJD 4).

While a capture goes on, `left` are the foe's pieces that it has not taken. Those that it has taken stay where
they are: they are not free to land on, and a piece is jumped only once (4.8, 4.11: the Turkish strike).
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, lowest_bit64, popcount
from neche.compiled.jit import jit, jit_inlined
from neche.games.contract import max_moves
from neche.games.draughts.board import empty_squares, king_row, own_kings, own_men, step

MOVE_WORDS = 4
NOWHERE = 4


@jit
def jumping_men(position: Any) -> Any:
    """Own men that can capture, in any of the four directions (FMJD 4.1)."""
    men, foe, empty = own_men(position), np.uint64(position.foe), empty_squares(position)
    found = np.uint64(0)
    for direction in range(4):
        back = 3 - direction
        found |= men & step(position, foe & step(position, empty, back), back)
    return np.uint64(found)


@jit_inlined
def _first_taken(position: Any, square: Any, empty: Any, direction: Any) -> Any:
    """Return the first square in a direction that is not free; not on the board if there is none."""
    at = step(position, square, direction)
    while at & empty:
        at = step(position, at, direction)
    return np.uint64(at)


@jit
def jumping_kings(position: Any) -> Any:
    """Own kings that can capture, from any distance (FMJD 4.3)."""
    kings, foe, empty = own_kings(position), np.uint64(position.foe), empty_squares(position)
    found = np.uint64(0)
    while kings:
        king = lowest_bit64(kings)
        kings = np.uint64(kings ^ king)
        for direction in range(4):
            jumped = np.uint64(_first_taken(position, king, empty, direction) & foe)
            if step(position, jumped, direction) & empty:
                found |= king
    return np.uint64(found)


@jit_inlined
def can_capture(position: Any) -> Any:
    """Tell whether there is a capture."""
    return jumping_men(position) != 0 or (position.own & position.kings != 0 and jumping_kings(position) != 0)


@jit
def _is_repeated(moves: Any, base: Any, at: Any) -> Any:
    """Tell whether the capture in row `at` takes the same pieces from and to the same squares as another."""
    for row in range(base, at, MOVE_WORDS):
        if moves[row] == moves[at] and moves[row + 1] == moves[at + 1] and moves[row + 3] == moves[at + 3]:
            return True
    return False


@jit
def _finish(position: Any, square: Any, start: Any, left: Any, moves: Any, base: Any, at: Any) -> Any:
    """Write the capture that ends on `square`; return where the next row goes.

    One that takes fewer pieces than those written is dropped, one that takes more replaces them all (FMJD
    4.13); men and kings count alike (4.14). Of more captures than there are rows for, the first are kept.
    """
    if at > base:
        num_left, fewest = popcount(np.uint64(left)), popcount(np.uint64(moves[base + 1]))
        if num_left > fewest:
            return np.int64(at)
        if num_left < fewest:
            at = np.int64(base)
        elif at - base >= max_moves(position) * MOVE_WORDS:
            return np.int64(at)
    own = np.uint64((np.uint64(position.own) ^ start) | square)
    kings = np.uint64(np.uint64(position.kings) & invert64(start) & (own | left))
    # only here, where the move ends, may a man be crowned (FMJD 3.5, 4.15)
    kings |= square if start & np.uint64(position.kings) else np.uint64(square & king_row(position))
    moves[at] = own
    moves[at + 1] = left
    moves[at + 2] = kings
    moves[at + 3] = start
    if _is_repeated(moves, base, at):
        return np.int64(at)
    return np.int64(at + MOVE_WORDS)


@jit
def _go_on_with_man(
    position: Any, square: Any, start: Any, empty: Any, left: Any, moves: Any, base: Any, at: Any
) -> Any:
    """Continue the capture of the man from `start`, now on `square`, in every way there is."""
    at = np.int64(at)
    ended = True
    for direction in range(4):
        jumped = np.uint64(step(position, square, direction) & left)
        landing = np.uint64(step(position, jumped, direction) & empty)
        if landing:
            ended = False
            rest = np.uint64(left ^ jumped)
            at = np.int64(_go_on_with_man(position, landing, start, empty, rest, moves, np.int64(base), at))
    if ended:
        return np.int64(_finish(position, square, start, left, moves, base, at))
    return at


@jit
def _go_on_with_king(
    position: Any, square: Any, start: Any, empty: Any, left: Any, came: Any, moves: Any, base: Any, at: Any
) -> Any:
    """Continue the capture of the king from `start`, now on `square`, in every way there is.

    came: direction of the last jump, NOWHERE before the first. What lies further that way is left to the last
    of the squares the king could land on: from all of them it finds the same.
    """
    at = np.int64(at)
    ended = True
    for direction in range(4):
        if direction == 3 - came or (direction == came and step(position, square, direction) & empty):
            continue
        jumped = np.uint64(_first_taken(position, square, empty, direction) & left)
        landing = np.uint64(step(position, jumped, direction) & empty)
        rest = np.uint64(left ^ jumped)
        while landing:
            ended = False
            at = np.int64(
                _go_on_with_king(
                    position, landing, start, empty, rest, np.int64(direction), moves, np.int64(base), at
                )
            )
            landing = np.uint64(step(position, landing, direction) & empty)
    if ended:
        return np.int64(_finish(position, square, start, left, moves, base, at))
    return at


@jit
def generate_captures(position: Any, moves: Any, base: Any) -> Any:
    """Write all captures into `moves` from row start `base` on; return their number."""
    at = np.int64(base)
    foe, empty = np.uint64(position.foe), empty_squares(position)
    pieces = jumping_men(position)
    while pieces:
        start = lowest_bit64(pieces)
        pieces = np.uint64(pieces ^ start)
        # the square that the piece leaves is free during its own capture
        free = np.uint64(empty | start)
        at = np.int64(_go_on_with_man(position, start, start, free, foe, moves, np.int64(base), at))
    if position.own & position.kings:
        pieces = jumping_kings(position)
        while pieces:
            start = lowest_bit64(pieces)
            pieces = np.uint64(pieces ^ start)
            free = np.uint64(empty | start)
            at = np.int64(
                _go_on_with_king(
                    position, start, start, free, foe, np.int64(NOWHERE), moves, np.int64(base), at
                )
            )
    return (at - base) // MOVE_WORDS
