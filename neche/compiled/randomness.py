"""Random numbers for compiled code: a stream is a key, a draw a pure function of key and counter.

Nothing is stored between draws, so results cannot depend on which thread made them or in what order.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import jit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@jit
def draw(key: Any, counter: Any) -> Any:
    """Return 64 random bits. Source: SplitMix64 (Steele, Lea and Flood 2014)."""
    # A Weyl sequence, key + counter · golden ratio, then mixed by two xor-shifts with a product each.
    word = np.uint64(np.uint64(key) + np.uint64(np.uint64(counter) * _GOLDEN) + _GOLDEN)
    word = np.uint64(np.uint64(word ^ np.uint64(word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9))
    word = np.uint64(np.uint64(word ^ np.uint64(word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB))
    return np.uint64(word ^ np.uint64(word >> np.uint64(31)))


@jit
def moved_on(key: Any, count: Any) -> Any:
    """Return the key whose draw number i is draw number i + count of `key`."""
    return np.uint64(np.uint64(key) + np.uint64(np.uint64(count) * _GOLDEN))


@jit
def draw_below(key: Any, counter: Any, bound: Any) -> Any:
    """Return a random integer 0 … bound − 1, for bounds below 2^32; the bias is below 2^-32."""
    return choose_below(draw(key, counter), bound)


@jit
def advance(state: Any) -> Any:
    """Return the next state of a linear congruential generator; only the high bits of a state are random.

    For one game among millions, started at `draw(key, number)`: one multiplication each. Source: Knuth, MMIX.
    """
    # The product wraps modulo 2^64, which is the generator's modulus.
    return np.uint64(np.uint64(state) * np.uint64(6364136223846793005) + np.uint64(1442695040888963407))


@jit
def choose_below(state: Any, bound: Any) -> Any:
    """Return an integer 0 … bound − 1 from the high half of a state; bound below 2^32."""
    # The high half, because the low bits of such a generator repeat soon: bit k after 2^(k+1) steps. Multiply
    # and shift instead of a remainder: no division, and two 32-bit numbers have a product of 64 bits.
    high = np.uint64(np.uint64(state) >> np.uint64(32))
    return np.int64(np.uint64(high * np.uint64(bound)) >> np.uint64(32))
