"""Slow and obvious twin of how neurons predict, and of how they come to it, in float64.

It shares nothing with the package. Neurons are a matrix: row 0 is the output [unused, constant, weight of
each input], every other row a hidden neuron [weight to the output, constant, weight of each input]. Inputs
are a matrix as well, one row a position; where both sides' views are taken there are two of them. With a
second layer every row has as many weights before its constant as that layer has neurons: row 0 those from
them to the output, the others those from a hidden neuron to them.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def values(neurons: Matrix, views: Sequence[Matrix]) -> Matrix:
    """Value of every position: what the first view says, less what the second says, if there is one."""
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
    """How far the expected results are from the targets."""
    value = values(neurons, views)
    return value / np.sqrt(1.0 + value * value) - targets


def mean_squared_error(neurons: Matrix, views: Sequence[Matrix], targets: Matrix) -> float:
    """Mean of the squares of the errors."""
    return float((errors(neurons, views, targets) ** 2).mean())


def slopes(neurons: Matrix, views: Sequence[Matrix], targets: Matrix) -> Matrix:
    """Slopes of half the mean squared error, by central differences."""
    found, step = np.zeros_like(neurons), 1e-6
    for place in np.ndindex(*neurons.shape):
        more, less = neurons.copy(), neurons.copy()
        more[place] += step
        less[place] -= step
        gain = mean_squared_error(more, views, targets) - mean_squared_error(less, views, targets)
        found[place] = gain / (4.0 * step)
    return found


def orthogonal_signs(columns: NDArray[np.int64], flips: NDArray[np.int64], block: int) -> NDArray[np.int64]:
    """Signs [block, columns] of weights: Sylvester's Hadamard matrix, its columns and rows with signs."""
    matrix = np.ones((1, 1), np.int64)
    while len(matrix) < len(columns):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    signs: NDArray[np.int64] = (matrix * flips[:, None] * columns)[:block]
    return signs


def estimated_slopes(neurons: Matrix, views: Sequence[Matrix], targets: Matrix, moves: Matrix) -> Matrix:
    """Slopes as mirrored pairs see them: each neuron moved to and fro, all others as they are.

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
    # the sum of squares changes by twice a move times twice the slope of half of it
    found /= 2.0 * spread * spread * moves.shape[1] * len(targets)
    found[0, 0] = 0.0
    return found


def follow(
    neurons: Matrix, batches: Iterable[Callable[[Matrix], Matrix]], rate: float, smallest: float, decay: float
) -> Matrix:
    """Move neurons against the slopes that each batch says they have, by steps that adapt (Adam), and let
    them fade."""
    neurons = neurons.copy()
    mean, square = np.zeros_like(neurons), np.zeros_like(neurons)
    for number, slopes_of in enumerate(batches, 1):
        slope = slopes_of(neurons)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        size = np.sqrt(square / (1.0 - 0.999**number)) + smallest
        faded = neurons * (1.0 - rate * decay)
        # strands write a weight as 10 bits of hundred-and-twenty-fifths
        neurons = np.clip(faded - rate * (mean / (1.0 - 0.9**number)) / size, -512 / 125, 511 / 125)
    return neurons
