"""A clock with a budget for each move never runs out, whatever happens outside the search."""

import random

import pytest

from neche.protocols.clock import Budget, Clock, Margin, budget


@pytest.mark.parametrize("adds_before", [True, False])
def test_no_clock_runs_out_while_delays_stay_below_the_margin(adds_before):
    draw = random.Random(11)
    for _ in range(500):
        left, increment = draw.uniform(0.3, 300), draw.choice((0.0, 0.01, 0.02, 1.0, 10.0))
        margin = draw.uniform(0.02, 0.2)
        for _ in range(300):
            # as Hub says, the interface may hold the increment back until the move; others add it afterwards
            shown_left = left - increment if adds_before else left
            limit = budget(Clock(shown_left, increment), margin)
            assert 0.0 <= limit.soft <= limit.hard
            # with little left the delays must be small; none can answer for others
            delay = draw.uniform(0, margin) if left > 2 * margin else min(0.5 * increment, 0.1 * left)
            left -= draw.uniform(limit.soft, limit.hard) + delay
            assert left > 0
            left += increment


def test_what_was_solved_in_vain_is_no_depth_after_which_another_would_not_end():
    limit = budget(Clock(30.0), 0.0)
    assert (limit.soft, limit.hard) == pytest.approx((0.7, 1.5))
    assert not limit.is_spent(0.69, 0.69)
    assert limit.is_spent(0.71, 0.71)
    assert not limit.is_spent(0.91, 0.01)
    assert limit.is_spent(1.2, 0.3)
    assert Budget(0.5, 0.5).is_spent(0.5, 0.0)


def test_a_budget_lasts_for_the_moves_that_are_asked_for():
    left = 60.0
    for moves in range(40, 0, -1):
        limit = budget(Clock(left, 0.0, moves), 0.1)
        left -= limit.hard
        assert left >= 0.1
    assert left < 20


def test_the_last_move_before_a_time_control_may_use_most_of_the_time():
    assert 5.0 < budget(Clock(10.0, 0.0, 1), 0.1).hard < 9.9


def test_more_time_left_gives_a_larger_budget():
    budgets = [budget(Clock(left, 0.1), 0.1).hard for left in (0.05, 0.2, 1.0, 10.0, 600.0)]
    assert budgets == sorted(budgets)
    assert budgets[0] == 0.0
    assert budgets[-1] < 60


def test_the_plan_is_a_thirtieth_of_the_clock_and_three_quarters_of_the_increment():
    # 60 s / 30 + 0.75 · 2 s = 3.5 s
    assert budget(Clock(60.1, 2.0), 0.1) == pytest.approx((0.7 * 3.5, 1.5 * 3.5))


def test_most_of_an_increment_is_used():
    assert 5.0 < budget(Clock(60.0, 10.0), 0.1).soft < 10.0


def test_the_margin_grows_with_moves_that_took_too_long_and_shrinks_again():
    margin = Margin(0.1)
    assert margin.seconds == 0.1
    margin.learn(Budget(0.05, 0.1), 0.4)
    assert margin.seconds == pytest.approx(0.7)
    for _ in range(5000):
        margin.learn(Budget(0.05, 0.1), 0.05)
    assert margin.seconds == pytest.approx(0.1, abs=0.01)


def test_the_margin_takes_in_how_long_the_machine_keeps_a_program_waiting():
    margin = Margin(0.1)
    margin.watch(0.01)
    assert margin.seconds > 0.1
