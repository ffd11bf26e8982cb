"""Where discs can be placed, and which discs a placement turns.

A direction is an axis, with a shift for one step along it, up or down the bits. Runs of foe discs are
followed by doubling: steps of 1, 1, 2 and 2 squares cover a run of six, the longest that can be turned.

The same formulas work on one word or on four at once, the four axes of one position. In side-by-side playouts
and in kernels every lane is a separate game, and the axes are processed one after the other.
"""

import numpy as np

from neche.compiled.bits import invert64
from neche.compiled.jit import U64, jit_inlined
from neche.compiled.words import Words, four, four_of, joined, shifted_down, shifted_up


def _words(*numbers: int) -> tuple[np.uint64, ...]:
    return tuple(map(np.uint64, numbers))


# An axis: the shifts of one step and of two steps.
_ROW, _COLUMN, _FALLING, _RISING = _words(1, 2), _words(8, 16), _words(9, 18), _words(7, 14)
_STEPS, _LEAPS = zip(_ROW, _COLUMN, _FALLING, _RISING, strict=True)
# A disc in column a or h has no neighbour on one side: it is turned in its column only, and no run wraps.
_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)
_INNER = (_INNER_COLUMNS, np.uint64(0xFFFFFFFFFFFFFFFF), _INNER_COLUMNS, _INNER_COLUMNS)
"""The squares whose discs can be turned, for each axis."""


@jit_inlined
def _run_up(begin: Words, foe: Words, axis: tuple[Words, ...]) -> Words:
    """Return the foe discs in unbroken runs that begin one step up from the squares `begin`."""
    step, leap = axis
    pairs = foe & shifted_up(foe, step)
    run = foe & shifted_up(begin, step)
    run = run | (foe & shifted_up(run, step))
    run = run | (pairs & shifted_up(run, leap))
    return run | (pairs & shifted_up(run, leap))


@jit_inlined
def _run_down(begin: Words, foe: Words, axis: tuple[Words, ...]) -> Words:
    """Return the foe discs in unbroken runs that begin one step down from the squares `begin`."""
    step, leap = axis
    pairs = foe & shifted_down(foe, step)
    run = foe & shifted_down(begin, step)
    run = run | (foe & shifted_down(run, step))
    run = run | (pairs & shifted_down(run, leap))
    return run | (pairs & shifted_down(run, leap))


@jit_inlined
def _behind_runs(own: Words, foe: Words, axis: tuple[Words, ...]) -> Words:
    """Return the squares just behind runs of foe discs that begin beside an own disc."""
    above = shifted_up(_run_up(own, foe, axis), axis[0])
    return above | shifted_down(_run_down(own, foe, axis), axis[0])


@jit_inlined
def _within_runs(square: Words, own: Words, foe: Words, axis: tuple[Words, ...]) -> Words:
    """Return the discs on an axis through `square` that lie in a run between it and an own disc."""
    above = _run_up(square, foe, axis) & _run_down(own, foe, axis)
    return above | (_run_down(square, foe, axis) & _run_up(own, foe, axis))


@jit_inlined
def placements(own: U64, foe: U64) -> U64:
    """Return the squares where the side with the discs `own` may place a disc."""
    axes = four_of(_STEPS), four_of(_LEAPS)
    behind = joined(_behind_runs(four(own), four(foe) & four_of(_INNER), axes))
    return np.uint64(behind & invert64(own | foe))


@jit_inlined
def turned(square: U64, own: U64, foe: U64) -> U64:
    """Return the foe discs that a disc placed on `square` turns."""
    axes = four_of(_STEPS), four_of(_LEAPS)
    return joined(_within_runs(four(square), four(own), four(foe) & four_of(_INNER), axes))


@jit_inlined
def placements_in_lane(own: U64, foe: U64) -> U64:
    """Return the same as `placements`, for a game in one lane of a vector."""
    inner = np.uint64(foe & _INNER_COLUMNS)
    straight = _behind_runs(own, inner, _ROW) | _behind_runs(own, foe, _COLUMN)
    slanting = _behind_runs(own, inner, _FALLING) | _behind_runs(own, inner, _RISING)
    return np.uint64((straight | slanting) & invert64(own | foe))


@jit_inlined
def turned_in_lane(square: U64, own: U64, foe: U64) -> U64:
    """Return the same as `turned`, for a game in one lane of a vector."""
    inner = np.uint64(foe & _INNER_COLUMNS)
    straight = _within_runs(square, own, inner, _ROW) | _within_runs(square, own, foe, _COLUMN)
    slanting = _within_runs(square, own, inner, _FALLING) | _within_runs(square, own, inner, _RISING)
    return np.uint64(straight | slanting)
