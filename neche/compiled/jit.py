"""The gateway to numba: `jit` for compiled functions, `overload` to dispatch on a position's type."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from numba import config
from numba.core import sigutils, types
from numba.core.compiler import Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack

from neche.compiled.cache import cache_directory
from neche.compiled.outside import RoutedCache, in_directory
from neche.compiled.parts import PartCompiler, entry_of, overload_in_parts
from neche.compiled.sealing import SealedCache

Function = TypeVar("Function", bound=Callable[..., Any])

# Types of arguments and results of compiled functions, for readers only: numba infers the types of every call
# itself, and to a type checker each of these is Any. A record is annotated with its NamedTuple.
I32: TypeAlias = Any
I64: TypeAlias = Any
U32: TypeAlias = Any
U64: TypeAlias = Any
F32: TypeAlias = Any
F64: TypeAlias = Any
Bool: TypeAlias = Any
Position: TypeAlias = Any
"""A NamedTuple of integers, of any game: see `games.contract`."""
Moves: TypeAlias = Any
"""A buffer of moves, see `games.contract.generate`."""
Array: TypeAlias = Any


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function: parts for compiled callers, and an entry for each call from Python."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions, PartCompiler)
        own = in_directory(cache_directory(), lambda: SealedCache(py_func))
        self._cache = RoutedCache(py_func, own)
        self._entries: dict[Any, Any] = {}

    def add_overload(self, part: Any) -> None:
        """Add a part without making it callable from Python, as numba would."""
        self.overloads[tuple(part.signature.args)] = part

    def compile(self, sig: Any) -> Any:
        """Compile for argument types; return the entry, or the part if a compiled function is the caller."""
        with global_compiler_lock:
            try:
                # Flags on the stack belong to another function, which is being compiled and calls this one.
                is_called_by_compiled = ConfigStack.top_or_none() is not None
                return super().compile(sig) if is_called_by_compiled else self._entry(sig).entry_point
            finally:
                self._cache.end_turn(sig)

    def _entry(self, sig: Any) -> Any:
        types_of_call = tuple(sigutils.normalize_signature(sig)[0])
        if types_of_call not in self._entries:
            entry = self._cache.load_entry(sig, self.targetctx)
            if entry is None:
                super().compile(sig)
                entry = entry_of(self.overloads[types_of_call], self._flags())
                self._cache.save_overload(sig, entry)
            else:
                self._cache_hits[sig] += 1
            self._entries[types_of_call] = entry
            self._insert([one._code for one in types_of_call], entry.entry_point, False)
        return self._entries[types_of_call]

    def _flags(self) -> Any:
        flags = Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        return flags


def _compile(function: Function, **options: Any) -> Function:
    if config.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None, **options}
    return cast(Function, Dispatcher(function, targetoptions=options))


def jit(function: Function) -> Function:
    """Compile `function` on first call, cache it across processes, release the GIL while it runs.

    It borrows its arrays and allocates none, so it is compiled without reference counting: arrays passed down
    a recursion in NamedTuples would otherwise be counted, atomically, at every call. It has no explicit
    signature, because CUDA kernels can only call functions that are compiled lazily.
    """
    return _compile(function, _nrt=False)


def jit_inlined(function: Function) -> Function:
    """Compile like `jit`, and inline into every caller: for small functions in a hot loop."""
    return _compile(function, _nrt=False, forceinline=True)


def jit_allocating(function: Function) -> Function:
    """Compile like `jit`, for functions that create arrays or views of arrays."""
    return _compile(function)


def overload(stub: Callable[..., Any]) -> Callable[[Function], Function]:
    """Register an implementation of `stub`; the decorated function takes types and returns it."""

    def register(chosen: Function) -> Function:
        # Inlined, since most only call another function: perft and search are 10 % faster.
        overload_in_parts(stub, chosen, {"nogil": True, "forceinline": True})
        return chosen

    return register


def record_of(numba_type: Any) -> type | None:
    """Return the NamedTuple class of a numba type, uniform or not; None for any other type."""
    return numba_type.instance_class if isinstance(numba_type, types.BaseNamedTuple) else None
