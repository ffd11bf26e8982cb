"""The one door to numba: `jit` for compiled functions, `overload` to dispatch on a position's type."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
from numba.core import types
from numba.extending import overload as _overload

from neche.compiled.cache import cache_directory
from neche.compiled.outside import RoutedCache, in_directory
from neche.compiled.sealing import SealedCache

Function = TypeVar("Function", bound=Callable[..., Any])

# What compiled functions take and return, for readers: numba infers the types of every call by itself, and to
# a type checker each of these is Any. A record of arrays or integers is annotated with its NamedTuple.
I32: TypeAlias = Any
I64: TypeAlias = Any
U32: TypeAlias = Any
U64: TypeAlias = Any
F32: TypeAlias = Any
F64: TypeAlias = Any
Bool: TypeAlias = Any
Position: TypeAlias = Any
"""A NamedTuple of integers, of whichever game: see `games.contract`."""
Moves: TypeAlias = Any
"""A buffer of moves, see `games.contract.generate`."""
Array: TypeAlias = Any


def _compile(function: Function, **options: Any) -> Function:
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if compiled is not function:  # it is with compilation switched off
        own = in_directory(cache_directory(), lambda: SealedCache(function))
        compiled._cache = RoutedCache(function, own)
        compiled.compile = _in_turn(compiled.compile, compiled._cache)
    return cast(Function, compiled)


def _in_turn(compile_for: Callable[[Any], Any], cache: RoutedCache) -> Callable[[Any], Any]:
    def compile_in_turn(sig: Any) -> Any:
        try:
            return compile_for(sig)
        finally:
            cache.end_turn(sig)

    return compile_in_turn


def jit(function: Function) -> Function:
    """Compile `function` on first call, cache it across processes, release the GIL while it runs.

    It borrows its arrays and allocates none, so it is compiled without reference counting: arrays passed down
    a recursion in NamedTuples would otherwise be counted, atomically, at every call. No explicit signature:
    CUDA kernels can only call functions that were left lazy.
    """
    return _compile(function, _nrt=False)


def jit_inlined(function: Function) -> Function:
    """Compile like `jit` and inline it into every caller: for small functions of a hot loop."""
    return _compile(function, _nrt=False, forceinline=True)


def jit_allocating(function: Function) -> Function:
    """Compile like `jit`, for functions that make arrays or views of arrays."""
    return _compile(function)


def overload(stub: Callable[..., Any]) -> Callable[[Function], Function]:
    """Register an implementation of `stub`; the decorated function takes types, returns one."""
    # Not strict: numba would have the untyped implementations repeat the stub's annotations. Inlined, since
    # most of them only call another function: perft and search are 10 % faster.
    options = {"nogil": True, "forceinline": True}
    return cast(Callable[[Function], Function], _overload(stub, jit_options=options, strict=False))


def record_of(numba_type: Any) -> type | None:
    """Return the NamedTuple class of a numba type, whose fields may be of one type or several; else None."""
    return numba_type.instance_class if isinstance(numba_type, types.BaseNamedTuple) else None
