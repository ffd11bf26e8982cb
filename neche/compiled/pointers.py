"""Records passed to compiled functions by address: one word per call, whatever the record holds.

A NamedTuple of arrays is passed by value, field by field: the buffers, networks and tables of a search are
some fifty words, which every call of a recursion would push. `address` stores a record in the frame of the
calling function and returns its address; `record_at` reads it from there, and the compiler keeps only the
loads of fields that are used. An address becomes invalid when that function returns.

A record is accepted where an address is expected, so that Python can call such functions too; without
compilation a record is its own address.
"""

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import DTypeLike, NDArray

_LINE_BYTES = 64


@intrinsic
def _address(typing_context: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        model = context.data_model_manager[signature.args[0]]
        # allocated in the function's entry block, so that a loop does not allocate again each time
        return cgutils.alloca_once_value(builder, model.as_data(builder, arguments[0]))

    return types.CPointer(record)(record), generate


@intrinsic
def _record_at(typing_context: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(place, types.CPointer):
            return arguments[0]
        model = context.data_model_manager[signature.return_type]
        return model.from_data(builder, _load(builder, model.get_data_type(), arguments[0]))

    return (place.dtype if isinstance(place, types.CPointer) else place)(place), generate


def _load(builder: Any, kind: Any, place: Any) -> Any:
    """Load a value field by field: LLVM would not drop the unused fields of a whole load."""
    if not isinstance(kind, ir.LiteralStructType | ir.ArrayType):
        return builder.load(place)
    found = ir.Constant(kind, ir.Undefined)
    parts = kind.elements if isinstance(kind, ir.LiteralStructType) else [kind.element] * kind.count
    for index, part in enumerate(parts):
        field = cgutils.gep_inbounds(builder, place, 0, index)
        found = builder.insert_value(found, _load(builder, part, field), index)
    return found


@intrinsic
def _byte_at(typing_context: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))

    return types.uint8(types.uint64), generate


def _itself(record: Any) -> Any:
    return record


# The intrinsics themselves: a wrapper of `_address` would have its own frame, which is gone when it returns.
address: Callable[[Any], Any] = _itself if config.DISABLE_JIT else _address
"""Return the address of a copy of a record, valid until the calling function returns."""
record_at: Callable[[Any], Any] = _itself if config.DISABLE_JIT else _record_at
"""Return the record at an address, or the record itself."""
byte_at: Callable[[Any], Any] = (
    (lambda place: ctypes.c_uint8.from_address(int(place)).value) if config.DISABLE_JIT else _byte_at
)
"""Return the byte at an address given by Python, such as that of an array; uint8."""


def aligned_zeros(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return zeros that begin at a cache line, so that no row or vector of whole lines crosses two."""
    num_bytes = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(num_bytes + _LINE_BYTES, np.uint8)
    begin = -room.ctypes.data % _LINE_BYTES
    return room[begin : begin + num_bytes].view(dtype).reshape(shape)
