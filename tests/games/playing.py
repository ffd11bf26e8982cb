"""Single random playouts, compiled once for all tests."""

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.randomness import draw
from neche.games.playouts import play_out


@jit
def play_one(position, key, number, rule, moves):
    """Play game `number` of the stream `key` from a position; return outcome and plies."""
    return play_out(position, draw(key, np.uint64(number)), rule, moves)
