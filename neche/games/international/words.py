"""A position of 50 squares as three words, one to one: 50 + 50 + 50 bits and the side to move.

    first word     bits 0–54 own | 55–63 kings, squares 0 to 8
    second word    bits 0–54 foe | 55–63 kings, squares 9 to 17
    third word     bits 0–31 kings, squares 18 to 49 | 32 side to move

The squares of the kings are counted without the bits of the board that are no squares.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import shift_down, shift_up
from neche.compiled.jit import jit, jit_inlined

_SPARE = 9
_SPARE_BITS = np.uint64(2**_SPARE - 1)
# Runs of squares between the bits that are none: (first bit, number of squares).
_RUNS = ((0, 5), (6, 10), (17, 10), (28, 10), (39, 10), (50, 5))
# How far each run moves down, and where it is afterwards.
_MOVES = tuple(
    (number, np.uint64((2**count - 1) << (first - number))) for number, (first, count) in enumerate(_RUNS)
)


@jit_inlined
def _without_gaps(squares: Any) -> Any:
    """Return the 50 squares side by side."""
    dense = np.uint64(0)
    for places, run in _MOVES:
        dense |= shift_down(squares, places) & run
    return np.uint64(dense)


@jit
def pack(position: Any) -> Any:
    """Return the three words of a position."""
    kings = _without_gaps(np.uint64(position.kings))
    first = shift_up(kings & _SPARE_BITS, 64 - _SPARE)
    second = shift_up(shift_down(kings, _SPARE) & _SPARE_BITS, 64 - _SPARE)
    third = np.uint64(shift_down(kings, 2 * _SPARE) | shift_up(position.turn, 32))
    return np.uint64(first | np.uint64(position.own)), np.uint64(second | np.uint64(position.foe)), third
