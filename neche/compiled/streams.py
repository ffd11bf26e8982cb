"""Random streams keyed by (seed, generation, purpose, index), for Python code.

Nothing in the package draws from a global generator: a key names its stream, so a draw depends on what it is
for and never on which worker makes it, or when. NumPy only; compiled code draws through `randomness`.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1


def _purpose_code(purpose: str) -> int:
    return int.from_bytes(hashlib.blake2b(purpose.encode(), digest_size=8).digest(), "little")


def stream(seed: int, generation: int, purpose: str, index: int = 0) -> np.random.Generator:
    """Return the generator of one stream; equal keys give equal draws. All key parts are non-negative."""
    entropy = (seed, generation, _purpose_code(purpose), index)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def _finalise(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def _base_key(seed: int, generation: int, purpose: str) -> int:
    key = 0
    for part in (seed, generation, _purpose_code(purpose)):
        key = _finalise((key + 0x9E3779B97F4A7C15 + part) & _MASK)
    return key


def stream_key(seed: int, generation: int, purpose: str, index: int = 0) -> int:
    """Return the 64-bit key of a compiled stream (see `randomness.draw`)."""
    return int(stream_keys(seed, generation, purpose, index + 1)[index])


def stream_keys(
    seed: int, generation: int, purpose: str, count: int, *, start: int = 0
) -> NDArray[np.uint64]:
    """Return the keys of streams start … start + count − 1: uint64 [count].

    Source: the finaliser of SplitMix64 (Steele, Lea and Flood 2014), applied to base + index · golden ratio.
    """
    with np.errstate(over="ignore"):
        index = np.arange(start + 1, start + count + 1, dtype=np.uint64)
        word = np.uint64(_base_key(seed, generation, purpose)) + index * np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return word ^ (word >> np.uint64(31))
