"""A player specification in words, `KIND[:KEY=VALUE,…]`, becomes a player.

`random`, `blind:depth=4`, `material:depth=4`, `network:file=PATH,id=ID,depth=6`, `mcrd:playouts=20000`,
`uct:playouts=5000`, `cnn:file=PATH`. The path of a run directory or FASTA file alone, or a DNA string, is a
network player. Every hand-made evaluator of a game is a kind of player too: `mobility:depth=4` in Othello.
"""

from collections.abc import Callable

from neche.errors import InputError, suggestion
from neche.games.catalogue import GAMES, game
from neche.players.convolutional import OPTIONS as CONVOLUTIONAL_OPTIONS
from neche.players.convolutional import convolutional_player
from neche.players.monte_carlo import MCRD_OPTIONS, UCT_OPTIONS, mcrd_player, uct_player
from neche.players.options import Options, read_options
from neche.players.player import Player
from neche.players.searching import (
    LIMITS,
    NETWORK_OPTIONS,
    blind_player,
    hand_made_player,
    network_player,
    random_player,
)
from neche.players.source import is_dna, is_path, shipped_names

__all__ = ["Player", "parse_player"]


def parse_player(text: str, name: str = GAMES[0]) -> Player:
    """Return the player that `text` specifies, for the game of that name.

    >>> parse_player("random").depth
    0
    >>> parse_player("blind:depth=2").name
    'blind:depth=2'
    >>> parse_player("materiel")
    Traceback (most recent call last):
    neche.errors.InputError: unknown player 'materiel' (did you mean material?)
    """
    head, _, tail = text.partition(":")
    evaluators = [evaluator.name for evaluator in game(name).evaluators]
    if head in evaluators:
        return hand_made_player(head, read_options(head, LIMITS, tail, text), name)
    if head in _KINDS:
        return _build(head, tail, text, name)
    shipped = shipped_names()
    if is_path(text) or is_dna(text) or text in shipped:
        return network_player({"file": text})
    if is_path(head) or is_dna(head) or head in shipped:
        return _build("network", f"file={head},{tail}", text, name)
    if "/" in head or head.endswith(".fasta"):
        raise InputError(f"no such run directory, FASTA file or shipped champion: {head}")
    raise InputError(f"unknown player {head!r}{suggestion(head, [*evaluators, *_KINDS, *shipped])}")


def _build(kind: str, tail: str, text: str, name: str) -> Player:
    keys, build = _KINDS[kind]
    return build(read_options(kind, keys, tail, text), name)


def _for_any_game(build: Callable[[Options], Player]) -> Callable[[Options, str], Player]:
    return lambda options, _: build(options)


# kind: (its options, its builder). A new kind of player is one more line and one builder.
_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Options, str], Player]]] = {
    "random": ((), _for_any_game(random_player)),
    "blind": (LIMITS, _for_any_game(blind_player)),
    "network": (NETWORK_OPTIONS, _for_any_game(network_player)),
    "mcrd": (MCRD_OPTIONS, _for_any_game(mcrd_player)),
    "uct": (UCT_OPTIONS, uct_player),
    "cnn": (CONVOLUTIONAL_OPTIONS, _for_any_game(convolutional_player)),
}
