"""Elo of results, against numbers published by other programs."""

import math
from itertools import product

import pytest
from hypothesis import given, strategies as st

from neche.arena.elo import Pentanomial, elo_difference, expected_score, measure_pairs
from neche.errors import InputError
from tests.arena.single_games import measure_games


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "normalised", "normalised_error", "los"),
    [
        # fastchess, app/tests/elo_test.cpp, "EloWDL 1" to "EloWDL 3"
        (76, 123, 89, -20.76, 40.13, 0.1553),
        (136, 111, 96, 49.77, 36.77, 0.9960),
        (34, 0, 356, -508.44, 34.48, 0.0),
    ],
)
def test_elo_of_games_is_that_of_fastchess(wins, draws, losses, normalised, normalised_error, los):
    strength = measure_games(wins, draws, losses)
    assert strength.normalised_elo == pytest.approx(normalised, abs=0.006)
    assert strength.normalised_elo_error == pytest.approx(normalised_error, abs=0.006)
    assert strength.los == pytest.approx(los, abs=0.00006)


def test_logistic_elo_of_games_is_that_of_fastchess():
    strength = measure_games(136, 111, 96)
    assert strength.elo == pytest.approx(40.70, abs=0.006)
    assert strength.elo_error == pytest.approx(30.43, abs=0.006)


@pytest.mark.parametrize(
    ("counts", "elo", "elo_error", "normalised", "normalised_error"),
    [
        # fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" to "EloPentanomial 3"
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65),
    ],
)
def test_elo_of_pairs_is_that_of_fastchess(counts, elo, elo_error, normalised, normalised_error):
    strength = measure_pairs(Pentanomial(*counts))
    assert strength.elo == pytest.approx(elo, abs=0.006)
    assert strength.elo_error == pytest.approx(elo_error, abs=0.006)
    assert strength.normalised_elo == pytest.approx(normalised, abs=0.006)
    assert strength.normalised_elo_error == pytest.approx(normalised_error, abs=0.006)


def test_normalised_elo_of_pull_request_783_is_the_published_one():
    strength = measure_pairs(Pentanomial(379, 10170, 21828, 10640, 343))
    assert strength.normalised_elo == pytest.approx(3.05, abs=0.006)
    assert strength.normalised_elo_error == pytest.approx(2.31, abs=0.006)


def test_likelihood_of_superiority_of_pairs_is_that_of_fastchess():
    assert measure_pairs(Pentanomial(332, 433, 498, 333, 334)).los == pytest.approx(0.0505, abs=0.00006)


def test_three_quarters_of_the_points_are_191_elo():
    # the FIDE table gives 193 for 0.75; the logistic curve 400 log10(3)
    assert elo_difference(0.75) == pytest.approx(400 * math.log10(3))


@pytest.mark.parametrize(
    ("counts", "bound", "sign"), [((0, 0, 0, 0, 10), ">", 1.0), ((10, 0, 0, 0, 0), "<", -1.0)]
)
def test_a_clean_sweep_is_a_finite_bound_half_a_game_from_the_edge(counts, bound, sign):
    strength = measure_pairs(Pentanomial(*counts))
    assert strength.bound == bound
    assert strength.elo == pytest.approx(sign * elo_difference(1 - 0.5 / 20))
    assert all(math.isfinite(number) for number in strength if isinstance(number, float))
    assert strength.elo_error > 0.0


@pytest.mark.parametrize(("pairs", "least"), [(1, 0.1581), (5, 0.6915), (50, 0.9638)])
def test_a_clean_sweep_has_the_lower_limit_of_clopper_and_pearson(pairs, least):
    # n wins in n games have the lower limit 0.025^(1/n); in R: binom.test(2, 2), (10, 10), (100, 100)
    strength = measure_pairs(Pentanomial(win_win=pairs))
    assert expected_score(strength.elo - strength.elo_error) == pytest.approx(least, abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Agresti and Coull's plus four, by hand: half a lost, one shared and half a won pair are added
        ((0, 0, 1, 0, 0), 0.5 - 0.3267, 0.5 + 0.3267),
        ((0, 0, 2, 0, 0), 0.5 - 0.2450, 0.5 + 0.2450),
        ((0, 0, 2, 0, 1), 0.6 - 0.2630, 0.6 + 0.2630),
    ],
)
def test_few_pairs_are_measured_with_four_games_added(counts, low, high):
    strength = measure_pairs(Pentanomial(*counts))
    assert strength.elo_error == pytest.approx(0.5 * (elo_difference(high) - elo_difference(low)), rel=0.002)


@pytest.mark.parametrize("true_score", [0.3, 0.5, 0.76])
@pytest.mark.parametrize("num_pairs", [1, 2, 4])
def test_the_interval_of_a_tiny_match_holds_the_true_difference(num_pairs, true_score):
    # all possible matches without draws, with their probabilities; so few games cannot hold exactly 95 %
    held = 0.0
    for wins_of_pairs in product((0, 1, 2), repeat=num_pairs):
        pairs = Pentanomial(wins_of_pairs.count(0), 0, wins_of_pairs.count(1), 0, wins_of_pairs.count(2))
        wins, losses = sum(wins_of_pairs), 2 * num_pairs - sum(wins_of_pairs)
        chance = 2.0**pairs.even * true_score**wins * (1.0 - true_score) ** losses
        strength, lead = measure_pairs(pairs), elo_difference(true_score)
        above = strength.bound == "<" or strength.elo - strength.elo_error <= lead
        below = strength.bound == ">" or lead <= strength.elo + strength.elo_error
        held += chance * (above and below)
    assert held > 0.8


def test_draws_only_still_leave_an_error():
    few, many = measure_pairs(Pentanomial(even=5)), measure_pairs(Pentanomial(even=500))
    assert few.elo == many.elo == 0.0
    assert few.elo_error > 10 * many.elo_error > 0.0
    assert few.los == 0.5


def test_no_results_are_refused():
    with pytest.raises(InputError, match="no strength can be measured"):
        measure_games(0, 0, 0)


@given(st.floats(-1500, 1500))
def test_elo_and_expected_score_are_inverses(elo):
    assert elo_difference(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


@given(st.tuples(*[st.integers(0, 300)] * 5).filter(any))
def test_swapping_the_players_changes_every_sign(counts):
    ours, theirs = measure_pairs(Pentanomial(*counts)), measure_pairs(Pentanomial(*counts[::-1]))
    assert ours.elo == pytest.approx(-theirs.elo, abs=1e-6)
    assert ours.elo_error == pytest.approx(theirs.elo_error, rel=1e-6)
    assert ours.normalised_elo == pytest.approx(-theirs.normalised_elo, rel=1e-6, abs=1e-6)
    assert ours.los == pytest.approx(1 - theirs.los, abs=1e-9)
    assert all(math.isfinite(number) for number in ours if isinstance(number, float))
