"""Random plies of checkers, fast on the CPU: unrolled by colour, no move buffer, no turning of the board.

A random step is a quiet move or one jump. The steps in two directions share a 64-bit word: bit i is the step
of the piece on square i in the first direction, bit 32 + i in the second. So the set bits of two words,
counted from the lowest, are the steps in the order of directions and squares.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import high_half, invert32, join, low_half, nth_bit, popcount, rotate_left
from neche.compiled.jit import U32, U64, Bool, Moves, Position, jit, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.draughts.board import WHITE, empty_squares, passed_on
from neche.games.draughts.board_8x8 import Checkers
from neche.games.draughts.steps import ByDirection, all_jumpers, all_steppers, kings_after
from neche.games.playouts import PlayoutRule, RandomPly

_NONE = np.uint32(0)


@jit_inlined
def _two_words(found: ByDirection) -> tuple[U64, U64]:
    """Return steps up and steps down."""
    return join(found.up_right, found.up_left), join(found.down_right, found.down_left)


@jit_inlined
def _choose(up: U64, down: U64, state: U64) -> tuple[U32, U32]:
    """Return start square and rotation of the step that `state` selects."""
    count = popcount(up)
    number = choose_below(state, count + popcount(down))
    goes_down = number >= count
    word = down if goes_down else up
    bit = nth_bit(word, number - count if goes_down else number)
    is_left = high_half(bit) != 0
    turn = (31 if is_left else 23) if goes_down else (9 if is_left else 1)
    return np.uint32(low_half(bit) | high_half(bit)), np.uint32(turn)


@jit_inlined
def _without_return(here: Position, up: U64, down: U64, before: U32) -> tuple[U64, U64]:
    """Leave out the step that returns the own kings to where they were before, unless it is the only one."""
    kings = np.uint32(here.own & here.kings)
    left, wanted = np.uint32(kings & invert32(before)), np.uint32(before & invert32(kings))
    if popcount(left) != 1 or popcount(wanted) != 1 or popcount(up) + popcount(down) == 1:
        return up, down
    returns_up, returns_down = _two_words(all_steppers(here, left, left, wanted))
    return np.uint64(up ^ (up & returns_up)), np.uint64(down ^ (down & returns_down))


@jit_inlined
def _stepped(here: Position, start: U32, turn: U32, is_jump: Bool) -> tuple[Position, U32]:
    """Make a step; return the position, still from the mover's side, and the square it ends on."""
    near = rotate_left(start, turn)
    end = rotate_left(near, turn) if is_jump else near
    taken = near if is_jump else _NONE
    kings = np.uint32(kings_after(here, start, end, taken))
    after = Checkers(np.uint32(here.own ^ start ^ end), np.uint32(here.foe ^ taken), kings, here.turn)
    return after, end


@jit_inlined
def _jump_on(here: Position, end: U32, is_up: Bool, is_king: Bool, state: U64) -> tuple[Position, U64]:
    """Go on jumping with the piece on `end` while it can; is_king: it was a king before this ply."""
    while True:
        # from the king row a man has no way forward: its turn ends (WCDF 1.19)
        rising = end if is_up or is_king else _NONE
        falling = end if is_king or not is_up else _NONE
        ups, downs = _two_words(all_jumpers(here, rising, falling, here.foe, empty_squares(here)))
        if not ups | downs:
            return here, state
        state = advance(state)
        start, turn = _choose(ups, downs, state)
        here, end = _stepped(here, start, turn, True)


@jit_inlined
def _ply(here: Position, state: U64, memory: tuple[U32, U32], rule: PlayoutRule, is_up: Bool) -> RandomPly:
    """Play one ply; jumps and quiet steps share one path up to the last branch, which a CPU predicts badly.

    memory: the kings of the side to move and of the other side before the last ply of each.
    """
    kings, empty = np.uint32(here.own & here.kings), empty_squares(here)
    rising = here.own if is_up else kings
    falling = kings if is_up else here.own
    jumps_up, jumps_down = _two_words(all_jumpers(here, rising, falling, here.foe, empty))
    ups, downs = _two_words(all_steppers(here, rising, falling, empty))
    is_jump = (jumps_up | jumps_down) != 0
    if is_jump:
        ups, downs = jumps_up, jumps_down
    if not ups | downs:
        return RandomPly(here, state, memory, False, False)
    if rule.avoid_cycles and not is_jump:
        ups, downs = _without_return(here, ups, downs, memory[0])
    state = advance(state)
    start, turn = _choose(ups, downs, state)
    is_king = (start & here.kings) != 0
    after, end = _stepped(here, start, turn, is_jump)
    if is_jump:
        after, state = _jump_on(after, end, is_up, is_king, state)
    later = passed_on(after, after.own, after.foe, after.kings)
    return RandomPly(later, state, (memory[1], kings), True, is_jump or not is_king)


@jit_inlined
def random_ply(position: Position, state: U64, memory: Any, rule: PlayoutRule, moves: Moves) -> RandomPly:
    """Play one ply in uniformly random steps, see `playouts.random_ply`."""
    if position.turn == WHITE:
        return _ply(position, state, memory, rule, True)
    return _ply(position, state, memory, rule, False)


@jit
def first_memory(position: Position) -> tuple[U32, U32]:
    """Return the kings of both sides."""
    return np.uint32(position.own & position.kings), np.uint32(position.foe & position.kings)
