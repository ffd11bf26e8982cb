"""Random convolutional networks for tests."""

import numpy as np

from neche.network.convolution import CHECKERS_PLANES, ConvolutionalNetwork


def random_convolution(seed, *, channels=(5, 4), width=6, board=CHECKERS_PLANES):
    """Draw weights of a size that keeps values away from 0 and ±1."""
    rng = np.random.default_rng(seed)

    def normal(*shape):
        fan = np.prod(shape[1:]) if len(shape) > 1 else shape[0]
        return (rng.normal(size=shape) * np.sqrt(2 / fan)).astype(np.float32)

    seen = (board.planes, *channels)
    return ConvolutionalNetwork(
        tuple(normal(out, into, 3, 3) for into, out in zip(seen[:-1], channels, strict=True)),
        tuple(normal(out) for out in channels),
        normal(width, seen[-1] * board.squares),
        normal(width),
        normal(width),
        normal(1),
        board,
    )
