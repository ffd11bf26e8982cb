"""Parsing of player specifications, `KIND[:KEY=VALUE,…]`.

Each kind has a record of its options here, and a builder; the table `KINDS` at the end lists them. A bare
path of a run directory or FASTA file, or a DNA string, is a network player. Every hand-made evaluator of a
game is also a kind of player, `mobility:depth=4` in Othello, and so are the functions in
`function_player.PLUGGED`. All kinds with options also take `endings=DIR` and `exact=N`, see `solved_endings`.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from neche.errors import InputError, near_path, near_run, suggestion
from neche.games.catalogue import GAMES, game
from neche.genome.fasta import Record
from neche.montecarlo.counting import count_playouts_on
from neche.network.convolution import read_convolution
from neche.network.decode import Network, blind_network
from neche.players import options as ranges
from neche.players.alpha_beta import (
    CONVOLUTIONAL_DEPTH,
    DEFAULT_DEPTH,
    AlphaBeta,
    Convolutional,
    Random,
    hand_made_networks,
)
from neche.players.engine import MAX_DEPTH, Player
from neche.players.function_player import PLUGGED, EvaluatorOptions, function_player
from neche.players.mcrd import ALLOCATIONS, DEFAULT_ALLOCATION, Mcrd
from neche.players.options import Options, keys_of, read_options, read_record, read_value, written
from neche.players.solved_endings import OPTIONS, EndingsPlayer
from neche.players.source import game_of_source, is_dna, is_path, network_of, read_source, shipped_names
from neche.players.uct import DEFAULT_EXPLORATION, NetworkLeaf, Uct

DEFAULT_MCRD_PLAYOUTS, DEFAULT_UCT_PLAYOUTS = 20_000, 5000
_Device = Literal["cpu", "cuda"]


class SearchOptions(msgspec.Struct):
    """Options of `blind` and the hand-made evaluators; the first limit reached ends the search."""

    depth: ranges.Depth | None = None
    time: ranges.TimeMs | None = None
    nodes: ranges.Nodes | None = None
    search: Literal["exact", "selective"] | None = None
    threads: ranges.Threads | None = None


class NetworkOptions(SearchOptions):
    """Options of `network`: a source and a genome in it, fields that override its header, and limits."""

    file: str = ""
    id: str | None = None
    perspective: str | None = None
    topology: str | None = None


class McrdOptions(msgspec.Struct):
    """Options of `mcrd`; see `Mcrd`."""

    playouts: ranges.Playouts | None = None
    time: ranges.TimeMs | None = None
    allocation: Literal[ALLOCATIONS] = DEFAULT_ALLOCATION  # type: ignore[valid-type]
    device: _Device = "cpu"


class UctOptions(msgspec.Struct):
    """Options of `uct`; see `Uct`, and `NetworkLeaf` if the leaf is not a number of playouts."""

    playouts: ranges.TreePlayouts | None = None
    time: ranges.TimeMs | None = None
    c: ranges.Exploration = DEFAULT_EXPLORATION
    leaf: str = "1"
    scale: ranges.Scale | None = None
    static: bool = False
    device: _Device = "cpu"
    batch: ranges.Batch | None = None
    solver: bool = True


class ConvolutionalOptions(msgspec.Struct):
    """Options of `cnn`: the network's file, plies of search before quiescence."""

    file: str = ""
    depth: ranges.ConvolutionalDepth = CONVOLUTIONAL_DEPTH


def parse_player(text: str, name: str = GAMES[0]) -> Player:
    """Return the player that `text` specifies, for the game of that name.

    >>> parse_player("random").name
    'random'
    >>> parse_player("blind:depth=2").name
    'blind:depth=2'
    >>> parse_player("materiel")
    Traceback (most recent call last):
    neche.errors.InputError: unknown player 'materiel' (did you mean material?)
    """
    path, _, options = text.rpartition(":")  # a path may contain colons
    head, tail = (path, options) if is_path(path) else text.partition(":")[::2]
    hand_made = [evaluator.name for evaluator in game(name).evaluators]
    if head in PLUGGED:
        return _built(head, _plugged_kind(head, hand_made), tail, text, name)
    if head in hand_made:
        network = hand_made_networks(name)[head]
        build = Kind(SearchOptions, lambda options, name: _searching(head, network, options))
        return _built(head, build, tail, text, name)
    if head in KINDS:
        return _built(head, KINDS[head], tail, text, name)
    shipped = shipped_names()
    if is_path(text) or is_dna(text) or text in shipped:
        return network_player({"file": text}, name)
    if is_path(head) or is_dna(head) or head in shipped:
        # `file` comes last: text before an option belongs to the value of the option before.
        return _built("network", KINDS["network"], f"{tail},file={head}".lstrip(","), text, name)
    if "/" in head or head.endswith(".fasta"):
        raise InputError(f"no such run directory, FASTA file or shipped champion: {head}{near_path(head)}")
    if homes := ", ".join(home for home in GAMES if head in hand_made_networks(home)):
        known = ", ".join(hand_made) or "none"
        raise InputError(f"player {head!r} is hand-made for {homes}, not for {name}, which has {known}")
    known = near_run(head) or suggestion(head, [*hand_made, *KINDS, *shipped_names(name), *PLUGGED], shipped)
    raise InputError(f"unknown player {head!r}{known}")


def _plugged_kind(word: str, hand_made: list[str]) -> "Kind":
    """Return the kind of player of a function; it may not take another player's word."""
    plugin, board_of = PLUGGED[word]
    if word in (*hand_made, *KINDS, *shipped_names()):
        raise plugin.fault("another player has that name; give the function another one")
    if plugin.kind == "player":
        return Kind(ranges.NoOptions, lambda options, name: function_player(plugin, board_of))

    def build(options: Options, name: str) -> Player:
        return function_player(plugin, board_of, read_record(EvaluatorOptions, options).depth)

    return Kind(EvaluatorOptions, build)


def _built(word: str, kind: "Kind", tail: str, text: str, name: str) -> Player:
    # A player without options has no evaluation to add to what a table says.
    known = keys_of(kind.options)
    options = read_options(word, (*known, *OPTIONS) if known else known, tail, text)
    of_endings = {option: options.pop(option) for option in OPTIONS if option in options}
    player = kind.build(options, name)
    for option, value in of_endings.items():
        player = EndingsPlayer(player, option, value)
        player.require_board(game(name))
    return player


def network_player(options: Options, name: str) -> Player:
    """Build the player that evaluates with a genome's network; InputError if there is no such genome."""
    if "file" not in options:
        raise InputError("a network player needs a file: network:file=PATH")
    file = options["file"]
    # Files of the package never change; others may change between two players.
    find = _shipped_network if file in shipped_names() and not is_path(file) else _network_in
    network = find(file, options.get("id"), options.get("perspective"), options.get("topology"), name)
    identity = {key: value for key, value in options.items() if key not in keys_of(SearchOptions)}
    return _searching(written("network", identity, NetworkOptions), network, options, home=name)


def _network_in(
    file: str, identifier: str | None, perspective: str | None, topology: str | None, name: str
) -> Network:
    record = read_source(file, identifier)
    check_home(record, file, name)
    return network_of(record, perspective=perspective, topology=topology)


_shipped_network = lru_cache(maxsize=16)(_network_in)


def check_home(record: Record, source: str, name: str) -> None:
    """Refuse a champion of a game with other squares, even if their number is the same."""
    # headers omit checkers, which a run names
    of_run = game_of_source(source) if is_path(source) else None
    home = record.fields.get("game") or of_run or name
    if game(home).sensors != game(name).sensors:
        who = f"{source}: {record.id}" if is_path(source) else source
        raise InputError(f"{who} is a champion of {home}: it does not see the board of {name}")


def _searching(name: str, network: Network, options: Options, home: str | None = None) -> Player:
    limits = {key: options[key] for key in keys_of(SearchOptions) if key in options}
    read = read_record(SearchOptions, limits)
    if read.depth is None and read.time is None and read.nodes is None:
        limits = {"depth": str(DEFAULT_DEPTH), **limits}
    depth = read.depth or (DEFAULT_DEPTH if "depth" in limits else MAX_DEPTH)
    name += ("," if ":" in name else ":") + ",".join(f"{key}={value}" for key, value in limits.items())
    found = AlphaBeta(name, network, depth, read.time, read.nodes, read.search, read.threads or 1, home)
    if found.threads > 1 and not found.is_selective:
        raise InputError(f"player {name}: threads need a selective search; add search=selective")
    return found


def _mcrd_player(options: Options, name: str) -> Player:
    read = read_record(McrdOptions, options)
    if read.playouts is None and read.time is None:
        read.playouts = DEFAULT_MCRD_PLAYOUTS
    # A game must not begin with a missing device.
    count_playouts_on(read.device)
    shown = {"playouts": read.playouts, "time": read.time, "allocation": read.allocation}
    name = written("mcrd", {**shown, **options}, McrdOptions)
    return Mcrd(read.playouts, read.time, read.allocation, read.device, name=name)


def _uct_player(options: Options, name: str) -> Player:
    read = read_record(UctOptions, options)
    if read.playouts is None and read.time is None:
        read.playouts = DEFAULT_UCT_PLAYOUTS
    leaf = _leaf(read, name)
    count_playouts_on(read.device)
    shown = {"playouts": read.playouts, "time": read.time, "c": f"{read.c:g}", "leaf": read.leaf}
    return Uct(
        playouts=read.playouts,
        time_ms=read.time,
        exploration=read.c,
        leaf=leaf,
        device=read.device,
        batch=read.batch,
        is_solving=read.solver,
        name=written("uct", {**shown, **options}, UctOptions),
    )


def _leaf(read: UctOptions, name: str) -> int | NetworkLeaf:
    """Return how leaves are valued: by a number of playouts, or by the network of a word, file or genome."""
    if not read.leaf.isdecimal():
        return NetworkLeaf(read.leaf, _leaf_network(read.leaf, name), read.scale, read.static)
    if read.scale is not None or read.static:
        raise InputError("player options scale and static need a leaf valued by a network")
    return int(read_value("leaf", read.leaf, ranges.LeafPlayouts))


def _leaf_network(text: str, name: str) -> Network:
    hand_made = hand_made_networks(name)
    if text in hand_made:
        return hand_made[text]
    try:
        record = read_source(text)
    except InputError as fault:
        needed = f"a number of playouts, {', '.join(hand_made)}, or a network"
        raise InputError(f"player option leaf={text}: {needed} is needed; {fault}") from None
    check_home(record, text, name)
    return network_of(record)


def _convolutional_player(options: Options, name: str) -> Player:
    if "file" not in options:
        raise InputError("a cnn player needs a file: cnn:file=PATH")
    network = read_convolution(Path(options["file"]))
    depth = read_record(ConvolutionalOptions, options).depth
    name = written("cnn", {"depth": depth, **options}, ConvolutionalOptions)
    return Convolutional(name, network, depth)


class Kind(NamedTuple):
    """A kind of player: the record of its options, and the function that builds it for a game."""

    options: type
    build: Callable[[Options, str], Player]


# A new kind of player needs a record, a builder and one more line.
KINDS = {
    "random": Kind(ranges.NoOptions, lambda options, name: Random()),
    "blind": Kind(SearchOptions, lambda options, name: _searching("blind", blind_network(), options)),
    "network": Kind(NetworkOptions, network_player),
    "mcrd": Kind(McrdOptions, _mcrd_player),
    "uct": Kind(UctOptions, _uct_player),
    "cnn": Kind(ConvolutionalOptions, _convolutional_player),
}
