"""What a network sees of a board, and its activations: the output of every neuron on a position.

Activations are for display. Play itself uses `forward`, in integers and without most of these numbers.

A board is an array of the pieces on its squares as one side sees them; the sensors of a dense network, for
each kind of piece on a square or for patterns of men, are derived from the same array.

Symbols: M boards, N neurons, S synapses.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neche.errors import InputError
from neche.games.game import Game, geometry_of
from neche.games.sensors import DARK_8X8, SensorLayout
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.network.dense import check_layout
from neche.network.groups import excited_patterns
from neche.network.topology import Topology, topology_for

_MAN, _KING = 1.0, 2.0


def sensor_layout(game: Game) -> SensorLayout:
    """Return the layout of a game's board; an arbitrary one if no network sees the game."""
    return game.sensors or DARK_8X8


def default_topology(game: Game) -> Topology:
    """Return the default topology of networks for a game."""
    return topology_for(len(sensor_layout(game).squares))


def check_sensors(game: Game, network: Network) -> None:
    """Raise InputError unless a network can play a game: it sees the board, or is blind."""
    sensors = network.topology.sensors
    if not np.any(network.source[network.live] < sensors):
        return
    if game.sensors is None:
        raise InputError(f"no network sees the board of {game.name}: play it with random, blind, mcrd or uct")
    if network.topology.is_dense:
        check_layout(network.topology, game.sensors)
    elif sensors != len(game.sensors.squares):
        raise InputError(
            f"a network with {sensors} sensors does not see the board of {game.name}, "
            f"which has {len(game.sensors.squares)} squares"
        )


class Activations(NamedTuple):
    """The activations of a network on a position.

    values: [N] float64 – output of each neuron, weight units. carried: [S] float64 – weight times the value
    of the source. value: of the position for the side played for, weight units; the antisymmetric perspective
    has already subtracted the value of the other view; a dense network, which sees the board as the side to
    move does, gives the other side the negative. squares: the square that each sensor sees, by its name on
    the board. pieces: the kind of piece that each sensor of a dense network sees; "" for others.
    """

    values: npt.NDArray[np.float64]
    carried: npt.NDArray[np.float64]
    value: float
    squares: tuple[str, ...]
    pieces: tuple[str, ...]


def activations(network: Network, game: Game, position: Any, side: int) -> Activations:
    """Return a network's activations on a position; side: index in `Game.sides` of the side it plays for.

    The mobility term of a hand-made evaluator is not included. InputError if the network does not see the
    board of the game, or the game has no geometry.
    """
    view, own, value = _seen(network, game, position, side)
    # the default, for the blind network, which sees no square
    squares, pieces = ("",) * network.topology.sensors, ("",) * network.topology.sensors
    names = sensor_squares(game, view)
    if network.topology.is_dense:
        sights = sensor_layout(game).sights(network.topology.sensors)
        squares = tuple(" ".join(names[square] for square in seen) for _, seen in sights)
        pieces = tuple(piece for piece, _ in sights)
    elif len(names) == network.topology.sensors:
        squares = names
    carried = network.weight / WEIGHT_SCALE * own[network.source]
    return Activations(own, carried, value, squares, pieces)


def _seen(
    network: Network, game: Game, position: Any, side: int
) -> tuple[int, npt.NDArray[np.float64], float]:
    """Return the side as which a network sees a position, its neurons' outputs, and the value for `side`."""
    check_sensors(game, network)
    mover = game.sides.index(game.side_to_move(position))
    view = mover if network.topology.is_dense else side
    views = np.array([sensor_values(game, position, seen_by) for seen_by in (view, 1 - view)])
    own, other = neuron_values(network, views, sensor_layout(game))
    value = float(own[-1]) if view == side else -float(own[-1])
    return view, own, value - float(other[-1]) if network.perspective == "antisymmetric" else value


def mover_value(network: Network, game: Game, position: Any) -> float:
    """Return a network's value of a position for the side to move, as `activations` does, in less time."""
    return _seen(network, game, position, game.sides.index(game.side_to_move(position)))[-1]


def mover_values(network: Network, game: Game, positions: Sequence[Any]) -> npt.NDArray[np.float64]:
    """Return a network's value of each position for its side to move: [M], weight units, as `activations`.

    positions: one at least.
    """
    check_sensors(game, network)
    movers = [game.sides.index(game.side_to_move(position)) for position in positions]
    layout, layers = sensor_layout(game), weights_of_layers(network)

    def seen_by(sides: Sequence[int]) -> npt.NDArray[np.float64]:
        boards = np.array(list(map(partial(sensor_values, game), positions, sides)))
        return np.asarray(neuron_values(network, boards, layout, layers)[:, -1])

    if network.perspective != "antisymmetric":
        return seen_by(movers)
    return seen_by(movers) - seen_by([1 - side for side in movers])


def sensor_squares(game: Game, side: int = 0) -> tuple[str, ...]:
    """Return the name on the board of the square that each sensor sees for a side; empty without a layout."""
    if game.sensors is None:
        return ()
    named = {coordinates: name for name, coordinates in geometry_of(game).coordinates.items()}
    order = game.sensors.turned if side else range(len(game.sensors.squares))
    return tuple(named[game.sensors.squares[sensor].lower()] for sensor in order)


def sensor_values(game: Game, position: Any, side: int) -> npt.NDArray[np.float64]:
    """Return the value of each sensor: own man 1, own king 2, those of the other side −1 and −2, empty 0."""
    pieces = geometry_of(game).pieces(position)
    values = []
    for square in sensor_squares(game, side):
        piece = pieces.get(square)
        size = 0.0 if piece is None else _KING if piece.is_king else _MAN
        values.append(size if piece is None or piece.side == side else -size)
    return np.array(values)


def neuron_values(
    network: Network,
    boards: npt.NDArray[np.float64],
    layout: SensorLayout,
    layers: list[npt.NDArray[np.float64]] | None = None,
) -> npt.NDArray[np.float64]:
    """Return every neuron's output on boards [M, squares] as from `sensor_values`: [M, N], weight units.

    A dense network needs the board as the side to move sees it. layers: the network's `weights_of_layers`, to
    save time in repeated calls.
    """
    topology = network.topology
    if topology.is_dense:
        by_pattern = topology.sensors == layout.num_pattern_sensors
        boards = _by_pattern(boards, layout) if by_pattern else _by_kind(boards, len(layout.kinds))
    values = np.zeros((len(boards), topology.num_neurons))
    # the blind network may have sensors for another board, which none of its synapses reads
    if boards.shape[1] == topology.sensors:
        values[:, : topology.sensors] = boards
    values[:, topology.first_bias : topology.first_layer1] = 1.0
    for layer in layers or weights_of_layers(network):
        begin, size = layer.shape
        sums = values[:, :begin] @ layer
        values[:, begin : begin + size] = sums if begin == topology.output else np.maximum(sums, 0.0)
    return values


def weights_of_layers(network: Network) -> list[npt.NDArray[np.float64]]:
    """Return the weights into layer 1, layer 2 and the output: [neurons before, neurons of the layer]."""
    topology, layers = network.topology, []
    borders = (topology.first_layer1, topology.first_layer2, topology.output, topology.num_neurons)
    for begin, end in pairwise(borders):
        into = (begin <= network.sink) & (network.sink < end)
        weights = np.zeros((begin, end - begin))
        weights[network.source[into], network.sink[into] - begin] = network.weight[into] / WEIGHT_SCALE
        layers.append(weights)
    return layers


def _by_kind(boards: npt.NDArray[np.float64], kinds: int) -> npt.NDArray[np.float64]:
    """Return the values of sensors by kind on boards: 1 where a piece of the kind is, else 0."""
    sizes = (_MAN, _KING, -_MAN, -_KING) if kinds == 4 else (_MAN, -_MAN)
    return np.concatenate([(boards == size).astype(np.float64) for size in sizes], axis=1)


def _by_pattern(boards: npt.NDArray[np.float64], layout: SensorLayout) -> npt.NDArray[np.float64]:
    """Return the values of sensors by pattern on boards: 1 where the group has this pattern, else 0."""
    values = np.zeros((len(boards), layout.num_pattern_sensors))
    men = (boards == _MAN).astype(np.int64) + 2 * (boards == -_MAN)
    np.put_along_axis(values, excited_patterns(men, layout), 1.0, axis=1)
    if layout.has_kings:
        kings = np.concatenate([boards == _KING, boards == -_KING], axis=1)
        values[:, values.shape[1] - kings.shape[1] :] = kings
    return values
