"""A network as a picture: DOT text, and SVG or PNG through the graphviz program.

Layers run from left to right. Sensors are in board order, row 8 on top, with rows in alternating shades.
Shape shows the kind of a neuron, colour the sign of a synapse, width its weight; dead ones, if shown, are
grey and dashed. Of a dense network only the heaviest neurons and synapses are drawn: all of them would be one
dark patch.
"""

import math
import shutil
import subprocess
from html import escape
from itertools import pairwise
from typing import Any, Literal

import networkx as nx
import pydot

from neche.errors import InputError
from neche.games.sensors import SensorLayout
from neche.network.decode import Network
from neche.network.interchange import to_graph
from neche.network.topology import Kind

PictureFormat = Literal["svg", "png"]
_Look = dict[str, Any]

# Okabe and Ito's blue and vermilion are distinct for colour-blind readers and in greyscale.
_POSITIVE, _NEGATIVE, _DEAD = "#0072B2", "#D55E00", "#B0B0B0"
_FONT = "Helvetica,Arial,sans-serif"
# With more synapses than this, labels cover the lines; the tooltips of the SVG still show every weight.
_MOST_LABELS = 12
MOST_SYNAPSES = 300
"""Most synapses drawn of a dense network: those with the largest weights."""
_MOST_OF_PATTERNS = 100
"""The same where sensors see patterns: nearly every synapse has a sensor of its own in the column."""

_LOOK: dict[Kind, dict[str, str]] = {
    "sensor": {"shape": "box", "width": "0.42", "height": "0.24", "fillcolor": "#F7EBD3"},
    "bias": {"shape": "diamond", "width": "0.56", "height": "0.4", "fillcolor": "#EAEAEA"},
    "layer1": {"shape": "circle", "width": "0.36", "fillcolor": "#DCEBF5"},
    "layer2": {"shape": "doublecircle", "width": "0.34", "fillcolor": "#D3EDE1"},
    "output": {"shape": "octagon", "width": "0.56", "height": "0.5", "fillcolor": "#FFF1A8"},
}
_EVEN_ROW = "#E6CFA3"
_MEANING: dict[Kind, str] = {
    "sensor": "sensor of square",
    "bias": "bias (always 1)",
    "layer1": "ReLU of layer 1",
    "layer2": "ReLU of layer 2",
    "output": "output",
}


def to_dot(
    network: Network, *, name: str = "network", show_all: bool = False, layout: SensorLayout | None = None
) -> str:
    """Write a network as DOT text, which does not need the graphviz program.

    name: title of the picture, such as the id of the genome. show_all: draw dead synapses too. layout: of the
    board that the network sees, see `interchange.to_graph`.
    """
    most = MOST_SYNAPSES if network.topology.is_dense else None
    graph = to_graph(network, show_all=show_all, most=most, layout=layout)
    if any(" " in square for _, square in graph.nodes(data="square", default="")):
        graph = to_graph(network, show_all=show_all, most=_MOST_OF_PATTERNS, layout=layout)
    picture = pydot.Dot("network", graph_type="digraph", **_page_look(graph, name))
    picture.set_node_defaults(
        fontname=_FONT, fontsize="9", style="filled", fixedsize="true", color="#6B6B6B", penwidth="0.7"
    )
    picture.set_edge_defaults(fontname=_FONT, fontsize="8", arrowsize="0.4")
    for kinds in (("sensor", "bias"), ("layer1",), ("layer2",), ("output",)):
        picture.add_subgraph(_layer(graph, kinds))
    for source, sink in graph.edges:
        picture.add_edge(pydot.Edge(f"n{source}", f"n{sink}", **_synapse_look(graph, source, sink)))
    return str(picture.to_string())


def render(dot_text: str, picture_format: PictureFormat) -> bytes:
    """Turn DOT text into an SVG or PNG file; InputError if the program `dot` is missing or fails."""
    program = shutil.which("dot")
    if program is None:
        raise InputError(
            f"{picture_format} needs the graphviz program 'dot', which is not on the PATH: "
            "install graphviz, or choose the format dot"
        )
    done = subprocess.run([program, f"-T{picture_format}"], input=dot_text.encode(), capture_output=True)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise InputError(f"graphviz could not draw the network: {reason[0]}")
    return done.stdout


def num_hidden(graph: nx.DiGraph) -> int:
    """Return the number of hidden neurons in a graph."""
    return sum(kind in ("layer1", "layer2") for _, kind in graph.nodes(data="kind"))


def _is_direct(graph: nx.DiGraph) -> bool:
    """Return whether there are no hidden neurons: the lines form a fan, which needs room and a common end."""
    return num_hidden(graph) == 0


def _is_labelled(graph: nx.DiGraph) -> bool:
    return bool(graph.number_of_edges() <= _MOST_LABELS)


def _page_look(graph: nx.DiGraph, name: str) -> dict[str, str]:
    live = sum(synapse["live"] for _, _, synapse in graph.edges(data=True))
    facts = f"{live} live synapses" if live != 1 else "1 live synapse"
    if live < graph.number_of_edges():
        facts += f", {graph.number_of_edges() - live} dead"
    if live < graph.graph["live_synapses"]:
        shown, most = num_hidden(graph), graph.graph["hidden_neurons"]
        facts = f"the {facts} of largest weight, of {graph.graph['live_synapses']}"
        facts += f", at {shown} of {most} hidden neurons" if shown < most else ""
    legend = f'<font color="{_POSITIVE}">positive</font>, <font color="{_NEGATIVE}">negative</font>'
    title = (
        f'<<b>{escape(name)}</b><br/><font point-size="9">{facts}, perspective '
        f"{graph.graph['perspective']}, weights {legend}</font><br/> >"
    )
    return {
        "label": title,
        "labelloc": "t",
        "fontname": _FONT,
        "fontsize": "13",
        "rankdir": "LR",
        "ranksep": "3" if _is_direct(graph) else "1.5",
        "nodesep": "0.25" if _is_labelled(graph) else "0.05",
        "outputorder": "edgesfirst",
        "bgcolor": "white",
        "pad": "0.15",
    }


def _layer(graph: nx.DiGraph, kinds: tuple[Kind, ...]) -> pydot.Subgraph:
    """Return a column of neurons; invisible edges keep sensors and biases in order."""
    neurons = sorted((n for n in graph if graph.nodes[n]["kind"] in kinds), key=lambda n: _place(graph, n))
    column = pydot.Subgraph(f"{kinds[0]}_column", rank="same")
    for neuron in neurons:
        column.add_node(pydot.Node(f"n{neuron}", **_neuron_look(graph, neuron)))
    if "sensor" in kinds:
        for above, below in pairwise(neurons):
            column.add_edge(pydot.Edge(f"n{above}", f"n{below}", style="invis"))
    return column


def _place(graph: nx.DiGraph, neuron: int) -> tuple[int, str, int]:
    """Return a sort key from top to bottom: squares as on the board, then all else by id."""
    square = graph.nodes[neuron].get("square", "")
    return (-_row(square) if square else 0, square, neuron)


def _row(square: str) -> int:
    """Return the row of a square, or of the first one of a pattern."""
    return int(square.split()[0][1:])


def _neuron_look(graph: nx.DiGraph, neuron: int) -> _Look:
    kind: Kind = graph.nodes[neuron]["kind"]
    square = graph.nodes[neuron].get("square", "")
    look: _Look = dict(_LOOK[kind])
    look["label"] = "OUT" if kind == "output" else square or str(neuron)
    look["tooltip"] = f"{neuron}: {_MEANING[kind]} {square}".rstrip()
    piece = graph.nodes[neuron].get("piece")
    if piece:
        look |= {"label": f"{piece} {square}", "width": "2.8" if " " in square else "1.1"}
        look["tooltip"] = f"{neuron}: sensor of {piece} on {square}"
    if square and _row(square) % 2 == 0:
        look["fillcolor"] = _EVEN_ROW
    if not graph.nodes[neuron]["live"]:
        look |= {"style": "filled,dashed", "fillcolor": "white", "color": _DEAD, "fontcolor": "#8A8A8A"}
    return look


def _name(graph: nx.DiGraph, neuron: int) -> str:
    facts = graph.nodes[neuron]
    return f"{facts.get('piece', '')} {facts.get('square', neuron)}".lstrip()


def _synapse_look(graph: nx.DiGraph, source: int, sink: int) -> _Look:
    synapse = graph.edges[source, sink]
    weight: float = synapse["weight"]
    ends = " → ".join(_name(graph, n) for n in (source, sink))
    look: _Look = {"edgetooltip": f"{ends}: {weight:+z.4f}", "tailport": "e"}
    if _is_direct(graph):
        look["headport"] = "w"
    if not synapse["live"]:
        return look | {"color": _DEAD, "style": "dashed", "penwidth": "0.5"}
    if _is_labelled(graph):
        look["label"] = f"{weight:+z.2f}"
    colour = _POSITIVE if weight > 0 else _NEGATIVE
    # Weights reach 52; a logarithmic width keeps small ones visible and large ones distinct.
    width = 0.5 + 0.6 * math.log2(1 + abs(weight))
    return look | {"color": colour, "fontcolor": colour, "penwidth": f"{width:.2f}"}
