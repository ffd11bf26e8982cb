"""The sequential test, against published likelihood ratios and an independent optimiser."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import optimize

from neche.arena.elo import NORMALISED_ELO_PER_DEVIATION, PAIR_SCORES, expected_score
from neche.arena.sprt import MODELS, decide, log_likelihood_ratio, parse_sprt, plan_sprt
from neche.errors import InputError

# the published type stubs lack some forms of the call
_minimize: Any = optimize.minimize


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "ratio"),
    [
        # fastchess, app/tests/sprt_test.cpp (cases of pull request 426, exact ratios of 794)
        ((36027, 68692, 36433), 0, 2, "normalised", 0.92),
        ((10650, 20431, 10871), -1.75, 0.25, "normalised", 2.30),
        ((0, 0, 4250), 0, 10, "normalised", 120.56),
        ((21184, 40708, 21404), 0.5, 2.5, "logistic", -1.57),
        ((57030, 106593, 57433), 0, 2, "logistic", -2.59),
        ((365, 16618, 36229, 16974, 390), 0, 2, "normalised", 2.25),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalised", 3.01),
        ((0, 0, 0, 0, 5550), 0, 5, "normalised", 111.82),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98),
        # fastchess, pull request 783
        ((379, 10170, 21828, 10640, 343), 0, 2, "normalised", 2.946),
        # fastchess, pull request 882: one-sided matches that used to give no number
        ((77, 1, 0, 0, 0), -1000, -500, "normalised", -2.95),
        ((72, 10, 0, 0, 0), -1000, -500, "normalised", -2.97),
    ],
)
def test_ratio_is_the_published_one(counts, elo0, elo1, model, ratio):
    assert log_likelihood_ratio(counts, plan_sprt(elo0, elo1, model=model)) == pytest.approx(
        ratio, abs=0.0056, rel=3e-4
    )


def _best_log_likelihood(counts, excess):
    """Maximise Σ n log q over distributions with excess(q) = 0, by a general optimiser."""
    n = np.asarray(counts, dtype=float)
    starts = [n / n.sum(), np.full(5, 0.2), np.array([0.1, 0.1, 0.2, 0.2, 0.4])]
    found = [
        _minimize(
            lambda q: -(n @ np.log(q)),
            start,
            jac=lambda q: -n / q,
            bounds=[(1e-9, 1.0)] * 5,
            constraints=[{"type": "eq", "fun": lambda q: q.sum() - 1}, {"type": "eq", "fun": excess}],
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-14},
        )
        for start in starts
    ]
    return max(-result.fun for result in found if abs(result.x.sum() - 1) < 1e-8)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("counts", [(30, 50, 100, 70, 20), (2, 1, 5, 9, 14), (1, 40, 3, 40, 2)])
@pytest.mark.parametrize("bounds", [(0, 10), (-20, 40)])
def test_ratio_equals_that_of_a_general_optimiser(model, counts, bounds):
    a = np.array(PAIR_SCORES)

    def excess_over(elo):
        if model == "logistic":
            return lambda q: q @ a - expected_score(elo)
        t = math.sqrt(2) * elo / NORMALISED_ELO_PER_DEVIATION
        return lambda q: q @ a - 0.5 - t * math.sqrt(q @ (a - q @ a) ** 2)

    low, high = (_best_log_likelihood(counts, excess_over(elo)) for elo in bounds)
    plan = plan_sprt(*bounds, model=model)
    assert log_likelihood_ratio(counts, plan) == pytest.approx(high - low, abs=2e-4)


def test_bounds_for_five_per_cent_are_2_944():
    plan = plan_sprt(0, 2)
    assert plan.lower == pytest.approx(-2.944, abs=0.001)
    assert plan.upper == pytest.approx(2.944, abs=0.001)


def test_the_test_decides_at_its_bounds():
    plan = plan_sprt(0, 2)
    assert [decide(llr, plan) for llr in (plan.upper, plan.lower, 0.0)] == ["H1", "H0", ""]


def test_published_pull_request_783_accepts_h1():
    plan = plan_sprt(0, 2, model="normalised")
    assert decide(log_likelihood_ratio((379, 10170, 21828, 10640, 343), plan), plan) == "H1"


def test_no_result_decides_nothing():
    assert log_likelihood_ratio((0, 0, 0, 0, 0), plan_sprt(0, 5)) == 0.0


@given(st.tuples(*[st.integers(0, 400)] * 5).filter(any), st.sampled_from(MODELS), st.floats(0.5, 60))
def test_ratio_is_finite_and_changes_sign_with_the_players(counts, model, width):
    ours = log_likelihood_ratio(counts, plan_sprt(-width, width, model=model))
    theirs = log_likelihood_ratio(counts[::-1], plan_sprt(-width, width, model=model))
    assert math.isfinite(ours)
    assert ours == pytest.approx(-theirs, rel=1e-6, abs=1e-6)


def test_error_rates_of_simulated_tests_stay_near_alpha():
    plan, rng, accepted = plan_sprt(0, 60, alpha=0.1, beta=0.1), np.random.default_rng(5), 0
    for _ in range(200):
        counts = [0] * 5
        while not (decision := decide(log_likelihood_ratio(counts, plan), plan)):
            counts[rng.choice(5, p=[0.05, 0.2, 0.5, 0.2, 0.05])] += 1
        accepted += decision == "H1"
    # binomial(200, 0.1) has a deviation of 4.2
    assert accepted <= 20 + 3 * 4.3


def test_a_difference_between_the_bounds_may_be_decided_either_way():
    plan, rng, accepted = plan_sprt(0, 60, alpha=0.1, beta=0.1), np.random.default_rng(6), []
    for _ in range(100):
        counts = [0] * 5
        while not (decision := decide(log_likelihood_ratio(counts, plan), plan)):
            # a score of 0.543, 30 Elo
            counts[rng.choice(5, p=[0.036, 0.178, 0.464, 0.222, 0.1])] += 1
        accepted.append(decision)
    # neither may be read as "at least 60" or "at most 0"; binomial(100, 0.5) has a deviation of 5
    assert 30 < accepted.count("H1") < 70


def test_bounds_are_read_from_text():
    assert parse_sprt("0, 10") == plan_sprt(0, 10)
    assert parse_sprt("-1.75,0.25,normalised") == plan_sprt(-1.75, 0.25, model="normalised")


@pytest.mark.parametrize(
    "text", ["10", "10,0", "5,5", "a,b", "0,nan", "0,5,bayesian", "0,5,logistic,1", "", "-1e6,0", "0,20000"]
)
def test_impossible_bounds_are_refused(text):
    with pytest.raises(InputError, match="SPRT"):
        parse_sprt(text)


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize("counts", [(0, 0, 1, 0, 0), (0, 0, 0, 0, 500), (10, 20, 30, 20, 10)])
def test_the_widest_allowed_bounds_have_a_ratio(counts, model):
    for low, high in ((-5000, 0), (0, 5000), (-5000, 5000)):
        assert math.isfinite(log_likelihood_ratio(counts, plan_sprt(low, high, model=model)))


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.05, 0), (0.5, 0.5), (1.2, 0.1)])
def test_impossible_error_rates_are_refused(alpha, beta):
    with pytest.raises(InputError, match="alpha and beta"):
        plan_sprt(0, 5, alpha=alpha, beta=beta)
