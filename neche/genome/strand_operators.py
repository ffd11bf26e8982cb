"""The genetic operators on strands: crossover by whole neurons, duplication, creep, renewal.

Parents write the same synapse in the same place, so neurons with the same number are homologous. The unit of
inheritance is the hidden neuron, since its weights only make sense together. Each operator takes the weights
of a population, returns new ones, and never changes its arguments; every draw comes from the given `rng`.

A neuron whose weight to the output is 0 is silent: room for the network to grow. Duplication fills such
neurons first: complexification within a genome of fixed length.

Symbols: C genomes, W weights of one, H hidden neurons, S sensors, O weights of a neuron to the next layer.
"""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from neche.genome.strands import LEAST_WEIGHT, MOST_WEIGHT, STEPS_A_UNIT, StrandFormat, Weights, neurons_of

FloatArray = NDArray[np.float64]
Rows = TypeVar("Rows", bound=NDArray[Any])


def cross_neurons(
    mothers: Weights, fathers: Weights, rng: np.random.Generator, *, strand_format: StrandFormat
) -> Weights:
    """Return children [C, W] that take each hidden neuron whole from mother or father with probability ½.

    On the output's strand each weight is drawn separately: unlike the weights of a hidden neuron, they are
    terms of a sum, each of which has the same meaning without the others.
    """
    children = fathers.copy()
    own_terms = strand_format.strands[0]
    is_maternal = rng.integers(2, size=fathers[:, own_terms].shape, dtype=np.uint8).view(np.bool_)
    children[:, own_terms] = np.where(is_maternal, mothers[:, own_terms], fathers[:, own_terms])
    neurons = neurons_of(children, strand_format)
    is_maternal = rng.integers(2, size=neurons.shape[:2], dtype=np.uint8).view(np.bool_)
    neurons[is_maternal] = neurons_of(mothers, strand_format)[is_maternal]
    return children


def usefulness(neurons: NDArray[Any], outs: int = 1) -> FloatArray:
    """Return how much neurons [..., O + 1 + S] can add: the norm of the weights out times that of the others.

    Returned as its square, which is exact for whole numbers; 0 for a silent neuron.
    """
    squares = np.square(neurons.astype(np.float64))
    use: FloatArray = squares[..., :outs].sum(axis=-1) * squares[..., outs:].sum(axis=-1)
    return use


def duplicate_neuron(neurons: Rows, original: int, slot: int, outs: int = 1) -> Rows:
    """Return neurons [H, O + 1 + S] with `original` copied over `slot`.

    Each twin has half of the weights out, so that together they add what the original did; for an odd number
    of steps one half is a step more.
    """
    twins = neurons.copy()
    twins[slot] = neurons[original]
    twins[slot, :outs] = neurons[original, :outs] / 2
    twins[original, :outs] -= twins[slot, :outs]
    return twins


def duplicate_neurons(
    weights: Weights,
    counts: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    creep_mean: float,
    creep_sd: float,
    strand_format: StrandFormat,
) -> Weights:
    """Copy random neurons over the least useful ones, `counts` [C] times, and let each copy diverge.

    No silent neuron is copied, and none over itself. A copy diverges by creep of a Poisson number of its
    weights, with mean `creep_mean`; if none creeps, the values are those of the network without the
    overwritten neuron.
    """
    grown, outs = weights.copy(), strand_format.outs
    for neurons, count in zip(neurons_of(grown, strand_format), counts.tolist(), strict=True):
        for _ in range(count):
            use = usefulness(neurons, outs)
            slot = int(use.argmin()) if use.size else 0
            speaking = np.flatnonzero(use > 0.0)
            originals = speaking[speaking != slot]
            if not originals.size:
                break
            neurons[:] = duplicate_neuron(neurons, int(rng.choice(originals)), slot, outs)
            steps = rng.poisson(creep_mean, size=1)
            neurons[slot] = creep_strands(neurons[slot][None], steps, creep_sd, rng)[0]
    return grown


def creep_strands(
    weights: Weights, counts: NDArray[np.int64], sd: float, rng: np.random.Generator
) -> Weights:
    """Add a normal step to `counts` [C] distinct weights (all if there are fewer) of each genome [C, W].

    sd: weight units – standard deviation of a step; the weight is rounded and clipped to its letters.
    """
    crept = weights.copy()
    num_weights = weights.shape[1]
    for row, count in zip(crept, counts.tolist(), strict=True):
        places = rng.choice(num_weights, size=min(count, num_weights), replace=False)
        row[places] = _within(row[places] + rng.normal(0.0, sd * STEPS_A_UNIT, size=len(places)))
    return crept


def renew_strands(weights: Weights, rate: float, rng: np.random.Generator) -> Weights:
    """Redraw each weight [C, W] with probability `rate`, uniformly from all that letters can write."""
    renewed = weights.flatten()
    hit = np.flatnonzero(rng.random(renewed.size, dtype=np.float32) < rate)
    renewed[hit] = rng.integers(LEAST_WEIGHT, MOST_WEIGHT + 1, size=hit.size)
    return renewed.reshape(weights.shape)


def blend_strands(weights: Weights, shares: FloatArray) -> Weights:
    """Return the mean [W] of the weights of parents [P, W], weighted by shares [P]; see `operators.blend`."""
    return _within((shares / shares.sum()) @ weights)


def shift_strands(weights: Weights, steps: FloatArray) -> Weights:
    """Return the weights [..., W] of a genome [W] plus `steps`, weight units, clipped to their letters."""
    return _within(weights + steps * STEPS_A_UNIT)


def _within(steps: FloatArray) -> Weights:
    return np.clip(np.rint(steps), LEAST_WEIGHT, MOST_WEIGHT).astype(np.int16)
