import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neche.compiled.streams import stream
from neche.evolution.quicksort import sort_members, sum_ranks
from tests.evolution.judges import Judge


@given(num_members=st.integers(1, 60), seed=st.integers(0, 2**32), ties=st.sampled_from(["beside", "random"]))
def test_a_judge_without_noise_gets_the_true_order(num_members, seed, ties):
    strengths = stream(seed, 0, "strengths").permutation(num_members)
    judge = Judge(strengths)
    order = sort_members(num_members, judge.compare, stream(seed, 0, "sort"), ties=ties)
    assert order.tolist() == np.argsort(-strengths).tolist()


@given(
    strengths=st.lists(st.integers(0, 4), min_size=1, max_size=40),
    ties=st.sampled_from(["beside", "random"]),
    seed=st.integers(0, 2**32),
)
def test_the_order_is_a_permutation_in_which_nobody_stands_before_a_better_one(strengths, ties, seed):
    judge = Judge(np.array(strengths))
    order = sort_members(len(strengths), judge.compare, stream(seed, 0, "sort"), ties=ties)
    assert sorted(order.tolist()) == list(range(len(strengths)))
    assert all(np.diff(judge.strengths[order]) <= 0)


def test_when_all_games_are_drawn_every_member_plays_one_pivot_only():
    judge = Judge(np.zeros(50))
    sort_members(50, judge.compare, stream(1, 0, "sort"), ties="beside")
    assert (judge.num_batches, judge.num_comparisons) == (1, 49)


@pytest.mark.parametrize("num_members", [100, 400, 1600])
def test_comparisons_grow_as_n_log_n_and_batches_as_log_n(num_members):
    judge = Judge(np.arange(num_members))
    sort_members(num_members, judge.compare, stream(3, 0, "sort"), ties="random")
    # 2 n ln n comparisons are the mean of quicksort with random pivots.
    assert 0.6 < judge.num_comparisons / (2 * num_members * math.log(num_members)) < 1.1
    assert judge.num_batches < 5 * math.log2(num_members)


def test_a_level_is_one_batch_over_all_partitions():
    judge = Judge(np.arange(64))
    sort_members(64, judge.compare, stream(5, 0, "sort"), ties="random")
    assert judge.batch_sizes[:2] == [63, 61]


def test_the_pivot_of_a_partition_meets_all_others_of_it_once():
    judge = Judge(np.arange(30))
    sort_members(30, judge.compare, stream(5, 0, "sort"), ties="random")
    meetings = [frozenset(pair) for pair in judge.pairs]
    assert len(meetings) == len(set(meetings))
    assert all(len(meeting) == 2 for meeting in meetings)


def test_ranks_are_summed_over_rounds_with_the_best_largest():
    judge = Judge(np.array([3, 1, 2, 0]))
    assert sum_ranks(4, 3, judge.compare, stream(1, 0, "sort")).tolist() == [9, 3, 6, 0]


def test_every_round_of_the_original_ranking_has_a_fresh_shuffle():
    judge = Judge(np.arange(40))
    sum_ranks(40, 3, judge.compare, stream(2, 0, "sort"))
    assert judge.batch_sizes[0] == 3 * 39, "the first level of all rounds is one batch"
    first_pivots = {judge.pairs[start][1] for start in range(0, 3 * 39, 39)}
    assert len(first_pivots) > 1
