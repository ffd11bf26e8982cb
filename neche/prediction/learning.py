"""One member learns from samples; and how well members predict, all on the same ones."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from neche.compiled.randomness import draw_below
from neche.prediction.coevolution import StrategyPlan, coevolve
from neche.prediction.gradient import descend
from neche.prediction.judging import Samples, squared_error
from neche.prediction.neurons import Neurons, Wiring

JUDGED = 1 << 14
"""Samples on which members are compared."""


def learned(
    wiring: Wiring, samples: Samples, neurons: Neurons, plan: StrategyPlan, key: int, is_gradient: bool
) -> Neurons:
    """Return what neurons become: by coevolution, or by gradient descent; both follow from the key alone."""
    neurons, samples = neurons.copy(), Samples._make(map(_writable, samples))
    wiring = Wiring._make(map(_writable, wiring))
    learn = descend if is_gradient else coevolve
    learn(wiring, samples, neurons, plan, np.uint64(key))
    return neurons


def mean_errors(
    wiring: Wiring, samples: Samples, members: Sequence[Neurons], key: int
) -> NDArray[np.float64]:
    """Return the mean squared error of each member, rounded so that it orders alike everywhere."""
    rows = np.array(
        [draw_below(np.uint64(key), np.int64(i), np.int64(len(samples.targets))) for i in range(JUDGED)]
    )
    errors = [squared_error(wiring, samples, rows, neurons) / JUDGED for neurons in members]
    return np.array(errors).round(9)


def _writable(part: object) -> object:
    # joblib hands large arrays over as read-only maps, which numba would compile anew for.
    return np.require(part, requirements=("W", "C")) if isinstance(part, np.ndarray) else part
