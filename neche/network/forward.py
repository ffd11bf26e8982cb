"""The forward pass, incremental where it can be: refresh once, update by move, evaluate at the leaves.

`sums` is the part of the output that is a sum over squares: the bias and the table. A viewer is the side a
network plays for (0 White, 1 Black) and stays the same during a whole search; a network sees the board as if
it were White.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert32, lowest_bit, lowest_index
from neche.compiled.jit import jit, jit_inlined
from neche.games.contract import sensed
from neche.network.bank import TABLE_WORDS
from neche.network.folding import BIAS, HEADER, NUM_HIDDEN, NUM_SECOND, SECOND_SCALE, SHIFT, SQUARES

_OWN, _FOE, _KING = 0, 2 * SQUARES, SQUARES


@jit
def table_start(bank: Any, index: Any, viewer: Any) -> Any:
    """Where the values by square of network `index` for `viewer` start in the bank's words."""
    return np.int64(index * bank.record + HEADER + viewer * (TABLE_WORDS // 2))


@jit
def _sum_squares(words: Any, start: Any, squares: Any) -> Any:
    total = np.int64(0)
    while squares:
        total += words[start + lowest_index(squares)]
        squares = np.uint32(squares ^ lowest_bit(squares))
    return total


@jit
def refresh(bank: Any, index: Any, viewer: Any, position: Any) -> Any:
    """Return the sums of a position, from scratch."""
    table = table_start(bank, index, viewer)
    side = _OWN if np.int64(position.turn) == viewer else _FOE
    own_pieces, foe_pieces, kings = sensed(position)
    men = invert32(kings)
    own, foe = table + side, table + (_FOE - side)
    total = bank.words[index * bank.record + BIAS]
    total += _sum_squares(bank.words, own, np.uint32(own_pieces & men))
    total += _sum_squares(bank.words, own + _KING, np.uint32(own_pieces & kings))
    total += _sum_squares(bank.words, foe, np.uint32(foe_pieces & men))
    return total + _sum_squares(bank.words, foe + _KING, np.uint32(foe_pieces & kings))


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
    start = np.uint32(moved & invert32(moved_there))
    if start:
        end = np.uint32(moved_there & invert32(moved))
        was_king = _KING if start & kings else 0
        is_king = _KING if end & kings_there else 0
        sums += words[own + is_king + lowest_index(end)] - words[own + was_king + lowest_index(start)]
    taken = np.uint32(others & invert32(others_left))
    if taken:
        sums -= _sum_squares(words, foe, np.uint32(taken & invert32(kings)))
        sums -= _sum_squares(words, foe + _KING, np.uint32(taken & kings))
    return sums


@jit
def _excitation(rows: Any, start: Any, own: Any, foe: Any, kings: Any) -> Any:
    """Weighted sum of the sensors of one row over the pieces it sees; own and foe as the viewer has them.

    A loop over pieces: 2 to 10 ns; all 32 squares at once with vector instructions: 11 ns whatever the row
    sees.
    """
    total = _sum_squares(rows, start, own) - _sum_squares(rows, start, foe)
    if kings:
        total += _sum_squares(rows, start, np.uint32(own & kings))
        total -= _sum_squares(rows, start, np.uint32(foe & kings))
    return total


@jit_inlined
def evaluate(bank: Any, index: Any, viewer: Any, position: Any, sums: Any) -> Any:
    """Return the exact output of a network, in its unit, from the viewer's side."""
    if bank.words[index * bank.record + NUM_HIDDEN] == 0:
        return np.int64(sums)
    return _evaluate_rows(bank, index, viewer, position, sums)


@jit
def _sum_of_row(bank: Any, index: Any, viewer: Any, position: Any, row: Any) -> Any:
    """Weighted sum of the sensors of row `row` (first layer, then second) of network `index`."""
    rows = bank.num_hidden + bank.num_second
    seen = np.uint32(bank.words[index * bank.record + HEADER + TABLE_WORDS + viewer * rows + row])
    own, foe, kings = sensed(position)
    own, foe = np.uint32(own & seen), np.uint32(foe & seen)
    if np.int64(position.turn) != viewer:
        own, foe = foe, own
    start = ((index * 2 + viewer) * rows + row) * SQUARES
    return _excitation(bank.rows, start, own, foe, np.uint32(kings & seen))


@jit
def _evaluate_rows(bank: Any, index: Any, viewer: Any, position: Any, sums: Any) -> Any:
    words = bank.words
    record = index * bank.record
    hidden = record + HEADER + TABLE_WORDS + 2 * (bank.num_hidden + bank.num_second)
    total = np.int64(sums)
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
