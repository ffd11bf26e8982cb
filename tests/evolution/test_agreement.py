import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from neche.compiled.streams import stream
from neche.evolution.agreement import kendall_tau, rank_agreement
from neche.evolution.rounds import play_random_rounds
from neche.evolution.schedule import OpeningRange, Purpose
from neche.evolution.scorebook import Games, Scorebook
from tests.evolution.fake_games import fake_play


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_tau_is_that_of_scipy_and_0_where_it_has_none(pairs):
    x, y = np.array(pairs, dtype=np.float64).T
    expected = kendalltau(x, y).statistic
    assert kendall_tau(x, y) == pytest.approx(0.0 if np.isnan(expected) else expected)


def games_of(play, num_members=40, rounds=6):
    scorebook = Scorebook(play, OpeningRange(2, 4), Purpose(1, 0, "ranking"))
    play_random_rounds(num_members, rounds, scorebook.compare, stream(1, 0, "ranking"))
    return scorebook.games()


def test_games_that_the_stronger_wins_agree_and_games_of_chance_do_not():
    def toss(pairings):
        chance = (pairings.game_key % np.uint64(3)).astype(np.int8) - 1
        return fake_play(np.zeros(40))(pairings)._replace(outcome=chance.astype(np.int8))

    assert rank_agreement(games_of(fake_play(range(40))), 40, paired=True) > 0.5
    assert abs(rank_agreement(games_of(toss), 40, paired=True)) < 0.25


def test_drawn_games_say_nothing():
    assert rank_agreement(games_of(fake_play(np.zeros(40))), 40, paired=True) == 0.0


def test_the_two_games_of_a_pair_fall_into_one_half():
    # Two comparisons, of the same two: 0 wins both games of the first, 1 both of the second.
    first, second, outcome = np.array([0, 1, 0, 1]), np.array([1, 0, 1, 0]), np.array([1, -1, -1, 1])
    games = Games(first, second, outcome, outcome, outcome)
    assert rank_agreement(games, 2, paired=True) == -1.0


def test_single_games_are_comparisons_of_their_own():
    first, second, outcome = np.array([0, 0]), np.array([1, 1]), np.array([1, 1])
    games = Games(first, second, outcome, outcome, outcome)
    assert rank_agreement(games, 3, paired=False) == 1.0
