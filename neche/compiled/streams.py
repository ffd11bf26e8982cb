"""Random streams keyed by (seed, generation, name, index), for Python code.

Nothing in the package draws from a global generator: a key names each stream, so a draw depends on its
purpose, never on which worker makes it or when. NumPy only; compiled code draws through `randomness`.
"""

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)


def stream(seed: int, generation: int, name: str, index: int = 0) -> np.random.Generator:
    """Return the generator of one stream; equal keys give equal draws. All key parts are non-negative."""
    # Python's own hash() differs from process to process; the code of a name never does.
    entropy = (seed, generation, _name_code(name), index)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def stream_key(seed: int, generation: int, name: str, index: int = 0) -> int:
    """Return the 64-bit key of a compiled stream (see `randomness.draw`)."""
    return int(stream_keys(seed, generation, name, 1, start=index)[0])


def stream_keys(seed: int, generation: int, name: str, count: int, *, start: int = 0) -> NDArray[np.uint64]:
    """Return the keys of streams start … start + count − 1: uint64 [count].

    Source: the finaliser of SplitMix64 (Steele, Lea and Flood 2014), applied to base + index · golden ratio.
    """
    return draws(_base(seed, generation, name), count, start)


def draws(key: NDArray[np.uint64], count: int, start: int = 0) -> NDArray[np.uint64]:
    """Return draws start … start + count − 1 of a compiled stream: uint64 [count]. key: uint64 [1]."""
    index = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    return _finalise(key + index * _GOLDEN_RATIO)


@lru_cache(maxsize=64)
def _base(seed: int, generation: int, name: str) -> NDArray[np.uint64]:
    base = np.zeros(1, np.uint64)
    # NumPy arrays wrap around without a warning, unlike NumPy scalars.
    for part in (seed, generation, _name_code(name)):
        # Mixed after every part, so that seed 1, generation 2 and seed 2, generation 1 are unrelated.
        base = _finalise(base + _GOLDEN_RATIO + np.uint64(part & _MASK))
        # A seed from Python may have more than one word.
        while part := part >> 64:
            base = _finalise(base + _GOLDEN_RATIO + np.uint64(part & _MASK))
    return base


@lru_cache(maxsize=256)
def _name_code(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def _finalise(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
