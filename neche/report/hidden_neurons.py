"""The hidden neurons that matter most to a network, each with the squares that excite it.

A neuron matters as much as its contribution to the value varies from position to position: what the value
loses when the neuron is silenced. What a man on a square does to a neuron is the change of its sum compared
with an empty square: for sensors by kind the weight itself, for patterns the mean over the positions.

Symbols: M boards, N neurons, S squares that sensors see, n neurons that are shown.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.games.game import Game, geometry_of
from neche.network.decode import Network
from neche.network.sensors import neuron_values, sensor_layout, sensor_squares, weights_of_layers
from neche.report.board import BoardView, Overlay, draw_ground, draw_overlay
from neche.report.piece_values import Boards, named, probe_boards, with_content
from neche.report.svg import document, element, span_of, text

Reals = NDArray[np.float64]
_MOST_NEURONS = 9
_BOARD, _LABEL, _GAP = 160, 60, 40
"""Width of a board in pixels; height of the line above it and space between two, in units of a board."""
_LEAST_SPREAD = 1e-9
"""Weight units: what a constant neuron adds varies only by rounding; DNA writes weights from 0.0001 on."""


class HiddenNeuron(NamedTuple):
    """A hidden neuron of the first layer.

    activity: share of the positions in which it is active. effect: what it adds to the value of those on
    average, weight units. fields: by kind of man and name of square, what a man adds to the neuron's sum.
    """

    number: int
    activity: float
    effect: float
    fields: dict[str, dict[str, float]]


def hidden_neurons(network: Network, rules: Game, seed: int, num_boards: int) -> list[HiddenNeuron]:
    """Return the hidden neurons of the first layer that matter most, the first one most of all."""
    boards, layers = probe_boards(rules, seed, num_boards), weights_of_layers(network)
    values = neuron_values(network, boards, sensor_layout(rules), layers)
    first = network.topology.first_layer1
    effects = {first + at: _effect(values, layers, first + at) for at in range(layers[0].shape[1])}
    by_spread = sorted(effects, key=lambda neuron: -effects[neuron].std())
    chosen = [neuron for neuron in by_spread[:_MOST_NEURONS] if effects[neuron].std() > _LEAST_SPREAD]
    fields = _fields(network, rules, boards, layers[0][:, np.array(chosen, np.int64) - first])
    return [
        HiddenNeuron(
            neuron,
            float((values[:, neuron] > 0).mean()),
            float(effects[neuron][values[:, neuron] > 0].mean()),
            {kind: named(sensor_squares(rules), field[:, at]) for kind, field in fields.items()},
        )
        for at, neuron in enumerate(chosen)
    ]


def _effect(values: Reals, layers: Sequence[Reals], neuron: int) -> Reals:
    """Return what a neuron of the first layer adds to the value of each board [M]."""
    silenced = values.copy()
    silenced[:, neuron] = 0.0
    for layer in layers[1:]:
        begin, size = layer.shape
        sums = silenced[:, :begin] @ layer
        silenced[:, begin : begin + size] = sums if layer is layers[-1] else np.maximum(sums, 0.0)
    return np.asarray(values[:, -1] - silenced[:, -1])


def _fields(network: Network, rules: Game, boards: Boards, weights: Reals) -> dict[str, Reals]:
    """Return by kind of man what it adds to the sums of neurons [S, n], nan where no board has one.

    weights: into these neurons [neurons before, n].
    """
    man = "man" if geometry_of(rules).is_checkered else "disc"
    # to networks of genes an enemy man is an own one with the opposite sign
    is_dense = network.topology.is_dense
    kinds = {f"own {man}": 1} | ({f"enemy {man}": -1} if is_dense else {})

    def sums(some: Boards) -> Reals:
        seen = neuron_values(network, some, sensor_layout(rules), [weights])
        return np.asarray(seen[:, : len(weights)] @ weights)

    fields = {kind: np.full((boards.shape[1], weights.shape[1]), np.nan) for kind in kinds}
    for kind, content in kinds.items():
        for square, field in enumerate(fields[kind]):
            held = boards[(boards[:, square] == content) if is_dense else (boards[:, square] != 0)]
            if len(held):
                with_man, without = (sums(with_content(held, square, one)) for one in (content, 0))
                field[:] = (with_man - without).mean(axis=0)
    return fields


def draw_neuron(neuron: HiddenNeuron, rules: Game) -> str:
    """Draw what men add to the sum of a neuron: blue excites it, orange inhibits it."""
    span = span_of([*(value for field in neuron.fields.values() for value in field.values()), -1e-9])
    view, drawn = BoardView(geometry_of(rules), has_names=False), []
    width, height = view.extent
    for at, (kind, field) in enumerate(neuron.fields.items()):
        overlay = Overlay({}, field, dict.fromkeys(field, ""), {}, span=span)
        parts = [*draw_ground(view), *draw_overlay(view, None, overlay)]
        parts.append(text(kind, width / 2, -_LABEL / 2, 38, fill="currentColor"))
        drawn.append(element("g", parts, transform=f"translate({at * (width + _GAP)} {_LABEL})"))
    return document(
        len(drawn) * (width + _GAP) - _GAP,
        height + _LABEL,
        drawn,
        title=f"Neuron {neuron.number}",
        description="What a man on each square adds to its sum: blue excites it, orange inhibits it.",
        size=_BOARD * len(drawn),
    )
