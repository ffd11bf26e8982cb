"""Judges that decide comparisons without playing, for tests of the pairing schemes."""

import numpy as np
from numpy.typing import ArrayLike

from neche.evolution.population import IntArray


class Judge:
    """Decides every comparison by known strengths, without noise, and notes who was compared."""

    def __init__(self, strengths: ArrayLike):
        self.strengths = np.asarray(strengths)
        self.pairs: list[tuple[int, int]] = []
        self.batch_sizes: list[int] = []

    def compare(self, a: IntArray, b: IntArray) -> IntArray:
        """Return 2, 0 or −2: both games won, drawn or lost by a."""
        assert len(a) == len(b) > 0
        assert not (a == b).any()
        self.pairs += list(zip(a.tolist(), b.tolist(), strict=True))
        self.batch_sizes.append(len(a))
        balances: IntArray = 2 * np.sign(self.strengths[a] - self.strengths[b]).astype(np.int64)
        return balances

    @property
    def num_batches(self) -> int:
        """Batches so far."""
        return len(self.batch_sizes)

    @property
    def num_comparisons(self) -> int:
        """Comparisons so far."""
        return len(self.pairs)
