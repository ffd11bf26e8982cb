import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neche.compiled.streams import stream
from neche.evolution.descent import play_descents
from tests.evolution.judges import Judge


@given(
    num_members=st.integers(2, 60),
    cut=st.integers(1, 60),
    num_comparisons=st.integers(1, 600),
    seed=st.integers(0, 2**32),
)
def test_the_budget_is_spent_to_the_last_comparison(num_members, cut, num_comparisons, seed):
    judge = Judge(stream(seed, 0, "strengths").integers(5, size=num_members))
    play_descents(num_members, cut, num_comparisons, judge.compare, stream(seed, 0, "descent"))
    assert judge.num_comparisons == num_comparisons


def test_members_around_the_cut_play_most():
    judge = Judge(-np.arange(100))
    play_descents(100, 25, 100_000, judge.compare, stream(1, 0, "descent"))
    games = np.bincount(np.array(judge.pairs).reshape(-1), minlength=100)
    assert games[20:30].mean() > 1.5 * games[90:].mean()
    assert games[90:].min() > 0


def test_a_descent_without_noise_ends_beside_the_cut():
    judge = Judge(-np.arange(100))
    play_descents(100, 25, 599, judge.compare, stream(4, 0, "descent"))
    second_descent = judge.batch_sizes.index(99, 1)
    a, b = judge.pairs[sum(judge.batch_sizes[:second_descent]) - 1]
    assert {a, b} & {24, 25}


def test_only_one_partition_is_split_further():
    judge = Judge(-np.arange(100))
    play_descents(100, 25, 599, judge.compare, stream(4, 0, "descent"))
    first_descent = judge.batch_sizes[: judge.batch_sizes.index(99, 1)]
    assert all(later < earlier for earlier, later in itertools.pairwise(first_descent))


@pytest.mark.parametrize(("num_comparisons", "lanes"), [(250, 1), (600, 2), (3000, 10)])
def test_a_large_budget_lets_several_descents_advance_in_lockstep(num_comparisons, lanes):
    judge = Judge(-np.arange(100))
    play_descents(100, 25, num_comparisons, judge.compare, stream(4, 0, "descent"))
    assert judge.batch_sizes[0] == 99 * lanes


def test_level_members_go_to_either_side_so_that_all_ties_still_end():
    judge = Judge(np.zeros(100))
    play_descents(100, 25, 1000, judge.compare, stream(4, 0, "descent"))
    games = np.bincount(np.array(judge.pairs).reshape(-1), minlength=100)
    assert games.min() > 0
