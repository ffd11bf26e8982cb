"""What a network sees of a board, and its activations: what every neuron says of a position.

Activations are for people to see. Play itself uses `forward`, in integers and without most of these numbers.

Symbols: N neurons, S synapses.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neche.errors import InputError
from neche.games.catalogue import Game, geometry_of
from neche.games.sensors import DARK_8X8, SensorLayout
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.network.topology import Topology, topology_for

_MAN, _KING = 1.0, 2.0


def sensor_layout(game: Game) -> SensorLayout:
    """Return the layout of a game's board; of any board for a game that no network sees."""
    return game.sensors or DARK_8X8


def default_topology(game: Game) -> Topology:
    """Return the topology that networks for a game have unless another is asked for."""
    return topology_for(len(sensor_layout(game).squares))


def check_sensors(game: Game, network: Network) -> None:
    """Check that a network can play a game: it sees its board, or, like the blind one, needs no board.

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


class Activations(NamedTuple):
    """A network at work on a position.

    values: [N] float64 – what each neuron says, weight units. carried: [S] float64 – weight times the value
    of the source. value: of the position for the side played for, weight units; under the antisymmetric
    perspective that of the other view is subtracted already. squares: the one that each sensor sees, by its
    name on the board.
    """

    values: npt.NDArray[np.float64]
    carried: npt.NDArray[np.float64]
    value: float
    squares: tuple[str, ...]


def activations(network: Network, game: Game, position: Any, side: int) -> Activations:
    """Return what a network says of a position; side: index in `Game.sides` of the one it plays for.

    What a hand-made evaluator adds for mobility is not in it.

    Raises:
        InputError: the network does not see the board of the game, or the game does not say how that looks.
    """
    check_sensors(game, network)
    squares = _squares_seen(network, game, side)
    values = _neuron_values(network, _sensor_values(network, game, position, side))
    value = float(values[-1])
    if network.perspective == "antisymmetric":
        value -= float(_neuron_values(network, _sensor_values(network, game, position, 1 - side))[-1])
    return Activations(values, _weights(network) * values[network.source], value, squares)


def _weights(network: Network) -> npt.NDArray[np.float64]:
    return network.weight / WEIGHT_SCALE


def _squares_seen(network: Network, game: Game, side: int) -> tuple[str, ...]:
    """Return the square of each sensor; none for a network that needs no board and has another number."""
    layout = sensor_layout(game)
    if game.sensors is None or len(layout.squares) != network.topology.sensors:
        return ("",) * network.topology.sensors
    named = {coordinates: name for name, coordinates in geometry_of(game).coordinates.items()}
    order = layout.turned if side else range(len(layout.squares))
    return tuple(named[layout.squares[sensor].lower()] for sensor in order)


def _sensor_values(network: Network, game: Game, position: Any, side: int) -> list[float]:
    """Return what each sensor says: own pieces count positive, those of the other side negative."""
    pieces = geometry_of(game).pieces(position)
    values = []
    for square in _squares_seen(network, game, side):
        piece = pieces.get(square)
        size = 0.0 if piece is None else _KING if piece.is_king else _MAN
        values.append(size if piece is None or piece.side == side else -size)
    return values


def _neuron_values(network: Network, sensor_values: list[float]) -> npt.NDArray[np.float64]:
    topology = network.topology
    values = np.zeros(topology.num_neurons)
    values[: topology.sensors] = sensor_values
    values[topology.first_bias : topology.first_layer1] = 1.0
    weights = _weights(network)
    # synapses are sorted by their sinks, and every source has a smaller id than its sink
    ends = np.searchsorted(network.sink, np.arange(topology.num_neurons + 1))
    for neuron in range(topology.first_layer1, topology.num_neurons):
        part = slice(ends[neuron], ends[neuron + 1])
        total = float(weights[part] @ values[network.source[part]])
        values[neuron] = total if neuron == topology.output else max(total, 0.0)
    return values
