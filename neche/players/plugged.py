"""Plug-ins: plain functions of users that take part in evolutions and games.

A plug-in is a function and its kind, see `KINDS`. What it draws, it draws from the generator that is handed
to it as `rng`; a function that draws nothing may leave that parameter out. Whatever it does wrong is an
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
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypedDict

import numpy as np

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
"""What functions of each kind are called with, in this order."""
MARK = "__neche_plugin__"
"""Attribute of a function that says of which kind it is."""
# What a function takes along to workers, whose copy of its code knows no file.
_PLACE = "__neche_place__"
_DIGEST_DIGITS = 16


class PluginError(InputError):
    """What is wrong with a plug-in, which the message names."""


class PluginIdentity(TypedDict):
    """What is kept of a plug-in, to know it again."""

    kind: str
    name: str
    digest: str


@dataclass(frozen=True)
class Plugin:
    """A function that plugs in. arguments: how many of those of its kind it takes."""

    kind: str
    function: Callable[..., Any]
    arguments: int

    @staticmethod
    def of(kind: str, function: Any) -> "Plugin":
        """Return a function as a plug-in of a kind.

        Raises:
            InputError: it is no plain function, or cannot take what such functions are called with.
        """
        names = KINDS[kind]
        # What only listens is not kept track of, so that it may be anything, such as the append of a list.
        if not isinstance(function, FunctionType) and not (kind == "listener" and callable(function)):
            raise InputError(f"{kind}: a plain function is needed, not {type(function).__name__}")
        if isinstance(function, FunctionType):
            vars(function).setdefault(_PLACE, function.__code__.co_filename)
        plugin = Plugin(kind, function, len(names))
        # A function that draws nothing need not have the parameter.
        for count in (len(names), len(names) - 1) if names[-1] == "rng" else (len(names),):
            with suppress(TypeError):
                with suppress(ValueError):  # Python does not know what some of its own functions take
                    inspect.signature(function).bind(*names[:count])
                return Plugin(kind, function, count)
        raise plugin.fault(f"must take ({', '.join(names)})")

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

        Read once, and taken along to workers: by the time of a later run of a sweep the file may have been
        edited, and what the function uses filled, such as a dictionary of known results.

        Raises:
            InputError: the source, as of what was typed in at a prompt, or an object cannot be read.
        """
        try:
            written = text_of(self.function)
        except Exception as error:  # objects that it uses may raise whatever they like when they are read
            if isinstance(error, OSError | IndentationError):
                raise self.fault(
                    "its source cannot be read, and is kept track of: put it in a file"
                ) from None
            raise self.fault(f"what it uses cannot be read: {type(error).__name__}: {error}") from None
        return hashlib.sha256(written.encode()).hexdigest()[:_DIGEST_DIGITS]

    @property
    def identity(self) -> PluginIdentity:
        """What a run keeps of it."""
        return {"kind": self.kind, "name": self.name, "digest": self.digest}

    def __call__(self, *arguments: Any) -> Any:
        """Call the function with arguments of its kind.

        Raises:
            InputError: it raises anything; this says what, and in which line.
        """
        try:
            return self.function(*arguments[: self.arguments])
        except PluginError:  # found in what it calls itself, such as the games of a ranking
            raise
        # An exit too: a plug-in must not end the program as if all were well.
        except (Exception, SystemExit) as error:
            raise self.fault(_words(error, self._file)) from error

    def fault(self, what: str) -> PluginError:
        """Return the error that says what is wrong with the function."""
        line = self.function.__code__.co_firstlineno if self._file else ""
        place = f" ({Path(getattr(self.function, _PLACE, self._file)).name}:{line})" if self._file else ""
        return PluginError(f"{self.kind} {self.name}{place}: {what}")


def finite_number(plugin: Plugin, value: Any) -> float:
    """Return the number that a plug-in has returned; InputError if it is none, or not finite."""
    plain = value.item() if getattr(value, "ndim", None) == 0 and value is not np.ma.masked else value
    try:
        number = float(plain) if isinstance(plain, Real) else math.nan
    except OverflowError:
        raise plugin.fault("returned a number that is too large") from None
    if not math.isfinite(number):
        raise plugin.fault(f"returned {_shown(value)}, not a finite number")
    return number


def whole_numbers(plugin: Plugin, value: Any, shape: tuple[int, ...], limit: int) -> Any:
    """Return the int64 array of a shape, with values below a limit, that a plug-in has returned.

    Raises:
        InputError: it is none.
    """
    wanted = f"not whole numbers 0 … {limit - 1} of shape {list(shape)}"
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise plugin.fault(f"returned {_shown(value)}, {wanted}") from None
    if array.size and array.dtype.kind not in "iu":  # of [] NumPy makes floats
        raise plugin.fault(f"returned {_shown(value)}, {wanted}")
    if array.shape != shape:
        raise plugin.fault(f"returned shape {list(array.shape)}, {wanted}")
    if array.size and not 0 <= array.min() <= array.max() < limit:
        raise plugin.fault(f"returned values {array.min()} … {array.max()}, {wanted}")
    return array.astype(np.int64)


def load_plugins(path: str | Path) -> tuple[Plugin, ...]:
    """Return the marked functions of a Python file, in their order; its code is run.

    Raises:
        InputError: there is no such file, it cannot be run, or no function in it is marked.
    """
    file = Path(realpath(path))
    if file.suffix != ".py" or not file.is_file():
        raise InputError(f"{path}: no such Python file")
    module = ModuleType(f"neche_plugin_{file.stem}")
    module.__file__ = str(file)
    if str(file.parent) not in sys.path:
        # last: it must hide no other module
        sys.path.append(str(file.parent))
    # Known by name only while it is run: workers are then sent its functions, not the name of a module that
    # they could not import.
    sys.modules[module.__name__] = module
    try:
        exec(compile(file.read_bytes(), str(file), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise InputError(f"{path}: cannot be run: {_words(error, str(file))}") from error
    finally:
        del sys.modules[module.__name__]
    found = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    # By what a function holds itself: an object may answer whatever it likes when it is asked for a mark.
    marks = [(getattr(one, "__dict__", {}).get(MARK), one) for one in found]
    marked = [Plugin.of(kind, one) for kind, one in marks if kind]
    if not marked:
        raise InputError(f"{path}: there is no plug-in in it; mark a function, as by @neche.plugin.mutation")
    found_once = tuple(dict.fromkeys(marked))
    for plugin in found_once:
        with suppress(InputError):  # raised where the digest is needed
            plugin.digest  # noqa: B018  # now, while the file is what was run
    return found_once


def _words(error: BaseException, file: str) -> str:
    """Return what was raised, and the last line of the file on the way there."""
    lines, trace = [], error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]} …"
