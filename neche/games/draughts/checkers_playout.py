"""Random playouts of checkers, fast on the CPU: unrolled by colour, no move buffer, no turning of the board.

The steps of two directions are one 64-bit word: bit i is the step of the piece on square i in the first of
them, bit 32 + i in the second. So the set bits of two words, counted from the lowest, are the steps in the
order of directions and squares.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import high_half, invert32, join, low_half, nth_bit, popcount, rotate_left
from neche.compiled.jit import jit, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.draughts.board import BLACK, WHITE
from neche.games.draughts.board_8x8 import (
    INTO_DOWN_LEFT,
    INTO_DOWN_RIGHT,
    INTO_UP_LEFT,
    INTO_UP_RIGHT,
    ROW_1,
    ROW_8,
    Checkers,
)
from neche.games.draughts.captures import can_capture
from neche.games.draughts.moves import can_move_quietly

# A step is a rotation: up-right, up-left, down-right, down-left (see board.py).
_TURNS = (1, 9, 23, 31)


def _origins(arrivals: np.uint32, turn: int) -> np.uint32:
    word = int(arrivals)
    return np.uint32((word >> turn | word << (32 - turn)) & 0xFFFFFFFF)


# Squares from which a piece can step in a direction without leaving the board.
FROM_UP_RIGHT = _origins(INTO_UP_RIGHT, 1)
FROM_UP_LEFT = _origins(INTO_UP_LEFT, 9)
FROM_DOWN_RIGHT = _origins(INTO_DOWN_RIGHT, 23)
FROM_DOWN_LEFT = _origins(INTO_DOWN_LEFT, 31)
# The same for jumps.
JUMPS_UP_RIGHT = np.uint32(FROM_UP_RIGHT & _origins(FROM_UP_RIGHT, 1))
JUMPS_UP_LEFT = np.uint32(FROM_UP_LEFT & _origins(FROM_UP_LEFT, 9))
JUMPS_DOWN_RIGHT = np.uint32(FROM_DOWN_RIGHT & _origins(FROM_DOWN_RIGHT, 23))
JUMPS_DOWN_LEFT = np.uint32(FROM_DOWN_LEFT & _origins(FROM_DOWN_LEFT, 31))

_NONE = np.uint32(0)
_NEVER = np.int64(2**62)


@jit_inlined
def _behind(squares: Any, turn: Any) -> Any:
    """Squares from which a step of that rotation arrives in `squares`, or wraps around the board."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(32 - turn)))


@jit_inlined
def _jumps(rising: Any, falling: Any, foe: Any, empty: Any) -> Any:
    """Return the jumps of pieces that go up and pieces that go down: two words of two directions each."""
    right = _behind(foe & _behind(empty, 1), 1)
    left = _behind(foe & _behind(empty, 9), 9)
    up = join(rising & JUMPS_UP_RIGHT & right, rising & JUMPS_UP_LEFT & left)
    right = _behind(foe & _behind(empty, 23), 23)
    left = _behind(foe & _behind(empty, 31), 31)
    return up, join(falling & JUMPS_DOWN_RIGHT & right, falling & JUMPS_DOWN_LEFT & left)


@jit_inlined
def _steps(rising: Any, falling: Any, empty: Any) -> Any:
    """Return the quiet steps, like `_jumps`."""
    up = join(rising & FROM_UP_RIGHT & _behind(empty, 1), rising & FROM_UP_LEFT & _behind(empty, 9))
    right, left = (
        falling & FROM_DOWN_RIGHT & _behind(empty, 23),
        falling & FROM_DOWN_LEFT & _behind(empty, 31),
    )
    return up, join(right, left)


@jit_inlined
def _choose(up: Any, down: Any, state: Any) -> Any:
    """Return start square and rotation of the step that `state` stands for."""
    count = popcount(up)
    number = choose_below(state, count + popcount(down))
    goes_down = number >= count
    word = down if goes_down else up
    bit = nth_bit(word, number - count if goes_down else number)
    is_left = high_half(bit) != 0
    turn = (31 if is_left else 23) if goes_down else (9 if is_left else 1)
    return np.uint32(low_half(bit) | high_half(bit)), np.uint32(turn)


@jit_inlined
def _without_return(up: Any, down: Any, kings: Any, before: Any) -> Any:
    """Leave out the step with which the own kings stand as they stood before, unless it is the only one."""
    left, wanted = np.uint32(kings & invert32(before)), np.uint32(before & invert32(kings))
    if popcount(left) != 1 or popcount(wanted) != 1 or popcount(up) + popcount(down) == 1:
        return up, down
    returns_up = join(left & _behind(wanted, 1), left & _behind(wanted, 9))
    returns_down = join(left & _behind(wanted, 23), left & _behind(wanted, 31))
    return np.uint64(up ^ (up & returns_up)), np.uint64(down ^ (down & returns_down))


@jit_inlined
def _make(own: Any, foe: Any, kings: Any, row: Any, start: Any, turn: Any, is_jump: Any) -> Any:
    """Make a step; return own, foe, kings, the square it ends on and whether a king made it."""
    near = rotate_left(start, turn)
    end = rotate_left(near, turn) if is_jump else near
    passed = near if is_jump else _NONE
    is_king = (start & kings) != 0
    moved = np.uint32(start ^ end)
    kings = np.uint32((kings & invert32(passed)) ^ (moved if is_king else _NONE))
    return np.uint32(own ^ moved), np.uint32(foe ^ passed), np.uint32(kings | (end & row)), end, is_king


@jit_inlined
def _jump_on(own: Any, foe: Any, kings: Any, is_up: Any, end: Any, is_king: Any, state: Any) -> Any:
    """Go on jumping with the piece on `end` while it can; is_king: it was one before this ply."""
    row = ROW_8 if is_up else ROW_1
    while True:
        # from the king row a man has no way forward: its turn ends (WCDF 1.19)
        rising = end if is_up or is_king else _NONE
        falling = end if is_king or not is_up else _NONE
        ups, downs = _jumps(rising, falling, foe, invert32(own | foe))
        if not ups | downs:
            return own, foe, kings, state
        state = advance(state)
        start, turn = _choose(ups, downs, state)
        own, foe, kings, end, _ = _make(own, foe, kings, row, start, turn, True)


@jit_inlined
def _ply(own: Any, foe: Any, kings: Any, is_up: Any, state: Any, before: Any, rule: Any) -> Any:
    """Play one ply; return own, foe, kings, state, whether there was a move and whether it was progress.

    Jumps and quiet steps are one path up to the last branch: a CPU foretells badly which it will be.
    """
    empty = invert32(own | foe)
    own_kings = np.uint32(own & kings)
    rising = own if is_up else own_kings
    falling = own_kings if is_up else own
    jumps_up, jumps_down = _jumps(rising, falling, foe, empty)
    ups, downs = _steps(rising, falling, empty)
    is_jump = (jumps_up | jumps_down) != 0
    if is_jump:
        ups, downs = jumps_up, jumps_down
    if not ups | downs:
        return own, foe, kings, state, False, False
    if rule.avoid_cycles and not is_jump:
        ups, downs = _without_return(ups, downs, own_kings, before)
    row = ROW_8 if is_up else ROW_1
    state = advance(state)
    start, turn = _choose(ups, downs, state)
    own, foe, kings, end, is_king = _make(own, foe, kings, row, start, turn, is_jump)
    if is_jump:
        own, foe, kings, state = _jump_on(own, foe, kings, is_up, end, is_king, state)
    return own, foe, kings, state, True, is_jump or not is_king


@jit
def _judge(position: Any, is_quiet: Any, rule: Any) -> Any:
    """Return the result, for the side to move, of a playout that the rule stops."""
    if not can_move_quietly(position) and not can_capture(position):
        return np.int64(-1)
    if is_quiet or not rule.by_count:
        return np.int64(0)
    lead = popcount(position.own) - popcount(position.foe)
    return np.int64(1) if lead > 0 else np.int64(-1) if lead < 0 else np.int64(0)


@jit
def play_out(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    """Play uniformly random steps to the end; return outcome and plies, see `games.contract.play_out`."""
    is_whites_turn = position.turn == WHITE
    white, black = (position.own, position.foe) if is_whites_turn else (position.foe, position.own)
    kings = np.uint32(position.kings)
    state = np.uint64(state)
    for_white = np.int64(1) if is_whites_turn else np.int64(-1)
    white_before, black_before = np.uint32(white & kings), np.uint32(black & kings)
    quiet_plies = np.int64(rule.quiet_plies) if rule.quiet_plies > 0 else _NEVER
    max_plies = np.int64(rule.max_plies) if rule.max_plies > 0 else _NEVER
    plies, began_quiet = np.int64(0), np.int64(0)
    while True:
        if is_whites_turn:
            if plies >= min(max_plies, began_quiet + quiet_plies):
                here = Checkers(white, black, kings, np.uint32(WHITE))
                return for_white * _judge(here, plies >= began_quiet + quiet_plies, rule), plies
            kings_there = np.uint32(white & kings)
            white, black, kings, state, moved, progress = _ply(
                white, black, kings, True, state, white_before, rule
            )
            if not moved:
                return -for_white, plies
            white_before = kings_there
            plies += 1
            began_quiet = plies if progress else began_quiet
        is_whites_turn = True
        if plies >= min(max_plies, began_quiet + quiet_plies):
            here = Checkers(black, white, kings, np.uint32(BLACK))
            return -for_white * _judge(here, plies >= began_quiet + quiet_plies, rule), plies
        kings_there = np.uint32(black & kings)
        black, white, kings, state, moved, progress = _ply(
            black, white, kings, False, state, black_before, rule
        )
        if not moved:
            return for_white, plies
        black_before = kings_there
        plies += 1
        began_quiet = plies if progress else began_quiet
