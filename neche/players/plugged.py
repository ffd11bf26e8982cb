"""Plug-ins: plain user functions that take part in evolutions and games.

A plug-in is a function and its kind, see `KINDS`. It makes all random draws with the generator passed as
`rng`; a function that draws nothing may omit that parameter. Any error of the function becomes an
`InputError` of one line that names it, its file and the fault.
"""

import hashlib
import inspect
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from os.path import realpath
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from neche.errors import InputError
from neche.players.plugin_source import text_of

KINDS: dict[str, tuple[str, ...]] = {
    "mutation": ("genome", "rng"),
    "crossover": ("mother", "father", "rng"),
    "selection": ("generation", "count", "rng"),
    "ranking": ("count", "play", "rng"),
    "fitness": ("network", "rng"),
    "listener": ("event",),
    "evaluator": ("board",),
    "player": ("board", "rng"),
}
"""Arguments of functions of each kind, in this order."""
EXTRA = {
    "generation": ("mutation", "crossover", "ranking", "fitness"),
    "networks": ("ranking",),
    "members": ("ranking",),
    "memory": ("mutation", "crossover", "ranking"),
}
"""Arguments of functions of these kinds that have a parameter of this name, without a default."""
MARK = "__neche_plugin__"
"""Attribute of a function that names its kind."""
# Attribute with the file of a function, for workers, whose copy of its code has none.
_PLACE = "__neche_place__"
_DIGEST_DIGITS = 16


class PluginError(InputError):
    """An error in a plug-in, which the message names."""


class PluginIdentity(TypedDict):
    """The stored identity of a plug-in, to recognise it."""

    kind: str
    name: str
    digest: str


@dataclass(frozen=True)
class Plugin:
    """A function that plugs in. arguments: how many of its kind's arguments it takes; extras: by name."""

    kind: str
    function: Callable[..., Any]
    arguments: int
    extras: tuple[str, ...] = ()

    @staticmethod
    def of(kind: str, function: Any) -> "Plugin":
        """Return a function as a plug-in; InputError if it is not plain or cannot take what its kind gets."""
        names = KINDS[kind]
        # Listeners are not tracked by digest, so they may be any callable, such as the append of a list.
        if not isinstance(function, FunctionType) and not (kind == "listener" and callable(function)):
            raise InputError(f"{kind}: a plain function is needed, not {type(function).__name__}")
        if isinstance(function, FunctionType):
            vars(function).setdefault(_PLACE, function.__code__.co_filename)
        own = {} if kind == "listener" else inspect.signature(function).parameters
        more = tuple(
            one for one in EXTRA if kind in EXTRA[one] and one in own and own[one].default is own[one].empty
        )
        # A function that draws nothing may omit the parameter.
        for count in (len(names), len(names) - 1) if names[-1] == "rng" else (len(names),):
            with suppress(TypeError):
                with suppress(ValueError):  # some builtins have no signature
                    inspect.signature(function).bind(*names[:count], **dict.fromkeys(more))
                return Plugin(kind, function, count, more)
        extras = ", ".join(one for one in EXTRA if kind in EXTRA[one])
        also = f", and may ask for {extras}" if extras else ""
        raise Plugin(kind, function, len(names)).fault(f"must take ({', '.join(names)}){also}")

    @property
    def name(self) -> str:
        """Name of the function."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    @property
    def _file(self) -> str:
        code = getattr(self.function, "__code__", None)
        return code.co_filename if isinstance(code, CodeType) else ""

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits of the source: of the function and all of its file that it uses.

        Computed once, and sent to workers: before a later run of a sweep, the file may be edited, or objects
        that the function uses may be filled, such as a dictionary of known results. InputError if the source
        (if typed at a prompt, say) or an object cannot be read.
        """
        try:
            written = text_of(self.function)
        except (OSError, IndentationError):
            raise self.fault("its source cannot be read, but must be tracked: put it in a file") from None
        except Exception as error:  # objects that it uses may raise anything when read
            raise self.fault(f"what it uses cannot be read: {type(error).__name__}: {error}") from None
        return hashlib.sha256(written.encode()).hexdigest()[:_DIGEST_DIGITS]

    @property
    def identity(self) -> PluginIdentity:
        """The identity that a run stores."""
        return {"kind": self.kind, "name": self.name, "digest": self.digest}

    def __call__(self, *arguments: Any, **extras: Any) -> Any:
        """Call the function; InputError if it raises anything, which says what and in which line."""
        try:
            return self.function(*arguments[: self.arguments], **{one: extras[one] for one in self.extras})
        except PluginError:  # raised in what it calls itself, such as the games of a ranking
            raise
        # SystemExit too: a plug-in must not end the program as if it had succeeded.
        except (Exception, SystemExit) as error:
            raise self.fault(_words(error, self._file)) from error

    def fault(self, what: str) -> PluginError:
        """Return the error that describes a fault of the function."""
        line = self.function.__code__.co_firstlineno if self._file else ""
        place = f" ({Path(getattr(self.function, _PLACE, self._file)).name}:{line})" if self._file else ""
        return PluginError(f"{self.kind} {self.name}{place}: {what}")


def finite_number(plugin: Plugin, value: Any) -> float:
    """Return the number that a plug-in has returned; InputError if it is not a finite number."""
    plain = value.item() if getattr(value, "ndim", None) == 0 and value is not np.ma.masked else value
    try:
        number = float(plain) if isinstance(plain, Real) else math.nan
    except OverflowError:
        raise plugin.fault("returned a number that is too large") from None
    if not math.isfinite(number):
        raise plugin.fault(f"returned {_shown(value)}, not a finite number")
    return number


def whole_numbers(plugin: Plugin, value: Any, shape: tuple[int, ...], limit: int) -> NDArray[np.int64]:
    """Return a plug-in's result as int64, of this shape and below `limit`; InputError if it is not so."""
    wanted = f"not whole numbers 0 … {limit - 1} of shape {list(shape)}"
    array = np.zeros(1)  # what rows of different lengths count as
    with suppress(ValueError):
        array = np.asarray(value)
    if array.size and array.dtype.kind not in "iu":  # NumPy turns [] into floats
        raise plugin.fault(f"returned {_shown(value)}, {wanted}")
    if array.shape != shape:
        raise plugin.fault(f"returned shape {list(array.shape)}, {wanted}")
    if array.size and not 0 <= array.min() <= array.max() < limit:
        raise plugin.fault(f"returned values {array.min()} … {array.max()}, {wanted}")
    return array.astype(np.int64)


def load_plugins(path: str | Path) -> tuple[Plugin, ...]:
    """Run a Python file and return its marked functions, in order; InputError if it fails or has none."""
    file = Path(realpath(path))
    if file.suffix != ".py" or not file.is_file():
        raise InputError(f"{path}: no such Python file")
    module = ModuleType(f"neche_plugin_{file.stem}")
    module.__file__ = str(file)
    if str(file.parent) not in sys.path:
        # last, so that it hides no other module
        sys.path.append(str(file.parent))
    # Registered only while it runs: workers then get its functions, not the name of a module that they cannot
    # import.
    sys.modules[module.__name__] = module
    try:
        exec(compile(file.read_bytes(), str(file), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise InputError(f"{path}: cannot be run: {_words(error, str(file))}") from error
    finally:
        del sys.modules[module.__name__]
    found = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    # Looked up in the function's own attributes: an object may return anything for an attribute named MARK.
    marks = [(getattr(one, "__dict__", {}).get(MARK), one) for one in found]
    plugins = tuple(dict.fromkeys(Plugin.of(kind, one) for kind, one in marks if kind))
    if not plugins:
        raise InputError(f"{path}: it has no plug-in; mark a function, as by @neche.plugin.mutation")
    for plugin in plugins:
        with suppress(InputError):  # raised where the digest is needed
            plugin.digest  # noqa: B018  # now, before the file changes
    return plugins


def _words(error: BaseException, file: str) -> str:
    """Return the exception in words, and the last line of the file in its traceback."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]} …"
