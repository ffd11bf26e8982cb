"""The one exception that means "the input is at fault", raised everywhere below the command line."""

import re
from collections.abc import Iterable
from numbers import Integral

_LONGEST_LINE = 1000
_TAIL = 300
"""Characters kept of the end, which says what is wrong with the input that the message quotes before."""


class InputError(ValueError):
    """Bad input. The message is one line that names the fault; the command line prints it and exits 2.

    It stays one line whatever input it quotes, see `one_line`.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class CompiledCodeWarning(UserWarning):
    """Compiled code on disk was damaged or cannot be kept: it costs time, and no result."""


def one_line(text: str) -> str:
    r"""Return the text as one line fit for any terminal.

    Line breaks and other odd spaces become a space, characters that cannot be shown (control sequences,
    halves of broken encodings) their escapes, and the middle of a very long text an ellipsis.

    >>> one_line("no\n\x1b[31m such file")
    'no \\x1b[31m such file'
    """
    spaced = re.sub(r" *[^\S ]\s*", " ", text).strip()
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in spaced)
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[: _LONGEST_LINE - _TAIL - 3]} … {line[-_TAIL:]}"


def check_type(value: object, types: type | tuple[type, ...], wanted: str) -> None:
    """Check that a value is of one of some types; `wanted` says in words what is needed.

    Raises:
        InputError: it is of none of them.
    """
    if not isinstance(value, types):
        raise InputError(f"{wanted} is needed, not {type(value).__name__}: {value!r}")


def check_whole(value: object, name: str, low: int) -> None:
    """Check that a value is a whole number, of any library, of at least `low`.

    >>> check_whole(2.5, "games", 1)
    Traceback (most recent call last):
    neche.errors.InputError: games = 2.5: a whole number of at least 1 is needed

    Raises:
        InputError: it is not.
    """
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or int(value) < low:  # type: ignore[call-overload]
        raise InputError(f"{name} = {value!r}: a whole number of at least {low} is needed")


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of an error message that names the known word nearest to `word`, or all if none is near.

    >>> suggestion("materiel", ["random", "blind", "material"])
    ' (did you mean material?)'
    >>> suggestion("x", ["random", "blind"])
    ' (known: blind, random)'
    """
    import difflib  # only a wrong word pays for it

    known = sorted(known)
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.65)
    if near:
        return f" (did you mean {near[0]}?)"
    return f" (known: {', '.join(known)})" if known else ""
