"""DNA: text ↔ digits ↔ genes.

The letters A C G T stand for the base-4 digits 0 1 2 3. A gene encodes one synapse: source neuron, sink
neuron, raw weight, each a base-4 number.

    C G A | T G G | T A G T C G G A T C
    source  sink    raw weight              most significant nucleotide first

The weight is (raw − 2^19) / 10 000, so that the raw values are centred on zero.

Symbols: L nucleotides, G genes; a leading axis (a population) is carried through everywhere.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from neche.compiled.jit import I64, Array, jit, jit_inlined
from neche.errors import InputError

NUCLEOTIDES = "ACGT"

Digits: TypeAlias = npt.NDArray[np.uint8]
"""[L] uint8 – one genome, nucleotide by nucleotide, values 0..3."""

_BASE = len(NUCLEOTIDES)
_WRONG = 255
_LOWER_CASE = 32
"""Bit in which a lower-case letter differs from its capital."""
_FOUR_NUCLEOTIDES = np.array([*product(range(_BASE), repeat=4)], np.uint8).view(np.uint32)[:, 0]
"""The four nucleotides of each byte, as one number: ten times as fast as nucleotide by nucleotide."""
_LETTERS = np.frombuffer(NUCLEOTIDES.encode(), dtype=np.uint8)
_LETTER_OF_DIGIT = NUCLEOTIDES.encode().ljust(256, b"?")
_DIGIT_OF_BYTE = np.full(256, _WRONG, dtype=np.uint8)
_DIGIT_OF_BYTE[_LETTERS] = _DIGIT_OF_BYTE[_LETTERS | _LOWER_CASE] = range(_BASE)


def encode(text: str) -> Digits:
    """Turn DNA text of either case into digits; InputError names a wrong letter and its position from 1."""
    digits: Digits = _DIGIT_OF_BYTE[np.frombuffer(text.encode("latin-1", "replace"), dtype=np.uint8)]
    wrong = np.flatnonzero(digits == _WRONG)
    if wrong.size:
        position = int(wrong[0])
        raise InputError(f"DNA: {text[position]!r} at position {position + 1} is not one of A, C, G, T")
    return digits


def decode(digits: Digits) -> str:
    """Turn digits into upper-case DNA text."""
    # Twice as fast as a NumPy lookup.
    return digits.tobytes().translate(_LETTER_OF_DIGIT).decode("ascii")


def random_genome(num_genes: int, rng: np.random.Generator, *, gene_length: int = 16) -> Digits:
    """Draw a genome whose nucleotides are independent and equally likely."""
    return rng.integers(len(NUCLEOTIDES), size=num_genes * gene_length, dtype=np.uint8)


@dataclass(frozen=True)
class GeneFormat:
    """How many nucleotides each part of a gene has."""

    id_digits: int = 3
    weight_digits: int = 10

    @cached_property
    def length(self) -> int:
        """Nucleotides in one gene."""
        return 2 * self.id_digits + self.weight_digits

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """Lowest bit of each unit in a gene as one number, see `Units`."""
        width = 2 if self.length % 4 else 4
        return tuple(range(2 * (self.length - width), -1, -2 * width))

    @cached_property
    def num_ids(self) -> int:
        """Neuron ids that a gene can name."""
        return int(_BASE**self.id_digits)

    @cached_property
    def num_raw(self) -> int:
        """Raw weights that a gene can hold: 0 .. num_raw − 1."""
        return int(_BASE**self.weight_digits)


@cache
def format_for(num_neurons: int) -> GeneFormat:
    """Return the format whose ids can name `num_neurons`: 3 nucleotides for up to 64, 4 for up to 256."""
    digits = GeneFormat().id_digits
    while _BASE**digits < num_neurons:
        digits += 1
    return GeneFormat(digits)


GENE_FORMAT = GeneFormat()
WEIGHT_ZERO = GENE_FORMAT.num_raw // 2
"""Raw weight that means zero."""
WEIGHT_SCALE = 10_000
"""Raw steps in one unit of weight."""


class Genes(NamedTuple):
    """Genes of one genome, or of many with a leading axis, in the order of the strand.

    source: [..., G] int64 – neuron the synapse leaves, 0 .. num_ids − 1
    sink: [..., G] int64 – neuron the synapse enters, 0 .. num_ids − 1
    raw: [..., G] int64, ten-thousandths of a weight unit above −2^19 – raw weight, 0 .. num_raw − 1
    """

    source: npt.NDArray[np.int64]
    sink: npt.NDArray[np.int64]
    raw: npt.NDArray[np.int64]


def as_genes(digits: Digits, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """View digits [..., L] as [..., G, gene length], uncopied if possible; InputError if not whole genes."""
    length = gene_format.length
    if digits.shape[-1] % length:
        raise InputError(f"genome: {digits.shape[-1]} nucleotides are not whole genes of {length}")
    return digits.reshape(*digits.shape[:-1], digits.shape[-1] // length, length)


class Units(NamedTuple):
    """Genes in units of four nucleotides, a byte each, or of two if the gene length is not divisible by four.

    A unit is one number; a single product gathers the two bits of each of its bytes, or spreads them:

        b0 + b1·2^8 + b2·2^16 + b3·2^24  times  1 + 2^10 + 2^20 + 2^30  has b0 b1 b2 b3 in its bits 24 … 31

    numbers: [units] uint32 or uint16, genes end to end. shifts: of the units of one gene, see `GeneFormat`;
    compiled code knows the length of a tuple, and so reads eight genes at once, seven times as fast.
    """

    numbers: Array
    shifts: Any


_FACTOR_OF_FOUR, _FACTOR_OF_TWO = 0x40100401, 0x401
_LOW_BITS = 0x03030303
"""The two bits of every byte that hold a nucleotide."""


@jit_inlined
def gene_number(units: Units, gene: I64) -> I64:
    """Return a gene as one number: two bits a nucleotide, the first in the highest bits."""
    numbers, shifts = units
    width = numbers.itemsize
    factor = np.int64(_FACTOR_OF_FOUR if width == 4 else _FACTOR_OF_TWO)
    number = np.int64(0)
    for at in range(len(shifts)):
        gathered = np.int64(numbers[gene * len(shifts) + at]) * factor >> 8 * (width - 1)
        number |= (gathered & ((1 << 2 * width) - 1)) << shifts[at]
    return number


@jit_inlined
def put_gene(units: Units, gene: I64, number: I64) -> None:
    """Write a gene, the inverse of `gene_number`."""
    numbers, shifts = units
    width = numbers.itemsize
    factor = np.int64(_FACTOR_OF_FOUR if width == 4 else _FACTOR_OF_TWO)
    for at in range(len(shifts)):
        spread = (number >> shifts[at] & ((1 << 2 * width) - 1)) * factor >> 2 * (width - 1)
        numbers[gene * len(shifts) + at] = spread & _LOW_BITS


@jit
def _read_genes(units: Units, ids: I64, raws: I64, parts: Genes) -> None:
    """Read genes [G], whose ids and weights have `ids` and `raws` bits, into the arrays of `parts`."""
    source, sink, raw = parts
    for gene in range(len(source)):
        number = gene_number(units, gene)
        source[gene], sink[gene] = number >> ids + raws, number >> raws & ((1 << ids) - 1)
        raw[gene] = number & ((1 << raws) - 1)


def units_of(digits: Digits, gene_format: GeneFormat) -> Units:
    """View digits as units."""
    # numba would recompile for any other kind of array.
    flat = np.require(digits, np.uint8, ("C", "W")).reshape(-1)
    return Units(flat.view(np.uint16 if gene_format.length % 4 else np.uint32), gene_format.shifts)


def read_genes(digits: Digits, gene_format: GeneFormat = GENE_FORMAT) -> Genes:
    """Read every gene of a genome [L], or of many [..., L]; InputError if genes are not whole."""
    genes = Genes(*np.empty((3, *as_genes(digits, gene_format).shape[:-1]), np.int64))
    widths = 2 * gene_format.id_digits, 2 * gene_format.weight_digits
    _read_genes(units_of(digits, gene_format), *widths, Genes(*(part.reshape(-1) for part in genes)))
    return genes


def write_genes(genes: Genes, gene_format: GeneFormat = GENE_FORMAT) -> Digits:
    """Write genes [..., G], broadcast together, as digits [..., L]; InputError if a number does not fit."""
    widths = (gene_format.id_digits, gene_format.id_digits, gene_format.weight_digits)
    packed: npt.NDArray[np.uint64] = np.zeros((), np.uint64)
    for name, part, width in zip(Genes._fields, genes, widths, strict=True):
        number = np.asarray(part, dtype=np.int64)
        if number.min(initial=0) < 0 or number.max(initial=0) >= _BASE**width:
            raise InputError(f"gene: a {name} lies outside 0..{_BASE**width - 1}")
        # Two bits per nucleotide.
        packed = packed << np.uint64(2 * width) | number.astype(np.uint64)
    # The first nucleotides are in the highest bits, whose bytes come first; a byte is four nucleotides.
    size = 4 if gene_format.length <= 16 else 8
    left = packed << np.uint64(8 * size - 2 * gene_format.length)
    octets = left.astype(f">u{size}")[..., None].view(np.uint8)
    written: Digits = _FOUR_NUCLEOTIDES[octets].view(np.uint8)[..., : gene_format.length]
    return written.reshape(*written.shape[:-2], -1)
