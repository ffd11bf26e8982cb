import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neche.compiled.streams import stream
from neche.evolution.rounds import play_random_rounds, play_swiss_rounds
from tests.evolution.judges import Judge

SCHEMES = [play_random_rounds, play_swiss_rounds]


@pytest.mark.parametrize("scheme", SCHEMES)
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


def test_nobody_meets_the_same_swiss_partner_twice():
    judge = Judge(np.zeros(100))
    play_swiss_rounds(100, 5, judge.compare, stream(2, 0, "rounds"))
    meetings = {frozenset(pair) for pair in judge.pairs}
    assert len(meetings) == 5 * 50


def test_two_members_meet_again_when_there_is_nobody_else():
    judge = Judge(np.arange(2))
    play_swiss_rounds(2, 3, judge.compare, stream(2, 0, "rounds"))
    assert judge.num_comparisons == 3
