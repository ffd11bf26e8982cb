"""Vectors: how wide LLVM makes those of a loop, and the hidden layers of a dense network in integers.

As in `bits`, each is a plain Python function for interpreted use, overloaded by LLVM instructions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from neche.compiled.bits import llvm_call
from neche.compiled.jit import I64, Array, Bool, overload
from neche.compiled.lanes import (
    KERNEL_LANES,
    LANES,
    SECOND_LANES,
    STATES,
    Block,
    Layer,
    Patterns,
    PatternsAndKings,
    load,
    positive,
)

_I8, _I16, _I64 = (ir.IntType(width) for width in (8, 16, 64))
_WIDE = ir.VectorType(_I64, SECOND_LANES)
Seen = Patterns | PatternsAndKings


@intrinsic
def _prefer_whole_vectors(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # llvmlite's own method accepts only attributes that it knows.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.void(), generate


# The intrinsic itself: in a wrapper it would set the attribute of the wrapper.
prefer_whole_vectors: Callable[[], None] = (lambda: None) if config.DISABLE_JIT else _prefer_whole_vectors
"""Let LLVM use full AVX-512 vectors for the loops of the calling function.

On Intel processors it prefers vectors of half that width, since full ones lowered the clock of the first
models. Long arithmetic loops gain more than they lose; other code has no use for them.
"""


def rectified_sum(rows: Array, block: Block, seen: Seen) -> I64:
    """Return Σ out · max(0, bias + Σ of the rows of all that is seen) over the lanes; int64, exact.

    rows: int32, read as pairs of int16. The sum of a lane wraps at 16 bits; the products of 128 lanes are
    summed in 32 bits, which has room for 32 767 · 512 a lane: the weights must be small enough.
    """
    table, total = rows.view(np.int16), _sums(rows, block, seen)
    start, lanes = int(block.start), int(block.lanes)
    out = table[start + lanes : start + 2 * lanes].astype(np.int64)
    return np.int64((np.maximum(total, 0) * out).sum())


def rectified_layers(rows: Array, block: Block, seen: Seen) -> I64:
    """Return Σ second · max(0, Σ link · max(0, bias + Σ of the rows of all that is seen)); int64, exact.

    Arguments and ranges are those of `rectified_sum`. After the rows of a block come its links, a row of 32
    lanes for each lane of the block, and a row of the second layer's weights. On a CUDA device it returns 0.
    """
    lanes, at = int(block.lanes), int(block.links)
    links = (
        rows.view(np.int16)[at : at + (lanes + 1) * SECOND_LANES].reshape(-1, SECOND_LANES).astype(np.int64)
    )
    second = np.maximum(_sums(rows, block, seen), 0).astype(np.int64) @ links[:-1]
    return np.int64((np.maximum(second, 0) * links[-1]).sum())


def _sums(rows: Array, block: Block, seen: Seen) -> Array:
    """Return the sum of every lane, int16."""
    table, (start, lanes, first, _) = rows.view(np.int16), map(int, block)
    states = np.array([int(word) for word in seen.states], "<u8").view(np.uint8)
    seen_rows = [group * STATES + int(state) for group, state in enumerate(states)]
    for word, offset in zip(seen[1:], (0, 64), strict=False):
        behind = len(states) * STATES + offset
        seen_rows += [behind + bit for bit in range(64) if int(word) >> bit & 1]
    total = table[start : start + lanes].copy()
    for row in seen_rows:
        total += table[first + row * lanes : first + (row + 1) * lanes]
    return total


def _rectified_chunk(width: int) -> Any:
    """Return the intrinsic for `width` lanes from lane number `lane` on."""

    def in_narrow_chunks(rows: Array, lane: I64, block: Block, seen: Seen) -> I64:
        total = np.int64(0)
        for narrow in range(lane, lane + width, KERNEL_LANES):
            total += _rectified_8(rows, narrow, block, seen)
        return total

    @intrinsic
    def rectified_chunk(typing_context: Any, rows: Any, lane: Any, block: Any, seen: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            is_kernel = not isinstance(context, CPUContext)
            if is_kernel and width > KERNEL_LANES:
                return context.compile_internal(builder, in_narrow_chunks, signature, arguments)
            base = _base(context, builder, signature, arguments)
            _, lane, block, seen = arguments
            layer = Layer(builder, width, (base, block, lane), is_kernel=is_kernel)
            return layer.weigh(layer.sums(seen))

        return types.int64(rows, types.int64, block, seen), generate

    return rectified_chunk


def _linked_chunk(width: int) -> Any:
    """Return the intrinsic that adds the outputs of `width` lanes to the second layer's sums in `room`."""

    @intrinsic
    def linked_chunk(typing_context: Any, rows: Any, lane: Any, block: Any, seen: Any, room: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if not isinstance(context, CPUContext):
                return context.get_dummy_value()
            _, lane, block, seen, room = arguments
            base = _base(context, builder, signature, arguments)
            layer = Layer(builder, width, (base, block, lane), is_kernel=False)
            said = layer.link(layer.sums(seen))
            place = builder.bitcast(room, _WIDE.as_pointer())
            # A call has at most 128 lanes, whose sums fit in 32 bits.
            total = builder.add(builder.load(place), builder.sext(said, _WIDE))
            builder.store(total, place)
            return context.get_dummy_value()

        return types.void(rows, types.int64, block, seen, types.voidptr), generate

    return linked_chunk


@intrinsic
def _new_room(typing_context: Any) -> Any:
    """Return the address of the sums of a second layer, set to 0, in the frame of the calling function."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(context, CPUContext):
            return ir.Constant(_I8.as_pointer(), None)
        place = cgutils.alloca_once(builder, _WIDE)
        builder.store(ir.Constant(_WIDE, None), place)
        return builder.bitcast(place, _I8.as_pointer())

    return types.voidptr(), generate


@intrinsic
def _rectified_room(typing_context: Any, rows: Any, at: Any, room: Any) -> Any:
    """Return the total of the positive sums in the room, each times its weight in the row at an index."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(context, CPUContext):
            return ir.Constant(_I64, 0)
        base = _base(context, builder, signature, arguments)
        sums = builder.load(builder.bitcast(arguments[2], _WIDE.as_pointer()))
        weights = load(builder, base, arguments[1], SECOND_LANES)
        products = builder.mul(positive(builder, sums), builder.sext(weights, _WIDE))
        return llvm_call(builder, f"llvm.vector.reduce.add.v{SECOND_LANES}i64", _I64, [products])

    return types.int64(rows, types.int64, types.voidptr), generate


def _base(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the rows, the first argument, as a pointer to int16."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.bitcast(array.data, _I16.as_pointer())


@intrinsic
def _has_vectors(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.get_constant(types.boolean, isinstance(context, CPUContext))

    return types.boolean(), generate


has_vectors: Callable[[], Bool] = (lambda: True) if config.DISABLE_JIT else _has_vectors
"""False in a kernel, where wider chunks are more code and no faster. LLVM sees a constant and drops the code
that is never reached."""


_rectified_8 = _rectified_chunk(KERNEL_LANES)
_rectified_32, _rectified_64, _rectified_128 = map(_rectified_chunk, (LANES, 2 * LANES, 4 * LANES))
_linked_32, _linked_64, _linked_128 = map(_linked_chunk, (LANES, 2 * LANES, 4 * LANES))


@overload(rectified_sum)
def _rectified_sum_compiled(rows: Any, block: Any, seen: Any) -> Any:
    def compiled(rows: Array, block: Block, seen: Seen) -> I64:
        total, lane = np.int64(0), np.int64(0)
        # four or two vectors at once share the work of finding the rows
        while has_vectors() and block.lanes - lane >= 4 * LANES:
            total += _rectified_128(rows, lane, block, seen)
            lane += 4 * LANES
        while block.lanes - lane >= 2 * LANES:
            total += _rectified_64(rows, lane, block, seen)
            lane += 2 * LANES
        if lane < block.lanes:
            total += _rectified_32(rows, lane, block, seen)
        return total

    return compiled


@overload(rectified_layers)
def _rectified_layers_compiled(rows: Any, block: Any, seen: Any) -> Any:
    def compiled(rows: Array, block: Block, seen: Seen) -> I64:
        room, lane = _new_room(), np.int64(0)
        while block.lanes - lane >= 4 * LANES:
            _linked_128(rows, lane, block, seen, room)
            lane += 4 * LANES
        while block.lanes - lane >= 2 * LANES:
            _linked_64(rows, lane, block, seen, room)
            lane += 2 * LANES
        if lane < block.lanes:
            _linked_32(rows, lane, block, seen, room)
        return _rectified_room(rows, block.links + block.lanes * SECOND_LANES, room)

    return compiled
