"""Random samples and neurons, and the matrices that the slow twin needs of them."""

from typing import NamedTuple

import numpy as np

from neche.compiled.randomness import draw, draw_below
from neche.prediction.coevolution import MOST_PAIRS, StrategyPlan
from neche.prediction.judging import Samples
from neche.prediction.neurons import Neurons, Wiring
from tests.oracles import prediction_twin as twin

SENSORS, EXCITED = 24, 7
PLAN = StrategyPlan(batches=1, batch=200, pairs=16, spread=0.02, rate=0.01, block=16, decay=0.0)


class Task(NamedTuple):
    """A task of learning: the wiring of sensors to inputs, samples, and the neurons to begin with."""

    wiring: Wiring
    samples: Samples
    neurons: Neurons


def dense_wiring() -> Wiring:
    """Every sensor has an input of its own; only the view of the side to move is used."""
    return Wiring(
        np.arange(SENSORS), np.ones(SENSORS, np.float32), np.roll(np.arange(SENSORS), SENSORS // 2), 1, 0
    )


def shared_wiring() -> Wiring:
    """Four kinds share the inputs of six squares, with two signs and sizes; both sides' views are used."""
    factor = np.repeat([1.0, 2.0, -1.0, -2.0], 6).astype(np.float32)
    square = np.tile(np.arange(6), 4)
    opposite = (np.repeat(np.arange(4), 6) + 2) % 4 * 6 + 5 - square
    return Wiring(square, factor, opposite, 2, 0)


def layered_wiring(second: int = 3) -> Wiring:
    """Like the dense wiring, but a second layer of hidden neurons feeds the output."""
    return dense_wiring()._replace(second=second)


def random_task(wiring: Wiring, *, hidden: int = 4, count: int = 300, seed: int = 1) -> Task:
    rng = np.random.default_rng(seed)
    excited = np.stack([rng.permutation(SENSORS)[:EXCITED] for _ in range(count)]).astype(np.uint8)
    counts = rng.integers(3, EXCITED + 1, count).astype(np.uint8)
    targets = rng.uniform(-0.9, 0.9, count).astype(np.float32)
    inputs = int(wiring.input_of.max()) + 1
    outs = wiring.second or 1
    neurons = rng.normal(0.0, 0.4, (hidden + 1, outs + 1 + inputs)).astype(np.float32)
    if not wiring.second:
        neurons[0, 0] = 0.0
    return Task(
        Wiring(*wiring[:3], np.int64(wiring.views), np.int64(wiring.second)),
        Samples(excited, counts, targets),
        neurons,
    )


def views_of(task: Task) -> list[np.ndarray]:
    """Return the inputs of all samples, a matrix for each view."""
    wiring, samples, neurons = task
    inputs = neurons.shape[1] - 1 - (wiring.second or 1)
    seen = np.zeros((wiring.views, len(samples.counts), inputs))
    for row, (excited, count) in enumerate(zip(samples.excited, samples.counts, strict=True)):
        for sensor in excited[:count]:
            sensors = (sensor, wiring.opposite[sensor])
            for view in range(wiring.views):
                seen[view, row, wiring.input_of[sensors[view]]] += wiring.factor[sensors[view]]
    return list(seen)


def rows_of(plan: StrategyPlan, key: int, number: int, count: int) -> np.ndarray:
    """Return the samples of batch `number`, drawn from the stream of an odd number."""
    rows_key = np.uint64(draw(np.uint64(key), np.int64(2 * number + 1)))
    return np.array([draw_below(rows_key, np.int64(i), np.int64(count)) for i in range(plan.batch)])


def moves_of(plan: StrategyPlan, key: int, number: int, columns: int) -> np.ndarray:
    """Return the moves of weights in batch `number`, [columns, pairs], from the stream of an even number."""
    moves_key = np.uint64(draw(np.uint64(key), np.int64(2 * number)))

    def signs(counter: int) -> np.ndarray:
        # a word holds 64 signs, and each word but the first has a key of its own
        keys = [moves_key, *(draw(moves_key, np.int64(2**32 + word)) for word in range(1, MOST_PAIRS // 64))]
        words = [int(draw(np.uint64(key), np.int64(counter))) for key in keys]
        return np.array([-1 if word >> bit & 1 else 1 for word in words for bit in range(64)])

    if plan.block == 1:
        moves = np.array([signs(column)[: plan.pairs] for column in range(columns)])
    else:
        blocks = range(-(-columns // plan.block))
        drawn = [twin.orthogonal_signs(signs(2 * b), signs(2 * b + 1), plan.block) for b in blocks]
        moves = np.concatenate(drawn)[:columns, : plan.pairs]
    # a set bit is a step up
    found: np.ndarray = -plan.spread * moves.astype(np.float64)
    return found
