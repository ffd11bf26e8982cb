"""DNA text ↔ digits: the letters A C G T stand for the base-4 digits 0 1 2 3.

Symbols: L nucleotides in one genome.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from neche.errors import InputError

NUCLEOTIDES = "ACGT"

Digits: TypeAlias = npt.NDArray[np.uint8]
"""[L] uint8 – one genome, nucleotide by nucleotide, values 0..3."""

_WRONG = 255
_LETTERS = np.frombuffer(NUCLEOTIDES.encode(), dtype=np.uint8)


def _digit_of_byte() -> Digits:
    table = np.full(256, _WRONG, dtype=np.uint8)
    for digit, letter in enumerate(NUCLEOTIDES):
        table[ord(letter)] = table[ord(letter.lower())] = digit
    return table


_DIGIT_OF_BYTE = _digit_of_byte()


def encode(text: str) -> Digits:
    """Turn DNA text into digits; lower case is accepted.

    Raises:
        InputError: a letter is not a nucleotide; its position counts from 1.
    """
    digits: Digits = _DIGIT_OF_BYTE[np.frombuffer(text.encode("latin-1", "replace"), dtype=np.uint8)]
    wrong = np.flatnonzero(digits == _WRONG)
    if wrong.size:
        position = int(wrong[0])
        raise InputError(f"DNA: {text[position]!r} at position {position + 1} is not one of A, C, G, T")
    return digits


def decode(digits: Digits) -> str:
    """Turn digits into upper-case DNA text."""
    return _LETTERS[digits].tobytes().decode("ascii")


def random_genome(num_genes: int, rng: np.random.Generator, *, gene_length: int = 16) -> Digits:
    """Draw a genome whose nucleotides are independent and equally likely."""
    return rng.integers(len(NUCLEOTIDES), size=num_genes * gene_length, dtype=np.uint8)
