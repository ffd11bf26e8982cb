"""Bit operations against Python integers, interpreted and compiled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neche.compiled import bits
from neche.compiled.jit import jit

WORDS = st.integers(0, 2**32 - 1) | st.integers(0, 31).map(lambda bit: 1 << bit)
LONG_WORDS = st.integers(1, 2**64 - 1) | st.integers(0, 63).map(lambda bit: 1 << bit)


@jit
def _popcount(word):
    return bits.popcount(word)


@jit
def _lowest_index(word):
    return bits.lowest_index(word)


@jit
def _reverse32(word):
    return bits.reverse32(word)


@jit
def _rotate_left(word, count):
    return bits.rotate_left(word, count)


BOTH = {"interpreted": bits, "compiled": None}
POPCOUNTS = pytest.mark.parametrize("popcount", [bits.popcount, _popcount], ids=BOTH)
LOWEST = pytest.mark.parametrize("lowest_index", [bits.lowest_index, _lowest_index], ids=BOTH)
REVERSALS = pytest.mark.parametrize("reverse32", [bits.reverse32, _reverse32], ids=BOTH)
ROTATIONS = pytest.mark.parametrize("rotate_left", [bits.rotate_left, _rotate_left], ids=BOTH)


@POPCOUNTS
@given(WORDS, LONG_WORDS)
def test_popcount_counts_the_ones_of_words_of_both_widths(popcount, word, long_word):
    assert popcount(np.uint32(word)) == bin(word).count("1")
    assert popcount(np.uint64(long_word)) == bin(long_word).count("1")


@LOWEST
@given(WORDS.filter(bool), LONG_WORDS)
def test_lowest_index_counts_the_zeros_below_the_lowest_one(lowest_index, word, long_word):
    for number, width in ((word, np.uint32), (long_word, np.uint64)):
        text = bin(number)
        assert lowest_index(width(number)) == len(text) - len(text.rstrip("0"))


@REVERSALS
@given(WORDS)
def test_reverse32_puts_bit_i_at_31_minus_i(reverse32, word):
    expected = sum(1 << (31 - bit) for bit in range(32) if word >> bit & 1)
    assert reverse32(np.uint32(word)) == expected
    assert reverse32(np.uint32(expected)) == word


@ROTATIONS
@given(WORDS, st.integers(0, 100))
def test_rotate_left_puts_bit_i_at_i_plus_count_around_the_end(rotate_left, word, count):
    expected = sum(1 << (bit + count) % 32 for bit in range(32) if word >> bit & 1)
    assert rotate_left(np.uint32(word), np.uint32(count)) == expected


@given(WORDS)
def test_the_lowest_bit_alone_and_its_index_agree(word):
    lowest = bits.lowest_bit(np.uint32(word))
    assert lowest == (1 << bits.lowest_index(word) if word else 0)


@given(WORDS)
def test_inverting_flips_all_32_bits_and_no_others(word):
    assert bits.invert32(np.uint32(word)) == 2**32 - 1 - word


@given(WORDS.filter(bool))
def test_nth_index32_counts_set_bits_from_the_lowest(word):
    indices = [bit for bit in range(32) if word >> bit & 1]
    found = [bits.nth_index32(np.uint32(word), np.uint32(number)) for number in range(len(indices))]
    assert found == indices
