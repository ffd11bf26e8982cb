"""Random playouts of checkers for kernels: every step is the same straight line of instructions.

A step is one quiet move or one jump of either side. Which side is to move, which piece must go on jumping and
how long it has been quiet are data, and what depends on them is selected, not branched to: the threads of a
warp never wait for one another inside a step, and a CPU core leads many of them on side by side (`lanes.py`).
A single game it plays faster by `playout.py`; all of them are the same games.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert32, nth_index32, popcount, rotate_left
from neche.compiled.jit import jit_inlined
from neche.compiled.randomness import choose_below
from neche.games.draughts.board import WHITE
from neche.games.draughts.board_8x8 import ROW_1, ROW_8
from neche.games.draughts.checkers_playout import (
    FROM_DOWN_LEFT,
    FROM_DOWN_RIGHT,
    FROM_UP_LEFT,
    FROM_UP_RIGHT,
    JUMPS_DOWN_LEFT,
    JUMPS_DOWN_RIGHT,
    JUMPS_UP_LEFT,
    JUMPS_UP_RIGHT,
)

_ALL = np.uint32(0xFFFFFFFF)
_NONE = np.uint32(0)
_ONE = np.uint32(1)
# A man only ever arrives on one of the two, the other side's.
_KING_ROWS = np.uint32(int(ROW_1) | int(ROW_8))


class CheckersPlayout(NamedTuple):
    """A checkers playout under way; own, foe and kings as in `Checkers`.

    upward: uint32 – all ones if the men of the side to move go up (White), else zero. movable: uint32 –
    squares of the pieces that may step: one that must go on jumping, or all. quiet: int32, plies since the
    last progress. plies: int32, of this playout and those before it. home: uint32 – upward of the side that
    began.
    """

    own: Any
    foe: Any
    kings: Any
    upward: Any
    movable: Any
    quiet: Any
    plies: Any
    home: Any


class CheckersSteps(NamedTuple):
    """The steps a side may draw among.

    up_right … down_left: uint32 – squares from which they go in that direction. are_jumps: bool.
    num_up_right, num_up, num_down_right, total: uint32 – how many there are.
    """

    up_right: Any
    up_left: Any
    down_right: Any
    down_left: Any
    are_jumps: Any
    num_up_right: Any
    num_up: Any
    num_down_right: Any
    total: Any


@jit_inlined
def begin(position: Any, plies: Any) -> Any:
    """Return the state of a playout that begins at a position and counts its plies from `plies` on."""
    own, foe, kings = np.uint32(position.own), np.uint32(position.foe), np.uint32(position.kings)
    upward = _ALL if position.turn == WHITE else _NONE
    return CheckersPlayout(own, foe, kings, upward, _ALL, np.int32(0), np.int32(plies), upward)


@jit_inlined
def behind(squares: Any, turn: Any) -> Any:
    """Squares from which a step of that rotation arrives in `squares`, or wraps around the board."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(32 - turn)))


@jit_inlined
def _before_jump(foe: Any, taken: Any, turn: Any) -> Any:
    """Squares from which a jump of that rotation passes a foe and arrives on a free square, or wraps."""
    return behind(foe & invert32(behind(taken, turn)), turn)


@jit_inlined
def counted(up_right: Any, up_left: Any, down_right: Any, down_left: Any, are_jumps: Any) -> Any:
    """Return the steps with their numbers."""
    num_up_right, num_down_right = np.uint32(popcount(up_right)), np.uint32(popcount(down_right))
    num_up = np.uint32(num_up_right + np.uint32(popcount(up_left)))
    num_down = np.uint32(num_down_right + np.uint32(popcount(down_left)))
    total = np.uint32(num_up + num_down)
    return CheckersSteps(
        up_right, up_left, down_right, down_left, are_jumps, num_up_right, num_up, num_down_right, total
    )


@jit_inlined
def steps_of(playout: Any) -> Any:
    """Return the steps of the side to move: jumps if there are any, else quiet steps."""
    foe, taken = playout.foe, np.uint32(playout.own | playout.foe)
    pieces = np.uint32(playout.own & playout.movable)
    rising = np.uint32(pieces & (playout.kings | playout.upward))
    falling = np.uint32(pieces & (playout.kings | invert32(playout.upward)))
    jump0 = np.uint32(rising & JUMPS_UP_RIGHT & _before_jump(foe, taken, 1))
    jump1 = np.uint32(rising & JUMPS_UP_LEFT & _before_jump(foe, taken, 9))
    jump2 = np.uint32(falling & JUMPS_DOWN_RIGHT & _before_jump(foe, taken, 23))
    jump3 = np.uint32(falling & JUMPS_DOWN_LEFT & _before_jump(foe, taken, 31))
    are_jumps = (jump0 | jump1 | jump2 | jump3) != 0
    return counted(
        jump0 if are_jumps else np.uint32(rising & FROM_UP_RIGHT & invert32(behind(taken, 1))),
        jump1 if are_jumps else np.uint32(rising & FROM_UP_LEFT & invert32(behind(taken, 9))),
        jump2 if are_jumps else np.uint32(falling & FROM_DOWN_RIGHT & invert32(behind(taken, 23))),
        jump3 if are_jumps else np.uint32(falling & FROM_DOWN_LEFT & invert32(behind(taken, 31))),
        are_jumps,
    )


@jit_inlined
def _chosen(steps: Any, state: Any) -> Any:
    """Return the bit number of the start and the rotation of the step that `state` stands for."""
    number = np.uint32(choose_below(state, steps.total))
    is_down = number >= steps.num_up
    number = np.uint32(number - (steps.num_up if is_down else _NONE))
    num_right = steps.num_down_right if is_down else steps.num_up_right
    is_left = number >= num_right
    number = np.uint32(number - (num_right if is_left else _NONE))
    right = steps.down_right if is_down else steps.up_right
    left = steps.down_left if is_down else steps.up_left
    turn = (np.uint32(23) if is_down else _ONE) + (np.uint32(8) if is_left else _NONE)
    return nth_index32(left if is_left else right, number), np.uint32(turn)


@jit_inlined
def _can_jump_on(square: Any, foe: Any, taken: Any, goes_up: Any, goes_down: Any) -> Any:
    """Tell whether the piece on `square` can jump; goes_up, goes_down: all ones if it may, else zero."""
    up_right = _before_jump(foe, taken, 1) & JUMPS_UP_RIGHT
    up_left = _before_jump(foe, taken, 9) & JUMPS_UP_LEFT
    down_right = _before_jump(foe, taken, 23) & JUMPS_DOWN_RIGHT
    down_left = _before_jump(foe, taken, 31) & JUMPS_DOWN_LEFT
    return (square & (((up_right | up_left) & goes_up) | ((down_right | down_left) & goes_down))) != 0


@jit_inlined
def step(playout: Any, steps: Any, state: Any) -> Any:
    """Return the playout one step on; without meaning if there was no step."""
    index, turn = _chosen(steps, state)
    are_jumps = steps.are_jumps
    start = rotate_left(_ONE, index)
    passed = rotate_left(_ONE, np.uint32(index + turn))
    end = rotate_left(_ONE, np.uint32(index + turn + (turn if are_jumps else _NONE)))
    is_king = (playout.kings & start) != 0
    king = _ALL if is_king else _NONE
    own = np.uint32((playout.own ^ start) | end)
    # a quiet step passes nothing: it ends on the square that a jump would pass
    foe = np.uint32(playout.foe & invert32(passed))
    kings = np.uint32((playout.kings & invert32(start | passed)) | (end & (king | _KING_ROWS)))
    # a man that is crowned has no way forward: its turn ends (WCDF 1.19)
    goes_up, goes_down = np.uint32(king | playout.upward), np.uint32(king | invert32(playout.upward))
    # asked of every step, also a quiet one: `and` would branch around the question
    can_jump = _can_jump_on(end, foe, np.uint32(own | foe), goes_up, goes_down)
    goes_on = can_jump and are_jumps
    return CheckersPlayout(
        own if goes_on else foe,
        foe if goes_on else own,
        kings,
        playout.upward if goes_on else invert32(playout.upward),
        end if goes_on else _ALL,
        np.int32(playout.quiet + np.int32(1)) if is_king and not are_jumps else np.int32(0),
        playout.plies if goes_on else np.int32(playout.plies + np.int32(1)),
        playout.home,
    )


@jit_inlined
def lost(playout: Any) -> Any:
    """Return the outcome, for the side that began, of a playout lost by the side to move."""
    return np.int32(-1) if playout.upward == playout.home else np.int32(1)
