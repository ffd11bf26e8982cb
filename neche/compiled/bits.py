"""Bit operations that give the same result on the CPU, in CUDA kernels, in the simulator and uncompiled.

Each is a plain Python function for interpreted use, overloaded by an LLVM intrinsic for compiled use. numba
widens integers (uint32 op uint32 is uint64), so operations that could set bits above bit 31 are done here and
return uint32; `&`, `|` and `^` of such words are safe in any width.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from neche.compiled.jit import jit, jit_inlined, overload

# The first two generations of AMD Zen execute PDEP bit by bit.
_SLOW_AT_DEPOSITS = ("znver1", "znver2")


def popcount(word: Any) -> Any:
    """Return the number of set bits."""
    return int(word).bit_count()


def lowest_index(word: Any) -> Any:
    """Return the index of the lowest set bit; the word must not be zero."""
    value = int(word)
    return (value & -value).bit_length() - 1


def rotate_left(word: Any, count: Any) -> Any:
    """Return the 32 bits rotated left by `count` modulo 32."""
    value, shift = int(word), int(count) & 31
    return np.uint32(((value << shift) | (value >> (32 - shift))) & 0xFFFFFFFF)


def rotate_left64(word: Any, count: Any) -> Any:
    """Return the 64 bits rotated left by `count` modulo 64."""
    value, shift = int(word), int(count) & 63
    return np.uint64(((value << shift) | (value >> (64 - shift))) & 0xFFFFFFFFFFFFFFFF)


def reverse64(word: Any) -> Any:
    """Return the 64 bits in the opposite order."""
    return np.uint64(int(f"{int(word):064b}"[::-1], 2))


def nth_bit(word: Any, number: Any) -> Any:
    """Return only set bit `number` of a 64-bit word, which must have it; the lowest is number 0."""
    left = int(word)
    for _ in range(number):
        left &= left - 1
    return np.uint64(left & -left)


def llvm_call(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """Emit a call of an LLVM intrinsic."""
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, signature, name)
    return builder.call(function, arguments)


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        width = signature.args[0].bitwidth
        count = llvm_call(builder, f"llvm.ctpop.i{width}", ir.IntType(width), [arguments[0]])
        return count if width == 64 else builder.zext(count, ir.IntType(64))

    return types.int64(word), generate


@intrinsic
def _lowest_index(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        width = signature.args[0].bitwidth
        zero_is_poison = ir.Constant(ir.IntType(1), 1)
        operands = [arguments[0], zero_is_poison]
        index = llvm_call(builder, f"llvm.cttz.i{width}", ir.IntType(width), operands)
        return index if width == 64 else builder.zext(index, ir.IntType(64))

    return types.int64(word), generate


@intrinsic
def _rotate_left(typing_context: Any, word: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value, shift = arguments
        return llvm_call(builder, "llvm.fshl.i32", ir.IntType(32), [value, value, shift])

    return types.uint32(types.uint32, types.uint32), generate


@intrinsic
def _rotate_left64(typing_context: Any, word: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value, shift = arguments
        return llvm_call(builder, "llvm.fshl.i64", ir.IntType(64), [value, value, shift])

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def _reverse64(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return llvm_call(builder, "llvm.bitreverse.i64", ir.IntType(64), arguments)

    return types.uint64(types.uint64), generate


def _nth_bit_by_clearing(word: Any, number: Any) -> Any:
    left = np.uint64(word)
    for _ in range(number):
        left = np.uint64(left & np.uint64(left - np.uint64(1)))
    return np.uint64(left & np.uint64(np.uint64(0) - left))


def _deposits_bits(context: Any) -> bool:
    """Return whether the target is an x86 CPU with a fast PDEP instruction."""
    if not isinstance(context, CPUContext):
        return False
    triple, cpu, features = context.codegen().magic_tuple()
    return triple.startswith("x86_64") and "+bmi2" in features and cpu not in _SLOW_AT_DEPOSITS


@intrinsic
def _nth_bit(typing_context: Any, word: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not _deposits_bits(context):
            return context.compile_internal(builder, _nth_bit_by_clearing, signature, arguments)
        wide = ir.IntType(64)
        bit = builder.shl(ir.Constant(wide, 1), arguments[1])
        return llvm_call(builder, "llvm.x86.bmi.pdep.64", wide, [bit, arguments[0]])

    return types.uint64(types.uint64, types.int64), generate


overload(reverse64)(lambda word: lambda word: _reverse64(word))
overload(nth_bit)(lambda word, number: lambda word, number: _nth_bit(word, number))
overload(popcount)(lambda word: lambda word: _popcount(word))
overload(lowest_index)(lambda word: lambda word: _lowest_index(word))
overload(rotate_left)(lambda word, count: lambda word, count: _rotate_left(word, count))
overload(rotate_left64)(lambda word, count: lambda word, count: _rotate_left64(word, count))


@jit
def invert32(word: Any) -> Any:
    """Return the 32 bits flipped."""
    return np.uint32(word ^ np.uint32(0xFFFFFFFF))


@jit
def invert64(word: Any) -> Any:
    """Return the 64 bits flipped."""
    return np.uint64(np.uint64(word) ^ np.uint64(0xFFFFFFFFFFFFFFFF))


@jit
def lowest_bit64(word: Any) -> Any:
    """Return only the lowest set bit of a 64-bit word; the word must not be zero."""
    return np.uint64(np.uint64(word) & invert64(np.uint64(np.uint64(word) - np.uint64(1))))


@jit_inlined
def pop_lowest(word: Any) -> Any:
    """Return the lowest set bit of a 64-bit word, and the word without it; the word must not be zero."""
    lowest = lowest_bit64(word)
    return lowest, np.uint64(np.uint64(word) ^ lowest)


@jit
def shift_up(word: Any, count: Any) -> Any:
    """Return the 64 bits shifted up by `count`, 0 to 63; bits shifted out at the top are lost."""
    return np.uint64(np.uint64(word) << np.uint64(count))


@jit
def shift_down(word: Any, count: Any) -> Any:
    """Return the 64 bits shifted down by `count`, 0 to 63; bits shifted out at the bottom are lost."""
    return np.uint64(np.uint64(word) >> np.uint64(count))


@jit
def join(low: Any, high: Any) -> Any:
    """Return the 64-bit word of two 32-bit halves."""
    return np.uint64(np.uint64(low) | np.uint64(np.uint64(high) << np.uint64(32)))


@jit
def low_half(word: Any) -> Any:
    """Return bits 0 to 31 of a 64-bit word."""
    return np.uint32(word)


@jit
def high_half(word: Any) -> Any:
    """Return bits 32 to 63 of a 64-bit word."""
    return np.uint32(np.uint64(word) >> np.uint64(32))


@jit_inlined
def nth_index32(word: Any, number: Any) -> Any:
    """Return the index, uint32, of set bit `number` of a 32-bit word that has it, from 0; branch-free.

    The word is shifted up as far as more than `number` bits stay in it. Then the bit is the highest one, and
    the lowest bit, which is never lost, shows how far the word was shifted.
    """
    left = np.uint32(word)
    for places in (16, 8, 4, 2, 1):
        moved = np.uint32(left << np.uint32(places))
        left = moved if popcount(moved) > number else left
    return np.uint32(np.uint32(31) + np.uint32(lowest_index(np.uint32(word))) - np.uint32(lowest_index(left)))


@jit_inlined
def nth_index64(word: Any, number: Any) -> Any:
    """Return the index of set bit `number` of a 64-bit word that has it, like `nth_index32`."""
    low, high = low_half(word), high_half(word)
    num_low = np.uint32(popcount(low))
    is_high = number >= num_low
    left = np.uint32(number - (num_low if is_high else np.uint32(0)))
    index = nth_index32(high if is_high else low, left)
    return np.uint32(index + (np.uint32(32) if is_high else np.uint32(0)))


@jit_inlined
def shift_in(word: Any, below: Any, count: Any) -> Any:
    """Return 32 bits shifted up by `count`, 1 to 31, and filled from the top of the 32 bits `below`."""
    return np.uint32(
        np.uint32(np.uint32(word) << np.uint32(count))
        | np.uint32(np.uint32(below) >> np.uint32(np.uint32(32) - np.uint32(count)))
    )
