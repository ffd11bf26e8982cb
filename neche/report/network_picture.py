"""A network as a picture for a page: the board that it sees, its neurons in columns, its live synapses.

The squares stand as on the board, so a synapse begins where the piece stands. Blue adds, orange (dashed)
takes away; the wider, the larger the weight. Every part says what it is; a page may let them be pointed at.
"""

import math
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

import networkx as nx

from neche.games.catalogue import Game, look_of
from neche.network.decode import Network
from neche.network.interchange import to_graph
from neche.report.piece_values import Worth, square_names
from neche.report.svg import curve, document, element, text

POSITIVE, NEGATIVE = "#0072B2", "#D55E00"
_CELL, _GAP, _TOP, _COLUMN, _STEP = 40, 28, 30, 170, 24
_KINDS = {"bias": "bias, always 1", "layer1": "layer 1", "layer2": "layer 2", "output": "output"}
_FILL = {"bias": "#EAEAEA", "layer1": "#DCEBF5", "layer2": "#D3EDE1", "output": "#FFF1A8"}


class Synapse(NamedTuple):
    """A live synapse, and both ends in words."""

    source: int
    sink: int
    weight: float
    words: str


class Drawing(NamedTuple):
    """A network and where each of its neurons stands."""

    graph: nx.DiGraph
    rules: Game
    worth: Worth
    names: dict[int, str]
    places: dict[int, tuple[float, float]]
    width: float
    height: float


def draw_network(drawing: Drawing, *, name: str) -> str:
    """Draw a network; equal arguments give equal text."""
    body = [
        *_board(drawing),
        *_headings(drawing),
        *_synapses(drawing),
        *_squares(drawing),
        *_neurons(drawing),
    ]
    count = drawing.graph.number_of_edges()
    said = f"{count} live synapses between {len(drawing.graph)} neurons. The table beside lists them."
    return document(
        drawing.width,
        drawing.height,
        body,
        title=f"The network of {name}",
        description=said,
        size=drawing.width,
    )


def synapses_of(network: Network, rules: Game) -> list[Synapse]:
    """List the live synapses, those of the largest weight first."""
    graph = to_graph(network)
    names = _names(graph, rules)
    found = [
        Synapse(source, sink, facts["weight"], f"{names[source]} → {names[sink]}")
        for source, sink, facts in graph.edges(data=True)
    ]
    return sorted(found, key=lambda synapse: (-abs(synapse.weight), synapse.source, synapse.sink))


def _names(graph: nx.DiGraph, rules: Game) -> dict[int, str]:
    squares = square_names(rules)
    return {
        neuron: f"square {squares[neuron]}"
        if kind == "sensor"
        else "output"
        if kind == "output"
        else f"{'bias' if kind == 'bias' else 'neuron'} {neuron}"
        for neuron, kind in graph.nodes(data="kind")
    }


def lay_out(network: Network, rules: Game, worth: Worth) -> Drawing:
    """Give every neuron its place."""
    graph, look = to_graph(network), look_of(rules)
    side = _CELL * len(look.columns)
    below = _TOP + _CELL * len(look.rows)
    columns = {
        kind: [neuron for neuron, other in graph.nodes(data="kind") if other == kind] for kind in _KINDS
    }
    tallest = max(len(columns["layer1"]), len(columns["layer2"]))
    height = max(below + (64 if columns["bias"] else 16), _TOP + _STEP * tallest + 16)
    squares, top = square_names(rules), _TOP + (height - 16 - below - (48 if columns["bias"] else 0)) / 2
    places: dict[int, tuple[float, float]] = {}
    for sensor in range(len(squares)):
        place = look.places[squares[sensor]]
        places[sensor] = (8 + _CELL * (place.column + 0.5), top + _CELL * (place.row + 0.5))
    for at, neuron in enumerate(columns["bias"]):
        spread = side / max(len(columns["bias"]), 1)
        places[neuron] = (8 + spread * (at + 0.5), top + _CELL * len(look.rows) + 34)
    x = 8.0 + side + _COLUMN
    for kind in ("layer1", "layer2"):
        ordered = sorted(columns[kind], key=lambda neuron: (_middle(graph, places, neuron), neuron))
        step = (height - _TOP - 8) / max(len(ordered), 1)
        for at, neuron in enumerate(ordered):
            places[neuron] = (x, _TOP + step * (at + 0.5))
        x += _COLUMN if ordered else 0
    places[network.topology.output] = (x, (_TOP + height) / 2)
    return Drawing(graph, rules, worth, _names(graph, rules), places, x + 56, height)


def _middle(graph: nx.DiGraph, places: dict[int, tuple[float, float]], neuron: int) -> float:
    """Return about how high the inputs of a neuron stand, so that few lines cross."""
    heights = [
        (abs(facts["weight"]), places[source][1])
        for source, _, facts in graph.in_edges(neuron, data=True)
        if source in places
    ]
    total = sum(weight for weight, _ in heights)
    return sum(weight * height for weight, height in heights) / total if total else 0.0


def _headings(drawing: Drawing) -> Iterator[str]:
    kinds = {
        kind: neuron
        for neuron, kind in drawing.graph.nodes(data="kind")
        if kind in ("layer1", "layer2", "output")
    }
    for kind, neuron in kinds.items():
        yield text(_KINDS[kind], drawing.places[neuron][0], 12, 13, fill="currentColor")
    sides = [drawing.places[sensor][0] for sensor in range(len(square_names(drawing.rules)))]
    is_turned = look_of(drawing.rules).bottom is not None
    heading = "squares, own side at the bottom" if is_turned else "squares"
    yield text(heading, (min(sides) + max(sides)) / 2, 12, 13, fill="currentColor")


def _board(drawing: Drawing) -> Iterator[str]:
    look = look_of(drawing.rules)
    x, y = (
        min(values)
        for values in zip(*(drawing.places[sensor] for sensor in range(len(look.places))), strict=True)
    )
    left = min(drawing.places[sensor][0] for sensor in range(len(look.places))) - _CELL / 2
    top = y - _CELL / 2
    width, height = _CELL * len(look.columns), _CELL * len(look.rows)
    del x
    yield element("rect", x=left, y=top, width=width, height=height, fill="#F3EADA", stroke="#8F7F66", rx=3)


def _squares(drawing: Drawing) -> Iterator[str]:
    fed = {source for source, _ in drawing.graph.edges}
    for sensor, name in enumerate(square_names(drawing.rules)):
        x, y = drawing.places[sensor]
        box = {
            "x": x - _CELL / 2 + 1.5,
            "y": y - _CELL / 2 + 1.5,
            "width": _CELL - 3,
            "height": _CELL - 3,
            "rx": 3,
        }
        parts = [
            element("title", escape(say_square(drawing, sensor), quote=False)),
            element(
                "rect", **box, fill="#D8BE94", fill_opacity=0.92 if sensor in fed else 0.3, stroke="#8F7F66"
            ),
            text(name, x, y, 14, fill="#3A2A1C"),
        ]
        said = say_square(drawing, sensor)
        yield element("g", "".join(parts), class_="square", data_neuron=str(sensor), data_said=said)


def say_square(drawing: Drawing, sensor: int) -> str:
    """Say what a piece on a square is worth, and where the square leads."""
    name = square_names(drawing.rules)[sensor]
    words = [f"Square {name}."]
    kind = "man" if drawing.worth.kings else "disc"
    worth = []
    if name in drawing.worth.men:
        worth.append(f"a {kind} is worth {signed(drawing.worth.men[name])}")
    if name in drawing.worth.kings:
        worth.append(f"a king {'' if worth else 'is worth '}{signed(drawing.worth.kings[name])}")
    if worth:
        words.append(f"{worth[0][0].upper()}{', '.join(worth)[1:]}.")
    if sensor not in drawing.graph:
        return " ".join([*words, "No live synapse leaves it."])
    feeds = [
        f"{drawing.names[sink]} ({signed(facts['weight'])})"
        for _, sink, facts in sorted(
            drawing.graph.out_edges(sensor, data=True), key=lambda edge: -abs(edge[2]["weight"])
        )
    ]
    return " ".join([*words, f"It feeds {', '.join(feeds)}."])


def signed(value: float) -> str:
    """Write a number with its sign.

    >>> signed(-0.125), signed(2)
    ('−0.12', '+2.00')
    """
    return f"{value:+.2f}".replace("-", "−")


def _neurons(drawing: Drawing) -> Iterator[str]:
    for neuron, kind in drawing.graph.nodes(data="kind"):
        if kind == "sensor":
            continue
        x, y = drawing.places[neuron]
        inside = f"{drawing.names[neuron]}" + ("" if kind == "output" else f" ({_KINDS[kind]})")
        edges = drawing.graph.out_edges(neuron, data=True)
        said = f"{inside[0].upper()}{inside[1:]}."
        if edges:
            fed = ", ".join(f"{drawing.names[sink]} ({signed(facts['weight'])})" for _, sink, facts in edges)
            said += f" It feeds {fed}."
        parts = [element("title", escape(said, quote=False))]
        if kind == "output":
            parts.append(
                element(
                    "rect", x=x - 26, y=y - 17, width=52, height=34, rx=10, fill=_FILL[kind], stroke="#6B6B6B"
                )
            )
            parts.append(text("value", x, y, 14, fill="#222222"))
        else:
            parts.append(element("circle", cx=x, cy=y, r=11, fill=_FILL[kind], stroke="#6B6B6B"))
            parts.append(text(str(neuron), x, y, 11 if neuron < 100 else 9, fill="#222222"))
        yield element("g", "".join(parts), class_="neuron", data_neuron=str(neuron), data_said=said)


def _synapses(drawing: Drawing) -> Iterator[str]:
    edges = sorted(
        drawing.graph.edges(data=True), key=lambda edge: (abs(edge[2]["weight"]), edge[0], edge[1])
    )
    for source, sink, facts in edges:
        weight = facts["weight"]
        way = curve(drawing.places[source], drawing.places[sink])
        said = f"{drawing.names[source]} → {drawing.names[sink]}: {signed(weight)}"
        look: dict[str, str | float] = {"stroke": POSITIVE if weight > 0 else NEGATIVE}
        if weight < 0:
            look["stroke_dasharray"] = "6 3"
        wide = width_of(weight)
        parts = [
            element("title", escape(said, quote=False)),
            element(
                "path", d=way, class_="reach", fill="none", stroke="#000000", stroke_opacity=0, stroke_width=9
            ),
            element(
                "path", d=way, class_="line", fill="none", stroke_width=wide, stroke_opacity=0.62, **look
            ),
        ]
        marks = {"data_source": str(source), "data_sink": str(sink), "data_said": said}
        yield element("g", "".join(parts), class_="synapse", **marks)


def width_of(weight: float) -> float:
    """Return how wide a synapse is drawn: weights reach 52, and their logarithm shows the small ones too."""
    return 0.7 + 0.65 * math.log2(1 + abs(weight))
