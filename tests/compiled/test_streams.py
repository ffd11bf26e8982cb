"""Random streams: a key names the same stream for ever, and no two names share one."""

import itertools

import numpy as np
from hypothesis import given, strategies as st

from neche.compiled.randomness import draw
from neche.compiled.streams import draws, stream, stream_key, stream_keys

SEEDS = st.integers(0, 2**63 - 1)
GENERATIONS = st.integers(0, 100_000)
PURPOSES = st.text(max_size=20)


@given(SEEDS, GENERATIONS, PURPOSES, st.integers(0, 500), st.integers(0, 20))
def test_one_key_is_the_same_alone_and_in_a_row_from_anywhere(seed, generation, purpose, start, offset):
    row = stream_keys(seed, generation, purpose, offset + 1, start=start)
    assert stream_key(seed, generation, purpose, start + offset) == int(row[offset])
    assert row.dtype == np.uint64


def test_keys_of_different_names_are_distinct():
    names = itertools.product(range(12), range(12), ["opening", "game", "openings", ""])
    keys = np.concatenate([stream_keys(*name, 200) for name in names])
    assert len(np.unique(keys)) == len(keys)


def test_swapping_seed_and_generation_names_another_stream():
    assert stream_key(1, 2, "game") != stream_key(2, 1, "game")
    assert stream(1, 2, "game").integers(2**62) != stream(2, 1, "game").integers(2**62)


def test_seeds_of_several_words_name_streams_of_their_own():
    seeds = [1, 2**64 + 1, 2**64 + 2, 2**65 + 1, 2**128 + 1]
    assert len({stream_key(seed, 0, "game") for seed in seeds}) == len(seeds)


def test_generators_of_different_names_draw_differently():
    names = itertools.product(range(5), range(5), ["parents", "mutation"], range(5))
    first = [int(stream(*name).integers(2**62)) for name in names]
    assert len(set(first)) == len(first)


@given(SEEDS, GENERATIONS, PURPOSES, st.integers(0, 500))
def test_a_generator_of_the_same_name_draws_the_same_again(seed, generation, purpose, index):
    first, second = (stream(seed, generation, purpose, index).integers(2**62, size=3) for _ in range(2))
    assert first.tolist() == second.tolist()


def test_no_keys_can_be_asked_for():
    assert len(stream_keys(1, 2, "game", 0)) == 0


def test_streams_never_change_from_version_to_version():
    # Changing these numbers would change the results of every published seed.
    assert stream_keys(1, 2, "game", 3).tolist() == GOLDEN_KEYS
    assert stream(1, 2, "game", 3).integers(1000, size=5).tolist() == GOLDEN_DRAWS
    assert stream_key(2**63 - 1, 0, "", 7) == GOLDEN_LARGE


GOLDEN_KEYS = [12526658380732811868, 15822053716628581700, 7251028184958288514]
GOLDEN_DRAWS = [522, 579, 675, 747, 414]
GOLDEN_LARGE = 10517407675061726354


@given(st.integers(0, 2**64 - 1), st.integers(0, 40), st.integers(0, 10**6))
def test_draws_all_at_once_are_those_of_compiled_code_one_by_one(key, count, start):
    one_by_one = [int(draw(np.uint64(key), np.uint64(start + index))) for index in range(count)]
    assert draws(np.array([key], np.uint64), count, start).tolist() == one_by_one
