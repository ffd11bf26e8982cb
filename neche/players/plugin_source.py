"""A plug-in as text: its source, and everything in its own file that it uses.

Two functions have the same text if they do the same, as far as their own file says; imports count by name
only. Every process gets the same text: it contains no addresses and no hash order.
"""

import hashlib
import inspect
import re
import textwrap
from collections import deque
from collections.abc import Callable
from enum import Enum
from functools import partial
from numbers import Number
from pathlib import PurePath
from types import CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

_SCALARS = (str, bytes, bytearray, Number, range, slice, PurePath, re.Pattern)
_LISTS = (list, tuple, set, frozenset, deque)
_INNER = ("py_func", "pyfunc", "__wrapped__", "__func__", "func", "fget")
"""Attributes in which compiled, vectorised, cached or decorated functions and methods hold the original."""


def text_of(function: Callable[..., Any]) -> str:
    """Return the text of a function; OSError or IndentationError if a source it needs cannot be read."""
    return _Reading(function.__module__).text(function)


class _Reading:
    """A traversal of everything a function uses. home: its module, outside of which names suffice."""

    def __init__(self, home: str) -> None:
        self._home = home
        # Functions, classes and objects by address, so that each is read once; kept alive, so that no address
        # is reused.
        self._met: dict[int, tuple[int, Any]] = {}
        # Lists being read, since one may contain itself. Not in `_met`: Python may share equal lists or not.
        self._open: list[int] = []

    def text(self, value: Any) -> str:
        """Return a value as text; if it was met before, its number."""
        if value is None or (isinstance(value, _SCALARS) and not isinstance(value, Enum)):
            # The repr of NumPy's own numbers differs between versions.
            return f"{value.dtype} {value.item()!r}" if isinstance(value, np.generic) else repr(value)
        if isinstance(value, ModuleType):
            return "module"
        if isinstance(value, (np.ndarray, dict, *_LISTS)):
            if id(value) in self._open:
                return f"^{self._open.index(id(value))}"
            self._open.append(id(value))
            text = self._content(value)
            self._open.pop()
            return text
        if id(value) in self._met:
            return f"#{self._met[id(value)][0]}"
        self._met[id(value)] = len(self._met), value
        if isinstance(value, FunctionType):
            return self._function(value)
        return self._class(value) if isinstance(value, type) else self._object(value)

    def _content(self, value: Any) -> str:
        """Return the content of an array, a dictionary or a list as text."""
        kind = type(value).__name__
        if isinstance(value, np.ndarray):
            # The bytes of objects are addresses.
            is_plain = not value.dtype.hasobject
            content = hashlib.sha256(value.tobytes()).hexdigest() if is_plain else self.text(value.tolist())
            return f"{value.dtype} {value.shape} {content}"
        if isinstance(value, dict):
            return f"{kind} {sorted((self.text(key), self.text(entry)) for key, entry in value.items())}"
        texts = [self.text(part) for part in value]
        return f"{kind} {sorted(texts) if isinstance(value, set | frozenset) else texts}"

    def _function(self, function: FunctionType) -> str:
        wrapped = getattr(function, "__wrapped__", None)
        inner = "" if wrapped is None else self.text(wrapped)
        # An imported decorator gives its function the name of the module that it decorates.
        if self._home not in (function.__module__, function.__globals__.get("__name__")):
            return function.__qualname__ + inner
        if function.__globals__.get("__name__") != function.__module__ and wrapped is not None:
            return inner
        # Python 3.13 would read this as the text of `python -c`, even if `exec` ran another.
        if function.__code__.co_filename == "<string>":
            raise OSError("could not get source code")
        # By its code object: `inspect` would follow a wrapper to the wrapped function.
        lines = textwrap.dedent(inspect.getsource(function.__code__)).splitlines()
        source = "\n".join(line.rstrip() for line in lines)
        # Defaults were computed when the function was defined: the source has only their names.
        given = self.text([function.__defaults__, function.__kwdefaults__])
        used = [f"{name} = {self.text(value)}" for name, value in sorted(_used(function).items())]
        return "\n".join([source, given, *used, inner])

    def _class(self, found: type) -> str:
        if not self._is_own(found):
            return found.__qualname__
        bases = [self.text(base) for base in found.__bases__]
        fields = getattr(found, "__dataclass_fields__", {}).values()
        texts = [f"{one.name}: {self.text([one.default, one.default_factory])}" for one in fields]
        for part, member in sorted(vars(found).items()):
            inner = _inner(member)
            # Methods generated by a decorator, such as dataclass, are skipped: they have no source. Nor has
            # the function that computes annotations from Python 3.14 on.
            code = inspect.unwrap(inner).__code__ if isinstance(inner, FunctionType) else None
            is_written = code and code.co_filename != "<string>" and code.co_name != "__annotate__"
            if is_written or not part.startswith("__"):
                texts.append(f"{part} = {self.text(inner)}")
        return "\n".join([f"class {found.__name__} {bases}", *texts])

    def _object(self, value: Any) -> str:
        """Return an object as text: its content if its class is from this file, otherwise its kind."""
        kind = type(value).__name__
        if isinstance(value, partial):
            return f"{kind} {self.text([value.func, value.args, value.keywords])}"
        if isinstance(value, MethodType):
            return f"{kind} {self.text([value.__func__, value.__self__])}"
        if (inner := _inner(value)) is not value:
            return f"{kind} {self.text(inner)}"
        if self._is_own(type(value)) or isinstance(value, SimpleNamespace):
            return f"{self.text(type(value))} {self.text(object.__getstate__(value))}"
        return str(getattr(value, "__qualname__", getattr(value, "__name__", kind)))

    def _is_own(self, found: type) -> bool:
        # Code run without a module appears to be in `builtins`.
        return found.__module__ == self._home != "builtins"


def _inner(value: Any) -> Any:
    """Return the function inside an object made from one; else the value itself."""
    if isinstance(value, FunctionType | type):
        return value
    found = (getattr(value, name, None) for name in _INNER)
    return next((one for one in found if isinstance(one, FunctionType)), value)


def _used(function: FunctionType) -> dict[str, Any]:
    """Return the globals and outer variables that a function names."""
    codes: list[CodeType] = [function.__code__]
    for code in codes:
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    names = {name for code in codes for name in code.co_names} & function.__globals__.keys()
    outer = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {
        **{name: function.__globals__[name] for name in names},
        **{f"outer {name}": cell.cell_contents for name, cell in outer},
    }
