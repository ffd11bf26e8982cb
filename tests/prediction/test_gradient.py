"""Gradient descent: its slopes are those of the error, and its steps are those of Adam."""

import numpy as np
import pytest

from neche.evolution.screening import learned, mean_errors
from tests.oracles import prediction_twin as twin
from tests.prediction.builders import (
    PLAN,
    dense_wiring,
    layered_wiring,
    random_task,
    rows_of,
    shared_wiring,
    views_of,
)

KEY = 99
WIRINGS = {"one view": dense_wiring(), "both views": shared_wiring(), "two layers": layered_wiring()}


def trained(task, plan, key=KEY):
    return learned(task.wiring, task.samples, task.neurons, plan, key, True)


@pytest.mark.parametrize("hidden", [0, 1, 4, 20])
@pytest.mark.parametrize("batches", [1, 5])
@pytest.mark.parametrize("decay", [0.0, 0.5])
@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
def test_neurons_follow_the_slopes_found_by_differences(wiring, decay, batches, hidden):
    task = random_task(wiring, hidden=hidden)
    # samples are processed eight at a time; the last group of this batch is smaller
    plan = PLAN._replace(batches=batches, batch=203, rate=0.001, decay=decay)
    views, targets = views_of(task), task.samples.targets.astype(np.float64)

    def batch(number):
        rows = rows_of(plan, KEY, number, len(targets))
        return lambda neurons: twin.slopes(neurons, [view[rows] for view in views], targets[rows])

    start = task.neurons.astype(np.float64)
    expected = twin.follow(start, map(batch, range(batches)), plan.rate, 1e-8, decay)
    # the constant of the output cancels between the views, so its slope is only rounding error
    constant = 1 if wiring.views == 2 else 0
    expected[0, 1 : 1 + constant] = start[0, 1 : 1 + constant]
    found = trained(task, plan)
    found[0, 1 : 1 + constant] = start[0, 1 : 1 + constant]
    assert np.abs(expected - start).max() > 0.5 * plan.rate
    assert found == pytest.approx(expected, abs=0.02 * plan.rate)


def test_the_error_falls_on_the_samples_that_are_learned_from():
    task = random_task(dense_wiring(), hidden=8)
    grown = trained(task, PLAN._replace(batches=400, batch=64, rate=0.02))
    before, after = mean_errors(task.wiring, task.samples, [task.neurons, grown], 3)
    assert after < 0.3 * before


def test_a_key_gives_one_result_and_another_key_another():
    task, plan = random_task(shared_wiring()), PLAN._replace(batches=3)
    assert np.array_equal(trained(task, plan), trained(task, plan))
    assert not np.array_equal(trained(task, plan), trained(task, plan, KEY + 1))
