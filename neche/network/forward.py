"""The forward pass, incremental where possible: refresh once, update at every move, evaluate at the leaves.

The accumulator is the part of the output that is a sum over squares: the bias and the table. `side` is the
side that a network plays for (0 White, 1 Black) and stays the same during a whole search; the network sees
the board as if it were White. A dense network sees it as the side to move does, and its accumulator is a pair
of numbers, see `dense`.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, lowest_bit64, lowest_index
from neche.compiled.jit import I64, U64, Array, Bool, Position, jit, jit_inlined
from neche.compiled.lanes import Block
from neche.compiled.vectors import has_vectors, rectified_layers, rectified_sum
from neche.games.contract import mobility, patterns, sensor_words
from neche.genome.strands import STEPS_A_UNIT
from neche.network import folding
from neche.network.packing import PackedNetworks

_OWN, _FOE, _KING = 0, 2 * folding.SQUARES, folding.SQUARES
_HALF, _LOW_WORD = np.int64(1 << 31), np.int64((1 << 32) - 1)


@jit
def table_start(packed: PackedNetworks, index: I64, side: I64) -> I64:
    """Return the index in `words` where the table of network `index` for `side` starts."""
    return np.int64(index * folding.RECORD + folding.HEADER + side * (folding.PIECES * folding.SQUARES))


@jit
def _sum_squares(words: Array, start: I64, squares: U64) -> I64:
    """Add up the words of some squares; the first square's word is at `start`."""
    total = np.int64(0)
    while squares:
        total += words[start + lowest_index(squares)]
        squares = np.uint64(squares ^ lowest_bit64(squares))
    return total


@jit_inlined
def _left_out(some: U64, others: U64) -> U64:
    """Return the squares in the first word but not in the second."""
    return np.uint64(np.uint64(some) & invert64(others))


@jit_inlined
def _shared(some: U64, others: U64) -> U64:
    """Return the squares that are in both words."""
    return np.uint64(np.uint64(some) & np.uint64(others))


@jit_inlined
def _sum_pieces(words: Array, start: I64, pieces: U64, kings: U64) -> I64:
    """Add up the words of some pieces of a side: those of men are at `start`, those of kings after them."""
    men = _sum_squares(words, start, _left_out(pieces, kings))
    return men + _sum_squares(words, start + _KING, _shared(pieces, kings))


@jit
def refresh(packed: PackedNetworks, index: I64, side: I64, position: Position) -> I64:
    """Return the accumulator of a position, summed from scratch."""
    table = table_start(packed, index, side)
    offset = _OWN if np.int64(position.turn) == side else _FOE
    own_pieces, foe_pieces, kings = sensor_words(position)
    # the pieces of the side to move are enemies if the network plays for the other side
    own, foe = table + offset, table + (_FOE - offset)
    total = packed.words[index * folding.RECORD + folding.BIAS]
    total += _sum_pieces(packed.words, own, own_pieces, kings)
    return total + _sum_pieces(packed.words, foe, foe_pieces, kings)


@jit_inlined
def update(words: Array, table: I64, side: I64, before: Position, after: Position, accumulator: I64) -> I64:
    """Return the accumulator after a move, from that before it; table: see `table_start`.

    before, after: positions before and after the move, each seen by its side to move.
    """
    offset = _OWN if np.int64(before.turn) == side else _FOE
    own, foe = table + offset, table + (_FOE - offset)
    moved, others, kings = sensor_words(before)
    others_left, moved_there, kings_there = sensor_words(after)
    start, end = _left_out(moved, moved_there), _left_out(moved_there, moved)
    # one piece moved, and may have become a king
    if start:
        was_king = _KING if _shared(start, kings) else 0
        is_king = _KING if _shared(end, kings_there) else 0
        accumulator += words[own + is_king + lowest_index(end)] - words[own + was_king + lowest_index(start)]
    # or pieces were added, as discs are
    elif end:
        accumulator += _sum_pieces(words, own, end, kings_there)
    # captured pieces, and discs that were turned
    taken = _left_out(others, others_left)
    if taken:
        accumulator -= _sum_pieces(words, foe, taken, kings)
    return accumulator


@jit_inlined
def evaluate(packed: PackedNetworks, index: I64, side: I64, position: Position, accumulator: I64) -> I64:
    """Return the exact output of a network, in its unit, for `side`."""
    # If there is nothing beyond the squares, the accumulator is the whole output.
    beyond = packed.words[index * folding.RECORD + folding.BEYOND]
    if beyond == 0:
        return np.int64(accumulator)
    if beyond == folding.MOVER:
        is_side = np.int64(position.turn) == side
        value = half_of(accumulator, is_side)
        if packed.words[index * folding.RECORD + folding.LANES] != 0:
            if has_vectors() and packed.words[index * folding.RECORD + folding.NUM_SECOND] != 0:
                value = value * STEPS_A_UNIT + _sum_of_dense_layers(packed, index, position)
            else:
                value += _sum_of_dense_layer(packed, index, position)
        return np.int64(value if is_side else -value)
    return _evaluate_rows(packed, index, side, position, accumulator)


@jit_inlined
def half_of(accumulator: I64, is_side: Bool) -> I64:
    """Return half of a pair: the value with the network's side to move (`is_side`), or with the other."""
    low = ((accumulator + _HALF) & _LOW_WORD) - _HALF
    return np.int64((accumulator - low) >> 32 if is_side else low)


@jit
def _sum_of_dense_layer(packed: PackedNetworks, index: I64, position: Position) -> I64:
    """Return the weighted sum of a dense network's hidden neurons, from scratch, for the side to move."""
    return np.int64(rectified_sum(packed.rows, _block_of(packed, index, position), _seen(position)))


@jit
def _sum_of_dense_layers(packed: PackedNetworks, index: I64, position: Position) -> I64:
    """Return the weighted sum of the neurons of a second layer, which the first one feeds."""
    return np.int64(rectified_layers(packed.rows, _block_of(packed, index, position), _seen(position)))


@jit_inlined
def _seen(position: Position) -> Any:
    own, foe, kings = sensor_words(position)
    return patterns(position, np.uint64(own), np.uint64(foe), np.uint64(kings))


@jit_inlined
def _block_of(packed: PackedNetworks, index: I64, position: Position) -> Block:
    """Return where the rows of a dense network are for the side to move."""
    header = index * folding.RECORD
    lanes, start = packed.words[header + folding.LANES], packed.words[header + folding.BLOCK]
    # after bias and out
    first = start + 2 * lanes
    if np.int64(position.turn) != 0:
        first += packed.words[header + folding.OTHER_SIDE]
    return Block(start, lanes, first, start + packed.words[header + folding.LINKS])


@jit
def _sum_of_row(packed: PackedNetworks, at: I64, start: I64, side: I64, position: Position) -> I64:
    """Return the weighted sum of a neuron's sensors: `at` holds the squares it sees, `start` its weights.

    A loop over pieces takes 2 to 10 ns; all 32 squares at once with vector instructions take 11 ns whatever
    the row sees.
    """
    seen = np.uint64(packed.words[at])
    all_own, all_foe, kings = sensor_words(position)
    # only the squares that the row has weights for: most rows have few
    own, foe = _shared(all_own, seen), _shared(all_foe, seen)
    if np.int64(position.turn) != side:
        own, foe = foe, own
    total = _sum_squares(packed.rows, start, own) - _sum_squares(packed.rows, start, foe)
    # a king counts twice
    if _shared(kings, seen):
        total += _sum_squares(packed.rows, start, _shared(own, kings))
        total -= _sum_squares(packed.rows, start, _shared(foe, kings))
    return total


@jit
def _evaluate_rows(
    packed: PackedNetworks, index: I64, side: I64, position: Position, accumulator: I64
) -> I64:
    """Add to the accumulator the mobility term and the weighted sum of the hidden neurons."""
    words = packed.words
    record = index * folding.RECORD
    num_hidden, num_second = words[record + folding.NUM_HIDDEN], words[record + folding.NUM_SECOND]
    seen, hidden, second = folding.neuron_words(words, record)
    # the rows of a side: neurons of the first layer, then of the second
    seen += side * (num_hidden + num_second)
    rows = words[record + folding.BLOCK] + side * (num_hidden + num_second) * folding.SQUARES
    total = np.int64(accumulator)
    if words[record + folding.MOBILITY] != 0:
        lead = mobility(position) * words[record + folding.MOBILITY]
        total += lead if np.int64(position.turn) == side else -lead
    # sums that may need a larger unit: what is below it is added up apart, and shifted once
    shift = words[record + folding.SHIFT]
    below = (np.int64(1) << shift) - 1
    total, rest = total >> shift, total & below
    # first layer: the ReLU of bias plus sensors, times the weight to the output
    for row in range(num_hidden):
        value = words[hidden + row] + _sum_of_row(
            packed, seen + row, rows + row * folding.SQUARES, side, position
        )
        if value > 0:
            product = value * words[hidden + num_hidden + row]
            total += product >> shift
            rest += product & below
    total += rest >> shift
    # second layer
    for row in range(num_second):
        at, start = seen + num_hidden + row, rows + (num_hidden + row) * folding.SQUARES
        value = words[second + row] + _sum_of_row(packed, at, start, side, position)
        value *= words[record + folding.SECOND_SCALE]
        # the inputs from the first layer
        links = second + 2 * num_second + row * num_hidden
        for before in range(num_hidden):
            if words[links + before] != 0:
                start = rows + before * folding.SQUARES
                fed = words[hidden + before] + _sum_of_row(packed, seen + before, start, side, position)
                if fed > 0:
                    value += fed * words[links + before]
        if value > 0:
            total += _shifted_product(value, words[second + num_second + row], shift)
    return total


@jit_inlined
def _shifted_product(value: I64, weight: I64, shift: I64) -> I64:
    """Multiply, then shift right, without leaving 64 bits in between."""
    # High and low part separately: the product of the whole value and the weight may exceed 64 bits.
    low = value & ((np.int64(1) << shift) - 1)
    return np.int64((value >> shift) * weight + ((low * weight) >> shift))
