"""Neuroevolution of board-game evaluators: DNA, sparse networks, alpha-beta search, tournaments.

The names below are the public interface; everything else may change. Each is imported on first use, so that
`import neche` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from neche.version import __version__ as __version__

if TYPE_CHECKING:
    from neche.api.board import Board as Board
    from neche.api.evolution import Evolution as Evolution, evolve as evolve, write_report as write_report
    from neche.api.genomes import (
        cross as cross,
        decode as decode,
        evaluate as evaluate,
        evaluate_all as evaluate_all,
        mutate as mutate,
        random_genome as random_genome,
    )
    from neche.api.players import (
        Opinion as Opinion,
        analyse as analyse,
        choose as choose,
        ladder as ladder,
        match as match,
        player as player,
        read_network as read_network,
        round_robin as round_robin,
        weights as weights,
    )
    from neche.api.plugin import plugin as plugin
    from neche.api.state import State as State
    from neche.api.sweep import sweep as sweep
    from neche.errors import InputError as InputError
    from neche.network.decode import Network as Network
    from neche.network.interchange import to_graph as to_graph
    from neche.players.engine import Player as Player


_HOMES = {
    "neche.api.board": ("Board",),
    "neche.api.evolution": ("Evolution", "evolve", "write_report"),
    "neche.api.genomes": ("cross", "decode", "evaluate", "evaluate_all", "mutate", "random_genome"),
    "neche.api.players": (
        *("Opinion", "analyse", "choose", "ladder", "match", "player", "read_network", "round_robin"),
        "weights",
    ),
    "neche.api.plugin": ("plugin",),
    "neche.api.state": ("State",),
    "neche.api.sweep": ("sweep",),
    "neche.errors": ("InputError",),
    "neche.network.decode": ("Network",),
    "neche.network.interchange": ("to_graph",),
    "neche.players.engine": ("Player",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOME:
        raise AttributeError(f"module 'neche' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, whether imported yet or not."""
    return sorted({*globals(), *__all__})
