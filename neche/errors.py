"""The one exception that means "the input is at fault", raised everywhere below the command line."""

from collections.abc import Iterable


class InputError(ValueError):
    """Bad input. The message is one line that names the fault; the command line prints it and exits 2."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of an error message that names the known word nearest to `word`, or all if none is near.

    >>> suggestion("materiel", ["random", "blind", "material"])
    ' (did you mean material?)'
    >>> suggestion("x", ["random", "blind"])
    ' (known: blind, random)'
    """
    import difflib  # only a wrong word pays for it

    known = sorted(known)
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    if near:
        return f" (did you mean {near[0]}?)"
    return f" (known: {', '.join(known)})" if known else ""
