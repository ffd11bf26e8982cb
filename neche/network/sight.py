"""Which boards networks can see."""

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.games.sensing import DARK_8X8, SensorLayout
from neche.network.decode import Network
from neche.network.topology import Topology, topology_for


def require_sight(game: Game, network: Network) -> None:
    """Do nothing if a network can play a game: it sees its board, or, like the blind one, needs no board.

    Raises:
        InputError: it cannot.
    """
    sensors = network.topology.sensors
    if not np.any(network.source[network.live] < sensors):
        return
    if game.sensors is None:
        raise InputError(f"no network sees the board of {game.name}: play it with random, blind, mcrd or uct")
    if sensors != len(game.sensors.squares):
        raise InputError(
            f"a network with {sensors} sensors does not see the board of {game.name}, "
            f"which has {len(game.sensors.squares)} squares"
        )


def layout_of(game: Game) -> SensorLayout:
    """Return the layout of a game's board; of any board for a game that no network sees."""
    return game.sensors or DARK_8X8


def usual_topology(game: Game) -> Topology:
    """Return the topology that networks for a game have unless another is asked for."""
    return topology_for(len(layout_of(game).squares))
