"""The options of a player specification: KEY=VALUE pairs, read into records whose types say what is allowed.

A record is a `msgspec.Struct` with a field for each key. The types of its fields, below and in the files of
the players, hold the range of each option; the same types check the records of the players themselves.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from math import nan
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from neche.errors import InputError, suggestion
from neche.players.engine import MAX_DEPTH, MAX_NODES, MAX_TIME_MS

Options = dict[str, str]
"""Options as written."""

Depth = Annotated[int, msgspec.Meta(ge=1, le=MAX_DEPTH)]
ConvolutionalDepth = Annotated[int, msgspec.Meta(ge=1, le=8)]
TimeMs = Annotated[int, msgspec.Meta(ge=1, le=MAX_TIME_MS)]
Nodes = Annotated[int, msgspec.Meta(ge=1, le=MAX_NODES)]
Threads = Annotated[int, msgspec.Meta(ge=1, le=256)]
TreePlayouts = Annotated[int, msgspec.Meta(ge=1, le=MAX_NODES)]
Playouts = Annotated[int, msgspec.Meta(ge=1, le=10**12)]
LeafPlayouts = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
Batch = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]
Exploration = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]
Scale = Annotated[float, msgspec.Meta(ge=1e-9, le=1e12)]


class NoOptions(msgspec.Struct):
    """The options of a player without options."""


# A comma belongs to a value (a path may hold one) unless KEY= follows.
_SEPARATOR = re.compile(r",(?=[A-Za-z_]+=)")
_Record = TypeVar("_Record")
# More than in any range; Python refuses to parse thousands.
_MOST_DIGITS = 30


def read_options(kind: str, known: Collection[str], tail: str, text: str) -> Options:
    """Return the options in `tail`, what follows the colon of `text`; InputError if one is malformed."""
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


# Python evaluates them anew each time, which takes longer than the rest of a specification.
_hints_of: Callable[[type], dict[str, Any]] = cache(partial(get_type_hints, include_extras=True))


def keys_of(record: type) -> tuple[str, ...]:
    """Return the keys of a record of options, in the order in which they are written."""
    return tuple(_hints_of(record))


def read_record(record: type[_Record], options: Options) -> _Record:
    """Return a record with these options, and defaults for the others; InputError for a wrong value."""
    hints = _hints_of(record)
    return record(**{key: read_value(key, text, hints[key]) for key, text in options.items()})


def read_value(key: str, text: str, hint: Any) -> Any:
    """Return the value of a text as an option of a given type; InputError if it has none in range.

    >>> read_value("depth", "4", Depth | None)
    4
    """
    kind, low, high = _kind_and_range(hint)
    if kind is str:
        return text
    if kind is int:
        if len(text) > _MOST_DIGITS:
            raise InputError(f"player option {key} is out of range {low}..{high}")
        if not (text.isascii() and text.isdecimal()):
            raise InputError(f"player option {key}={text}: a whole number from {low} to {high} is needed")
        if not low <= int(text) <= high:
            raise InputError(f"player option {key}={text} is out of range {low}..{high}")
        return int(text)
    if kind is float:
        try:
            number = float(text.encode("ascii"))
        except ValueError:
            number = nan
        if not low <= number <= high:
            raise InputError(f"player option {key}={text}: a number from {low:g} to {high:g} is needed")
        return number
    words = ("0", "1") if kind is bool else get_args(kind)
    if text not in words:
        raise InputError(f"player option {key}={text} is not known{suggestion(text, words)}")
    return text == "1" if kind is bool else text


def _kind_and_range(hint: Any) -> tuple[Any, Any, Any]:
    """Return the type in a hint, and the bounds of its range; None, None without a range."""
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Annotated:
            meta = part.__metadata__[0]
            return part.__origin__, meta.ge, meta.le
    if get_origin(hint) is Literal:
        return hint, None, None
    return next((part for part in get_args(hint) if part is not NoneType), hint), None, None


def check_ranges(kind: str, record: Any, words: Mapping[str, str] | None = None) -> None:
    """Raise InputError if a number in a player's record is outside the range in the type of its field.

    words: name of a field in messages, if it differs.
    """
    for name, hint in _hints_of(type(record)).items():
        value, (_, low, high) = getattr(record, name), _kind_and_range(hint)
        if low is not None and isinstance(value, int | float) and not low <= value <= high:
            word = (words or {}).get(name, name)
            raise InputError(f"{kind}: {word}={value} is out of range {low:.0f}..{high:.0f}")


def written(kind: str, values: Mapping[str, object], record: type | None = None) -> str:
    """Return the specification with these values, omitting None; in the order of a record if one is given.

    >>> class Example(msgspec.Struct):
    ...     playouts: int
    ...     c: float
    >>> written("uct", {"c": "1.4", "playouts": 500, "time": None}, Example)
    'uct:playouts=500,c=1.4'
    """
    keys = values if record is None else keys_of(record)
    given = ",".join(f"{key}={values[key]}" for key in keys if values.get(key) is not None)
    return f"{kind}:{given}" if given else kind


def short_name(player: str) -> str:
    """Return a player's name, which is a specification, without the prefix that all networks share.

    >>> short_name("network:file=champion-1,depth=4"), short_name("material:depth=4")
    ('champion-1:depth=4', 'material:depth=4')
    """
    source = player.removeprefix("network:file=")
    return player if source == player else source.replace(",", ":", 1)
