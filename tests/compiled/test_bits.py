"""Bit operations against Python integers, interpreted and compiled."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st

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
def _rotate_left(word, count):
    return bits.rotate_left(word, count)


BOTH = {"interpreted": bits, "compiled": None}
POPCOUNTS = pytest.mark.parametrize("popcount", [bits.popcount, _popcount], ids=BOTH)
LOWEST = pytest.mark.parametrize("lowest_index", [bits.lowest_index, _lowest_index], ids=BOTH)
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


@ROTATIONS
@given(WORDS, st.integers(0, 100))
def test_rotate_left_puts_bit_i_at_i_plus_count_around_the_end(rotate_left, word, count):
    expected = sum(1 << (bit + count) % 32 for bit in range(32) if word >> bit & 1)
    assert rotate_left(np.uint32(word), np.uint32(count)) == expected


@given(WORDS)
def test_inverting_flips_all_32_bits_and_no_others(word):
    assert bits.invert32(np.uint32(word)) == 2**32 - 1 - word


@given(WORDS.filter(bool))
def test_nth_index32_counts_set_bits_from_the_lowest(word):
    indices = [bit for bit in range(32) if word >> bit & 1]
    found = [bits.nth_index32(np.uint32(word), np.uint32(number)) for number in range(len(indices))]
    assert found == indices


@jit
def _nth_bit(word, number):
    return bits.nth_bit(word, number)


def nth_set(word, number):
    """Return the n-th set bit of a word, looked up in its digits."""
    places = [place for place in range(64) if word >> place & 1]
    return 1 << places[number]


@given(LONG_WORDS, st.data())
def test_the_nth_bit_is_found_from_below(word, data):
    number = data.draw(st.integers(0, word.bit_count() - 1))
    for nth_bit in (bits.nth_bit, _nth_bit):
        assert nth_bit(np.uint64(word), number) == nth_set(word, number)


def test_a_cpu_without_the_instruction_finds_the_nth_bit_too(tmp_path):
    lines = (
        "import numpy as np",
        "from neche.compiled.bits import nth_bit",
        "import numba",
        "find = numba.njit(lambda word, number: nth_bit(word, number))",
        "print([int(find(np.uint64(0xF0F0 << 40), n)).bit_length() - 1 for n in range(8)])",
        "print('pdep' in find.inspect_asm(find.signatures[0]))",
    )
    old_cpu = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NECHE_CACHE_DIR": str(tmp_path)}
    words = [sys.executable, "-c", "\n".join(lines)]
    found = subprocess.run(words, env=os.environ | old_cpu, capture_output=True, text=True, check=True).stdout
    assert found == "[44, 45, 46, 47, 52, 53, 54, 55]\nFalse\n"


@given(LONG_WORDS)
def test_the_lowest_bit_of_a_long_word_is_alone(word):
    assert bits.lowest_bit64(np.uint64(word)) == 1 << bits.lowest_index(word)
    assert bits.pop_lowest(np.uint64(word)) == (word & -word, word & (word - 1))


@given(LONG_WORDS, st.integers(0, 63))
def test_long_words_shift_within_64_bits_and_invert_all_of_them(word, count):
    assert bits.shift_up(np.uint64(word), count) == (word << count) % 2**64
    assert bits.shift_down(np.uint64(word), count) == word >> count
    assert bits.invert64(np.uint64(word)) == 2**64 - 1 - word


@jit
def _rotate_left64(word, count):
    return bits.rotate_left64(word, count)


@given(LONG_WORDS, st.integers(0, 200))
def test_long_words_rotate_around_the_end(word, count):
    expected = sum(1 << (bit + count) % 64 for bit in range(64) if word >> bit & 1)
    for rotate_left64 in (bits.rotate_left64, _rotate_left64):
        assert rotate_left64(np.uint64(word), np.uint64(count)) == expected


@jit
def _reverse64(word):
    return bits.reverse64(word)


@given(LONG_WORDS)
def test_a_long_word_reversed_has_its_bits_from_the_other_end(word):
    expected = sum(1 << (63 - bit) for bit in range(64) if word >> bit & 1)
    for reverse64 in (bits.reverse64, _reverse64):
        assert reverse64(np.uint64(word)) == expected


@given(LONG_WORDS)
def test_nth_index64_counts_set_bits_from_the_lowest(word):
    indices = [bit for bit in range(64) if word >> bit & 1]
    found = [bits.nth_index64(np.uint64(word), np.uint32(number)) for number in range(len(indices))]
    assert found == indices


@given(WORDS, WORDS, st.integers(1, 31))
def test_what_is_shifted_in_comes_from_the_top_of_the_word_below(word, below, count):
    expected = (((word << 32) | below) << count) >> 32 & 0xFFFFFFFF
    assert bits.shift_in(np.uint32(word), np.uint32(below), count) == expected
