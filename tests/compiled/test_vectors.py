"""Sums in vectors of 16-bit integers equal the plain function, for any number of vectors."""

import numpy as np
import pytest

from neche.compiled.lanes import LANES, SECOND_LANES, Block, Pieces
from neche.compiled.vectors import rectified_layers, rectified_sum
from tests.compiled.layers import compiled_layers, compiled_sum


def _some_squares(rng, count):
    return np.uint64(sum(1 << int(bit) for bit in rng.permutation(64)[:count]))


@pytest.mark.parametrize("vectors", [1, 2, 3, 4, 7, 9])
def test_compiled_sum_equals_the_plain_function(vectors):
    rng, lanes, before = np.random.default_rng(vectors), vectors * LANES, 24
    table = rng.integers(-512, 512, before + (2 + 256) * lanes).astype(np.int16)
    block = Block(*map(np.int64, (before, lanes, before + 2 * lanes, 128)))
    for _ in range(100):
        low, high = (_some_squares(rng, rng.integers(0, 32)) for _ in range(2))
        pieces = Pieces(low, high, _some_squares(rng, 20))
        assert compiled_sum(table.view(np.int32), block, pieces) == rectified_sum(
            table.view(np.int32), block, pieces
        )


@pytest.mark.parametrize("vectors", [1, 2, 3, 4, 7, 9])
def test_compiled_layers_equal_the_plain_function(vectors):
    rng, lanes, before, king_rows = np.random.default_rng(vectors), vectors * LANES, 24, 64
    size = (2 + 4 * king_rows) * lanes + (lanes + 1) * SECOND_LANES
    rows = rng.integers(-512, 512, before + size).astype(np.int16).view(np.int32)
    for number in range(100):
        # the rows of either side to move
        first = before + (2 + number % 2 * 2 * king_rows) * lanes
        block = Block(*map(np.int64, (before, lanes, first, king_rows)))
        squares = _some_squares(rng, rng.integers(0, 32))
        pieces = Pieces(squares, np.uint64(0), _some_squares(rng, 20))
        assert compiled_layers(rows, block, pieces) == rectified_layers(rows, block, pieces)


@pytest.mark.parametrize("lanes", [64, 128])
def test_largest_sums_stay_exact(lanes):
    # a bias, and as many pieces as have room: 32 767 is the largest number of 16 bits
    bias, squares = 32767 - 64 * 511, np.uint64(2**64 - 1)
    for weight, out, expected in ((511, -512, -512 * 32767), (-512, 511, 0)):
        table = np.full((2 + 256, lanes), weight, np.int16)
        table[0], table[1] = bias, out
        block = Block(*map(np.int64, (0, lanes, 2 * lanes, 128)))
        pieces = Pieces(squares, np.uint64(0), np.uint64(0))
        assert compiled_sum(table.ravel().view(np.int32), block, pieces) == lanes * expected
