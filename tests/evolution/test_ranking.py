import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.streams import stream
from neche.evolution.ranking import (
    Scorebook,
    Standings,
    mean_points,
    planned_games,
    play_quickselects,
    play_random_rounds,
    play_swiss_rounds,
    rank_members,
    sort_members,
    sum_ranks,
)
from neche.evolution.schedule import OpeningRange, StreamName
from tests.evolution.builders import tiny_settings
from tests.evolution.fake_games import fake_play
from tests.evolution.judges import Judge

SCHEMES = ["descent", "random", "swiss", "quicksort", "original"]
TRUTH = stream(7, 0, "truth").permutation(40).astype(np.float64)


def rank(
    scheme: str, *, strengths: np.ndarray = TRUTH, noise: bool = False, seed: int = 1
) -> tuple[Standings, Scorebook]:
    settings = tiny_settings("population=40", "games_per_member=10", f"ranking={scheme}")
    scorebook = Scorebook(
        fake_play(strengths, noise=noise), OpeningRange(3, 4), StreamName(seed, 0, "ranking")
    )
    return rank_members(settings, scorebook, stream(seed, 0, "ranking")), scorebook


def test_the_original_ranking_without_noise_finds_the_true_order():
    standings, _ = rank("original")
    assert standings.order.tolist() == np.argsort(-TRUTH).tolist()


@pytest.mark.parametrize("scheme", ["descent", "random", "swiss", "quicksort"])
def test_the_chosen_quarter_is_far_better_than_the_rest(scheme):
    standings, _ = rank(scheme)
    assert TRUTH[standings.order[:10]].mean() > 30
    assert TRUTH[standings.order[-10:]].mean() < 12


@pytest.mark.parametrize("scheme", SCHEMES)
def test_noise_blurs_the_order_but_does_not_turn_it(scheme):
    standings, _ = rank(scheme, noise=True)
    assert TRUTH[standings.order[:10]].mean() > TRUTH[standings.order[-10:]].mean() + 8


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_same_keys_give_the_same_standings(scheme):
    once, again = rank(scheme, noise=True)[0], rank(scheme, noise=True)[0]
    for column, other in zip(once, again, strict=True):
        assert column.tolist() == other.tolist()


@pytest.mark.parametrize("scheme", ["descent", "random", "swiss"])
def test_the_budget_of_games_is_spent_exactly(scheme):
    settings = tiny_settings("population=40", "games_per_member=10", f"ranking={scheme}")
    standings, scorebook = rank(scheme)
    assert len(scorebook.games().outcome) == planned_games(settings) == 200
    assert standings.games.mean() == 10


@pytest.mark.parametrize("scheme", ["quicksort", "original"])
def test_the_estimate_of_a_full_quicksort_has_the_right_size(scheme):
    settings = tiny_settings("population=40", f"ranking={scheme}")
    _, scorebook = rank(scheme)
    assert 0.4 < len(scorebook.games().outcome) / planned_games(settings) < 2.5


def test_scores_are_points_a_game():
    standings, scorebook = rank("descent", noise=True)
    games = scorebook.games()
    for member in (0, 17):
        points = sum((1 + outcome) / 2 for outcome in games.outcome[games.first == member])
        points += sum((1 - outcome) / 2 for outcome in games.outcome[games.second == member])
        count = np.count_nonzero(games.first == member) + np.count_nonzero(games.second == member)
        assert standings.games[member] == count
        assert standings.scores[member] == pytest.approx(points / count, abs=1e-6)


def test_the_original_member_of_a_partition_moves_first_against_the_pivot_once():
    _, scorebook = rank("original")
    games = scorebook.games()
    first_level = games.second[:39]
    assert len(set(first_level.tolist())) == 1
    assert len(set(games.first[:39].tolist())) == 39


def test_the_original_sums_ranks_with_the_best_largest():
    standings, _ = rank("original")
    assert standings.strengths.tolist() == (3 * TRUTH).tolist()


def test_strengths_do_not_depend_on_the_order_of_the_results():
    standings, scorebook = rank("descent", noise=True)
    games = scorebook.games()
    shuffle = stream(1, 0, "shuffle").permutation(len(games.first))
    turned = type(games)(*(column[shuffle] for column in games))
    (points, count), (turned_points, turned_count) = mean_points(games, 40), mean_points(turned, 40)
    assert turned_points.tolist() == points.tolist()
    assert turned_count.tolist() == count.tolist()
    assert turned_points.round(6).tolist() == standings.scores.tolist()


def test_members_on_a_level_are_ordered_by_index():
    standings, _ = rank("random", strengths=np.zeros(40))
    assert standings.order.tolist() == list(range(40))
    assert set(standings.scores.tolist()) == {0.5}


@given(
    num_members=st.integers(2, 60),
    cut=st.integers(1, 60),
    num_comparisons=st.integers(1, 600),
    seed=st.integers(0, 2**32),
)
def test_the_budget_is_spent_to_the_last_comparison(num_members, cut, num_comparisons, seed):
    judge = Judge(stream(seed, 0, "strengths").integers(5, size=num_members))
    play_quickselects(num_members, cut, num_comparisons, judge.compare, stream(seed, 0, "descent"))
    assert judge.num_comparisons == num_comparisons


def test_members_around_the_cut_play_most():
    judge = Judge(-np.arange(100))
    play_quickselects(100, 25, 100_000, judge.compare, stream(1, 0, "descent"))
    games = np.bincount(np.array(judge.pairs).reshape(-1), minlength=100)
    assert games[20:30].mean() > 1.5 * games[90:].mean()
    assert games[90:].min() > 0


def test_a_quickselect_without_noise_ends_beside_the_cut():
    judge = Judge(-np.arange(100))
    play_quickselects(100, 25, 599, judge.compare, stream(4, 0, "descent"))
    second_descent = judge.batch_sizes.index(99, 1)
    a, b = judge.pairs[sum(judge.batch_sizes[:second_descent]) - 1]
    assert {a, b} & {24, 25}


def test_only_one_partition_is_split_further():
    judge = Judge(-np.arange(100))
    play_quickselects(100, 25, 599, judge.compare, stream(4, 0, "descent"))
    first_descent = judge.batch_sizes[: judge.batch_sizes.index(99, 1)]
    assert all(later < earlier for earlier, later in itertools.pairwise(first_descent))


@pytest.mark.parametrize(("num_comparisons", "lanes"), [(250, 1), (600, 2), (3000, 10)])
def test_a_large_budget_lets_several_quickselects_advance_in_lockstep(num_comparisons, lanes):
    judge = Judge(-np.arange(100))
    play_quickselects(100, 25, num_comparisons, judge.compare, stream(4, 0, "descent"))
    assert judge.batch_sizes[0] == 99 * lanes


def test_level_members_go_to_either_side_so_that_all_ties_still_end():
    judge = Judge(np.zeros(100))
    play_quickselects(100, 25, 1000, judge.compare, stream(4, 0, "descent"))
    games = np.bincount(np.array(judge.pairs).reshape(-1), minlength=100)
    assert games.min() > 0


@given(num_members=st.integers(1, 60), seed=st.integers(0, 2**32), ties=st.sampled_from(["beside", "random"]))
def test_comparisons_without_noise_give_the_true_order(num_members, seed, ties):
    strengths = stream(seed, 0, "strengths").permutation(num_members)
    judge = Judge(strengths)
    order = sort_members(num_members, judge.compare, stream(seed, 0, "sort"), ties=ties)
    assert order.tolist() == np.argsort(-strengths).tolist()


@given(
    strengths=st.lists(st.integers(0, 4), min_size=1, max_size=40),
    ties=st.sampled_from(["beside", "random"]),
    seed=st.integers(0, 2**32),
)
def test_the_order_is_a_permutation_in_which_no_member_stands_before_a_better_one(strengths, ties, seed):
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
    pairings = [frozenset(pair) for pair in judge.pairs]
    assert len(pairings) == len(set(pairings))
    assert all(len(pairing) == 2 for pairing in pairings)


def test_ranks_are_summed_over_rounds_with_the_best_largest():
    judge = Judge(np.array([3, 1, 2, 0]))
    assert sum_ranks(4, 3, judge.compare, stream(1, 0, "sort")).tolist() == [9, 3, 6, 0]


def test_every_round_of_the_original_ranking_has_a_fresh_shuffle():
    judge = Judge(np.arange(40))
    sum_ranks(40, 3, judge.compare, stream(2, 0, "sort"))
    assert judge.batch_sizes[0] == 3 * 39, "the first level of all rounds is one batch"
    first_pivots = {judge.pairs[start][1] for start in range(0, 3 * 39, 39)}
    assert len(first_pivots) > 1


ROUNDS = [play_random_rounds, play_swiss_rounds]


@pytest.mark.parametrize("scheme", ROUNDS)
@given(num_members=st.integers(2, 40), rounds=st.integers(1, 8), seed=st.integers(0, 2**32))
def test_everybody_plays_once_a_round_and_one_of_an_odd_number_sits_out(scheme, num_members, rounds, seed):
    judge = Judge(np.arange(num_members))
    scheme(num_members, rounds, judge.compare, stream(seed, 0, "rounds"))
    per_round = num_members // 2
    assert judge.num_comparisons == rounds * per_round
    for number in range(rounds):
        pairs = judge.pairs[number * per_round : (number + 1) * per_round]
        assert len({member for pair in pairs for member in pair}) == 2 * per_round


def test_all_random_rounds_are_one_batch():
    judge = Judge(np.arange(20))
    play_random_rounds(20, 5, judge.compare, stream(1, 0, "rounds"))
    assert judge.batch_sizes == [50]


def test_swiss_partners_have_equal_points_when_that_is_possible():
    judge = Judge(np.arange(32))
    play_swiss_rounds(32, 5, judge.compare, stream(1, 0, "rounds"))
    points = np.zeros(32)
    for number in range(5):
        pairs = np.array(judge.pairs[16 * number : 16 * (number + 1)])
        assert (points[pairs[:, 0]] == points[pairs[:, 1]]).all()
        np.add.at(points, pairs.max(axis=1), 1)
    assert points[31] == 5


def test_no_member_meets_the_same_swiss_partner_twice():
    judge = Judge(np.zeros(100))
    play_swiss_rounds(100, 5, judge.compare, stream(2, 0, "rounds"))
    pairings = {frozenset(pair) for pair in judge.pairs}
    assert len(pairings) == 5 * 50


def test_two_members_meet_again_when_there_is_no_other():
    judge = Judge(np.arange(2))
    play_swiss_rounds(2, 3, judge.compare, stream(2, 0, "rounds"))
    assert judge.num_comparisons == 3
