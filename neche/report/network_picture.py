"""A network as a picture for a page: the board that it sees, its neurons in columns, its live synapses.

The squares are placed as on the board, so a synapse begins where the piece stands. Blue adds, dashed orange
subtracts; the wider, the larger the weight. Every part describes itself; a page may make parts interactive.
For a dense network only the heaviest synapses are drawn; those of all pieces on a square begin at the square.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import networkx as nx

from neche.games.game import Game, geometry_of
from neche.network.decode import Network
from neche.network.drawing import MOST_SYNAPSES, num_hidden
from neche.network.interchange import to_graph
from neche.network.sensors import sensor_squares
from neche.report.piece_values import Worth
from neche.report.svg import Attributes, curve, document, element, numeral, text, tooltip

POSITIVE, NEGATIVE = "#0072B2", "#D55E00"
_CELL, _TOP, _COLUMN, _STEP = 40, 30, 170, 24
_INK = "currentColor"
_KINDS = {"bias": "bias, always 1", "layer1": "layer 1", "layer2": "layer 2", "output": "output"}
_FILL = {"bias": "#EAEAEA", "layer1": "#DCEBF5", "layer2": "#D3EDE1", "output": "#FFF1A8"}


class Synapse(NamedTuple):
    """A live synapse. words: both ends by name."""

    source: int
    sink: int
    weight: float
    words: str


class NetworkDrawing(NamedTuple):
    """A network and the places of its neurons.

    squares: names of all squares that sensors see. centres: their places. sights: for each sensor the numbers
    of the squares it sees, one or those of a pattern. names: of the neurons.
    """

    graph: nx.DiGraph
    rules: Game
    worth: Worth
    squares: Sequence[str]
    centres: Sequence[tuple[float, float]]
    sights: Sequence[tuple[int, ...]]
    names: dict[int, str]
    places: dict[int, tuple[float, float]]
    width: float
    height: float


def draw_network(drawing: NetworkDrawing, *, name: str) -> str:
    """Draw a network; equal arguments give equal text."""
    graph = drawing.graph
    count, live = graph.number_of_edges(), graph.graph["live_synapses"]
    said = f"{count} live synapses between {len(graph)} neurons"
    if count < live:
        shown, most = num_hidden(graph), graph.graph["hidden_neurons"]
        some = f" and {shown} of {most} hidden neurons" if shown < most else ""
        said = f"The heaviest {count} of {live} live synapses{some}"
    return document(
        drawing.width,
        drawing.height,
        [
            *_draw_board(drawing),
            *_draw_synapses(drawing),
            *(_draw_square(drawing, square) for square in range(len(drawing.squares))),
            *_draw_neurons(drawing),
        ],
        title=f"The network of {name}",
        description=f"{said}. The table beside lists them.",
        size=drawing.width,
    )


def synapses_of(drawing: NetworkDrawing) -> list[Synapse]:
    """List the live synapses, largest weight first; for a dense network, only the heaviest ones."""
    names = drawing.names
    found = [
        Synapse(source, sink, weight, f"{names[source]} → {names[sink]}")
        for source, sink, weight in drawing.graph.edges(data="weight")
    ]
    return sorted(found, key=lambda synapse: (-abs(synapse.weight), synapse.source, synapse.sink))


def _names(graph: nx.DiGraph, squares: Sequence[str], sights: Sequence[tuple[int, ...]]) -> dict[int, str]:
    words = {"output": "output", "bias": "bias {}", "layer1": "neuron {}", "layer2": "neuron {}"}
    names = {}
    for neuron, facts in graph.nodes(data=True):
        if facts["kind"] == "sensor":
            piece, seen = facts.get("piece"), " ".join(squares[square] for square in sights[neuron])
            what = "squares" if len(sights[neuron]) > 1 else "square"
            names[neuron] = f"{piece} on {what} {seen}" if piece else f"square {seen}"
        else:
            names[neuron] = words[facts["kind"]].format(neuron)
    return names


def lay_out(network: Network, rules: Game, worth: Worth) -> NetworkDrawing:
    """Place every neuron: sensors on the board, biases below it, then a column for each layer."""
    geometry, squares = geometry_of(rules), sensor_squares(rules)
    most = MOST_SYNAPSES if network.topology.is_dense else None
    graph = to_graph(network, most=most, layout=rules.sensors)
    columns = {kind: [neuron for neuron, of in graph.nodes(data="kind") if of == kind] for kind in _KINDS}
    side, below = _CELL * len(geometry.columns), _TOP + _CELL * len(geometry.rows)
    # the height is that of the board, with biases below it, or of the taller hidden layer
    tallest = max(len(columns["layer1"]), len(columns["layer2"]))
    height = max(below + (64 if columns["bias"] else 16), _TOP + _STEP * tallest + 16)
    top = _TOP + (height - 16 - below - (48 if columns["bias"] else 0)) / 2
    places: dict[int, tuple[float, float]] = {}
    sights: Sequence[tuple[int, ...]] = [(square,) for square in range(len(squares))]
    if network.topology.is_dense and rules.sensors:
        sights = [seen for _, seen in rules.sensors.sights(network.topology.sensors)]
    centres = [
        (8 + _CELL * (column + 0.5), top + _CELL * (row + 0.5))
        for column, row in (geometry.places[square] for square in squares)
    ]
    for sensor, seen in enumerate(sights):
        x, y = (sum(values) / len(seen) for values in zip(*(centres[square] for square in seen), strict=True))
        places[sensor] = (x, y)
    spread = side / max(len(columns["bias"]), 1)
    for at, neuron in enumerate(columns["bias"]):
        places[neuron] = (8 + spread * (at + 0.5), top + _CELL * len(geometry.rows) + 34)
    # then the layers that have neurons, each sorted by the places of the inputs
    x = 8.0 + side + _COLUMN
    for kind in ("layer1", "layer2"):
        ordered = sorted(columns[kind], key=lambda neuron: (_middle(graph, places, neuron), neuron))
        step = (height - _TOP - 8) / max(len(ordered), 1)
        for at, neuron in enumerate(ordered):
            places[neuron] = (x, _TOP + step * (at + 0.5))
        x += _COLUMN if ordered else 0
    places[network.topology.output] = (x, (_TOP + height) / 2)
    names = _names(graph, squares, sights)
    return NetworkDrawing(graph, rules, worth, squares, centres, sights, names, places, x + 56, height)


def _middle(graph: nx.DiGraph, places: dict[int, tuple[float, float]], neuron: int) -> float:
    """Return the weighted mean height of a neuron's inputs: sorted by it, few lines cross."""
    heights = [
        (abs(facts["weight"]), places[source][1])
        for source, _, facts in graph.in_edges(neuron, data=True)
        if source in places
    ]
    total = sum(weight for weight, _ in heights)
    return sum(weight * height for weight, height in heights) / total if total else 0.0


def _draw_board(drawing: NetworkDrawing) -> Iterator[str]:
    """Draw the background of the board, and the names of the columns."""
    geometry = geometry_of(drawing.rules)
    left, top = (min(values) - _CELL / 2 for values in zip(*drawing.centres, strict=True))
    size = {"width": _CELL * len(geometry.columns), "height": _CELL * len(geometry.rows)}
    yield element("rect", x=left, y=top, **size, fill="#F3EADA", stroke="#8F7F66", rx=3)
    heading = "squares" if geometry.bottom is None else "squares, own side at the bottom"
    middle = sum(x for x, _ in (min(drawing.centres), max(drawing.centres))) / 2
    yield text(heading, middle, 12, 13, fill=_INK)
    shown = {kind: neuron for neuron, kind in drawing.graph.nodes(data="kind") if kind in _KINDS}
    for kind, neuron in shown.items():
        # columns are named above, biases below
        x, y = drawing.places[neuron]
        x, y = (middle, y + 22) if kind == "bias" else (x, 12)
        yield text(_KINDS[kind], x, y, 13, fill=_INK)


def _draw_square(drawing: NetworkDrawing, square: int) -> str:
    x, y = drawing.centres[square]
    side, said = _CELL - 3, say_square(drawing, square)
    box = {"x": x - side / 2, "y": y - side / 2, "width": side, "height": side, "rx": 3}
    # a square without drawn synapses is pale
    is_used = any(sensor in drawing.graph for sensor in _sensors_of(drawing, square))
    fill: Attributes = {"fill": "#D8BE94", "fill_opacity": 0.92 if is_used else 0.3}
    parts = [
        tooltip(said),
        element("rect", **box, **fill, stroke="#8F7F66"),
        text(drawing.squares[square], x, y, 14, fill="#3A2A1C"),
    ]
    return element("g", parts, class_="square", data_neuron=str(square), data_said=said)


def say_square(drawing: NetworkDrawing, square: int) -> str:
    """Say what a piece on a square is worth, and where the square leads."""
    name, worth = drawing.squares[square], drawing.worth
    words, found = [f"Square {name}."], []
    if name in worth.men:
        found.append(f"a {'man' if worth.kings else 'disc'} is worth {numeral(worth.men[name])}")
    if name in worth.kings:
        found.append(f"a king {'' if found else 'is worth '}{numeral(worth.kings[name])}")
    words += [f"A{', '.join(found)[1:]}."] if found else []
    graph, feeds = drawing.graph, []
    for seen in _sensors_of(drawing, square):
        edges = sorted(graph.out_edges([seen], data=True), key=lambda edge: -abs(edge[2]["weight"]))
        piece = graph.nodes[seen].get("piece") if edges else None
        called = "pattern {}" if len(drawing.sights[seen]) > 1 else "{}" if worth.kings else "{} disc"
        feeds.append(_feeds(drawing, edges, f"Its {called.format(piece)}" if piece else "It"))
    kind = "live" if graph.number_of_edges() == graph.graph["live_synapses"] else "heavy"
    return " ".join([*words, *(filter(None, feeds) if any(feeds) else [f"No {kind} synapse leaves it."])])


def _sensors_of(drawing: NetworkDrawing, square: int) -> list[int]:
    """Return the sensors of a square: one, or in a dense network those of all its pieces or patterns."""
    return [sensor for sensor, seen in enumerate(drawing.sights) if square in seen]


def _feeds(drawing: NetworkDrawing, edges: Iterable[tuple[int, int, Any]], what: str = "It") -> str:
    fed = ", ".join(f"{drawing.names[sink]} ({numeral(facts['weight'])})" for _, sink, facts in edges)
    return f"{what} feeds {fed}." if fed else ""


def _draw_neurons(drawing: NetworkDrawing) -> Iterator[str]:
    for neuron, kind in drawing.graph.nodes(data="kind"):
        if kind == "sensor":
            continue
        x, y = drawing.places[neuron]
        name = drawing.names[neuron] if kind == "output" else f"{drawing.names[neuron]} ({_KINDS[kind]})"
        feeds = _feeds(drawing, drawing.graph.out_edges(neuron, data=True))
        said = f"{name[0].upper()}{name[1:]}. {feeds}".rstrip()
        look = {"fill": _FILL[kind], "stroke": "#6B6B6B"}
        if kind == "output":
            shape = element("rect", x=x - 26, y=y - 17, width=52, height=34, rx=10, **look)
            label = text("value", x, y, 14, fill="#222222")
        else:
            shape = element("circle", cx=x, cy=y, r=11, **look)
            label = text(str(neuron), x, y, min(11, 27 / len(str(neuron))), fill="#222222")
        marks = {"class_": "neuron", "data_neuron": str(neuron), "data_said": said}
        yield element("g", [tooltip(said), shape, label], **marks)


def _draw_synapses(drawing: NetworkDrawing) -> Iterator[str]:
    # the heaviest are drawn last, on top
    by_weight = sorted(synapses_of(drawing), key=lambda one: (abs(one.weight), one.source, one.sink))
    for source, sink, weight, words in by_weight:
        way = {"d": curve(drawing.places[source], drawing.places[sink]), "fill": "none"}
        said = f"{words}: {numeral(weight)}"
        sign = {"stroke": POSITIVE} if weight > 0 else {"stroke": NEGATIVE, "stroke_dasharray": "6 3"}
        parts = [
            tooltip(said),
            # the area that reacts to the pointer is wider than the visible line
            element("path", **way, class_="reach", stroke="#000000", stroke_opacity=0, stroke_width=9),
            element("path", **way, **sign, class_="line", stroke_width=width_of(weight), stroke_opacity=0.62),
        ]
        # a square represents all its sensors; all squares of a pattern represent the pattern
        ends = drawing.sights[source] if source < len(drawing.sights) else (source,)
        marks = {"data_source": " ".join(map(str, ends)), "data_sink": str(sink), "data_said": said}
        yield element("g", parts, class_="synapse", **marks)


def width_of(weight: float) -> float:
    """Return the width of a drawn synapse: weights reach 52, and a logarithm keeps small ones visible."""
    return 0.7 + 0.65 * math.log2(1 + abs(weight))
