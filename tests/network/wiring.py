"""Random genomes of several kinds, as DNA text, for the tests of evaluation and search."""

import random

NUCLEOTIDES = "ACGT"
KINDS = ("random", "crowded", "tied", "material")


def random_dna(rng: random.Random, num_genes: int = 200) -> str:
    """Draw every nucleotide uniformly, as in the first generation of a run."""
    return "".join(rng.choices(NUCLEOTIDES, k=16 * num_genes))


def crowded_dna(rng: random.Random, num_genes: int = 120, *, largest: int = 80_000) -> str:
    """Draw genes that share few neurons, with paths through either hidden layer and through both.

    largest: the largest weight, in ten-thousandths
    """
    layer1 = rng.sample(range(39, 55), rng.randint(1, 16))
    layer2 = rng.sample(range(55, 63), rng.randint(1, 8))
    return "".join(_crowded_gene(rng, layer1, layer2, largest) for _ in range(num_genes))


def _crowded_gene(rng: random.Random, layer1: list[int], layer2: list[int], largest: int) -> str:
    sink = rng.choice([rng.choice(layer1), rng.choice(layer1), rng.choice(layer2), 63])
    sources = [rng.randrange(32), rng.randrange(32), rng.randrange(39)]
    if sink >= 55:
        sources += [rng.choice(layer1)] * 2
    if sink == 63:
        sources += [rng.choice(layer2)] * 2
    return gene(rng.choice(sources), sink, rng.randint(-largest, largest))


def tied_dna(rng: random.Random) -> str:
    """Draw small whole weights on few squares, so that many positions have equal values."""
    return (
        "".join(
            gene(rng.randrange(39), rng.choice([63, 63, 39, 55]), 10_000 * rng.randint(-2, 2))
            for _ in range(12)
        )
        + gene(39, 63, 10_000)
        + gene(55, 63, -10_000)
    )


def material_dna() -> str:
    """Return the network that gives every square +1, so that a man counts 1 and a king 2."""
    return "".join(gene(sensor, 63, 10_000) for sensor in range(32))


def dna_of(kind: str, rng: random.Random) -> str:
    """Draw a genome of one of the KINDS."""
    if kind == "random":
        return random_dna(rng)
    if kind == "crowded":
        return crowded_dna(rng)
    return tied_dna(rng) if kind == "tied" else material_dna()


def gene(source: int, sink: int, weight: int) -> str:
    """Write one gene; the weight is in ten-thousandths, −2^19 to 2^19 − 1.

    >>> gene(24, 58, 308_877)
    'CGATGGTAGTCGGATC'
    """
    return _base4(source, 3) + _base4(sink, 3) + _base4(weight + 2**19, 10)


def _base4(number: int, num_digits: int) -> str:
    return "".join(NUCLEOTIDES[number >> 2 * place & 3] for place in reversed(range(num_digits)))
