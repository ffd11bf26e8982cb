"""Coevolution of neurons: single batches against the slow twin, and the error after many."""

import numpy as np
import pytest

from neche.evolution.screening import learned, mean_errors
from neche.prediction.coevolution import MOST_PAIRS, coevolve, largest_block, signs_of
from tests.oracles import prediction_twin as twin
from tests.prediction.builders import (
    PLAN,
    dense_wiring,
    moves_of,
    random_task,
    rows_of,
    shared_wiring,
    views_of,
)

KEY = 12345
WIRINGS = {"one view": dense_wiring(), "both views": shared_wiring()}


def evolved(task, plan, key=KEY):
    neurons = task.neurons.copy()
    coevolve(task.wiring, task.samples, neurons, plan, np.uint64(key))
    return neurons


@pytest.mark.parametrize("hidden", [0, 1, 4])
@pytest.mark.parametrize("batches", [1, 4])
@pytest.mark.parametrize(
    ("pairs", "block", "decay"),
    [(16, 1, 0), (16, 8, 0), (16, 16, 0.5), (100, 1, 0.5), (100, 64, 0), (130, 128, 0.02)],
)
@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
def test_neurons_evolve_as_the_twin_says(wiring, pairs, block, decay, batches, hidden):
    task = random_task(wiring, hidden=hidden)
    plan = PLAN._replace(batches=batches, pairs=pairs, block=block, decay=decay)
    views, targets = views_of(task), task.samples.targets.astype(np.float64)

    def batch(number):
        rows = rows_of(plan, KEY, number, len(targets))
        moves = moves_of(plan, KEY, number, task.neurons.shape[1])
        return lambda neurons: twin.estimated_slopes(
            neurons, [view[rows] for view in views], targets[rows], moves
        )

    start = task.neurons.astype(np.float64)
    expected = twin.follow(start, map(batch, range(batches)), plan.rate, 1e-9, decay)
    found = evolved(task, plan)
    assert np.abs(expected - start).max() > 0.5 * plan.rate
    assert found == pytest.approx(expected, abs=0.02 * plan.rate)


def signs_of_row(row, size):
    """Return the signs, ±1, with which the largest number of pairs perturbs a weight."""
    words = [signs_of(np.uint64(KEY), np.int64(row), np.int64(size), np.int64(w)) for w in range(4)]
    return [1 if int(word) >> bit & 1 else -1 for word in words for bit in range(64)]


@pytest.mark.parametrize("pairs", [1, 2, 16, 40, 64, 100, 128, 130, MOST_PAIRS])
def test_weights_of_a_block_are_perturbed_orthogonally(pairs):
    size = largest_block(pairs)
    assert size <= pairs < 2 * size
    signs = np.array([signs_of_row(row, size) for row in range(3 * MOST_PAIRS)])
    assert signs.shape[1] == MOST_PAIRS
    for block in signs[:, :size].reshape(-1, size, size):
        assert np.array_equal(block @ block.T, size * np.eye(size))
    # in small blocks, equal rows and pairs of a single sign may occur by chance
    if size >= 16:
        assert len(np.unique(signs[:, :size], axis=0)) > size
        assert np.abs(signs[:size, :size].sum(axis=0)).max() < size


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
def test_a_batch_with_many_pairs_follows_the_true_slope_downhill(wiring):
    task, plan = random_task(wiring), PLAN._replace(pairs=MOST_PAIRS, block=MOST_PAIRS)
    for key in range(4):
        rows = rows_of(plan, key, 0, len(task.samples.targets))
        targets = task.samples.targets[rows].astype(np.float64)
        views = [view[rows] for view in views_of(task)]
        true = twin.slopes(task.neurons.astype(np.float64), views, targets)
        step = evolved(task, plan, key).astype(np.float64) - task.neurons
        # the first step is equally long for every weight, so only its signs can be right or wrong
        assert np.mean(step.ravel()[1:] * true.ravel()[1:] <= 0.0) > 0.6
        assert -(step * true).sum() / np.linalg.norm(step) / np.linalg.norm(true) > 0.25
        moves = moves_of(plan, key, 0, true.shape[1])
        estimate = twin.estimated_slopes(task.neurons.astype(np.float64), views, targets, moves)
        assert (estimate * true).sum() / np.linalg.norm(estimate) / np.linalg.norm(true) > 0.98


def test_the_error_falls_on_the_samples_that_are_learned_from():
    task = random_task(dense_wiring(), hidden=8)
    plan = PLAN._replace(batches=400, batch=64, rate=0.02)
    grown = learned(task.wiring, task.samples, task.neurons, plan, KEY, False)
    before, after = mean_errors(task.wiring, task.samples, [task.neurons, grown], 3)
    assert after < 0.5 * before


def test_a_key_gives_one_result_and_another_key_another():
    task, plan = random_task(shared_wiring()), PLAN._replace(batches=3)
    first, again, other = (evolved(task, plan, key) for key in (KEY, KEY, KEY + 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
def test_the_unused_weight_of_the_output_stays(wiring):
    task = random_task(wiring)
    task.neurons[0, 0] = 7.0
    assert evolved(task, PLAN._replace(batches=3))[0, 0] == 7.0


def test_learning_changes_only_a_copy():
    task = random_task(dense_wiring())
    before = task.neurons.copy()
    for part in (*task.samples, *task.wiring[:3]):
        part.setflags(write=False)
    learned(task.wiring, task.samples, task.neurons, PLAN, KEY, False)
    assert np.array_equal(task.neurons, before)
