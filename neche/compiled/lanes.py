"""The hidden layers of a dense network in integers: what they are given, and the instructions for it.

Lanes stand side by side in vectors, a lane a hidden neuron. LLVM makes of one vector as many of the
processor's registers as it needs: 32 lanes are one of AVX-512, two of AVX2, four of NEON.
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils

from neche.compiled.bits import llvm_call
from neche.compiled.groups import GROUP_ROWS, write_row_of_square, write_rows_of_groups
from neche.compiled.jit import I64, U64

LANES = 32
"""Lanes of the smallest vector: rows are padded with zeros to a multiple of it."""
SECOND_LANES = 32
"""Lanes of the second hidden layer, whatever it has of neurons."""
KERNEL_LANES = 8
"""Lanes that a thread of a kernel takes at once: as many as one of its loads brings, 16 bytes."""
_I1, _I16, _I32, _I64 = (ir.IntType(width) for width in (1, 16, 32, 64))


class Block(NamedTuple):
    """Where the rows of a layer stand; all int64, indices count int16.

    start: index of `lanes` biases, behind which are as many weights out. lanes: a multiple of LANES.
    first: index of the first row. king_rows: how many rows further the row of a king stands; 0 for `Discs`.
    """

    start: I64
    lanes: I64
    first: I64
    king_rows: I64


class Pieces(NamedTuple):
    """Pieces on a board; all uint64.

    A bit of `low` is the row of its number, a bit of `high` that of its number + 64; a bit of `kings` says
    that the pieces of that number are kings.
    """

    low: U64
    high: U64
    kings: U64


class Discs(NamedTuple):
    """Pieces on a board whose rows are those of `groups`, own and enemy by square; both uint64."""

    own: U64
    foe: U64


def load(builder: Any, base: Any, index: Any, width: int, align: int = 2) -> Any:
    """Load a vector of int16 that begins at an index."""
    pointer = builder.bitcast(builder.gep(base, [index]), ir.VectorType(_I16, width).as_pointer())
    return builder.load(pointer, align=align)


def positive(builder: Any, vector: Any) -> Any:
    """Return a vector with 0 in place of what is negative."""
    zero = ir.Constant(vector.type, None)
    return builder.select(builder.icmp_signed(">", vector, zero), vector, zero)


class Layer:
    """Writes the instructions for a chunk of lanes of a block, from a lane on.

    where: pointer to int16, the block behind it, and the lane. kind: `Pieces` or `Discs`, as which the pieces
    on a board are given.
    """

    def __init__(
        self, builder: Any, width: int, where: tuple[Any, Any, Any], kind: type, *, is_kernel: bool
    ) -> None:
        self._builder, self._width, self._kind = builder, width, kind
        self._base, block, self._lane = where
        self._is_kernel = is_kernel
        self._start, self._lanes, first, self._king_rows = (
            builder.extract_value(block, at) for at in range(4)
        )
        self._first = builder.add(first, self._lane)

    def _load(self, index: Any) -> Any:
        # An array of numpy is aligned to 16 bytes, not to a whole vector; that is enough for one of a kernel.
        align = 2 * KERNEL_LANES if self._is_kernel else 2
        return load(self._builder, self._base, index, self._width, align)

    def sums(self, on_board: Any) -> Any:
        """Return the biases with the rows of all pieces added."""
        builder, sums = self._builder, self._load(self._builder.add(self._start, self._lane))
        words = [builder.extract_value(on_board, at) for at in range(len(on_board.type.elements))]
        if self._kind is Discs and not self._is_kernel:
            return reduce(builder.add, map(self._row, write_rows_of_groups(builder, *words)), sums)
        # a kernel finds the same rows one by one, which needs no more registers than other pieces do
        rows_of = [partial(self._row_of_disc, is_own) for is_own in (True, False)]
        if self._kind is Pieces:
            rows_of = [partial(self._row_of_piece, words[2], offset) for offset in (0, 64)]
        for word, row_of in zip(words[:2], rows_of, strict=True):
            sums = self._add_bits(word, sums, row_of)
        return sums

    def _row_of_disc(self, is_own: bool, bit: Any) -> Any:
        return self._row(write_row_of_square(self._builder, bit, is_own=is_own))

    def _row(self, number: Any) -> Any:
        return self._load(self._builder.add(self._first, self._builder.mul(number, self._lanes)))

    def _row_of_piece(self, kings: Any, offset: int, bit: Any) -> Any:
        builder = self._builder
        is_king = builder.trunc(builder.lshr(kings, bit), _I1)
        behind = builder.select(is_king, self._king_rows, ir.Constant(_I64, 0))
        return self._row(builder.add(builder.add(bit, ir.Constant(_I64, offset)), behind))

    def _add_bits(self, word: Any, sums: Any, row_of: Callable[[Any], Any]) -> Any:
        """Add the row that each bit of a word stands for; the sums stay in registers."""
        builder = self._builder
        before = builder.block
        head, body, end = (builder.append_basic_block(name) for name in ("bits", "bit", "bits.end"))
        builder.branch(head)
        builder.position_at_end(head)
        left, total = builder.phi(word.type), builder.phi(sums.type)
        left.add_incoming(word, before)
        total.add_incoming(sums, before)
        builder.cbranch(builder.icmp_unsigned("!=", left, ir.Constant(_I64, 0)), body, end)
        builder.position_at_end(body)
        bit = llvm_call(builder, "llvm.cttz.i64", _I64, [left, ir.Constant(_I1, 1)])
        added = builder.add(total, row_of(bit))
        left.add_incoming(builder.and_(left, builder.sub(left, ir.Constant(_I64, 1))), body)
        total.add_incoming(added, body)
        builder.branch(head)
        builder.position_at_end(end)
        return total

    def link(self, sums: Any) -> Any:
        """Return what the second layer hears of these lanes, int32.

        Most sums are not positive, so only the others are gone through.
        """
        builder, width = self._builder, self._width
        # as `_links_of`
        rows = builder.mul(self._king_rows, ir.Constant(_I64, 4))
        if self._kind is Discs:
            rows = ir.Constant(_I64, GROUP_ROWS)
        behind = builder.mul(self._lanes, builder.add(rows, ir.Constant(_I64, 2)))
        own_links = builder.mul(self._lane, ir.Constant(_I64, SECOND_LANES))
        links = builder.add(builder.add(self._start, behind), own_links)
        said = cgutils.alloca_once(builder, sums.type)
        builder.store(sums, said)
        words = ir.ArrayType(_I16, width).as_pointer()
        are_on = builder.icmp_signed(">", sums, ir.Constant(sums.type, None))
        bits = builder.bitcast(are_on, ir.IntType(width))
        total = ir.Constant(ir.VectorType(_I32, SECOND_LANES), None)
        for offset in range(0, width, _I64.width):
            shifted = builder.lshr(bits, ir.Constant(bits.type, offset))
            part = (builder.trunc if width > _I64.width else builder.zext)(shifted, _I64)
            place = builder.gep(
                builder.bitcast(said, words), [ir.Constant(_I64, 0), ir.Constant(_I64, offset)]
            )
            row = builder.add(links, ir.Constant(_I64, offset * SECOND_LANES))
            total = self._add_bits(part, total, partial(self._said_by_links, place, row))
        return total

    def _said_by_links(self, said: Any, links: Any, bit: Any) -> Any:
        builder, wide = self._builder, ir.VectorType(_I32, SECOND_LANES)
        value = builder.sext(builder.load(builder.gep(said, [bit])), _I32)
        first = builder.insert_element(ir.Constant(wide, ir.Undefined), value, ir.Constant(_I32, 0))
        values = builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, SECOND_LANES), None))
        row = builder.add(links, builder.mul(bit, ir.Constant(_I64, SECOND_LANES)))
        return builder.mul(values, builder.sext(load(builder, self._base, row, SECOND_LANES), wide))

    def weigh(self, sums: Any) -> Any:
        """Return the sum of the positive sums, each times its weight to the output; int64."""
        builder, wide = self._builder, ir.VectorType(_I32, self._width)
        out = self._load(builder.add(builder.add(self._start, self._lanes), self._lane))
        products = builder.mul(builder.sext(positive(builder, sums), wide), builder.sext(out, wide))
        if self._is_kernel:
            return builder.sext(_sum_of_lanes(builder, products, self._width), _I64)
        total = llvm_call(builder, f"llvm.vector.reduce.add.v{self._width}i32", _I32, [products])
        return builder.sext(total, _I64)


def _sum_of_lanes(builder: Any, vector: Any, width: int) -> Any:
    """Add up the lanes one by one: NVIDIA's compiler knows no instruction for it."""
    lanes = [builder.extract_element(vector, ir.Constant(_I32, lane)) for lane in range(width)]
    return reduce(builder.add, lanes)
