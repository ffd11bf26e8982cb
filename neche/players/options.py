"""The options of a player specification: KEY=VALUE pairs, and the numbers among them."""

import re
from collections.abc import Collection

from neche.errors import InputError, suggestion

Options = dict[str, str]

# A comma belongs to a value (a path may hold one) unless KEY= follows.
_SEPARATOR = re.compile(r",(?=[A-Za-z_]+=)")


def read_options(kind: str, known: Collection[str], tail: str, text: str) -> Options:
    """Return the options in `tail`, what follows the colon of the specification `text`.

    Raises:
        InputError: an item is not KEY=VALUE, or its key is unknown to this kind or given twice.
    """
    options: Options = {}
    for item in _SEPARATOR.split(tail) if tail else []:
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise InputError(f"player {text!r}: {item!r} is not KEY=VALUE")
        if key not in known:
            raise InputError(f"player {text!r}: {kind} has no option {key!r}{suggestion(key, known)}")
        if key in options:
            raise InputError(f"player {text!r}: {key} is given twice")
        options[key] = value
    return options


def whole_number(options: Options, key: str, low: int, high: int) -> int | None:
    """Return the value of a key, None where it is not given.

    Raises:
        InputError: it is no whole number from `low` to `high`.
    """
    text = options.get(key)
    if text is None:
        return None
    if not text.isdecimal():
        raise InputError(f"player option {key}={text}: a whole number from {low} to {high} is needed")
    if not low <= int(text) <= high:
        raise InputError(f"player option {key}={text} is out of range {low}..{high}")
    return int(text)


def decimal_number(options: Options, key: str, low: float, high: float) -> float | None:
    """Return the value of a key, None where it is not given.

    Raises:
        InputError: it is no number from `low` to `high`.
    """
    text = options.get(key)
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise InputError(f"player option {key}={text}: a number from {low:g} to {high:g} is needed")
    return number


def one_of(options: Options, key: str, words: Collection[str]) -> str | None:
    """Return the value of a key, None where it is not given.

    Raises:
        InputError: it is none of `words`.
    """
    text = options.get(key)
    if text is not None and text not in words:
        raise InputError(f"player option {key}={text} is not known{suggestion(text, words)}")
    return text


def written(kind: str, options: Options, keys: Collection[str]) -> str:
    """Return the specification with the options named, in that order.

    >>> written("uct", {"c": "1.4", "playouts": "500"}, ("playouts", "c"))
    'uct:playouts=500,c=1.4'
    """
    given = ",".join(f"{key}={options[key]}" for key in keys if key in options)
    return f"{kind}:{given}" if given else kind
