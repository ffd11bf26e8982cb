"""What every neuron of a network says in one position, and what every synapse carries: for people to see.

Symbols: N neurons, S synapses. Play itself uses `forward`, in integers and without most of these numbers.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neche.games.catalogue import Game, look_of
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.network.sight import layout_of, require_sight

_MAN, _KING = 1.0, 2.0


class Activity(NamedTuple):
    """A network at work on a position.

    values: [N] float64 – what each neuron says, weight units. carried: [S] float64 – weight times the value
    of the source. value: of the position for the viewer, weight units; under the antisymmetric perspective
    that of the other view is subtracted already. squares: the one that each sensor sees, by its name on the
    board.
    """

    values: npt.NDArray[np.float64]
    carried: npt.NDArray[np.float64]
    value: float
    squares: tuple[str, ...]


def activity(network: Network, game: Game, position: Any, viewer: int) -> Activity:
    """Return what a network says of a position; viewer: index in `Game.sides` of the side it plays for.

    What a hand-made evaluator adds for mobility is not in it.

    Raises:
        InputError: the network does not see the board of the game, or nobody knows how that looks.
    """
    require_sight(game, network)
    squares = _squares_seen(network, game, viewer)
    values = _neuron_values(network, _sensed(network, game, position, viewer))
    value = float(values[-1])
    if network.perspective == "antisymmetric":
        value -= float(_neuron_values(network, _sensed(network, game, position, 1 - viewer))[-1])
    return Activity(values, _weights(network) * values[network.source], value, squares)


def _weights(network: Network) -> npt.NDArray[np.float64]:
    return network.weight / WEIGHT_SCALE


def _squares_seen(network: Network, game: Game, viewer: int) -> tuple[str, ...]:
    """Return the square of each sensor; none for a network that needs no board and has another number."""
    layout = layout_of(game)
    if game.sensors is None or len(layout.squares) != network.topology.sensors:
        return ("",) * network.topology.sensors
    named = {coordinates: name for name, coordinates in look_of(game).coordinates.items()}
    order = layout.turned if viewer else range(len(layout.squares))
    return tuple(named[layout.squares[sensor].lower()] for sensor in order)


def _sensed(network: Network, game: Game, position: Any, viewer: int) -> list[float]:
    pieces = look_of(game).pieces(position)
    sensed = []
    for square in _squares_seen(network, game, viewer):
        piece = pieces.get(square)
        size = 0.0 if piece is None else _KING if piece.is_king else _MAN
        sensed.append(size if piece is None or piece.side == viewer else -size)
    return sensed


def _neuron_values(network: Network, sensed: list[float]) -> npt.NDArray[np.float64]:
    topology = network.topology
    values = np.zeros(topology.num_neurons)
    values[: topology.sensors] = sensed
    values[topology.first_bias : topology.first_layer1] = 1.0
    weights = _weights(network)
    # synapses are sorted by their sinks, and every source has a smaller id than its sink
    ends = np.searchsorted(network.sink, np.arange(topology.num_neurons + 1))
    for neuron in range(topology.first_layer1, topology.num_neurons):
        part = slice(ends[neuron], ends[neuron + 1])
        total = float(weights[part] @ values[network.source[part]])
        values[neuron] = total if neuron == topology.output else max(total, 0.0)
    return values
