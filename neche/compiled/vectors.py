"""Vectors: how wide LLVM makes them of a loop, and the hidden layer of a dense network in 16-bit integers.

As in `bits`, a plain Python function for interpreted use, overloaded by LLVM instructions for compiled use.
LLVM makes of one vector as many of the processor's registers as it needs: 32 lanes are one of AVX-512, two of
AVX2, four of NEON.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from neche.compiled.jit import I64, U64, Array, overload

LANES = 32
"""Lanes of the smallest vector: rows are padded with zeros to a multiple of it."""
KERNEL_LANES = 8
"""Lanes that a thread of a kernel takes at once: as many as one of its loads brings, 16 bytes."""
_I1, _I16, _I32, _I64 = (ir.IntType(width) for width in (1, 16, 32, 64))


@intrinsic
def _prefer_whole_vectors(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # llvmlite would take attributes that it knows, and no others.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.void(), generate


def _nothing() -> None:
    """Stand for it without compilation."""


# The intrinsic itself: a function around it would be the one that it speaks of.
prefer_whole_vectors: Callable[[], None] = _nothing if config.DISABLE_JIT else _prefer_whole_vectors
"""Let LLVM make vectors of AVX-512 of the loops of the function that calls this.

On processors by Intel it prefers halves, since whole ones lowered the clock of the first of them. Long loops
of arithmetic gain more than that; other code has no use for them.
"""


class Block(NamedTuple):
    """Where the rows of a layer stand; all int64, indices count int16.

    start: index of `lanes` biases, behind which are as many weights out. lanes: a multiple of LANES.
    first: index of the first row. king_rows: how many rows further the row of a king stands.
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


def rectified_sum(rows: Array, block: Block, pieces: Pieces) -> I64:
    """Return Σ out · max(0, bias + Σ of the rows of all pieces) over the lanes; int64, exact.

    rows: int32, read as pairs of int16. Sums of a lane wrap at 16 bits, those of products at 32 bits for
    every 128 lanes, where 32 767 · 512 a lane has room: the weights must be small enough.
    """
    table, (start, lanes, first, king_rows) = rows.view(np.int16), map(int, block)
    total, kings = table[start : start + lanes].copy(), int(pieces.kings)
    for word, offset in ((int(pieces.low), 0), (int(pieces.high), 64)):
        for bit in range(64):
            if word >> bit & 1:
                row = bit + offset + (king_rows if kings >> bit & 1 else 0)
                total += table[first + row * lanes : first + (row + 1) * lanes]
    out = table[start + lanes : start + 2 * lanes].astype(np.int64)
    return np.int64((np.maximum(total, 0) * out).sum())


def _rectified_chunk(width: int) -> Any:
    """Return the intrinsic for `width` lanes from lane number `lane` on."""

    def in_narrow_chunks(rows: Array, lane: I64, block: Block, pieces: Pieces) -> I64:
        total = np.int64(0)
        for narrow in range(lane, lane + width, KERNEL_LANES):
            total += _rectified_8(rows, narrow, block, pieces)
        return total

    @intrinsic
    def rectified_chunk(typing_context: Any, rows: Any, lane: Any, block: Any, pieces: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            is_kernel = not isinstance(context, CPUContext)
            if is_kernel and width > KERNEL_LANES:
                return context.compile_internal(builder, in_narrow_chunks, signature, arguments)
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            lane = arguments[1]
            start, lanes, first, king_rows = (builder.extract_value(arguments[2], at) for at in range(4))
            low, high, kings = (builder.extract_value(arguments[3], at) for at in range(3))
            base = builder.bitcast(array.data, _I16.as_pointer())
            layer = _Layer(builder, width, base, lanes, builder.add(first, lane), is_kernel=is_kernel)
            sums = layer.load(builder.add(start, lane))
            sums = layer.add_pieces(sums, low, kings, king_rows, 0)
            sums = layer.add_pieces(sums, high, kings, king_rows, 64)
            return layer.weigh(sums, layer.load(builder.add(builder.add(start, lanes), lane)))

        return types.int64(rows, types.int64, block, pieces), generate

    return rectified_chunk


class _Layer:
    """Writes the instructions for a chunk of lanes. base: pointer to int16. first: index of the first row."""

    def __init__(
        self, builder: Any, width: int, base: Any, lanes: Any, first: Any, *, is_kernel: bool
    ) -> None:
        self._builder, self._width, self._base, self._lanes, self._first = builder, width, base, lanes, first
        self._is_kernel = is_kernel

    def load(self, index: Any) -> Any:
        """Load a vector that begins at an index."""
        vector = ir.VectorType(_I16, self._width).as_pointer()
        pointer = self._builder.bitcast(self._builder.gep(self._base, [index]), vector)
        # An array of numpy is aligned to 16 bytes, not to a whole vector; that is enough for one of a kernel.
        return self._builder.load(pointer, align=2 * KERNEL_LANES if self._is_kernel else 2)

    def add_pieces(self, sums: Any, word: Any, kings: Any, king_rows: Any, offset: int) -> Any:
        """Add the row of each bit of a word; the sums stay in registers."""
        builder = self._builder
        before = builder.block
        head, body, end = (builder.append_basic_block(name) for name in ("pieces", "piece", "pieces.end"))
        builder.branch(head)
        builder.position_at_end(head)
        left, total = builder.phi(word.type), builder.phi(sums.type)
        left.add_incoming(word, before)
        total.add_incoming(sums, before)
        builder.cbranch(builder.icmp_unsigned("!=", left, ir.Constant(_I64, 0)), body, end)
        builder.position_at_end(body)
        bit = _call(builder, "llvm.cttz.i64", _I64, [left, ir.Constant(_I1, 1)])
        is_king = builder.trunc(builder.lshr(kings, bit), _I1)
        behind = builder.select(is_king, king_rows, ir.Constant(_I64, 0))
        row = builder.add(builder.add(bit, ir.Constant(_I64, offset)), behind)
        added = builder.add(total, self.load(builder.add(self._first, builder.mul(row, self._lanes))))
        left.add_incoming(builder.and_(left, builder.sub(left, ir.Constant(_I64, 1))), body)
        total.add_incoming(added, body)
        builder.branch(head)
        builder.position_at_end(end)
        return total

    def weigh(self, sums: Any, out: Any) -> Any:
        """Return the sum of the positive sums, each times its weight; int64."""
        builder, wide = self._builder, ir.VectorType(_I32, self._width)
        zero = ir.Constant(sums.type, None)
        positive = builder.select(builder.icmp_signed(">", sums, zero), sums, zero)
        products = builder.mul(builder.sext(positive, wide), builder.sext(out, wide))
        if self._is_kernel:
            return builder.sext(_sum_of_lanes(builder, products, self._width), _I64)
        total = _call(builder, f"llvm.vector.reduce.add.v{self._width}i32", _I32, [products])
        return builder.sext(total, _I64)


def _sum_of_lanes(builder: Any, vector: Any, width: int) -> Any:
    """Add up the lanes one by one: NVIDIA's compiler knows no instruction for it."""
    lanes = [builder.extract_element(vector, ir.Constant(_I32, lane)) for lane in range(width)]
    return reduce(builder.add, lanes)


def _call(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, signature, name)
    return builder.call(function, arguments)


@intrinsic
def _has_vectors(typing_context: Any) -> Any:
    """Return whether this is no kernel, where wider chunks are more code and no faster."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.get_constant(types.boolean, isinstance(context, CPUContext))

    return types.boolean(), generate


_rectified_8 = _rectified_chunk(KERNEL_LANES)
_rectified_32, _rectified_64, _rectified_128 = map(_rectified_chunk, (LANES, 2 * LANES, 4 * LANES))


@overload(rectified_sum)
def _rectified_sum_compiled(rows: Any, block: Any, pieces: Any) -> Any:
    def compiled(rows: Array, block: Block, pieces: Pieces) -> I64:
        total, lane = np.int64(0), np.int64(0)
        # four vectors at once, or two, share the work of finding the pieces
        while _has_vectors() and block.lanes - lane >= 4 * LANES:
            total += _rectified_128(rows, lane, block, pieces)
            lane += 4 * LANES
        while block.lanes - lane >= 2 * LANES:
            total += _rectified_64(rows, lane, block, pieces)
            lane += 2 * LANES
        if lane < block.lanes:
            total += _rectified_32(rows, lane, block, pieces)
        return total

    return compiled
