"""Vectors: how wide LLVM makes them of a loop, and the hidden layers of a dense network in integers.

As in `bits`, a plain Python function for interpreted use, overloaded by LLVM instructions for compiled use.
LLVM makes of one vector as many of the processor's registers as it needs: 32 lanes are one of AVX-512, two of
AVX2, four of NEON.
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from neche.compiled.bits import llvm_call
from neche.compiled.jit import I64, U64, Array, Bool, jit_inlined, overload

LANES = 32
"""Lanes of the smallest vector: rows are padded with zeros to a multiple of it."""
SECOND_LANES = 32
"""Lanes of the second hidden layer, whatever it has of neurons."""
KERNEL_LANES = 8
"""Lanes that a thread of a kernel takes at once: as many as one of its loads brings, 16 bytes."""
_I1, _I8, _I16, _I32, _I64 = (ir.IntType(width) for width in (1, 8, 16, 32, 64))
_WIDE = ir.VectorType(_I64, SECOND_LANES)


@intrinsic
def _prefer_whole_vectors(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # llvmlite would take attributes that it knows, and no others.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.void(), generate


# The intrinsic itself: a function around it would be the one that it speaks of.
prefer_whole_vectors: Callable[[], None] = (lambda: None) if config.DISABLE_JIT else _prefer_whole_vectors
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
    table, total = rows.view(np.int16), _sums(rows, block, pieces)
    start, lanes = int(block.start), int(block.lanes)
    out = table[start + lanes : start + 2 * lanes].astype(np.int64)
    return np.int64((np.maximum(total, 0) * out).sum())


def rectified_layers(rows: Array, block: Block, pieces: Pieces) -> I64:
    """Return Σ second · max(0, Σ link · max(0, bias + Σ of the rows of all pieces)); int64, exact.

    Arguments and room as of `rectified_sum`. Behind the rows of a block stand its links, a row of 32 lanes
    for each lane of the block, and a row of the weights of the second layer. On a CUDA device it is 0.
    """
    lanes, at = int(block.lanes), int(_links_of(block))
    links = (
        rows.view(np.int16)[at : at + (lanes + 1) * SECOND_LANES].reshape(-1, SECOND_LANES).astype(np.int64)
    )
    second = np.maximum(_sums(rows, block, pieces), 0).astype(np.int64) @ links[:-1]
    return np.int64((np.maximum(second, 0) * links[-1]).sum())


def _sums(rows: Array, block: Block, pieces: Pieces) -> Array:
    """Return the sum of every lane, int16."""
    table, (start, lanes, first, king_rows) = rows.view(np.int16), map(int, block)
    total, kings = table[start : start + lanes].copy(), int(pieces.kings)
    for word, offset in ((int(pieces.low), 0), (int(pieces.high), 64)):
        for bit in range(64):
            if word >> bit & 1:
                row = bit + offset + (king_rows if kings >> bit & 1 else 0)
                total += table[first + row * lanes : first + (row + 1) * lanes]
    return total


@jit_inlined
def _links_of(block: Block) -> I64:
    """Return where the links of a block begin: behind bias, out, and the rows of either side to move."""
    return np.int64(block.start + (2 + 4 * block.king_rows) * block.lanes)


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
            base, lane = _base(context, builder, signature, arguments), arguments[1]
            start, lanes, first, king_rows = (builder.extract_value(arguments[2], at) for at in range(4))
            layer = _Layer(builder, width, base, lanes, builder.add(first, lane), is_kernel=is_kernel)
            sums = layer.sum_pieces(builder.add(start, lane), arguments[3], king_rows)
            return layer.weigh(sums, layer.load(builder.add(builder.add(start, lanes), lane)))

        return types.int64(rows, types.int64, block, pieces), generate

    return rectified_chunk


def _linked_chunk(width: int) -> Any:
    """Return the intrinsic that adds what `width` lanes say to the sums of the second layer in `room`."""

    @intrinsic
    def linked_chunk(typing_context: Any, rows: Any, lane: Any, block: Any, pieces: Any, room: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if not isinstance(context, CPUContext):
                return context.get_dummy_value()
            _, lane, block, pieces, room = arguments
            base = _base(context, builder, signature, arguments)
            start, lanes, first, king_rows = (builder.extract_value(block, at) for at in range(4))
            layer = _Layer(builder, width, base, lanes, builder.add(first, lane), is_kernel=False)
            sums = layer.sum_pieces(builder.add(start, lane), pieces, king_rows)
            # as `_links_of`
            behind = builder.add(builder.mul(king_rows, ir.Constant(_I64, 4)), ir.Constant(_I64, 2))
            links = builder.add(start, builder.mul(lanes, behind))
            row = builder.add(links, builder.mul(lane, ir.Constant(_I64, SECOND_LANES)))
            place = builder.bitcast(room, _WIDE.as_pointer())
            # A call takes 128 lanes at most, for which there is room in 32 bits.
            total = builder.add(builder.load(place), builder.sext(layer.link(sums, row), _WIDE))
            builder.store(total, place)
            return context.get_dummy_value()

        return types.void(rows, types.int64, block, pieces, types.voidptr), generate

    return linked_chunk


@intrinsic
def _new_room(typing_context: Any) -> Any:
    """Return the address of the sums of a second layer, 0, in the frame of the function that calls this."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(context, CPUContext):
            return ir.Constant(_I8.as_pointer(), None)
        place = cgutils.alloca_once(builder, _WIDE)
        builder.store(ir.Constant(_WIDE, None), place)
        return builder.bitcast(place, _I8.as_pointer())

    return types.voidptr(), generate


@intrinsic
def _rectified_room(typing_context: Any, rows: Any, at: Any, room: Any) -> Any:
    """Return the sum of the positive sums in the room, each times its weight in the row at an index."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(context, CPUContext):
            return ir.Constant(_I64, 0)
        base = _base(context, builder, signature, arguments)
        sums = builder.load(builder.bitcast(arguments[2], _WIDE.as_pointer()))
        weights = _load(builder, base, arguments[1], SECOND_LANES)
        products = builder.mul(_positive(builder, sums), builder.sext(weights, _WIDE))
        return llvm_call(builder, f"llvm.vector.reduce.add.v{SECOND_LANES}i64", _I64, [products])

    return types.int64(rows, types.int64, types.voidptr), generate


def _base(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return where the rows begin, the first argument, as a pointer to int16."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.bitcast(array.data, _I16.as_pointer())


def _load(builder: Any, base: Any, index: Any, width: int, align: int = 2) -> Any:
    pointer = builder.bitcast(builder.gep(base, [index]), ir.VectorType(_I16, width).as_pointer())
    return builder.load(pointer, align=align)


def _positive(builder: Any, vector: Any) -> Any:
    """Return a vector with 0 in place of what is negative."""
    zero = ir.Constant(vector.type, None)
    return builder.select(builder.icmp_signed(">", vector, zero), vector, zero)


class _Layer:
    """Writes the instructions for a chunk of lanes. base: pointer to int16. first: index of the first row."""

    def __init__(
        self, builder: Any, width: int, base: Any, lanes: Any, first: Any, *, is_kernel: bool
    ) -> None:
        self._builder, self._width, self._base, self._lanes, self._first = builder, width, base, lanes, first
        self._is_kernel = is_kernel

    def load(self, index: Any) -> Any:
        """Load a vector that begins at an index."""
        # An array of numpy is aligned to 16 bytes, not to a whole vector; that is enough for one of a kernel.
        align = 2 * KERNEL_LANES if self._is_kernel else 2
        return _load(self._builder, self._base, index, self._width, align)

    def sum_pieces(self, index: Any, pieces: Any, king_rows: Any) -> Any:
        """Return the biases, which begin at an index, with the rows of all pieces added."""
        builder, sums = self._builder, self.load(index)
        low, high, kings = (builder.extract_value(pieces, at) for at in range(3))
        for word, offset in ((low, 0), (high, 64)):
            sums = self._add_bits(word, sums, partial(self._row_of_piece, kings, king_rows, offset))
        return sums

    def _row_of_piece(self, kings: Any, king_rows: Any, offset: int, bit: Any) -> Any:
        builder = self._builder
        is_king = builder.trunc(builder.lshr(kings, bit), _I1)
        behind = builder.select(is_king, king_rows, ir.Constant(_I64, 0))
        row = builder.add(builder.add(bit, ir.Constant(_I64, offset)), behind)
        return self.load(builder.add(self._first, builder.mul(row, self._lanes)))

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

    def link(self, sums: Any, links: Any) -> Any:
        """Return what the second layer hears of these lanes, int32, whose links begin at an index.

        Most sums are not positive, so only the others are gone through.
        """
        builder, width = self._builder, self._width
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
        return builder.mul(values, builder.sext(_load(builder, self._base, row, SECOND_LANES), wide))

    def weigh(self, sums: Any, out: Any) -> Any:
        """Return the sum of the positive sums, each times its weight; int64."""
        builder, wide = self._builder, ir.VectorType(_I32, self._width)
        products = builder.mul(builder.sext(_positive(builder, sums), wide), builder.sext(out, wide))
        if self._is_kernel:
            return builder.sext(_sum_of_lanes(builder, products, self._width), _I64)
        total = llvm_call(builder, f"llvm.vector.reduce.add.v{self._width}i32", _I32, [products])
        return builder.sext(total, _I64)


def _sum_of_lanes(builder: Any, vector: Any, width: int) -> Any:
    """Add up the lanes one by one: NVIDIA's compiler knows no instruction for it."""
    lanes = [builder.extract_element(vector, ir.Constant(_I32, lane)) for lane in range(width)]
    return reduce(builder.add, lanes)


@intrinsic
def _has_vectors(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.get_constant(types.boolean, isinstance(context, CPUContext))

    return types.boolean(), generate


has_vectors: Callable[[], Bool] = (lambda: True) if config.DISABLE_JIT else _has_vectors
"""False in a kernel, where wider chunks are more code and no faster. A constant to LLVM, which leaves out
what is not to be done."""


_rectified_8 = _rectified_chunk(KERNEL_LANES)
_rectified_32, _rectified_64, _rectified_128 = map(_rectified_chunk, (LANES, 2 * LANES, 4 * LANES))
_linked_32, _linked_64, _linked_128 = map(_linked_chunk, (LANES, 2 * LANES, 4 * LANES))


@overload(rectified_sum)
def _rectified_sum_compiled(rows: Any, block: Any, pieces: Any) -> Any:
    def compiled(rows: Array, block: Block, pieces: Pieces) -> I64:
        total, lane = np.int64(0), np.int64(0)
        # four vectors at once, or two, share the work of finding the pieces
        while has_vectors() and block.lanes - lane >= 4 * LANES:
            total += _rectified_128(rows, lane, block, pieces)
            lane += 4 * LANES
        while block.lanes - lane >= 2 * LANES:
            total += _rectified_64(rows, lane, block, pieces)
            lane += 2 * LANES
        if lane < block.lanes:
            total += _rectified_32(rows, lane, block, pieces)
        return total

    return compiled


@overload(rectified_layers)
def _rectified_layers_compiled(rows: Any, block: Any, pieces: Any) -> Any:
    def compiled(rows: Array, block: Block, pieces: Pieces) -> I64:
        room, lane = _new_room(), np.int64(0)
        while block.lanes - lane >= 4 * LANES:
            _linked_128(rows, lane, block, pieces, room)
            lane += 4 * LANES
        while block.lanes - lane >= 2 * LANES:
            _linked_64(rows, lane, block, pieces, room)
            lane += 2 * LANES
        if lane < block.lanes:
            _linked_32(rows, lane, block, pieces, room)
        return _rectified_room(rows, _links_of(block) + block.lanes * SECOND_LANES, room)

    return compiled
