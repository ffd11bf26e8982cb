"""The forward pass, incremental where it can be: refresh once, update by move, evaluate at the leaves.

`sums` is the part of the output that is a sum over squares: the bias and the table. A viewer is the side a
network plays for (0 White, 1 Black) and stays the same during a whole search; a network sees the board as if
it were White.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, lowest_bit64, lowest_index
from neche.compiled.jit import jit, jit_inlined, overload, record_of
from neche.games import contract
from neche.games.contract import sensed
from neche.network.folding import (
    BEYOND,
    BIAS,
    HEADER,
    MOBILITY,
    NUM_HIDDEN,
    NUM_SECOND,
    PIECES,
    SECOND_SCALE,
    SHIFT,
    SQUARES,
)

_OWN, _FOE, _KING = 0, 2 * SQUARES, SQUARES
TABLE_WORDS = 2 * PIECES * SQUARES


@jit
def table_start(bank: Any, index: Any, viewer: Any) -> Any:
    """Where the values by square of network `index` for `viewer` start in the bank's words."""
    return np.int64(index * bank.record + HEADER + viewer * (PIECES * SQUARES))


@jit
def _sum_squares(words: Any, start: Any, squares: Any) -> Any:
    total = np.int64(0)
    while squares:
        total += words[start + lowest_index(squares)]
        squares = np.uint64(squares ^ lowest_bit64(squares))
    return total


@jit_inlined
def _left_out(some: Any, others: Any) -> Any:
    """Return the squares of the first word that are not in the second."""
    return np.uint64(np.uint64(some) & invert64(others))


@jit_inlined
def _shared(some: Any, others: Any) -> Any:
    return np.uint64(np.uint64(some) & np.uint64(others))


@jit
def refresh(bank: Any, index: Any, viewer: Any, position: Any) -> Any:
    """Return the sums of a position, from scratch."""
    table = table_start(bank, index, viewer)
    side = _OWN if np.int64(position.turn) == viewer else _FOE
    own_pieces, foe_pieces, kings = sensed(position)
    own, foe = table + side, table + (_FOE - side)
    total = bank.words[index * bank.record + BIAS]
    total += _sum_squares(bank.words, own, _left_out(own_pieces, kings))
    total += _sum_squares(bank.words, own + _KING, _shared(own_pieces, kings))
    total += _sum_squares(bank.words, foe, _left_out(foe_pieces, kings))
    return total + _sum_squares(bank.words, foe + _KING, _shared(foe_pieces, kings))


@jit_inlined
def update(words: Any, table: Any, viewer: Any, before: Any, after: Any, sums: Any) -> Any:
    """Return the sums after a move, from those before it.

    before, after: positions before and after the move, each seen by its side to move. table: see
    `table_start`.
    """
    side = _OWN if np.int64(before.turn) == viewer else _FOE
    own, foe = table + side, table + (_FOE - side)
    moved, others, kings = sensed(before)
    others_left, moved_there, kings_there = sensed(after)
    start, end = _left_out(moved, moved_there), _left_out(moved_there, moved)
    if start:
        was_king = _KING if _shared(start, kings) else 0
        is_king = _KING if _shared(end, kings_there) else 0
        sums += words[own + is_king + lowest_index(end)] - words[own + was_king + lowest_index(start)]
    elif end:
        sums += _sum_squares(words, own, _left_out(end, kings_there))
        sums += _sum_squares(words, own + _KING, _shared(end, kings_there))
    taken = _left_out(others, others_left)
    if taken:
        sums -= _sum_squares(words, foe, _left_out(taken, kings))
        sums -= _sum_squares(words, foe + _KING, _shared(taken, kings))
    return sums


@jit
def _excitation(rows: Any, start: Any, own: Any, foe: Any, kings: Any) -> Any:
    """Weighted sum of the sensors of one row over the pieces it sees; own and foe as the viewer has them.

    A loop over pieces: 2 to 10 ns; all 32 squares at once with vector instructions: 11 ns whatever the row
    sees.
    """
    total = _sum_squares(rows, start, own) - _sum_squares(rows, start, foe)
    if kings:
        total += _sum_squares(rows, start, _shared(own, kings))
        total -= _sum_squares(rows, start, _shared(foe, kings))
    return total


def _mobility(position: Any) -> Any:
    raise TypeError("mobility is counted in compiled code only")


@overload(_mobility)
def _mobility_of_game(position: Any) -> Any:
    if record_of(position) in contract.MOBILE:
        return lambda position: contract.mobility(position)
    return lambda position: np.int64(0)


@jit_inlined
def evaluate(bank: Any, index: Any, viewer: Any, position: Any, sums: Any) -> Any:
    """Return the exact output of a network, in its unit, from the viewer's side."""
    if bank.words[index * bank.record + BEYOND] == 0:
        return np.int64(sums)
    return _evaluate_rows(bank, index, viewer, position, sums)


@jit
def _sum_of_row(bank: Any, index: Any, viewer: Any, position: Any, row: Any) -> Any:
    """Weighted sum of the sensors of row `row` (first layer, then second) of network `index`."""
    rows = bank.num_hidden + bank.num_second
    at = index * bank.record + HEADER + TABLE_WORDS + viewer * rows + row
    seen = np.uint64(bank.words[at])
    all_own, all_foe, kings = sensed(position)
    own, foe = _shared(all_own, seen), _shared(all_foe, seen)
    if np.int64(position.turn) != viewer:
        own, foe = foe, own
    start = ((index * 2 + viewer) * rows + row) * SQUARES
    return _excitation(bank.rows, start, own, foe, _shared(kings, seen))


@jit
def _evaluate_rows(bank: Any, index: Any, viewer: Any, position: Any, sums: Any) -> Any:
    words = bank.words
    record = index * bank.record
    hidden = record + HEADER + TABLE_WORDS + 2 * (bank.num_hidden + bank.num_second)
    total = np.int64(sums)
    if words[record + MOBILITY] != 0:
        lead = _mobility(position) * words[record + MOBILITY]
        total += lead if np.int64(position.turn) == viewer else -lead
    for row in range(words[record + NUM_HIDDEN]):
        value = words[hidden + row] + _sum_of_row(bank, index, viewer, position, row)
        if value > 0:
            total += value * words[hidden + bank.num_hidden + row]
    shift = words[record + SHIFT]
    total >>= shift
    second = hidden + 2 * bank.num_hidden
    for row in range(words[record + NUM_SECOND]):
        value = words[second + row] + _sum_of_row(bank, index, viewer, position, bank.num_hidden + row)
        value *= words[record + SECOND_SCALE]
        value += _fed(
            bank, index, viewer, position, hidden, second + 2 * bank.num_second + row * bank.num_hidden
        )
        if value > 0:
            total += _shifted_product(value, words[second + bank.num_second + row], shift)
    return total


@jit_inlined
def _shifted_product(value: Any, weight: Any, shift: Any) -> Any:
    """Multiply, then shift right, without leaving 64 bits in between."""
    low = value & ((np.int64(1) << shift) - 1)
    return np.int64((value >> shift) * weight + ((low * weight) >> shift))


@jit
def _fed(bank: Any, index: Any, viewer: Any, position: Any, hidden: Any, links: Any) -> Any:
    """Return what the first layer feeds into a second-layer neuron whose weights start at `links`."""
    total = np.int64(0)
    for row in range(bank.words[index * bank.record + NUM_HIDDEN]):
        link = bank.words[links + row]
        if link != 0:
            value = bank.words[hidden + row] + _sum_of_row(bank, index, viewer, position, row)
            if value > 0:
                total += value * link
    return total
