"""Squares in groups of four: a row of weights for each of the 81 ways that discs can stand on a group.

A board of 64 squares without kings is 16 groups of neighbouring bits. The rows of its groups add up to those
of its pieces, sixteen where there may be sixty, and a loop that always runs as often has no end to foresee.
The state of a group is a number to base three, one digit a square: 0 empty, 1 own, 2 the enemy's.

Without kings alone: five digits would need 625 states, whose rows fit no cache.
"""

from itertools import product
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from neche.compiled.jit import U64

SQUARES_A_GROUP, GROUPS, STATES = 4, 16, 3**4
GROUP_ROWS = GROUPS * STATES
_SIZES: tuple[int, ...] = tuple(3**square for square in range(SQUARES_A_GROUP))
_DIGITS = np.array(list(product(range(3), repeat=SQUARES_A_GROUP)))
_HAS_MANY = np.count_nonzero(_DIGITS, axis=1) > 1
_FIRST_OF_EACH_BYTE = 0x0101010101010101


def num_piece_rows(king_rows: Any) -> Any:
    """Return how many rows of a block are for pieces: of groups, or for either side to move men and kings."""
    return 4 * king_rows + GROUP_ROWS * (king_rows == 0)


def row_of_square(bit: int, *, is_own: bool) -> int:
    """Return the row of a group with one disc on it, which is that of the disc."""
    group, square = divmod(bit, SQUARES_A_GROUP)
    return group * STATES + (1 if is_own else 2) * _SIZES[square]


def write_row_of_square(builder: Any, bit: Any, *, is_own: bool) -> Any:
    """Write the instructions for `row_of_square`; return its result."""

    def constant(value: int) -> Any:
        return ir.Constant(bit.type, value)

    sizes = sum((size if is_own else 2 * size) << 8 * square for square, size in enumerate(_SIZES))
    square = builder.and_(bit, constant(SQUARES_A_GROUP - 1))
    size = builder.and_(builder.lshr(constant(sizes), builder.mul(square, constant(8))), constant(255))
    group = builder.udiv(bit, constant(SQUARES_A_GROUP))
    return builder.add(builder.mul(group, constant(STATES)), size)


def rows_of_groups(own: U64, foe: U64) -> list[int]:
    """Return the row of every group of a board."""
    rows = []
    for group in range(GROUPS):
        own_part, foe_part = (int(word) >> group * SQUARES_A_GROUP for word in (own, foe))
        digits = [
            (own_part >> square & 1) + 2 * (foe_part >> square & 1) for square in range(SQUARES_A_GROUP)
        ]
        rows.append(group * STATES + sum(digit * size for digit, size in zip(digits, _SIZES, strict=True)))
    return rows


def write_rows_of_groups(builder: Any, own: Any, foe: Any) -> list[Any]:
    """Write the instructions for `rows_of_groups`; return its results."""

    def constant(value: int) -> Any:
        return ir.Constant(own.type, value)

    def states_in_bytes(word: Any, half: int) -> Any:
        # of eight groups at once: no state is larger than a byte
        digits = [
            builder.mul(
                builder.and_(
                    builder.lshr(word, constant(half * SQUARES_A_GROUP + square)),
                    constant(_FIRST_OF_EACH_BYTE),
                ),
                constant(size),
            )
            for square, size in enumerate(_SIZES)
        ]
        return builder.add(builder.add(digits[0], digits[1]), builder.add(digits[2], digits[3]))

    rows = []
    for half in range(2):
        doubled = builder.shl(states_in_bytes(foe, half), constant(1))
        states = builder.add(states_in_bytes(own, half), doubled)
        for byte in range(8):
            state = builder.and_(builder.lshr(states, constant(8 * byte)), constant(255))
            rows.append(builder.add(state, constant((2 * byte + half) * STATES)))
    return rows


def fill_groups(rows: NDArray[np.int16]) -> None:
    """Add up the rows [1296, lanes] of states of many discs from those of one; sums wrap at 16 bits."""
    groups = rows.reshape(GROUPS, STATES, -1)
    groups[:, 0] = 0
    for size in _SIZES:
        for begin in (size, 2 * size):
            # states of the squares before, and this disc
            groups[:, begin + 1 : begin + size] = groups[:, 1:size] + groups[:, begin, None]


def empty_groups(rows: NDArray[np.int16]) -> None:
    """Write zeros into the rows that `fill_groups` writes."""
    groups = rows.reshape(GROUPS, STATES, -1)
    groups[:, 0] = groups[:, _HAS_MANY] = 0
