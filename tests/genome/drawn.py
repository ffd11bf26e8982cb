"""Random genomes of strands, for tests and measurements; runs begin with other ones."""

import numpy as np

from neche.genome.dna import Digits
from neche.genome.strands import StrandFormat, steps_of, write_weights


def random_strands(
    strand_format: StrandFormat, rng: np.random.Generator, *, sd: float, count: int | None = None
) -> Digits:
    """Draw a genome [L], or `count` of them [count, L], with normal weights around zero. sd: weight units."""
    shape = () if count is None else (count,)
    return write_weights(steps_of(rng.normal(0.0, sd, (*shape, strand_format.num_weights))))
