"""Slow and obvious twin of networks of any topology on any board, in fractions.

It shares nothing with the package. A topology is the numbers of sensors, biases, neurons of layer 1, of layer
2, and outputs. Sensors are given by the squares they see, in the order of their ids.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from tests.oracles.boards import opposite

SIZES = {"m": 1, "k": 2}


def _number(letters: str) -> int:
    value = 0
    for letter in letters:
        value = value * 4 + "ACGT".index(letter)
    return value


def _stage(neuron: int, counts: Sequence[int]) -> int:
    """Return the stage of a neuron: 0 sensor or bias, 1 layer 1, 2 layer 2, 3 output, 4 no such neuron."""
    _, biases, layer1, layer2, output = accumulate(counts)
    return sum(neuron >= end for end in (biases, layer1, layer2, output))


def _synapses(dna: str, counts: Sequence[int]) -> dict[tuple[int, int], Fraction]:
    """Map every allowed synapse to its weight; a later gene replaces an earlier one."""
    digits = 3
    while 4**digits < sum(counts):
        digits += 1
    length = 2 * digits + 10
    wired = {}
    for start in range(0, len(dna), length):
        source = _number(dna[start : start + digits])
        sink = _number(dna[start + digits : start + 2 * digits])
        weight = Fraction(_number(dna[start + 2 * digits : start + length]) - 2**19, 10_000)
        if _stage(source, counts) < _stage(sink, counts) <= 3:
            wired[source, sink] = weight
    return wired


def _forward(dna: str, counts: Sequence[int], sensors: Sequence[int]) -> Fraction:
    values = [Fraction(seen) for seen in sensors] + [Fraction(1)] * counts[1]
    wired = _synapses(dna, counts)
    for neuron in range(len(values), sum(counts)):
        total = sum((weight * values[a] for (a, b), weight in wired.items() if b == neuron), Fraction(0))
        values.append(total if neuron == sum(counts) - 1 else max(total, Fraction(0)))
    return values[-1]


def evaluate(
    dna: str,
    counts: Sequence[int],
    squares: Sequence[str],
    board: Mapping[str, tuple[bool, str]],
    *,
    viewer: bool,
    perspective: str,
) -> Fraction:
    """Return the exact value of a position for one side.

    board: the piece on each square: whether it belongs to the first side, whose view is not turned, and `m`
    for a man or `k` for a king. viewer: whether the value is for the first side.
    """

    def seen_by(first: bool) -> list[int]:
        signs = {
            square: (1 if owner == first else -1) * SIZES[piece] for square, (owner, piece) in board.items()
        }
        places = squares if first else [opposite(square, squares) for square in squares]
        return [signs.get(square, 0) for square in places]

    value = _forward(dna, counts, seen_by(viewer))
    if perspective == "antisymmetric":
        value -= _forward(dna, counts, seen_by(not viewer))
    return value
