"""The states of a board's groups of squares: which men stand on each group, as a number.

The groups and their order are those of the board's `SensorLayout.grouping`. The state of a group is one byte,
its men as a number in base 3, see `lanes.STATES`; a word holds eight. The code reads two squares of all
groups at once as a base-9 digit; two such digits make a state.

own, foe: men of either side, as the side to move sees the board, uint64.

Evaluation reads the states at every leaf, so each board has short code of its own. Othello programs (Buro,
Logistello, 1995) and n-tuple networks (Lucas, 2008) index their patterns in this way.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import join, shift_down, shift_up
from neche.compiled.jit import I64, U64, jit_inlined

_FIRST_OF_FOUR = np.uint64(0x1111111111111111)
_LOW_HALVES = np.uint64(0x0F0F0F0F0F0F0F0F)
_LOW_OF_EIGHT = np.uint64(0x00000000_0F0F0F0F)
_EVEN_ROWS = np.uint64(0x000F000F000F000F)
_FIRST_OF_11 = np.uint64(1 | 1 << 11 | 1 << 22 | 1 << 33 | 1 << 44)
_BYTES_OF_22 = np.uint64(127 | 127 << 22 | 127 << 44)
_BYTES_ABOVE = np.uint64(int(_BYTES_OF_22) * 2**8)
_TWO_BYTES = np.uint64(0xFFFF)
_FIRST_BYTE, _SECOND_BYTE, _THIRD_BYTE = np.uint64(0xFF), np.uint64(0xFF00), np.uint64(0xFF0000)
_TWO, _THREE, _NINE = np.uint64(2), np.uint64(3), np.uint64(9)


@jit_inlined
def _digits(own: U64, foe: U64, bit: I64, mask: U64) -> U64:
    """Return the base-3 digit of the squares `bit` bits above the mask's: 0 empty, 1 own, 2 the enemy's."""
    return np.uint64((shift_down(own, bit) & mask) + _TWO * (shift_down(foe, bit) & mask))


@jit_inlined
def _pairs(own: U64, foe: U64, bit: I64) -> U64:
    """Return, in every four bits, the base-9 digit of two of their squares, `bit` and the next."""
    first = _digits(own, foe, np.int64(bit), _FIRST_OF_FOUR)
    return np.uint64(first + _THREE * _digits(own, foe, np.int64(bit + 1), _FIRST_OF_FOUR))


@jit_inlined
def _states(low: U64, high: U64, mask: U64) -> U64:
    """Return states from their two base-9 digits."""
    return np.uint64((np.uint64(low) & mask) + _NINE * (np.uint64(high) & mask))


@jit_inlined
def states_of_fours(own: U64, foe: U64) -> Any:
    """Return the states of groups of four neighbouring bits: the even-numbered groups, then the odd."""
    first, second = _pairs(own, foe, np.int64(0)), _pairs(own, foe, np.int64(2))
    even = _states(first, second, _LOW_HALVES)
    return even, _states(shift_down(first, np.int64(4)), shift_down(second, np.int64(4)), _LOW_HALVES)


@jit_inlined
def _two_by_two(pairs: U64) -> U64:
    """Return the states of 2×2 groups in pairs of rows: the lower four bits of a row, then the upper four."""
    left = _states(pairs, shift_down(pairs, np.int64(8)), _EVEN_ROWS)
    right = _states(shift_down(pairs, np.int64(4)), shift_down(pairs, np.int64(12)), _EVEN_ROWS)
    return np.uint64(left | shift_up(right, np.int64(8)))


@jit_inlined
def states_8x8(own: U64, foe: U64) -> Any:
    """Return the states of a board of 64 squares, see `sensors.ALL_8X8`."""
    left, right = _pairs(own, foe, np.int64(0)), _pairs(own, foe, np.int64(2))
    return _two_by_two(left), _two_by_two(right)


@jit_inlined
def states_of_dark_8x8(own: U64, foe: U64) -> Any:
    """Return the states of a board of 32 squares, see `sensors.DARK_8X8`."""
    # two copies of the board, since the bits wrap around: the last columns are the first ones again
    own, foe = join(np.uint32(own), np.uint32(own)), join(np.uint32(foe), np.uint32(foe))
    first, second = _pairs(own, foe, np.int64(0)), _pairs(own, foe, np.int64(2))
    lower = _states(first, shift_down(second, np.int64(8)), _LOW_OF_EIGHT)
    upper = _states(shift_down(first, np.int64(4)), shift_down(second, np.int64(12)), _LOW_OF_EIGHT)
    return (join(lower, upper),)


@jit_inlined
def _digits_of_rows(own: U64, foe: U64, place: I64) -> U64:
    """Return the base-9 digits of a place in rows 1 and 2, 3 and 4, …: at bits 0, 11, 22, 33 and 44."""
    lower = _digits(own, foe, place, _FIRST_OF_11)
    return np.uint64(lower + _THREE * _digits(own, foe, np.int64(place + 6), _FIRST_OF_11))


@jit_inlined
def _blocks(own: U64, foe: U64, place: I64) -> U64:
    """Return the states of two places in two rows each: two bytes at bits 0, 22 and 44, the last empty."""
    right = _digits_of_rows(own, foe, np.int64(place + 1))
    states = np.uint64(_digits_of_rows(own, foe, place) + _NINE * right)
    return np.uint64((states & _BYTES_OF_22) | (shift_down(states, np.int64(3)) & _BYTES_ABOVE))


@jit_inlined
def _four_bytes(first: U64, second: U64, bit: I64) -> U64:
    low, high = shift_down(first, bit) & _TWO_BYTES, shift_down(second, bit) & _TWO_BYTES
    return np.uint64(low | shift_up(high, np.int64(16)))


@jit_inlined
def states_of_dark_10x10(own: U64, foe: U64) -> Any:
    """Return the states of a board of 50 squares, see `sensors.DARK_10X10`."""
    left, middle = _blocks(own, foe, np.int64(0)), _blocks(own, foe, np.int64(2))
    pairs = _digits_of_rows(own, foe, np.int64(4))
    right = np.uint64(pairs + _NINE * shift_down(pairs, np.int64(11))) & _BYTES_OF_22
    last = (right & _FIRST_BYTE) | (shift_down(right, np.int64(22 - 8)) & _SECOND_BYTE)
    last |= shift_down(right, np.int64(44 - 16)) & _THIRD_BYTE
    low = join(_four_bytes(left, middle, np.int64(0)), _four_bytes(left, middle, np.int64(22)))
    return low, join(_four_bytes(left, middle, np.int64(44)), last)
