"""Solved endings that tests share, and positions to look up in them."""

import random

import numpy as np

from neche.endings.indexing import BINOMIALS, position_of
from neche.endings.slices import Slice, board_of, slices_of
from neche.games.catalogue import game


def position_at(name, of, number):
    """Return the position with this number in a slice."""
    rules = game(name)
    found = position_of(rules.start(), np.int64(number), Slice._make(map(np.int64, of)), BINOMIALS)
    record = type(rules.start())
    return record._make(type(field)(value) for field, value in zip(rules.start(), found, strict=True))


def random_positions(name, pieces, count, seed):
    """Yield positions of random slices, small ones as often as large ones."""
    draw = random.Random(seed)
    slices = slices_of(pieces)
    for _ in range(count):
        of = draw.choice(slices)
        yield position_at(name, of, draw.randrange(board_of(game(name)).num_positions(of)))
