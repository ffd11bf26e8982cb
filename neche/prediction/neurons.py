"""Networks as arrays of neurons, for what learns weights: one row a neuron, one column a weight.

    row 0      the output:   [unused, constant, inputs …]
    row h > 0  hidden h:     [weight to the output, constant, inputs …]

All in weight units, float32. How sensors by kind reach the inputs, and whose views of the board a value is made
of, is the wiring: it differs with the topology, and nothing else does.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.jit import I64, Array

INPUTS = 2
"""Where the weights of the inputs begin in a row."""
Neurons = NDArray[np.float32]


class Wiring(NamedTuple):
    """How sensors by kind reach the inputs of neurons.

    input_of: [F] int64. factor: [F] float32 – what a sensor says to its input when it is on. opposite: [F] int64
    – the sensor that the other side has for the same piece. views: 1, the value is what the side to move sees; 2,
    less what the other side sees.
    """

    input_of: Array
    factor: Array
    opposite: Array
    views: I64
