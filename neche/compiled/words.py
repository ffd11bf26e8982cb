"""Four 64-bit words side by side, with the operators of one: a formula on words works on four at once.

    >>> import numpy as np
    >>> from neche.compiled.words import four, four_of, joined, shifted_up
    >>> rows = shifted_up(four(np.uint64(1)), four_of((8, 16, 24, 32)))
    >>> hex(joined(rows | shifted_up(rows, four(np.uint64(4)))))
    '0x1111111100'

Outside compiled code they are a NumPy array. In compiled code they are a vector: one register of AVX2, two of
NEON; on a processor without such registers LLVM processes the lanes one by one.
"""

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cpu import CPUContext
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from neche.compiled.bits import llvm_call
from neche.compiled.jit import U64, overload

LANES = 4
_WORD, _I32 = ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, LANES)
FourWords = Any
"""[4] uint64; the operators `&` and `|` take two of them, lane by lane."""
Words = Any
"""A word, uint64, or four."""


class _FourWordsType(types.Type):  # type: ignore[misc]
    """The type of four words in compiled code."""

    def __init__(self) -> None:
        super().__init__(name="FourWords")


_FOUR_WORDS = _FourWordsType()


@register_model(_FourWordsType)
class _FourWordsModel(models.PrimitiveModel):  # type: ignore[misc]
    """Four words as LLVM holds them."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def four(word: U64) -> FourWords:
    """Return the same word in all lanes."""
    return np.full(LANES, word, np.uint64)


def four_of(words: tuple[U64, U64, U64, U64]) -> FourWords:
    """Return four words, one to a lane."""
    return np.array(words, np.uint64)


def joined(words: FourWords) -> U64:
    """Return the bits that are set in any lane."""
    return np.bitwise_or.reduce(words)


def shifted_up(words: Words, counts: Words) -> Words:
    """Return words shifted up, each by its own count, 0 to 63; bits shifted out at the top are lost."""
    return words << counts


def shifted_down(words: Words, counts: Words) -> Words:
    """Return words shifted down, each by its own count, 0 to 63; bits shifted out at the bottom are lost."""
    return words >> counts


@intrinsic
def _four(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        none, zeros = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(_I32, LANES), None)
        first = builder.insert_element(none, arguments[0], ir.Constant(_I32, 0))
        return builder.shuffle_vector(first, none, zeros)

    return _FOUR_WORDS(types.uint64), generate


@intrinsic
def _four_of(typing_context: Any, words: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            word = builder.extract_value(arguments[0], lane)
            vector = builder.insert_element(vector, word, ir.Constant(_I32, lane))
        return vector

    return _FOUR_WORDS(types.UniTuple(types.uint64, LANES)), generate


@intrinsic
def _joined(typing_context: Any, words: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(context, CPUContext):
            lanes = [builder.extract_element(arguments[0], ir.Constant(_I32, lane)) for lane in range(LANES)]
            return reduce(builder.or_, lanes)  # NVIDIA's compiler has no instruction for it
        return llvm_call(builder, f"llvm.vector.reduce.or.v{LANES}i64", _WORD, arguments)

    return types.uint64(_FOUR_WORDS), generate


overload(four)(lambda word: lambda word: _four(word))
overload(four_of)(lambda words: lambda words: _four_of(words))
overload(joined)(lambda words: lambda words: _joined(words))
overload(shifted_up)(lambda words, counts: lambda words, counts: words << counts)
overload(shifted_down)(lambda words, counts: lambda words, counts: words >> counts)


def _register(operation: Callable[[Any, Any], Any], instruction: str) -> None:
    """Let compiled code use an operator on two `FourWords`."""

    @type_callable(operation)
    def type_of_result(context: Any) -> Any:
        def typer(left: Any, right: Any) -> Any:
            return _FOUR_WORDS if left == right == _FOUR_WORDS else None

        return typer

    @lower_builtin(operation, _FourWordsType, _FourWordsType)
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, instruction)(*arguments)


_register(operator.and_, "and_")
_register(operator.or_, "or_")
_register(operator.lshift, "shl")
_register(operator.rshift, "lshr")
