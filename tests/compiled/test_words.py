"""Four words at once are four times one word, compiled or not."""

import operator

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.jit import jit
from neche.compiled.words import LANES, four, four_of, joined, shifted_down, shifted_up

WORDS = st.tuples(*(st.integers(0, 2**64 - 1).map(np.uint64),) * LANES)
COUNTS = st.tuples(*(st.integers(0, 63).map(np.uint64),) * LANES)
LANE = st.integers(0, LANES - 1)


def _and(words, others, alone):
    return joined(four_of(words) & four_of(others) & four_of(alone))


def _or(words, others, alone):
    return joined((four_of(words) | four_of(others)) & four_of(alone))


def _up(words, counts, alone):
    return joined(shifted_up(four_of(words), four_of(counts)) & four_of(alone))


def _down(words, counts, alone):
    return joined(shifted_down(four_of(words), four_of(counts)) & four_of(alone))


def _bits(lane):
    return tuple(np.uint64(2**64 - 1 if number == lane else 0) for number in range(LANES))


@pytest.mark.parametrize(
    ("on_four", "on_one", "others"),
    [
        (_and, operator.and_, WORDS),
        (_or, operator.or_, WORDS),
        (_up, operator.lshift, COUNTS),
        (_down, operator.rshift, COUNTS),
    ],
)
def test_an_operator_on_four_words_is_that_of_each_lane(on_four, on_one, others):
    compiled = jit(on_four)

    @given(WORDS, others, LANE)
    def check(words, other_words, lane):
        expected = int(on_one(int(words[lane]), int(other_words[lane]))) % 2**64
        assert compiled(words, other_words, _bits(lane)) == expected
        assert on_four(words, other_words, _bits(lane)) == expected

    check()


@given(WORDS)
def test_joined_words_have_the_bits_of_all_lanes(words):
    assert joined(four_of(words)) == words[0] | words[1] | words[2] | words[3]
    assert joined(four(words[0])) == words[0]
