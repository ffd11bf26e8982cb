"""Slow and obvious twin of dense networks and their strands, in fractions.

It shares nothing with the package. A genome is its letters; a board maps squares to pieces.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tests.oracles.boards import opposite

KINDS = {
    4: [(True, "m"), (True, "k"), (False, "m"), (False, "k")],
    2: [(True, "m"), (False, "m")],
}
"""Kinds of pieces in the order of their sensors: whether it is the mover's, and man or king."""


def weights(dna: str) -> list[Fraction]:
    """Read the weights: five letters each, zero in the middle of the range, in steps of 0.008."""
    found = []
    for start in range(0, len(dna), 5):
        raw = 0
        for letter in dna[start : start + 5]:
            raw = raw * 4 + "ACGT".index(letter)
        found.append(Fraction(raw - 512, 125))
    return found


def sensors(
    squares: Sequence[str], board: Mapping[str, tuple[bool, str]], *, num_kinds: int, first_moves: bool
) -> list[int]:
    """Return one sensor for each kind and square: 1 if such a piece stands there in the mover's view."""
    seen = []
    for is_own, piece in KINDS[num_kinds]:
        for square in squares:
            place = square if first_moves else opposite(square, squares)
            owner = first_moves if is_own else not first_moves
            seen.append(int(board.get(place) == (owner, piece)))
    return seen


def evaluate(dna: str, hidden: int, seen: Sequence[int], second: int = 0) -> Fraction:
    """Return the exact value of a position for the side to move, in weight units.

    The hidden neurons feed the output, or the second layer if there is one, which then feeds the output.
    """
    written = iter(weights(dna))

    def take(count: int) -> list[Fraction]:
        return [next(written) for _ in range(count)]

    def from_sensors() -> Fraction:
        constant, *inputs = take(1 + len(seen))
        return constant + sum((w for w, on in zip(inputs, seen, strict=True) if on), Fraction(0))

    last, total = take(second), from_sensors()
    heard = [Fraction(0)] * (second or 1)
    for _ in range(hidden):
        outs, activation = take(second or 1), max(from_sensors(), Fraction(0))
        heard = [value + out * activation for value, out in zip(heard, outs, strict=True)]
    assert next(written, None) is None
    if not second:
        return total + heard[0]
    return total + sum(
        (w * max(value, Fraction(0)) for w, value in zip(last, heard, strict=True)), Fraction(0)
    )
