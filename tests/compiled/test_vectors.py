"""Sums in vectors of 16-bit integers equal the plain function, for any number of vectors."""

import numpy as np
import pytest

from neche.compiled.lanes import LANES, SECOND_LANES, STATES, Block, Patterns, PatternsAndKings
from neche.compiled.vectors import rectified_layers, rectified_sum
from tests.compiled.layers import compiled_layers, compiled_sum

VECTORS = [1, 2, 3, 4, 7, 9]
SEEN = [(1, True), (2, True), (1, False), (2, False)]
"""Words of states, and whether there are kings."""


def some_squares(rng):
    return np.uint64(sum(1 << int(bit) for bit in rng.permutation(64)[: rng.integers(0, 20)]))


def some_patterns(rng, num_words, has_kings):
    states = rng.integers(0, STATES, 8 * num_words).astype(np.uint8).view("<u8")
    words = tuple(np.uint64(word) for word in states)
    return PatternsAndKings(words, some_squares(rng), some_squares(rng)) if has_kings else Patterns(words)


@pytest.mark.parametrize("vectors", VECTORS)
@pytest.mark.parametrize(("num_words", "has_kings"), SEEN)
def test_compiled_sums_equal_the_plain_functions(vectors, num_words, has_kings):
    rng, lanes, before = np.random.default_rng(vectors), vectors * LANES, 24
    count = num_words * 8 * STATES + 128 * has_kings
    size = (2 + 2 * count) * lanes + (lanes + 1) * SECOND_LANES
    rows = rng.integers(-512, 512, before + size).astype(np.int16).view(np.int32)
    links = before + (2 + 2 * count) * lanes
    for number in range(40):
        # the rows of either side to move
        first = before + (2 + number % 2 * count) * lanes
        block = Block(*map(np.int64, (before, lanes, first, links)))
        seen = some_patterns(rng, num_words, has_kings)
        assert compiled_sum(rows, block, seen) == rectified_sum(rows, block, seen)
        assert compiled_layers(rows, block, seen) == rectified_layers(rows, block, seen)


def test_the_plain_function_adds_the_rows_of_states_and_kings():
    lanes = LANES
    table = np.zeros((2 + 8 * STATES + 128, lanes), np.int16)
    table[0], table[1] = 5, np.arange(lanes)
    states = [0, 80, 1, 2, 3, 40, 79, 27]
    rows = [group * STATES + state for group, state in enumerate(states)] + [
        8 * STATES + 3,
        8 * STATES + 64 + 63,
    ]
    for number, row in enumerate(rows):
        table[2 + row] += 2**number
    words = (np.array(states, np.uint8).view("<u8")[0],)
    seen = PatternsAndKings(words, np.uint64(1 << 3), np.uint64(1 << 63))
    block = Block(*map(np.int64, (0, lanes, 2 * lanes, 0)))
    expected = (5 + 2 ** len(rows) - 1) * sum(range(lanes))
    assert rectified_sum(table.ravel().view(np.int32), block, seen) == expected
    assert compiled_sum(table.ravel().view(np.int32), block, seen) == expected


@pytest.mark.parametrize("lanes", [64, 128])
def test_largest_sums_stay_exact(lanes):
    # a bias, and as many rows as there can be: 32 767 is the largest number of 16 bits
    bias = 32767 - (16 + 40) * 511
    kings = np.uint64(2**20 - 1)
    seen = PatternsAndKings((np.uint64(0), np.uint64(0)), kings, kings)
    for weight, out, expected in ((511, -512, -512 * 32767), (-512, 511, 0)):
        table = np.full((2 + 16 * STATES + 128, lanes), weight, np.int16)
        table[0], table[1] = bias, out
        block = Block(*map(np.int64, (0, lanes, 2 * lanes, 0)))
        assert compiled_sum(table.ravel().view(np.int32), block, seen) == lanes * expected


def test_sums_of_a_group_may_wrap_as_those_of_a_lane_do():
    # the first two leave 16 bits, and the others come back
    lanes, weights = LANES, (32_000, 32_000, -32_000, -31_999)
    for count, expected in ((4, 1), (3, 32_000)):
        table = np.zeros((2 + 8 * STATES, lanes), np.int16)
        table[1] = 1
        for group, weight in enumerate(weights[:count]):
            table[2 + group * STATES] = weight
        block = Block(*map(np.int64, (0, lanes, 2 * lanes, 0)))
        assert (
            compiled_sum(table.ravel().view(np.int32), block, Patterns((np.uint64(0),))) == expected * lanes
        )
