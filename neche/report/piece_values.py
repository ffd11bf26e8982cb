"""What a piece is worth to a network, square by square, on positions as they occur.

The positions are the probes of `arena.probes`, 32 from random play. A man is worth what the evaluation loses
when it is taken off; a king on a square what the evaluation gains when one of the own side comes to stand
there, in place of nothing or of an own piece. That goes through hidden neurons too, beyond the weights.

Symbols: M boards, S sensors.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.arena.game_loop import MAX_PLIES, random_opening
from neche.arena.probes import NUM_PROBES
from neche.compiled.streams import stream_keys
from neche.games.catalogue import Game, geometry_of
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.network.sensors import sensor_layout
from neche.report.board import board_svg
from neche.report.svg import numeral
from neche.search.workspace import new_workspace

Boards = NDArray[np.float64]
"""[M, S] – what the sensors of the side to move see: own man 1, own king 2, foe −1 and −2, nothing 0."""
_FEWEST_PLIES = 4


class Worth(NamedTuple):
    """What pieces are worth by square name, weight units. kings: empty in games without."""

    men: dict[str, float]
    kings: dict[str, float]


def value_pieces(network: Network, rules: Game, seed: int) -> Worth:
    """Return what men and kings are worth; squares on which no man of a probe stands are left out."""
    boards = probe_boards(rules, seed)
    names = square_names(rules)
    men, kings = np.full(len(names), np.nan), np.full(len(names), np.nan)
    for sensor in range(len(names)):
        held = boards[boards[:, sensor] == 1]
        if len(held):
            men[sensor] = np.mean(evaluate(network, held, rules) - _with(network, held, sensor, 0, rules))
        free = boards[boards[:, sensor] >= 0]
        if len(free) and geometry_of(rules).is_checkered:
            gains = _with(network, free, sensor, 2, rules) - _with(network, free, sensor, 0, rules)
            kings[sensor] = np.mean(gains)
    return Worth(_named(names, men), _named(names, kings))


def _named(names: list[str], values: NDArray[np.float64]) -> dict[str, float]:
    return {name: value for name, value in zip(names, values.tolist(), strict=True) if np.isfinite(value)}


def square_names(rules: Game) -> list[str]:
    """Return the name of the square that each sensor sees, as the game calls it."""
    by_place = {place.lower(): name for name, place in geometry_of(rules).coordinates.items()}
    return [by_place[square.lower()] for square in sensor_layout(rules).squares]


def probe_boards(rules: Game, seed: int) -> Boards:
    """Return the probes of a seed as the side to move sees them."""
    start, work, record = rules.start(), new_workspace(rules, table_bits=1), np.zeros(MAX_PLIES, np.int16)
    rows = []
    for probe, key in enumerate(stream_keys(seed, 0, "probes", NUM_PROBES)):
        plies = np.int64(_FEWEST_PLIES + probe)
        position, _ = random_opening(start, plies, np.uint64(key), work, record)
        rows.append(_seen(rules, position))
    return np.array(rows)


def _seen(rules: Game, position: object) -> NDArray[np.float64]:
    """Return what the side to move sees; Black sees the board turned."""
    pieces = geometry_of(rules).pieces(position)
    viewer = rules.sides.index(rules.side_to_move(position))
    turned, names = sensor_layout(rules).turned, square_names(rules)
    row = np.zeros(len(names))
    for sensor, name in enumerate(names):
        if (piece := pieces.get(name)) is not None:
            at = turned[sensor] if viewer else sensor
            row[at] = (1 if piece.side == viewer else -1) * (2 if piece.is_king else 1)
    return row


def _with(network: Network, boards: Boards, sensor: int, content: int, rules: Game) -> NDArray[np.float64]:
    changed = boards.copy()
    changed[:, sensor] = content
    return evaluate(network, changed, rules)


def evaluate(network: Network, boards: Boards, rules: Game) -> NDArray[np.float64]:
    """Return what a network thinks of boards [M], weight units: its definition, in floating point."""
    if network.perspective == "own":
        return _forward(network, boards)
    return _forward(network, boards) - _forward(network, -boards[:, list(sensor_layout(rules).turned)])


def _forward(network: Network, boards: Boards) -> NDArray[np.float64]:
    topology = network.topology
    weights = np.zeros((topology.num_neurons, topology.num_neurons))
    weights[network.source, network.sink] = network.weight / WEIGHT_SCALE
    # The blind network has the sensors of another board, and no synapse.
    values = np.zeros((len(boards), topology.num_neurons))
    if boards.shape[1] == topology.sensors:
        values[:, : topology.sensors] = boards
    values[:, topology.first_bias : topology.first_layer1] = 1.0
    for begin, end in (
        (topology.first_layer1, topology.first_layer2),
        (topology.first_layer2, topology.output),
    ):
        values[:, begin:end] = np.maximum(values[:, :begin] @ weights[:begin, begin:end], 0.0)
    output = topology.output
    return np.asarray(values[:, :output] @ weights[:output, output])


class HeatMap(NamedTuple):
    """Values by square. kind: what the pieces are called."""

    name: str
    kind: str
    values: dict[str, float]
    svg: str

    @property
    def mean(self) -> float:
        """Mean of the squares."""
        return sum(self.values.values()) / len(self.values)

    @property
    def best(self) -> str:
        """The square on which the piece is worth most."""
        return max(self.values, key=self.values.__getitem__)

    @property
    def worst(self) -> str:
        """The square on which the piece is worth least."""
        return min(self.values, key=self.values.__getitem__)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The map as a table."""
        return [(square, numeral(value)) for square, value in self.values.items()]


def heat_maps(rules: Game, worth: Worth) -> list[HeatMap]:
    """Draw a board for each kind of piece, as the side at the bottom sees it."""
    man = "man" if geometry_of(rules).is_checkered else "disc"
    kinds = [(man, worth.men), ("king", worth.kings)]
    return [_heat_map(rules, kind, values) for kind, values in kinds if values]


def _heat_map(rules: Game, kind: str, values: dict[str, float]) -> HeatMap:
    title = f"Worth of a {kind} by square"
    # four digits fit a square
    digits = max(0, 3 - len(f"{max(map(abs, values.values())):.0f}"))
    labels = {square: numeral(value, f".{digits}f") for square, value in values.items()}
    span = around_mean(values.values())
    svg = board_svg(rules, None, values=values, labels=labels, span=span, title=title)
    return HeatMap(f"{kind}-values", kind, values, svg)


def around_mean(values: Collection[float]) -> tuple[float, float]:
    """Return ends of the colours that give the mean the one in the middle.

    >>> around_mean([1.0, 1.0, 4.0])
    (0.0, 4.0)
    """
    mean = sum(values) / len(values)
    reach = max(abs(value - mean) for value in values)
    return mean - reach, mean + reach
