"""Slow and obvious twin of genome decoding and network evaluation, in plain integers and fractions.

It is written from the description of the genome alone and shares nothing with the package.
"""

from collections.abc import Collection
from fractions import Fraction

SQUARES = (
    *("A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8"),
    *("G1", "H2", "A3", "B4", "C5", "D6", "E7", "F8"),
    *("E1", "F2", "G3", "H4", "A5", "B6", "C7", "D8"),
    *("C1", "D2", "E3", "F4", "G5", "H6", "A7", "B8"),
)


def number(letters: str) -> int:
    """Read base-4 letters, most significant first."""
    value = 0
    for letter in letters.upper():
        value = value * 4 + "ACGT".index(letter)
    return value


def genes(dna: str) -> list[tuple[int, int, Fraction]]:
    """List (source, sink, weight) of every gene."""
    result = []
    for start in range(0, len(dna), 16):
        gene = dna[start : start + 16]
        weight = Fraction(number(gene[6:16]) - 2**19, 10_000)
        result.append((number(gene[0:3]), number(gene[3:6]), weight))
    return result


def is_allowed(source: int, sink: int) -> bool:
    """Return whether a synapse between these neurons is allowed."""
    if 0 <= source <= 38:
        return 39 <= sink <= 63
    if 39 <= source <= 54:
        return 55 <= sink <= 63
    if 55 <= source <= 62:
        return sink == 63
    return False


def synapses(dna: str) -> dict[tuple[int, int], Fraction]:
    """Map (source, sink) of every allowed synapse to its weight; a later gene replaces an earlier one."""
    wired = {}
    for source, sink, weight in genes(dna):
        if is_allowed(source, sink):
            wired[source, sink] = weight
    return wired


def is_viable(dna: str) -> bool:
    """Return whether a synapse enters the output."""
    return any(sink == 63 for _, sink in synapses(dna))


def live_synapses(dna: str) -> set[tuple[int, int]]:
    """Follow every path from the output back to the inputs; collect the synapses of complete paths."""
    wired = {pair: weight for pair, weight in synapses(dna).items() if weight != 0}
    complete: set[tuple[int, int]] = set()

    def follow(neuron: int, path: tuple[tuple[int, int], ...]) -> None:
        if neuron <= 38:
            complete.update(path)
        for source, sink in wired:
            if sink == neuron:
                follow(source, (*path, (source, sink)))

    follow(63, ())
    return complete


def turned(sensor: int) -> int:
    """Return the sensor that sees the same square when the board is turned by 180°."""
    column, row = SQUARES[sensor][0], SQUARES[sensor][1]
    return SQUARES.index("ABCDEFGH"[7 - "ABCDEFGH".index(column)] + str(9 - int(row)))


def forward(dna: str, sensors: dict[int, int]) -> Fraction:
    """Return the output. Neurons are computed in the order of their ids; 39 to 62 are ReLU."""
    wired = synapses(dna)
    value: dict[int, Fraction] = {neuron: Fraction(sensors.get(neuron, 0)) for neuron in range(32)}
    value.update({neuron: Fraction(1) for neuron in range(32, 39)})
    for neuron in range(39, 64):
        total = Fraction(0)
        for (source, sink), weight in wired.items():
            if sink == neuron:
                total += weight * value[source]
        value[neuron] = total if neuron == 63 else max(total, Fraction(0))
    return value[63]


def evaluate(
    dna: str,
    own_men: Collection[int],
    own_kings: Collection[int],
    foe_men: Collection[int],
    foe_kings: Collection[int],
    perspective: str = "own",
) -> Fraction:
    """Return the exact value of a position. Pieces are given by the sensors of their squares in the own view.

    perspective: "own", or "antisymmetric", f(own view) − f(opponent's view)
    """
    view = dict.fromkeys(own_men, 1) | dict.fromkeys(own_kings, 2)
    view |= dict.fromkeys(foe_men, -1) | dict.fromkeys(foe_kings, -2)
    value = forward(dna, view)
    if perspective == "antisymmetric":
        value -= forward(dna, {turned(sensor): -seen for sensor, seen in view.items()})
    return value
