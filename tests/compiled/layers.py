"""The sums of hidden layers, as compiled code calls them."""

from neche.compiled.jit import jit
from neche.compiled.vectors import rectified_layers, rectified_sum


@jit
def compiled_sum(rows, block, pieces):
    return rectified_sum(rows, block, pieces)


@jit
def compiled_layers(rows, block, pieces):
    return rectified_layers(rows, block, pieces)
