"""International draughts, on 10×10 squares: the board of 50 squares in a 64-bit word.

Bit numbers, White at the bottom moving up:

         A   B   C   D   E   F   G   H   I   J
    10       50      51      52      53      54
    9    44      45      46      47      48
    8        39      40      41      42      43
    7    33      34      35      36      37
    6        28      29      30      31      32
    5    22      23      24      25      26
    4        17      18      19      20      21
    3    11      12      13      14      15
    2        6       7       8       9       10
    1    0       1       2       3       4

One step up-right is a shift by 6, up-left by 5, and the reverse shifts go back. The bits 5, 16, 27, 38 and 49
and those above 54 are not squares: steps over the edge end there. A step from such a bit has no meaning, so
steps begin only on squares. Turning the board by 180 degrees sends bit i to bit 54 − i.

The squares are numbered from the top left with White at the bottom: 1 = b10, 5 = j10, 46 = a1, 50 = i1.

As three words (`pack`), a position is 50 + 50 + 50 bits and the side to move; the kings' squares are numbered
without the bits of the board that are not squares:

    first word     bits 0–54 own | 55–63 kings, squares 0 to 8
    second word    bits 0–54 foe | 55–63 kings, squares 9 to 17
    third word     bits 0–31 kings, squares 18 to 49 | 32 side to move
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import nth_index64, reverse64, rotate_left64, shift_down, shift_up
from neche.compiled.jit import jit, jit_inlined
from neche.games.draughts.board import register_board
from neche.games.draughts.branch_free import register_playouts
from neche.games.draughts.game import BOLDER, FMJD_TRAITS, draughts_game
from neche.games.draughts.notation import DraughtsNotation
from neche.games.draws import DrawRule
from neche.games.game import RUNGS, PdnNotation
from neche.games.patterns import states_of_dark_10x10
from neche.games.sensors import DARK_10X10


class International(NamedTuple):
    """A position; the fields are uint64. Own is the side to move; kings is a subset of own | foe."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


FIRST_BITS = tuple(11 * (row // 2) + 6 * (row % 2) for row in range(10))
"""Bit of the leftmost square of each row, from the bottom; the four to its right follow."""


def _rows(first: int, last: int) -> np.uint64:
    """Return the squares of some rows, numbered from 1 at the bottom."""
    return np.uint64(sum(0b11111 << bit for bit in FIRST_BITS[first - 1 : last]))


ALL_SQUARES = _rows(1, 10)

_SPARE = 9
_SPARE_BITS = np.uint64(2**_SPARE - 1)
# Runs of squares between the bits that are not squares: (first bit, number of squares).
_RUNS = ((0, 5), (6, 10), (17, 10), (28, 10), (39, 10), (50, 5))
# How far each run moves down, and its mask afterwards.
_MOVES = tuple(
    (number, np.uint64((2**count - 1) << (first - number))) for number, (first, count) in enumerate(_RUNS)
)


def _step(position: Any, squares: Any, direction: Any) -> Any:
    if direction == 0:
        return shift_up(squares, 6)
    if direction == 1:
        return shift_up(squares, 5)
    if direction == 2:
        return shift_down(squares, 5)
    return shift_down(squares, 6)


def _places(position: Any, direction: Any) -> Any:
    """6, 5, 59, 58: the rotations of a step; none of them wraps around from one square to another."""
    right = np.uint32(59) if direction > np.uint32(1) else np.uint32(6)
    return np.uint32(right - (np.uint32(1) if direction & np.uint32(1) else np.uint32(0)))


@jit_inlined
def _without_gaps(squares: Any) -> Any:
    """Return the 50 squares side by side."""
    dense = np.uint64(0)
    for places, run in _MOVES:
        dense |= shift_down(squares, places) & run
    return np.uint64(dense)


@jit
def pack(position: Any) -> Any:
    """Return three words that identify the position uniquely."""
    kings = _without_gaps(np.uint64(position.kings))
    first = shift_up(kings & _SPARE_BITS, 64 - _SPARE)
    second = shift_up(shift_down(kings, _SPARE) & _SPARE_BITS, 64 - _SPARE)
    third = np.uint64(shift_down(kings, 2 * _SPARE) | shift_up(position.turn, 32))
    return np.uint64(first | np.uint64(position.own)), np.uint64(second | np.uint64(position.foe)), third


register_board(
    International,
    word=np.uint64,
    all_squares=ALL_SQUARES,
    main_diagonal=np.uint64(sum(1 << bit for bit in range(0, 55, 6))),
    king_rows=(_rows(10, 10), _rows(1, 1)),
    step=_step,
    turned_around=lambda position, squares: shift_down(reverse64(np.uint64(squares)), 9),
    turned=lambda position, squares, places: rotate_left64(np.uint64(squares), np.uint64(places)),
    places=_places,
    entered=ALL_SQUARES,
    pattern_states=lambda position, own, foe: states_of_dark_10x10(own, foe),
    nth_index=lambda position, squares, number: nth_index64(squares, number),
    path_words=5,
    position_words=pack,
)
register_playouts(International)

NOTATION = DraughtsNotation(
    record=International,
    word=np.uint64,
    # There are at most 340 quiet moves: twenty kings on an empty board have 17 each. The most captures known
    # are 407 (docs/decisions/0021).
    max_moves=1024,
    rows=tuple(tuple(range(first, first + 5)) for first in reversed(FIRST_BITS)),
    max_pieces=20,
    start="W:W31-50:B1-20",
    traits=FMJD_TRAITS,
)
GAME = draughts_game(
    "international",
    NOTATION,
    sensors=DARK_10X10,
    # FMJD 6.1 to 6.4: see `draughts/endings.py`
    draws=DrawRule(50, True, 3, endings=(10, 32, 0, 0)),
    # playouts take twenty times as long as those of checkers
    rungs=tuple(rung for rung in RUNGS if rung != "mcrd:playouts=100000"),
    champion="international-4",
    selectivity=BOLDER,
    pdn=PdnNotation(20, "W,10,10,N2,0", ("2-0", "1-1", "0-2"), False),
)
