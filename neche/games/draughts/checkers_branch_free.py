"""Branch-free playouts of checkers: every step is the same straight-line code.

A step is one quiet move or one jump of either side. The side to move, the piece that must go on jumping and
the count of quiet plies are data, by which results are selected without a branch: the threads of a warp never
wait for one another inside a step, and a CPU core advances many playouts side by side. `checkers_playout.py`
plays a single game faster on the CPU; both play the same games.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert32, nth_index32, popcount, rotate_left
from neche.compiled.jit import I32, I64, U32, U64, Array, Bool, Position, jit_inlined
from neche.compiled.randomness import choose_below
from neche.games.contract import register
from neche.games.draughts.board import WHITE
from neche.games.draughts.board_8x8 import (
    INTO_DOWN_LEFT,
    INTO_DOWN_RIGHT,
    INTO_UP_LEFT,
    INTO_UP_RIGHT,
    ROW_1,
    ROW_8,
    Checkers,
)
from neche.games.draughts.choosing import chosen
from neche.games.draughts.steps import ByDirection, any_of
from neche.games.playouts import LANES, PlayoutRule, QuietRule, is_stopped, stopped_outcome

_ALL = np.uint32(0xFFFFFFFF)
_NONE = np.uint32(0)
_ONE = np.uint32(1)
# A man can only arrive on one of the two, the opponent's first row.
_KING_ROWS = np.uint32(int(ROW_1) | int(ROW_8))
# A step from a square stays on the board if the reverse step can enter that square; the same for jumps.
_FROM = (INTO_DOWN_LEFT, INTO_DOWN_RIGHT, INTO_UP_LEFT, INTO_UP_RIGHT)
_FROM_UP_RIGHT, _FROM_UP_LEFT, _FROM_DOWN_RIGHT, _FROM_DOWN_LEFT = _FROM
_JUMPS_UP_RIGHT, _JUMPS_UP_LEFT, _JUMPS_DOWN_RIGHT, _JUMPS_DOWN_LEFT = (
    np.uint32(squares & rotate_left(squares, 32 - turn))
    for squares, turn in zip(_FROM, (1, 9, 23, 31), strict=True)
)


class CheckersPlayout(NamedTuple):
    """A checkers playout under way; own, foe and kings as in `Checkers`.

    upward: uint32 – all ones if the men of the side to move go up (White), else zero. movable: uint32 –
    squares of the pieces that may step: one that must go on jumping, or all. quiet: int32, plies since the
    last progress. plies: int32, of this playout and those before it. home: uint32 – upward of the side that
    began.
    """

    own: U32
    foe: U32
    kings: U32
    upward: U32
    movable: U32
    quiet: I32
    plies: I32
    home: U32


class CautiousPlayout(NamedTuple):
    """A playout with the state that a full `PlayoutRule` needs, which costs registers and instructions.

    began: int32 – its plies when it began. own_before, foe_before: uint32 – the kings before the last ply of
    each side.
    """

    inner: CheckersPlayout
    began: I32
    own_before: U32
    foe_before: U32


class CheckersSteps(NamedTuple):
    """The steps that a side draws from: their start squares, whether they are jumps, how many there are."""

    found: ByDirection
    are_jumps: Bool
    total: U32


@jit_inlined
def _begin(position: Position, plies: I32) -> CheckersPlayout:
    own, foe, kings = np.uint32(position.own), np.uint32(position.foe), np.uint32(position.kings)
    upward = _ALL if position.turn == WHITE else _NONE
    return CheckersPlayout(own, foe, kings, upward, _ALL, np.int32(0), np.int32(plies), upward)


@jit_inlined
def _begin_cautiously(position: Position, plies: I32) -> CautiousPlayout:
    inner = _begin(position, plies)
    own_kings, foe_kings = np.uint32(inner.own & inner.kings), np.uint32(inner.foe & inner.kings)
    return CautiousPlayout(inner, inner.plies, own_kings, foe_kings)


@jit_inlined
def _counted(up_right: U64, up_left: U64, down_right: U64, down_left: U64, are_jumps: Bool) -> CheckersSteps:
    found = ByDirection(np.uint32(up_right), np.uint32(up_left), np.uint32(down_right), np.uint32(down_left))
    num_up = np.uint32(np.uint32(popcount(found.up_right)) + np.uint32(popcount(found.up_left)))
    num_down = np.uint32(np.uint32(popcount(found.down_right)) + np.uint32(popcount(found.down_left)))
    return CheckersSteps(found, are_jumps, np.uint32(num_up + num_down))


@jit_inlined
def _before(squares: U32, turn: I64) -> U32:
    """Return the squares from which a step by this rotation reaches some squares, wrapping included."""
    return np.uint32(rotate_left(np.uint32(squares), np.uint32(32 - turn)))


@jit_inlined
def _before_jump(foe: U32, taken: U32, turn: I64) -> U32:
    """Return the squares from which a jump by this rotation takes a foe, wrapping included."""
    return _before(foe & invert32(_before(taken, turn)), turn)


@jit_inlined
def _jumpers(rising: U32, falling: U32, foe: U32, taken: U32) -> ByDirection:
    """Do as `steps.all_jumpers`, with one mask fewer per direction: a kernel takes 32 registers, not 40."""
    return ByDirection(
        np.uint32(rising & _JUMPS_UP_RIGHT & _before_jump(foe, taken, 1)),
        np.uint32(rising & _JUMPS_UP_LEFT & _before_jump(foe, taken, 9)),
        np.uint32(falling & _JUMPS_DOWN_RIGHT & _before_jump(foe, taken, 23)),
        np.uint32(falling & _JUMPS_DOWN_LEFT & _before_jump(foe, taken, 31)),
    )


@jit_inlined
def _steps(playout: CheckersPlayout) -> CheckersSteps:
    """Return the steps of the side to move: jumps if there are any, else quiet steps."""
    taken = np.uint32(playout.own | playout.foe)
    pieces = np.uint32(playout.own & playout.movable)
    rising = np.uint32(pieces & (playout.kings | playout.upward))
    falling = np.uint32(pieces & (playout.kings | invert32(playout.upward)))
    # both kinds are computed, and one is selected
    jumps = _jumpers(rising, falling, playout.foe, taken)
    are_jumps = np.uint32(any_of(jumps)) != _NONE
    return _counted(
        jumps.up_right if are_jumps else rising & _FROM_UP_RIGHT & invert32(_before(taken, 1)),
        jumps.up_left if are_jumps else rising & _FROM_UP_LEFT & invert32(_before(taken, 9)),
        jumps.down_right if are_jumps else falling & _FROM_DOWN_RIGHT & invert32(_before(taken, 23)),
        jumps.down_left if are_jumps else falling & _FROM_DOWN_LEFT & invert32(_before(taken, 31)),
        are_jumps,
    )


@jit_inlined
def _cautious_steps(playout: CautiousPlayout, rule: PlayoutRule) -> CheckersSteps:
    """Return the steps without the one that moves the own kings back, unless it is the only one."""
    inner = playout.inner
    steps = _steps(inner)
    kings = np.uint32(inner.own & inner.kings)
    left = np.uint32(kings & invert32(playout.own_before))
    wanted = np.uint32(playout.own_before & invert32(kings))
    is_way_back = rule.avoid_cycles != 0 and popcount(left) == 1 and popcount(wanted) == 1
    left = left if is_way_back and not steps.are_jumps and steps.total != 1 else _NONE
    found = steps.found
    return _counted(
        found.up_right & invert32(left & _before(wanted, 1)),
        found.up_left & invert32(left & _before(wanted, 9)),
        found.down_right & invert32(left & _before(wanted, 23)),
        found.down_left & invert32(left & _before(wanted, 31)),
        steps.are_jumps,
    )


@jit_inlined
def _chosen(found: ByDirection, number: U32) -> tuple[U32, U32]:
    """Return the bit number of the start of step `number`, and its rotation."""
    is_down, is_left, squares, number = chosen(
        found.up_right, found.up_left, found.down_right, found.down_left, number
    )
    # two instructions fewer per step than `board.places` of a direction
    turn = (np.uint32(23) if is_down else _ONE) + (np.uint32(8) if is_left else _NONE)
    return nth_index32(squares, number), np.uint32(turn)


@jit_inlined
def _can_jump(square: U32, rising: U32, falling: U32, foe: U32, taken: U32) -> Bool:
    """Return whether a piece can jump; rising, falling: all ones if it may go up or down, else zero."""
    jumps = _jumpers(_ALL, _ALL, foe, taken)
    upward, downward = jumps.up_right | jumps.up_left, jumps.down_right | jumps.down_left
    return (square & ((upward & rising) | (downward & falling))) != 0


@jit_inlined
def _step(playout: CheckersPlayout, steps: CheckersSteps, state: U64) -> CheckersPlayout:
    """Return the playout after one step; the result has no meaning if there is no step."""
    found, are_jumps = steps.found, steps.are_jumps
    index, turn = _chosen(found, np.uint32(choose_below(state, steps.total)))
    # a step's rotation adds to the bit number of its square
    start = rotate_left(_ONE, index)
    passed = rotate_left(_ONE, np.uint32(index + turn))
    end = rotate_left(_ONE, np.uint32(index + turn + (turn if are_jumps else _NONE)))
    is_king = (playout.kings & start) != 0
    king = _ALL if is_king else _NONE
    own = np.uint32((playout.own ^ start) | end)
    # a quiet step passes nothing: it ends on the square that a jump would pass
    foe = np.uint32(playout.foe & invert32(passed))
    kings = np.uint32((playout.kings & invert32(start | passed)) | (end & (king | _KING_ROWS)))
    # a man that was just crowned has no way forward: its turn ends (WCDF 1.19)
    rising, falling = np.uint32(king | playout.upward), np.uint32(king | invert32(playout.upward))
    # computed for every step, even a quiet one: `and` would branch around it
    can_jump = _can_jump(end, rising, falling, foe, np.uint32(own | foe))
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
def _cautious_step(playout: CautiousPlayout, steps: CheckersSteps, state: U64) -> CautiousPlayout:
    inner = playout.inner
    after = _step(inner, steps, state)
    # also between two jumps of one ply: no step undoes a jump
    own_before = np.uint32(inner.own & inner.kings)
    goes_on = after.upward == inner.upward
    return CautiousPlayout(
        after,
        playout.began,
        own_before if goes_on else playout.foe_before,
        playout.foe_before if goes_on else own_before,
    )


@jit_inlined
def _is_over(playout: CheckersPlayout, steps: CheckersSteps, rule: Any, began: I32) -> Bool:
    return steps.total == 0 or is_stopped(rule, playout.quiet, playout.plies - began)


@jit_inlined
def _result(playout: CheckersPlayout, steps: CheckersSteps, rule: Any) -> tuple[I32, I32]:
    lead = np.int32(popcount(playout.own)) - np.int32(popcount(playout.foe))
    # who cannot move has lost
    outcome = np.int32(-1) if steps.total == 0 else stopped_outcome(rule, playout.quiet, lead)
    return (outcome if playout.upward == playout.home else np.int32(-outcome)), playout.plies


@jit_inlined
def _load(position: Position, words: Array, lane: I64) -> CheckersPlayout:
    return CheckersPlayout(
        words[lane],
        words[LANES + lane],
        words[2 * LANES + lane],
        words[3 * LANES + lane],
        words[4 * LANES + lane],
        np.int32(words[5 * LANES + lane]),
        np.int32(words[6 * LANES + lane]),
        words[7 * LANES + lane],
    )


@jit_inlined
def _store(playout: CheckersPlayout, words: Array, lane: I64) -> None:
    words[lane] = playout.own
    words[LANES + lane] = playout.foe
    words[2 * LANES + lane] = playout.kings
    words[3 * LANES + lane] = playout.upward
    words[4 * LANES + lane] = playout.movable
    words[5 * LANES + lane] = np.uint32(playout.quiet)
    words[6 * LANES + lane] = np.uint32(playout.plies)
    words[7 * LANES + lane] = playout.home


def register_branch_free() -> None:
    """Register these playouts."""
    register(Checkers, playout_words=len(CheckersPlayout._fields), playout_load=_load)
    register(Checkers, rule=QuietRule, playout_init=lambda position, plies, rule: _begin(position, plies))
    register(
        Checkers,
        rule=PlayoutRule,
        playout_init=lambda position, plies, rule: _begin_cautiously(position, plies),
    )
    register(
        CheckersPlayout,
        playout_draws=True,
        playout_steps=lambda playout, rule: _steps(playout),
        playout_is_over=lambda playout, steps, rule: _is_over(playout, steps, rule, np.int32(0)),
        playout_result=_result,
        playout_step=_step,
        playout_store=_store,
    )
    register(
        CautiousPlayout,
        playout_draws=True,
        playout_steps=_cautious_steps,
        playout_is_over=lambda playout, steps, rule: _is_over(playout.inner, steps, rule, playout.began),
        playout_result=lambda playout, steps, rule: _result(playout.inner, steps, rule),
        playout_step=_cautious_step,
    )
