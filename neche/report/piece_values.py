"""The value of a piece to a network, square by square, on positions from play.

The positions come from random play; the first 32 are the probes of `arena.probes`. The value of a man is what
the evaluation loses when it is removed; that of a king on a square is what the evaluation gains when an own
king is put there, if the square is empty or has an own piece. Effects through hidden neurons are included.

Symbols: M boards, S sensors.
"""

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.arena.game_loop import new_game_workspace, random_opening
from neche.arena.probes import NUM_PROBES
from neche.compiled.streams import stream_keys
from neche.games.game import Game, geometry_of
from neche.network import sensors
from neche.network.decode import Network
from neche.report.board import board_svg
from neche.report.svg import numeral

Boards = NDArray[np.float64]
"""[M, S] – what the sensors of the side to move see: own man 1, own king 2, foe −1 and −2, nothing 0."""
_FEWEST_PLIES = 4
NUM_SHOWN = 128
"""Boards for pictures: with the probes alone, the values of squares are visibly noisy."""


class Worth(NamedTuple):
    """Values of pieces by square name, in weight units. kings: empty in games without them."""

    men: dict[str, float]
    kings: dict[str, float]


def value_pieces(network: Network, rules: Game, seed: int, num_boards: int = NUM_PROBES) -> Worth:
    """Return the values of men and kings; squares that hold no man on any board have no value for men."""
    boards = probe_boards(rules, seed, num_boards)
    value = partial(evaluate, network, rules=rules, layers=sensors.weights_of_layers(network))
    names = sensors.sensor_squares(rules)
    men, kings = np.full(len(names), np.nan), np.full(len(names), np.nan)
    for sensor in range(len(names)):
        held = boards[boards[:, sensor] == 1]
        if len(held):
            men[sensor] = np.mean(value(held) - value(with_content(held, sensor, 0)))
        # a king replaces the square's content, except a piece of the other side
        free = boards[boards[:, sensor] >= 0]
        if len(free) and geometry_of(rules).is_checkered:
            gained = value(with_content(free, sensor, 2)) - value(with_content(free, sensor, 0))
            kings[sensor] = np.mean(gained)
    return Worth(named(names, men), named(names, kings))


def named(names: Sequence[str], values: NDArray[np.float64]) -> dict[str, float]:
    """Return values by name, without those that are nan."""
    return {name: value for name, value in zip(names, values.tolist(), strict=True) if np.isfinite(value)}


def probe_boards(rules: Game, seed: int, num_boards: int = NUM_PROBES) -> Boards:
    """Return the probes of a seed as the side to move sees them; more boards repeat the same game lengths."""
    start, space = rules.start(), new_game_workspace(rules, table_bits=1)
    rows = []
    for probe, key in enumerate(stream_keys(seed, 0, "probes", num_boards)):
        plies = np.int64(_FEWEST_PLIES + probe % NUM_PROBES)
        position, _ = random_opening(start, plies, np.uint64(key), space)
        rows.append(sensors.sensor_values(rules, position, rules.sides.index(rules.side_to_move(position))))
    return np.array(rows)


def with_content(boards: Boards, sensor: int, content: int) -> Boards:
    """Return boards with this on a square."""
    changed = boards.copy()
    changed[:, sensor] = content
    return changed


def evaluate(
    network: Network, boards: Boards, rules: Game, layers: list[NDArray[np.float64]] | None = None
) -> NDArray[np.float64]:
    """Return a network's values of boards [M], in weight units, by definition. layers: as `neuron_values`."""
    layout = sensors.sensor_layout(rules)
    values = sensors.neuron_values(network, boards, layout, layers)[:, -1]
    if network.perspective == "antisymmetric":
        # the other side sees the board turned, with own and enemy pieces exchanged
        values -= sensors.neuron_values(network, -boards[:, list(layout.turned)], layout, layers)[:, -1]
    return values


class HeatMap(NamedTuple):
    """Values by square. kind: the name of the piece."""

    name: str
    kind: str
    values: dict[str, float]
    svg: str

    @property
    def mean(self) -> float:
        """Mean over the squares."""
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
    title, span = f"Worth of a {kind} by square", around_mean(values.values())
    svg = board_svg(rules, None, values=values, labels=labels_of(values), span=span, title=title)
    return HeatMap(f"{kind}-values", kind, values, svg)


def labels_of(values: dict[str, float]) -> dict[str, str]:
    """Write values by square, all with as many decimals as fit into a square: four digits in all."""
    decimals = max(0, 3 - len(f"{max(map(abs, values.values())):.0f}"))
    return {square: numeral(value, f"z.{decimals}f") for square, value in values.items()}


def around_mean(values: Collection[float]) -> tuple[float, float]:
    """Return ends of the colour scale that put the mean in the middle.

    >>> around_mean([1.0, 1.0, 4.0])
    (0.0, 4.0)
    """
    mean = sum(values) / len(values)
    reach = max(abs(value - mean) for value in values)
    return mean - reach, mean + reach
