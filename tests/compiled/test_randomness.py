"""Draws of compiled code: the published SplitMix64, and whole numbers that are evenly spread."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from neche.compiled.randomness import draw, draw_below, moved_on

KEYS = st.integers(0, 2**64 - 1).map(np.uint64)


def test_draws_of_key_zero_are_the_published_outputs_of_splitmix64():
    # Source: the reference implementation of Vigna (prng.di.unimi.it/splitmix64.c) from state 0
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [int(draw(np.uint64(0), np.int64(counter))) for counter in range(4)] == published


@given(KEYS, st.integers(0, 2**40))
def test_a_draw_is_a_pure_function_of_key_and_counter(key, counter):
    word = (int(key) + (counter + 1) * 0x9E3779B97F4A7C15) % 2**64
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    assert int(draw(key, np.int64(counter))) == word ^ word >> 31


@given(KEYS, st.integers(0, 2**62), st.integers(0, 2**62))
def test_a_key_moved_on_draws_what_comes_later(key, count, number):
    moved = np.uint64(moved_on(key, np.int64(count)))
    assert draw(moved, np.int64(number)) == draw(key, np.int64(count + number))


@given(KEYS, st.integers(0, 10_000), st.integers(1, 2**32 - 1))
def test_a_draw_below_a_bound_lies_below_it(key, counter, bound):
    assert 0 <= draw_below(key, np.int64(counter), np.int64(bound)) < bound


@pytest.mark.parametrize("bound", [2, 7, 12, 96])
def test_draws_below_a_bound_are_uniform(bound):
    drawn = [draw_below(np.uint64(17), np.int64(counter), np.int64(bound)) for counter in range(30_000)]
    assert stats.chisquare(np.bincount(drawn, minlength=bound)).pvalue > 1e-3


def test_first_draws_of_neighbouring_keys_are_uniform_too():
    drawn = [draw_below(np.uint64(key), np.int64(0), np.int64(10)) for key in range(30_000)]
    assert stats.chisquare(np.bincount(drawn, minlength=10)).pvalue > 1e-3


def test_consecutive_draws_are_independent():
    drawn = np.array([draw_below(np.uint64(5), np.int64(counter), np.int64(8)) for counter in range(40_000)])
    pairs = np.bincount(drawn[0::2] * 8 + drawn[1::2], minlength=64)
    assert stats.chisquare(pairs).pvalue > 1e-3
