"""The one exception that means "the input is at fault", raised everywhere below the command line."""

import os
import re
import traceback
from collections.abc import Iterable
from contextlib import suppress
from math import inf
from numbers import Integral
from pathlib import Path

SEED_LIMIT = 2**63 - 1
"""Largest seed of a run, as of integers in TOML, which keeps it."""
_LONGEST_LINE = 1000
_TAIL = 300
"""Characters kept of the end, which says what is wrong with the input that the message quotes before."""


class InputError(ValueError):
    """Bad input. The message is one line that names the fault; the command line prints it and exits 2.

    It stays one line whatever input it quotes, see `one_line`.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


CODE_OF_OTHERS: list[str] = []
"""Game files from outside the package, as they were imported."""


def fault_of_others(error: BaseException) -> str | None:
    """Return as one line which of `CODE_OF_OTHERS` is at fault, its line and why; None if none is."""
    # Workers in other processes send their tracebacks as text, and numba names lines in its messages.
    text = "".join(traceback.format_exception(error))
    is_uncompiled = type(error).__module__.startswith("numba")
    for file in CODE_OF_OTHERS:
        # By its name alone: kept code has the folder in which it was compiled.
        place = rf'([^"\n]*)(?<![\w.-]){re.escape(Path(file).name)}(?:", line | \()(\d+)'
        lines = [line for folder, line in re.findall(place, text) if str(Path(__file__).parent) not in folder]
        if lines and is_uncompiled:
            return one_line(f"{file}, line {lines[0]}: cannot be compiled: {_reason(str(error))}")
        if lines:
            return one_line(f"{file}, line {lines[-1]}: {type(error).__name__}: {error}")
    # Not every message of numba names a line; its own code compiles, or no command would run.
    found = is_uncompiled and CODE_OF_OTHERS
    return one_line(f"{found[-1]}: cannot be compiled: {_reason(str(error))}") if found else None


def _reason(message: str) -> str:
    """Return what numba says of the innermost function, and with which types something was called there."""
    lines = [line.strip() for line in message.rpartition("(step: nopython frontend)")[2].splitlines()]
    called = next((f" {line}" for line in lines if line.startswith(">>>")), "")
    return next((line for line in lines if line and not line.startswith("Failed in ")), "") + called


class CompiledCodeWarning(UserWarning):
    """Compiled code on disk was damaged or cannot be kept: it costs time, and no result."""


def one_line(text: str) -> str:
    r"""Return the text as one line fit for any terminal.

    Line breaks and other odd spaces become a space, characters that cannot be shown (control sequences,
    halves of broken encodings) their escapes, and the middle of a very long text an ellipsis.

    >>> one_line("no\n\x1b[31m such file")
    'no \\x1b[31m such file'
    """
    spaced = re.sub(r"(?<! ) *[^\S ]\s*", " ", text).strip()
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in spaced)
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[: _LONGEST_LINE - _TAIL - 3]} … {line[-_TAIL:]}"


def check_type(value: object, types: type | tuple[type, ...], wanted: str) -> None:
    """Raise InputError unless a value is of one of some types; `wanted` says in words what is needed."""
    if not isinstance(value, types):
        raise InputError(f"{wanted} is needed, not {type(value).__name__}: {value!r}")


def check_whole(value: object, name: str, low: int, high: float = inf) -> None:
    """Raise InputError unless a value is a whole number, of any library, from `low` to `high`.

    >>> check_whole(2.5, "games", 1)
    Traceback (most recent call last):
    neche.errors.InputError: games = 2.5: a whole number of at least 1 is needed
    """
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or not low <= int(value) <= high:  # type: ignore[call-overload]
        wanted = f"of at least {low}" if high == inf else f"from {low} to {high}"
        raise InputError(f"{name} = {value!r}: a whole number {wanted} is needed")


def suggestion(word: str, known: Iterable[str], others: Iterable[str] = ()) -> str:
    """Return the end of an error message that names the known word nearest to `word`, or all if none is near.

    others: words that are named too where one is near, and not listed.

    >>> suggestion("materiel", ["random", "blind", "material"])
    ' (did you mean material?)'
    >>> suggestion("x", ["random", "blind"])
    ' (known: blind, random)'
    """
    import difflib  # only a wrong word pays for it

    known = sorted(known)
    for words in (known, list(others)):
        if near := difflib.get_close_matches(word.lower(), words, n=1, cutoff=0.65):
            return f" (did you mean {near[0]}?)"
    return f" (known: {', '.join(known)})" if known else ""


def near_run(path: str) -> str:
    """Return the end of an error message that names the run in runs/ which a path is short for, if any."""
    run = os.path.join("runs", path)
    return f" (did you mean {run}?)" if path and os.path.isdir(run) else ""


def near_path(path: Path | str) -> str:
    """Return the end of an error message that names a run or file similar to a missing path, if any."""
    folder, name = os.path.split(path)
    with suppress(OSError, ValueError):  # such as a directory that cannot be read
        beside = [] if os.path.lexists(path) else os.listdir(folder or ".")
        return near_run(str(path)) or suggestion(name, (), beside)
    return ""
