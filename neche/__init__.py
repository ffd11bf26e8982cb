"""Neuroevolution of board-game evaluators: DNA, sparse networks, alpha-beta search, tournaments.

The names below are the public interface; all else may move. They are imported when they are first used, so
that `import neche` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from neche.version import __version__ as __version__

if TYPE_CHECKING:
    from neche.api.board import Board
    from neche.api.evolution import Evolution, evolve
    from neche.api.players import Opinion, analyse, choose, match, player, read_network, weights
    from neche.errors import InputError
    from neche.network.decode import Network
    from neche.network.interchange import to_graph
    from neche.players.engine import Player


__all__ = [
    "Board",
    "Evolution",
    "InputError",
    "Network",
    "Opinion",
    "Player",
    "analyse",
    "choose",
    "evolve",
    "match",
    "player",
    "read_network",
    "to_graph",
    "weights",
]

_HOMES = {
    "neche.api.board": ("Board",),
    "neche.api.evolution": ("Evolution", "evolve"),
    "neche.api.players": ("Opinion", "analyse", "choose", "match", "player", "read_network", "weights"),
    "neche.errors": ("InputError",),
    "neche.network.decode": ("Network",),
    "neche.network.interchange": ("to_graph",),
    "neche.players.engine": ("Player",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'neche' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, used yet or not."""
    return sorted({*globals(), *__all__})
