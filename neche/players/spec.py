"""A player specification in words, `KIND[:KEY=VALUE,…]`, becomes a player.

`random`, `blind:depth=4`, `material:depth=4`, `network:file=PATH,id=ID,depth=6`, `mcrd:playouts=20000`,
`uct:playouts=5000`, `cnn:file=PATH`. The path of a run directory or FASTA file alone, or a DNA string, is a
network player.
"""

from collections.abc import Callable

from neche.errors import InputError, suggestion
from neche.players.convolutional import OPTIONS as CONVOLUTIONAL_OPTIONS
from neche.players.convolutional import convolutional_player
from neche.players.monte_carlo import MCRD_OPTIONS, UCT_OPTIONS, mcrd_player, uct_player
from neche.players.options import Options, read_options
from neche.players.player import Player
from neche.players.searching import (
    LIMITS,
    NETWORK_OPTIONS,
    blind_player,
    material_player,
    network_player,
    random_player,
)
from neche.players.source import is_dna, is_path, shipped_names

__all__ = ["Player", "parse_player"]


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
        return network_player({"file": text})
    if is_path(head) or is_dna(head) or head in shipped:
        return _build("network", f"file={head},{tail}", text)
    if "/" in head or head.endswith(".fasta"):
        raise InputError(f"no such run directory, FASTA file or shipped champion: {head}")
    raise InputError(f"unknown player {head!r}{suggestion(head, [*_KINDS, *shipped])}")


def _build(kind: str, tail: str, text: str) -> Player:
    keys, build = _KINDS[kind]
    return build(read_options(kind, keys, tail, text))


# kind: (its options, its builder). A new kind of player is one more line and one builder.
_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Options], Player]]] = {
    "random": ((), random_player),
    "blind": (LIMITS, blind_player),
    "material": (LIMITS, material_player),
    "network": (NETWORK_OPTIONS, network_player),
    "mcrd": (MCRD_OPTIONS, mcrd_player),
    "uct": (UCT_OPTIONS, uct_player),
    "cnn": (CONVOLUTIONAL_OPTIONS, convolutional_player),
}
