"""Counts of pairs with swapped colours."""

import numpy as np
import pytest

from neche.arena.elo import Pentanomial, count_pairs, measure_pairs
from neche.errors import InputError
from tests.arena.single_games import measure_games


def test_each_kind_of_pair_is_counted_once():
    outcomes = [-1, -1, -1, 0, 0, 0, 1, -1, 0, 1, 1, 1]
    assert count_pairs(outcomes) == Pentanomial(1, 1, 2, 1, 1)


def test_a_win_and_a_loss_count_as_two_draws():
    assert count_pairs([1, -1]) == count_pairs([0, 0]) == Pentanomial(even=1)


def test_half_a_pair_is_refused():
    with pytest.raises(InputError, match="even number"):
        count_pairs([1, 0, -1])


def test_an_outcome_of_two_is_refused():
    with pytest.raises(InputError, match="each"):
        count_pairs([2, 0])


def test_decisive_openings_cost_no_precision_when_played_twice():
    # the first mover always wins: as 200 single games this is uncertain, as pairs it is certainly level
    assert measure_pairs(Pentanomial(even=100)).elo_error < 0.2 * measure_games(100, 0, 100).elo_error


def test_pairs_of_independent_games_have_the_strength_of_the_games():
    rng = np.random.default_rng(7)
    outcomes = rng.choice([-1, 0, 1], size=40_000, p=[0.3, 0.3, 0.4])
    pairs = measure_pairs(count_pairs(outcomes.tolist()))
    games = measure_games(int((outcomes == 1).sum()), int((outcomes == 0).sum()), int((outcomes == -1).sum()))
    assert pairs.score == pytest.approx(games.score)
    assert pairs.elo_error == pytest.approx(games.elo_error, rel=0.02)
    assert pairs.normalised_elo == pytest.approx(games.normalised_elo, rel=0.02)
