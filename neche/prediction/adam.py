"""Adam: steps that adapt to each weight, the same for learning with and without gradients.

Sources: Kingma and Ba 2015; decoupled weight decay, Loshchilov and Hutter 2019.
"""

import math
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F32, F64, I64, jit, jit_inlined
from neche.prediction.neurons import LEAST_LEARNED, MOST_LEARNED

_FIRST_MOMENT, _SECOND_MOMENT = 0.9, 0.999


class Step(NamedTuple):
    """The parameters of the Adam step of a batch, for every weight: float32.

    share: factor that turns sums over a batch into gradients. grown, grown_square: 1 − β₁ᵗ and 1 − β₂ᵗ, the
    bias corrections of the moments. rate: the largest step. kept: factor of weight decay. smallest: Adam's ε.
    """

    share: F32
    grown: F32
    grown_square: F32
    rate: F32
    kept: F32
    smallest: F32


@jit
def step_of(share: F64, rate: F64, decay: F64, smallest: F64, number: I64) -> Step:
    """Return the step of batch `number`; decay: weight decay, in units of the rate."""
    return Step(
        np.float32(share),
        np.float32(1.0 - _FIRST_MOMENT ** (number + 1.0)),
        np.float32(1.0 - _SECOND_MOMENT ** (number + 1.0)),
        np.float32(rate),
        np.float32(1.0 - rate * decay),
        np.float32(smallest),
    )


@jit_inlined
def moved(weight: F32, mean: F32, square: F32, slope: F32, step: Step) -> tuple[F32, F32, F32]:
    """Return a weight and its moments after a step against a gradient, clipped to what DNA can write."""
    one, first, second = np.float32(1), np.float32(_FIRST_MOMENT), np.float32(_SECOND_MOMENT)
    least, most = np.float32(LEAST_LEARNED), np.float32(MOST_LEARNED)
    slope *= step.share
    mean = first * mean + (one - first) * slope
    square = second * square + (one - second) * slope * slope
    size = np.float32(math.sqrt(square / step.grown_square)) + step.smallest
    weight = weight * step.kept - step.rate * (mean / step.grown) / size
    raised = least if weight < least else weight
    return most if raised > most else raised, mean, square
