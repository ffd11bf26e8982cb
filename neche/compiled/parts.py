"""Machine code only for the functions that Python calls.

numba makes machine code, and wrappers for Python and C, for every compiled function, although in a chain of
ten calls Python makes only the first. Here each function is compiled to a *part*, which is linked into its
callers: typed and lowered, then optimised with what it calls when its first caller is linked. A function that
Python calls also becomes an *entry*: its part with a wrapper and machine code (docs/decisions/0032).
"""

import functools
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_machinery import register_pass
from numba.core.errors import UnsupportedError
from numba.core.lowering import Lower
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import infer, infer_global, make_overload_template

Kept = tuple[str, bytes, bytes, str]
"""A part or entry as stored: its name, machine code, bitcode to link from, `Part.passes_left`."""


class _NoEngine:
    """Stands in for an execution engine: a part is in none."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """Do nothing: a part's environment is set in the entries that contain it."""


class Part(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other compiled functions, and never run by itself.

    passes_left: "full", "cheap" or "", the optimisation still to do before it is linked into a caller. Cheap
    suffices if it is inlined into the caller, which is optimised in full.
    """

    passes_left = "full"

    @property
    def codegen(self) -> Any:
        """The object on which numba sets environments."""
        return _NoEngine

    def _optimize_final_module(self) -> None:
        """Postpone it: an entry is linked from unoptimised code, and optimised once."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        if self.passes_left == "full":
            super()._optimize_final_module()
        elif self.passes_left:
            passes, builder = self._codegen._module_pass_manager(
                loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
            )
            passes.run(self._final_module, builder)
        self.passes_left = ""
        return super()._get_module_for_linking()

    def module_of_entry(self) -> Any:
        """Return the module as lowered, or optimised if a caller was linked from it before."""
        module = super()._get_module_for_linking()
        if self.passes_left:
            self._shared_module = None
        return module

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code."""
        return 0

    def serialize_using_object_code(self) -> Kept:
        """Return what to store."""
        return self.name, b"", self._final_module.as_bitcode(), self.passes_left


class Entry(JITCodeLibrary):  # type: ignore[misc]
    """A part with its wrapper for Python and machine code."""

    part: Part

    def _optimize_final_module(self) -> None:
        self._final_module.link_in(self.part.module_of_entry(), preserve=True)
        super()._optimize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function in this library."""
        self._ensure_finalized()
        return int(self._codegen._engine.get_function_address(name))

    def serialize_using_object_code(self) -> Kept:
        """Return what to store, its part included."""
        _, _, bitcode, passes_left = self.part.serialize_using_object_code()
        return self.name, self._get_compiled_object(), bitcode, passes_left


class _PartLower(Lower):  # type: ignore[misc]
    """Links the part that a function calling itself calls, if that is for other types of arguments.

    numba would look its address up among machine code, where no part is.
    """

    def _lower_call_RecursiveCall(self, called: Any, call: Any, signature: Any) -> Any:  # noqa: N802
        dispatcher, own = called.dispatcher_type.dispatcher, self.func_ir.func_id
        if dispatcher.py_func is own.func and tuple(signature.args) == tuple(self.fndesc.argtypes):
            return super()._lower_call_RecursiveCall(called, call, signature)
        part = dispatcher.overloads.get(tuple(signature.args))
        if part is None:
            if dispatcher.py_func is own.func:
                pairs = zip(self.fndesc.argtypes, signature.args, strict=True)
                kinds = ", ".join(f"{one} and {other}" for one, other in pairs if one != other)
                raise UnsupportedError(f"{own.func_name} calls itself with other types in turn: {kinds}")
            both = f"{own.func_name} and {dispatcher.py_func.__name__}"
            raise UnsupportedError(f"{both} call each other; compiled functions can only call themselves")
        self.context.add_linking_libs([part.library])
        values = self.fold_call_args(called, signature, call.args, call.vararg, call.kws)
        return self.context.call_internal(self.builder, part.fndesc, signature, values)


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    _name = "part_lowering"
    lowering_class = _PartLower


class PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles to parts."""

    def define_pipelines(self) -> Any:
        """Return the passes of numba's compiler, with calls to parts."""
        pipelines = super().define_pipelines()
        for one in pipelines:
            one.passes = [
                (_PartLowering if step is NativeLowering else step, what) for step, what in one.passes
            ]
            one.finalize()
        return pipelines

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile a Python function."""
        state = self.state
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        state.library = Part(state.targetctx.codegen(), func.__qualname__)
        if state.flags.forceinline:
            state.library.passes_left = "cheap"
        return super().compile_extra(func)


def entry_of(part: CompileResult, flags: Any) -> CompileResult:
    """Return a part as an entry that Python can call. flags: those it was compiled with."""
    # A part from the cache lacks the target context of its flags, without which no array can be returned.
    context = part.target_context.subtarget(enable_nrt=flags.nrt)
    library = Entry(context.codegen(), part.library.name)
    library.part = part.library
    library._reload_init.update(part.library._reload_init)
    library.enable_object_caching()
    with ConfigStack().enter(flags), context.push_code_library(library):
        context.create_cpython_wrapper(library, part.fndesc, part.environment, None, flags.release_gil)
        function = context.get_executable(library, part.fndesc, part.environment)
    entry = part._replace(library=library, entry_point=function)
    for environment in entry._find_referenced_environments():
        context.codegen().set_env(environment.env_name, environment)
    return entry


def rebuilt(context: Any, kept: Any, *, is_entry: bool) -> Any:
    """Return the stored part, or the stored entry, None if only the part was stored."""
    if is_entry and not kept[0][1]:
        return None
    return CompileResult._rebuild(_Rebuilding(context, is_entry), *kept)._replace(target_context=context)


class _Rebuilding:
    """Stands in for a target context and its code generator, to create libraries of the kinds above."""

    def __init__(self, context: Any, is_entry: bool) -> None:
        self.typing_context, self.get_executable = context.typing_context, context.get_executable
        self._codegen, self._is_entry = context.codegen(), is_entry

    def codegen(self) -> Any:
        return self

    def unserialize_library(self, kept: Kept) -> JITCodeLibrary:
        name, machine_code, bitcode, passes_left = kept
        if self._is_entry:
            library = Entry(self._codegen, name)
            library.enable_object_caching()
            library._set_compiled_object(machine_code)
        else:
            library = Part(self._codegen, name)
            library._final_module, library.passes_left = llvm.parse_bitcode(bitcode), passes_left
        library._finalize_final_module()
        return library


def overload_in_parts(stub: Callable[..., Any], chosen: Callable[..., Any], options: dict[str, Any]) -> None:
    """Register as `numba.extending.overload` does, but with parts as implementations on the CPU."""
    # Not strict: numba would require the untyped implementations to repeat the stub's annotations.
    options = {"nopython": True, "no_cpython_wrapper": True, **options}
    template = make_overload_template(stub, chosen, options, strict=False, inline="never")
    decorator_for_target = template._get_jit_decorator

    def decorator(self: Any) -> Any:
        jit = decorator_for_target(self)
        return functools.partial(jit, pipeline_class=PartCompiler) if jit is numba.jit else jit

    template._get_jit_decorator = decorator
    infer(template)
    infer_global(stub, types.Function(template))
