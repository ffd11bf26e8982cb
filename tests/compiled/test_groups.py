"""Rows of groups of squares: one for every state, each the sum of the rows of its discs."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.groups import (
    GROUP_ROWS,
    GROUPS,
    SQUARES_A_GROUP,
    STATES,
    empty_groups,
    fill_groups,
    row_of_square,
    rows_of_groups,
)
from neche.compiled.lanes import LANES, SECOND_LANES, Block, Discs, Pieces
from neche.compiled.vectors import rectified_layers, rectified_sum
from tests.compiled.layers import compiled_layers, compiled_sum

WORDS = st.integers(0, 2**64 - 1)


def discs_of(first, second):
    """Return own and enemy discs, of which no square has both."""
    return np.uint64(first & second), np.uint64(first & ~second)


def rows_of_discs(seed, lanes, most=512):
    """Return the rows of own and enemy discs by square, and those of all groups."""
    by_disc = np.random.default_rng(seed).integers(-most, most, (2, 64, lanes)).astype(np.int16)
    rows = np.full((GROUP_ROWS, lanes), 77, np.int16)
    for kind in range(2):
        for square in range(64):
            rows[row_of_square(square, is_own=kind == 0)] = by_disc[kind, square]
    fill_groups(rows)
    return by_disc, rows


def test_every_disc_has_a_row_of_its_own():
    rows = {row_of_square(square, is_own=is_own) for square in range(64) for is_own in (True, False)}
    assert len(rows) == 128
    assert rows <= set(range(GROUP_ROWS))


def test_a_disc_alone_has_its_row_and_the_other_groups_are_empty():
    empty = rows_of_groups(np.uint64(0), np.uint64(0))
    assert empty == [group * STATES for group in range(GROUPS)]
    for square in range(64):
        group = square // SQUARES_A_GROUP
        for is_own in (True, False):
            word = np.uint64(1 << square)
            rows = rows_of_groups(*((word, np.uint64(0)) if is_own else (np.uint64(0), word)))
            assert rows == [*empty[:group], row_of_square(square, is_own=is_own), *empty[group + 1 :]]


@given(WORDS, WORDS)
def test_rows_of_groups_add_up_to_those_of_discs(first, second):
    by_disc, rows = rows_of_discs(3, 5)
    own, foe = discs_of(first, second)
    expected = np.zeros(5, np.int64)
    for square in range(64):
        for kind, word in enumerate((own, foe)):
            if int(word) >> square & 1:
                expected += by_disc[kind, square]
    assert rows[rows_of_groups(own, foe)].sum(axis=0, dtype=np.int64).tolist() == expected.tolist()


def test_what_was_emptied_is_filled_as_before():
    _, rows = rows_of_discs(5, 7)
    kept = rows.copy()
    empty_groups(rows)
    # two rows for each of four squares
    assert np.count_nonzero(rows.any(axis=1)) == 8 * GROUPS
    fill_groups(rows)
    assert rows.tolist() == kept.tolist()


def block_of(seed, vectors, second=0):
    """Return a block with rows of groups, behind some other numbers, and the same with rows of discs."""
    rng, lanes, before = np.random.default_rng(seed), vectors * LANES, 32
    by_disc, groups = rows_of_discs(seed, lanes)
    head = rng.integers(-512, 512, before + 2 * lanes).astype(np.int16)
    links = rng.integers(-512, 512, second * (lanes + 1)).astype(np.int16)
    # men, then kings, for the first side and for the other, which is not used
    discs = np.zeros((4 * 128, lanes), np.int16)
    discs[:128] = by_disc.reshape(128, lanes)
    arrays = (np.concatenate([head, part.ravel(), links]).view(np.int32) for part in (groups, discs))
    blocks = (Block(*map(np.int64, (before, lanes, before + 2 * lanes, kings))) for kings in (0, 128))
    return list(zip(arrays, blocks, strict=True))


@pytest.mark.parametrize("vectors", [1, 2, 3, 4, 7, 8])
@pytest.mark.parametrize("second", [0, SECOND_LANES])
def test_compiled_groups_say_what_the_pieces_say(vectors, second):
    (rows, block), (piece_rows, piece_block) = block_of(vectors, vectors, second)
    rng = np.random.default_rng(vectors)
    compiled, plain = (compiled_layers, rectified_layers) if second else (compiled_sum, rectified_sum)
    for _ in range(60):
        own, foe = discs_of(*(int(rng.integers(2**64, dtype=np.uint64)) for _ in range(2)))
        discs = Discs(own, foe)
        expected = plain(piece_rows, piece_block, Pieces(own, foe, np.uint64(0)))
        assert plain(rows, block, discs) == expected
        assert compiled(rows, block, discs) == expected


def test_sums_of_a_group_may_wrap_as_those_of_a_lane_do():
    lanes = LANES
    rows = np.zeros((GROUP_ROWS, lanes), np.int16)
    for square, weight in enumerate((32_000, 32_000, -32_000, -31_999)):
        rows[row_of_square(square, is_own=True)] = weight
    fill_groups(rows)
    table = np.concatenate([np.zeros(lanes, np.int16), np.ones(lanes, np.int16), rows.ravel()])
    block = Block(*map(np.int64, (0, lanes, 2 * lanes, 0)))
    # the first two leave 16 bits, and the others come back
    for own, expected in ((15, 1), (7, 32_000)):
        discs = Discs(np.uint64(own), np.uint64(0))
        assert compiled_sum(table.view(np.int32), block, discs) == expected * lanes
