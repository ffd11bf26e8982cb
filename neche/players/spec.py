"""A player specification in words, `KIND[:KEY=VALUE,…]`, becomes a player.

`random`, `blind:depth=4`, `material:depth=4`, `network:file=PATH,id=ID,depth=6`. The path of a run directory
or FASTA file alone, or a DNA string, is a network player.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from neche.errors import InputError, suggestion
from neche.network.decode import (
    Network,
    blind_network,
    check_perspective,
    decode,
    material_network,
)
from neche.players.source import is_dna, is_path, read_source, shipped_names

DEFAULT_DEPTH = 4
MAX_DEPTH = 60
MAX_TIME_MS = 24 * 3600 * 1000

# A comma belongs to a value (a path may hold one) unless KEY= follows.
_SEPARATOR = re.compile(r",(?=[A-Za-z_]+=)")


@dataclass(frozen=True)
class Player:
    """Someone who chooses moves.

    name: the specification, written out in full.
    network: what judges positions; None for the random player.
    depth: plies of search before quiescence, 0 for the random player; the most when `time_ms` is set.
    time_ms: thinking time for one move in milliseconds; None for a fixed depth.
    """

    name: str
    network: Network | None
    depth: int
    time_ms: int | None = None


Options = dict[str, str]


def parse_player(text: str) -> Player:
    """Return the player that `text` specifies.

    >>> parse_player("random").depth
    0
    >>> parse_player("blind:depth=2").name
    'blind:depth=2'
    >>> parse_player("materiel")
    Traceback (most recent call last):
    neche.errors.InputError: unknown player 'materiel' (did you mean material?)
    """
    head, _, tail = text.partition(":")
    if head in _KINDS:
        return _build(head, tail, text)
    shipped = shipped_names()
    if is_path(text) or is_dna(text) or text in shipped:
        return _network({"file": text})
    if is_path(head) or is_dna(head) or head in shipped:
        return _build("network", f"file={head},{tail}", text)
    if "/" in head or head.endswith(".fasta"):
        raise InputError(f"no such run directory, FASTA file or shipped champion: {head}")
    raise InputError(f"unknown player {head!r}{suggestion(head, [*_KINDS, *shipped])}")


def _build(kind: str, tail: str, text: str) -> Player:
    keys, build = _KINDS[kind]
    options: Options = {}
    for item in _SEPARATOR.split(tail) if tail else []:
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise InputError(f"player {text!r}: {item!r} is not KEY=VALUE")
        if key not in keys:
            raise InputError(f"player {text!r}: {kind} has no option {key!r}{suggestion(key, keys)}")
        if key in options:
            raise InputError(f"player {text!r}: {key} is given twice")
        options[key] = value
    return build(options)


def _random(options: Options) -> Player:
    return Player("random", None, 0)


def _blind(options: Options) -> Player:
    return _searching("blind", blind_network(), options)


def _material(options: Options) -> Player:
    return _searching("material", material_network(), options)


def _network(options: Options) -> Player:
    if "file" not in options:
        raise InputError("a network player needs a file: network:file=PATH")
    record = read_source(options["file"], options.get("id"))
    perspective = check_perspective(options.get("perspective") or record.fields.get("perspective", "own"))
    given = ",".join(f"{key}={options[key]}" for key in ("file", "id", "perspective") if key in options)
    return _searching(f"network:{given}", decode(record.genome, perspective=perspective), options)


def _searching(name: str, network: Network, options: Options) -> Player:
    time_ms = _number(options, "time", 1, MAX_TIME_MS)
    depth = _number(options, "depth", 1, MAX_DEPTH)
    limits = [f"{key}={options[key]}" for key in ("depth", "time") if key in options]
    limits = limits or [f"depth={DEFAULT_DEPTH}"]
    if depth is None:
        depth = DEFAULT_DEPTH if time_ms is None else MAX_DEPTH
    return Player(name + ("," if ":" in name else ":") + ",".join(limits), network, depth, time_ms)


def _number(options: Options, key: str, low: int, high: int) -> int | None:
    text = options.get(key)
    if text is None:
        return None
    if not text.isdecimal():
        raise InputError(f"player option {key}={text}: a whole number from {low} to {high} is needed")
    if not low <= int(text) <= high:
        raise InputError(f"player option {key}={text} is out of range {low}..{high}")
    return int(text)


# kind: (its options, its builder). A new kind of player is one more line and one builder.
_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Options], Player]]] = {
    "random": ((), _random),
    "blind": (("depth", "time"), _blind),
    "material": (("depth", "time"), _material),
    "network": (("file", "id", "perspective", "depth", "time"), _network),
}
