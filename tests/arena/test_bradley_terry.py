"""Bradley-Terry strengths, against grids, a general optimiser and the true strengths of simulated players."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import optimize

from neche.arena.bradley_terry import _product, covariance, fit_strengths
from neche.arena.elo import ELO_PER_LOGIT
from neche.errors import InputError

# the published type stubs lack some forms of the call
_minimize: Any = optimize.minimize


def _simulate(num_players, num_games, seed, sd=0.7):
    rng = np.random.default_rng(seed)
    true = rng.normal(0, sd, num_players)
    first = rng.integers(0, num_players, num_games)
    second = (first + rng.integers(1, num_players, num_games)) % num_players
    chance = 1 / (1 + np.exp(true[second] - true[first]))
    points = rng.binomial(2, chance) / 2
    return true, first, second, points


def _slow_log_posterior(strengths, games, prior_sd):
    total = -sum(s * s for s in strengths) / (2 * prior_sd**2)
    for a, b, points, weight in games:
        chance = 1 / (1 + math.exp(strengths[b] - strengths[a]))
        total += weight * (points * math.log(chance) + (1 - points) * math.log(1 - chance))
    return total


@pytest.mark.parametrize("count", [1, 7, 8, 127, 129, 1000, 1003, 5000])
def test_compiled_sums_are_those_of_numpy_to_the_last_bit(count):
    a, b = np.random.default_rng(count).standard_normal((2, count))
    assert _product(a, b, 0, len(a)) == (a * b).sum()


def test_two_players_match_a_brute_force_grid():
    first, second, points = np.array([0] * 8), np.array([1] * 8), np.array([1, 1, 1, 0.5, 0.5, 1, 0, 1])
    games = list(zip(first, second, points, np.ones(8), strict=True))
    grid = np.arange(-1.5, 1.5, 0.02)
    best = max((_slow_log_posterior((x, y), games, 0.7), x, y) for x in grid for y in grid)
    assert fit_strengths(first, second, points, 2) == pytest.approx(best[1:], abs=0.011)


@pytest.mark.parametrize("prior_sd", [0.3, 0.7, 3.0])
def test_strengths_match_a_general_optimiser(prior_sd):
    _, first, second, points = _simulate(9, 40, seed=1)
    weights = np.random.default_rng(2).integers(1, 5, 40).astype(float)
    games = list(zip(first, second, points, weights, strict=True))
    slow = _minimize(lambda s: -_slow_log_posterior(s, games, prior_sd), np.zeros(9), method="BFGS", tol=1e-9)
    fast = fit_strengths(first, second, points, 9, weights=weights, prior_sd=prior_sd)
    assert fast == pytest.approx(slow.x, abs=2e-5)


def test_errors_match_a_numerical_second_derivative():
    _, first, second, points = _simulate(5, 30, seed=3)
    games = list(zip(first, second, points, np.ones(30), strict=True))
    strengths = fit_strengths(first, second, points, 5)
    step, unit = 1e-3, np.eye(5) * 1e-3

    def value(shift):
        return _slow_log_posterior(strengths + shift, games, 0.7)

    hessian = np.array(
        [
            [(value(u + v) - value(u - v) - value(v - u) + value(-u - v)) / (4 * step**2) for v in unit]
            for u in unit
        ]
    )
    assert covariance(first, second, strengths) == pytest.approx(np.linalg.inv(-hessian), rel=1e-4, abs=1e-5)


def test_with_a_wide_prior_two_players_show_the_logistic_elo_of_their_score():
    # 75 % of many points is 400 log10(3) Elo
    first, second, points = np.zeros(1, int), np.ones(1, int), np.array([0.75])
    strengths = fit_strengths(first, second, points, 2, weights=np.array([1e6]), prior_sd=50.0)
    assert (strengths[0] - strengths[1]) * ELO_PER_LOGIT == pytest.approx(400 * math.log10(3), abs=0.01)


def test_strengths_of_four_thousand_players_are_recovered():
    true, first, second, points = _simulate(4000, 60_000, seed=4)
    strengths = fit_strengths(first, second, points, 4000)
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    gradient = np.bincount(first, points - chance, 4000) - np.bincount(second, points - chance, 4000)
    assert np.abs(gradient - strengths / 0.49).max() < 1e-4
    assert np.corrcoef(true, strengths)[0, 1] > 0.9


def test_true_strengths_lie_within_the_errors_in_95_percent_of_cases():
    true, first, second, points = _simulate(300, 6000, seed=6)
    # binomial(2, p) / 2 is the mean of two games
    weights = np.full(6000, 2.0)
    strengths = fit_strengths(first, second, points, 300, weights=weights)
    errors = np.sqrt(np.diag(covariance(first, second, strengths, weights=weights)))
    inside = np.mean(np.abs(true - true.mean() - strengths) < 1.96 * errors)
    assert 0.91 < inside < 0.99


def test_players_without_games_and_separate_groups_stay_finite():
    first, second, points = np.array([0, 0, 2, 2]), np.array([1, 1, 3, 3]), np.array([1.0, 1.0, 0.5, 0.5])
    strengths = fit_strengths(first, second, points, 6)
    errors = np.sqrt(np.diag(covariance(first, second, strengths)))
    assert strengths[0] == -strengths[1] > 0
    assert strengths[2:].tolist() == [0.0, 0.0, 0.0, 0.0]
    assert errors[5] == pytest.approx(0.7)
    assert (errors > 0).all()


def test_a_weak_prior_on_a_clean_sweep_still_converges():
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    strengths = fit_strengths(first, second, np.ones(3), 3, prior_sd=100.0)
    assert strengths[0] > strengths[1] > strengths[2]
    assert np.isfinite(strengths).all()


def test_equal_records_are_exact_ties():
    first, second = np.array([0, 1, 2, 3, 4, 5]), np.array([1, 2, 0, 4, 5, 3])
    assert len(set(fit_strengths(first, second, np.ones(6), 6).tolist())) == 1


def test_no_players_have_no_strengths():
    none = np.zeros(0, dtype=int)
    assert fit_strengths(none, none, np.zeros(0), 0).size == 0


@given(st.integers(0, 2**31), st.integers(2, 12), st.integers(1, 60))
def test_strengths_add_to_zero_and_swapping_sides_changes_nothing(seed, num_players, num_games):
    _, first, second, points = _simulate(num_players, num_games, seed)
    strengths = fit_strengths(first, second, points, num_players)
    assert strengths.sum() == pytest.approx(0.0, abs=1e-5)
    assert strengths == pytest.approx(fit_strengths(second, first, 1 - points, num_players), abs=2e-6)


@given(st.integers(0, 2**31))
def test_order_of_the_results_does_not_matter(seed):
    _, first, second, points = _simulate(8, 50, seed)
    order = np.random.default_rng(seed).permutation(50)
    assert fit_strengths(first, second, points, 8) == pytest.approx(
        fit_strengths(first[order], second[order], points[order], 8), abs=2e-6
    )


@pytest.mark.parametrize(
    ("first", "second", "points", "fault"),
    [
        ([0], [2], [1.0], "outside"),
        ([-1], [1], [1.0], "outside"),
        ([0], [1], [1.5], "points"),
        ([0], [1], [math.nan], "points"),
        ([0, 1], [1], [1.0], "equally many"),
    ],
)
def test_impossible_results_are_refused(first, second, points, fault):
    with pytest.raises(InputError, match=fault):
        fit_strengths(np.array(first), np.array(second), np.array(points), 2)


def test_impossible_weights_and_priors_are_refused():
    one = (np.array([0]), np.array([1]), np.array([1.0]))
    with pytest.raises(InputError, match="weights"):
        fit_strengths(*one, 2, weights=np.array([-1.0]))
    with pytest.raises(InputError, match="prior"):
        fit_strengths(*one, 2, prior_sd=0.0)


def test_without_results_the_covariance_is_that_of_the_prior():
    none = np.zeros(0, np.int64)
    assert covariance(none, none, np.zeros(3), prior_sd=0.7) == pytest.approx(0.49 * np.eye(3))
