"""Slow and obvious twin of prediction, and of coevolution and gradient descent, in float64.

It shares nothing with the package. Neurons are a matrix: row 0 is the output [unused, constant, weight of
each input], every other row a hidden neuron [weight to the output, constant, weight of each input]. Inputs
are a matrix, one row a position; there are two of them if both sides' views are used. With a second layer, a
row begins with one weight for each neuron of that layer: in row 0 the weights from the layer to the output,
in the others the weights from the hidden neuron to the layer.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def values(neurons: Matrix, views: Sequence[Matrix]) -> Matrix:
    """Return the value of every position: that of the first view, less that of the second, if any."""
    said = []
    for inputs in views:
        outs = neurons.shape[1] - 1 - inputs.shape[1]
        hidden = np.maximum(0.0, inputs @ neurons[1:, outs + 1 :].T + neurons[1:, outs])
        heard = hidden @ neurons[1:, :outs]
        above = np.maximum(0.0, heard) @ neurons[0, :outs] if outs > 1 else heard[:, 0]
        said.append(inputs @ neurons[0, outs + 1 :] + neurons[0, outs] + above)
    value: Matrix = said[0] - said[1] if len(said) == 2 else said[0]
    return value


def errors(neurons: Matrix, views: Sequence[Matrix], targets: Matrix) -> Matrix:
    """Return the squashed values less the targets."""
    value = values(neurons, views)
    return value / np.sqrt(1.0 + value * value) - targets


def mean_squared_error(neurons: Matrix, views: Sequence[Matrix], targets: Matrix) -> float:
    """Return the mean of the squared errors."""
    return float((errors(neurons, views, targets) ** 2).mean())


def slopes(neurons: Matrix, views: Sequence[Matrix], targets: Matrix) -> Matrix:
    """Return the slopes of half the mean squared error, by central differences."""
    found, step = np.zeros_like(neurons), 1e-6
    for place in np.ndindex(*neurons.shape):
        more, less = neurons.copy(), neurons.copy()
        more[place] += step
        less[place] -= step
        gain = mean_squared_error(more, views, targets) - mean_squared_error(less, views, targets)
        found[place] = gain / (4.0 * step)
    return found


def orthogonal_signs(columns: NDArray[np.int64], flips: NDArray[np.int64], block: int) -> NDArray[np.int64]:
    """Return Sylvester's Hadamard matrix with signs for its rows and columns: [block, columns]."""
    matrix = np.ones((1, 1), np.int64)
    while len(matrix) < len(columns):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    signs: NDArray[np.int64] = (matrix * flips[:, None] * columns)[:block]
    return signs


def estimated_slopes(neurons: Matrix, views: Sequence[Matrix], targets: Matrix, moves: Matrix) -> Matrix:
    """Estimate the slopes of the mean squared error by mirrored pairs, one neuron after another.

    moves: [columns of neurons, pairs] – how far each weight is moved, the same for every neuron.
    """
    found = np.zeros_like(neurons)
    for neuron in range(len(neurons)):
        for move in moves.T:
            more, less = neurons.copy(), neurons.copy()
            more[neuron] += move
            less[neuron] -= move
            edge = (errors(more, views, targets) ** 2 - errors(less, views, targets) ** 2).sum()
            found[neuron] += edge * move
    spread = np.abs(moves).max()
    # the two of a pair are two moves apart
    found /= 2.0 * spread * spread * moves.shape[1] * len(targets)
    found[0, 0] = 0.0
    return found


def follow(
    neurons: Matrix, batches: Iterable[Callable[[Matrix], Matrix]], rate: float, smallest: float, decay: float
) -> Matrix:
    """Follow the slopes of each batch downhill by Adam with weight decay; `decay` is for a rate of 1."""
    neurons = neurons.copy()
    mean, square = np.zeros_like(neurons), np.zeros_like(neurons)
    for number, slopes_of in enumerate(batches, 1):
        slope = slopes_of(neurons)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        size = np.sqrt(square / (1.0 - 0.999**number)) + smallest
        faded = neurons * (1.0 - rate * decay)
        # strands write a weight with 10 bits in units of 1/125
        neurons = np.clip(faded - rate * (mean / (1.0 - 0.9**number)) / size, -512 / 125, 511 / 125)
    return neurons
