"""Players that move at random, or search with a network: `random`, `blind`, `material`, `network`."""

from neche.errors import InputError
from neche.games.catalogue import game as rules_of
from neche.network.decode import Network, blind_network, square_network
from neche.players.options import Options, whole_number
from neche.players.player import Player
from neche.players.source import network_of, read_source

DEFAULT_DEPTH = 4
MAX_DEPTH = 60
MAX_TIME_MS = 24 * 3600 * 1000

LIMITS = ("depth", "time")
_IDENTITY = ("perspective", "topology")
NETWORK_OPTIONS = ("file", "id", *_IDENTITY, *LIMITS)


def random_player(options: Options) -> Player:
    """Build the player that draws among all legal moves."""
    return Player("random", None, 0)


def blind_player(options: Options) -> Player:
    """Build the player to which every position is worth nothing."""
    return _searching("blind", blind_network(), options)


def hand_made_networks(game: str) -> dict[str, Network]:
    """Return the hand-made evaluators of a game as networks, by name: each is a kind of player."""
    return {
        evaluator.name: square_network(evaluator.squares, mobility=evaluator.mobility)
        for evaluator in rules_of(game).evaluators
    }


def hand_made_player(kind: str, options: Options, game: str) -> Player:
    """Build the player that judges with an evaluator of a game, such as counting material."""
    return _searching(kind, hand_made_networks(game)[kind], options)


def network_player(options: Options) -> Player:
    """Build the player that judges with a genome's network.

    Raises:
        InputError: no source is given, or it holds no such genome.
    """
    if "file" not in options:
        raise InputError("a network player needs a file: network:file=PATH")
    record = read_source(options["file"], options.get("id"))
    network = network_of(record, perspective=options.get("perspective"), topology=options.get("topology"))
    given = ",".join(f"{key}={options[key]}" for key in ("file", "id", *_IDENTITY) if key in options)
    return _searching(f"network:{given}", network, options)


def _searching(name: str, network: Network, options: Options) -> Player:
    time_ms = whole_number(options, "time", 1, MAX_TIME_MS)
    depth = whole_number(options, "depth", 1, MAX_DEPTH)
    limits = [f"{key}={options[key]}" for key in LIMITS if key in options]
    limits = limits or [f"depth={DEFAULT_DEPTH}"]
    if depth is None:
        depth = DEFAULT_DEPTH if time_ms is None else MAX_DEPTH
    return Player(name + ("," if ":" in name else ":") + ",".join(limits), network, depth, time_ms)
