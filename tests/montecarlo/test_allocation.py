"""Allocation of playouts: budgets are kept, and better children get more."""

import numpy as np
import pytest

from neche.montecarlo.allocation import new_allocation
from neche.montecarlo.counting import PlayoutCounts
from neche.players.mcrd import ALLOCATIONS

CHANCES = np.array([0.2, 0.5, 0.55, 0.4, 0.52, 0.1, 0.3])


def share_out(name, total, chances=CHANCES, key=1):
    """Let an allocation spend playouts on children; return counts, rounds and candidates."""
    allocation = new_allocation(name, len(chances), key)
    draw = np.random.default_rng(key)
    counts = PlayoutCounts(*np.zeros((4, len(chances)), np.int64))
    rounds = []
    while (playouts := allocation.next_round(counts, total - int(counts.visits.sum()))) is not None:
        rounds.append(playouts)
        wins = draw.binomial(playouts, chances)
        counts = PlayoutCounts(
            counts.wins + wins, counts.draws, counts.losses + playouts - wins, counts.plies
        )
    return counts, rounds, allocation.candidates()


@pytest.mark.parametrize("name", ALLOCATIONS)
@pytest.mark.parametrize("num_children", [1, 2, 3, 8, 20])
@pytest.mark.parametrize("total", [0, 5, 100, 12_345, 10**12])
def test_the_budget_is_kept_and_almost_used_up(name, num_children, total):
    counts, rounds, candidates = share_out(name, total, np.linspace(0.3, 0.6, num_children))
    assert all(len(playouts) == num_children and (playouts >= 0).all() for playouts in rounds)
    assert total - len(rounds) * num_children < counts.visits.sum() <= total
    assert candidates.any()


@pytest.mark.parametrize("name", ALLOCATIONS)
def test_equal_keys_and_results_give_equal_rounds(name):
    assert np.array_equal(share_out(name, 5000, key=4)[1], share_out(name, 5000, key=4)[1])


def test_the_equal_allocation_gives_exactly_equal_shares():
    counts, rounds, candidates = share_out("equal", 1000)
    assert counts.visits.tolist() == [142] * 7
    assert (len(rounds), candidates.all()) == (1, True)


def test_halving_spends_the_same_in_each_round_on_fewer_children():
    _, rounds, candidates = share_out("halving", 24_000, np.linspace(0.1, 0.8, 8))
    assert [int(np.count_nonzero(playouts)) for playouts in rounds] == [8, 4, 2]
    assert [int(playouts.sum()) for playouts in rounds] == [8000, 8000, 8000]
    assert np.flatnonzero(candidates).tolist() == [6, 7]


def test_halving_of_seven_keeps_four_then_two():
    _, rounds, _ = share_out("halving", 21_000)
    assert [int(np.count_nonzero(playouts)) for playouts in rounds] == [7, 4, 2]


def test_halving_drops_the_later_of_equals():
    _, rounds, candidates = share_out("halving", 800, np.zeros(8))
    assert [np.flatnonzero(playouts).tolist() for playouts in rounds[1:]] == [[0, 1, 2, 3], [0, 1]]
    assert candidates.tolist() == [True, True, *[False] * 6]


def test_proportional_children_keep_their_playouts_as_often_as_they_win():
    total = 1_600_000
    counts, rounds, _ = share_out("proportional", total)
    dealt = total / len(rounds) / 7
    given_away = 1 - CHANCES
    expected = dealt * (CHANCES + (given_away.sum() - given_away) / 6)
    later = np.sum(rounds[1:], axis=0) / (len(rounds) - 1)
    assert later == pytest.approx(expected, rel=0.02)
    assert counts.visits.argmax() == 2


def test_top_two_sampling_gives_half_to_the_best_and_next_to_nothing_to_the_worst():
    counts, _, _ = share_out("bandit", 100_000, np.array([0.2, 0.5, 0.8, 0.4, 0.79]))
    shares = counts.visits / counts.visits.sum()
    assert shares[[2, 4]].sum() > 0.85
    assert shares[[0, 3]].max() < 0.03


def test_halving_and_bandit_find_the_best_of_similar_children_more_often():
    chances = np.array([0.5, 0.3, 0.45, 0.2, 0.52, 0.35, 0.4, 0.1])
    found = {}
    for name in ALLOCATIONS:
        hits = 0
        for key in range(300):
            counts, _, candidates = share_out(name, 4000, chances, key)
            hits += int(np.where(candidates, counts.values, -1).argmax()) == 4
        found[name] = hits
    # 300 trials: a standard error of 7
    assert min(found["halving"], found["bandit"]) > max(found["equal"], found["proportional"]) + 14


def test_values_count_a_draw_as_half_and_are_one_half_without_playouts():
    counts = PlayoutCounts(np.array([3, 0]), np.array([2, 0]), np.array([3, 0]), np.array([400, 0]))
    assert counts.values.tolist() == [0.5, 0.5]
    assert counts.visits.tolist() == [8, 0]
