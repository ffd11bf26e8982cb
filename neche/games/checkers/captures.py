"""Captures: compulsory, completed, any of them free to choose (WCDF 1.17 to 1.20)."""

from typing import Any

import numpy as np

from neche.compiled.bits import invert32, lowest_bit
from neche.compiled.jit import jit
from neche.games.checkers.board import WHITE, Checkers, king_row, step

# Two routes can take the same pieces to the same square only in a circle, which takes at least four jumps.
_SHORTEST_CIRCLE = 4


@jit
def _jumpers_towards(pieces: Any, foe: Any, empty: Any, direction: Any) -> Any:
    back = 3 - direction
    return np.uint32(pieces & step(foe & step(empty, back), back))


@jit
def jumpers(position: Any) -> Any:
    """Own pieces that can jump. Source: WCDF 1.17, 1.18: men forward only, kings in all four directions."""
    empty = invert32(position.own | position.foe)
    kings = np.uint32(position.own & position.kings)
    up = position.own if position.turn == WHITE else kings
    down = kings if position.turn == WHITE else position.own
    return np.uint32(
        _jumpers_towards(up, position.foe, empty, 0)
        | _jumpers_towards(up, position.foe, empty, 1)
        | _jumpers_towards(down, position.foe, empty, 2)
        | _jumpers_towards(down, position.foe, empty, 3)
    )


@jit
def _is_repeated(moves: Any, base: Any, at: Any) -> Any:
    for row in range(base, at, 4):
        if (
            moves[row] == moves[at]
            and moves[row + 1] == moves[at + 1]
            and moves[row + 2] == moves[at + 2]
            and moves[row + 3] == moves[at + 3]
        ):
            return True
    return False


@jit
def _finish(board: Any, square: Any, start: Any, jumps: Any, moves: Any, base: Any, at: Any) -> Any:
    """Write the finished capture of the lifted piece, now on `square`, unless a circle repeats one."""
    was_king = start & board.kings
    kings = board.kings ^ was_king
    if was_king:
        kings |= square
    else:
        kings |= square & king_row(board.turn)
    moves[at] = board.own | square
    moves[at + 1] = board.foe
    moves[at + 2] = kings
    moves[at + 3] = start
    if jumps >= _SHORTEST_CIRCLE and was_king and _is_repeated(moves, base, at):
        return at
    return at + 4


@jit
def _extend(board: Any, square: Any, start: Any, jumps: Any, moves: Any, base: Any, at: Any) -> Any:
    """Continue the capture of the piece lifted from `start` and now on `square`, in every way there is.

    board: without the moving piece and the pieces taken so far; its kings still hold the start square of a
    moving king. Taking pieces off at once changes nothing for short kings: landing squares and jumped squares
    never coincide. A man never moves after reaching the king row (WCDF 1.19): there is no forward from there.
    """
    at = np.int64(at)
    is_king = (start & board.kings) != 0
    empty = invert32(board.own | board.foe)
    ended = True
    for direction in range(4):
        if is_king or (direction < 2) == (board.turn == WHITE):
            jumped = np.uint32(step(square, direction) & board.foe)
            landing = np.uint32(step(jumped, direction) & empty)
            if landing:
                ended = False
                rest = Checkers(
                    board.own,
                    np.uint32(board.foe ^ jumped),
                    np.uint32(board.kings & invert32(jumped)),
                    board.turn,
                )
                at = np.int64(_extend(rest, landing, start, np.int64(jumps + 1), moves, np.int64(base), at))
    if ended:
        return np.int64(_finish(board, square, start, jumps, moves, base, at))
    return at


@jit
def generate_captures(position: Any, moves: Any, base: Any) -> Any:
    """Write all captures into `moves` from row start `base` on; return their number."""
    pieces = jumpers(position)
    at = np.int64(base)
    while pieces:
        start = lowest_bit(pieces)
        pieces = np.uint32(pieces ^ start)
        board = Checkers(np.uint32(position.own ^ start), position.foe, position.kings, position.turn)
        at = _extend(board, start, start, np.int64(0), moves, np.int64(base), at)
    return (at - base) // 4
