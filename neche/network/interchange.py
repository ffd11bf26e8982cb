"""A network for other programs: a networkx graph, JSON for scripts, ONNX for inference engines."""

import json
from types import NoneType
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from neche.errors import InputError, check_type, check_whole
from neche.games.sensors import LAYOUTS, SensorLayout
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.network.topology import Topology

_COUNTS = ("sensors", "bias", "layer1", "layer2")
MOST_HIDDEN = 24
"""Most hidden neurons of a graph that leaves out synapses; more would be unreadable in a picture."""
# Old enough for every current inference engine; networks need nothing newer.
_OPSET, _IR_VERSION = 13, 8
_BATCH = "batch"

_Constants = dict[str, npt.NDArray[np.float32] | npt.NDArray[np.int64]]
_Operation = tuple[str, list[str], str, dict[str, Any]]
"""ONNX operator, names of its inputs, name of its output, options."""


def to_graph(
    network: Network, *, show_all: bool = False, most: int | None = None, layout: SensorLayout | None = None
) -> nx.DiGraph:
    """Build a directed graph: nodes are neuron ids, edges are synapses.

    Nodes carry `kind` (see topology), `live` (some live synapse touches it) and, for sensors of a board in
    the catalogue, `square`; sensors of a dense network also `piece`. Edges carry `weight` (float, weight
    units), `raw` (int, ten-thousandths of a unit) and `live`. Without `show_all` only live synapses and their
    neurons are included; the output neuron always is. The graph carries `perspective`, and the counts
    `live_synapses` and `hidden_neurons` of the whole network.

    most: keep only this many synapses, of the `MOST_HIDDEN` hidden neurons with the most weight in and out:
    first the heaviest one into and out of each, then those of the largest weights. layout: of the board that
    the network sees; None for the first in the catalogue with that number of sensors.
    """
    check_type(network, Network, "a Network")
    check_type(layout, (SensorLayout, NoneType), "the layout of a board")
    if most is not None:
        check_whole(most, "most", 0)
    topology = network.topology
    kept = np.flatnonzero(network.live | show_all)
    if most is not None and len(kept) > most:
        kept = _heaviest(network, kept, most)
    columns = (network.source, network.sink, network.weight, network.live)
    synapses = list(zip(*(column[kept].tolist() for column in columns), strict=True))
    hidden = {*network.sink[network.live].tolist()} - {topology.output}
    whole = {"live_synapses": int(network.live.sum()), "hidden_neurons": len(hidden)}
    graph = nx.DiGraph(perspective=network.perspective, **whole)
    graph.add_node(topology.output)
    for source, sink, raw, live in synapses:
        graph.add_edge(source, sink, weight=raw / WEIGHT_SCALE, raw=raw, live=live)
    alive = {neuron for source, sink, _, live in synapses if live for neuron in (source, sink)}
    seen = _seen_by_sensors(topology, layout)
    for neuron, facts in graph.nodes.items():
        facts.update(kind=topology.kind(neuron), live=neuron in alive or neuron == topology.output)
        if neuron < len(seen):
            facts.update(seen[neuron])
    return graph


def _heaviest(network: Network, kept: npt.NDArray[np.intp], most: int) -> npt.NDArray[np.intp]:
    """Return which of some synapses to keep if there are too many, see `to_graph`."""
    topology, count = network.topology, network.topology.num_neurons
    squares = network.weight[kept].astype(np.float64) ** 2
    into, out_of = (np.bincount(ends[kept], squares, count) for ends in (network.sink, network.source))
    hidden = np.arange(topology.first_layer1, topology.output)
    shown = hidden[np.argsort(-(into * out_of)[hidden], kind="stable")[:MOST_HIDDEN]]
    is_left_out = np.isin(np.arange(count), hidden) & ~np.isin(np.arange(count), shown)
    kept = kept[~is_left_out[network.source[kept]] & ~is_left_out[network.sink[kept]]]
    kept = kept[np.argsort(-np.abs(network.weight[kept]), kind="stable")]
    ends = network.source[kept], network.sink[kept]
    # A neuron without a synapse in and one out would look dead.
    ways = [np.flatnonzero(neurons == neuron)[:1] for neuron in shown for neurons in ends]
    first = dict.fromkeys(np.concatenate([*ways, np.arange(len(kept))]).tolist())
    return np.sort(kept[[*first][:most]])


def _seen_by_sensors(topology: Topology, layout: SensorLayout | None) -> list[dict[str, str]]:
    """Return the square of each sensor, and the piece if it sees one kind; empty for an unknown board."""
    for known in LAYOUTS.values() if layout is None else (layout,):
        if topology.is_dense:
            if sights := known.sights(topology.sensors):
                return [
                    {"square": " ".join(known.squares[square] for square in squares), "piece": piece}
                    for piece, squares in sights
                ]
        elif topology.sensors == len(known.squares):
            return [{"square": square} for square in known.squares]
    return []


def to_json(
    network: Network, *, name: str | None = None, dna: str | None = None, layout: SensorLayout | None = None
) -> str:
    """Write a network as JSON, with a fixed order of keys and a final line feed.

    format       "neche-network-1"
    id           the name given, or null
    perspective  "own": value = f(own view); "antisymmetric": f(own view) − f(opponent's view); "mover": view
                 and value of the side to move
    topology     number of neurons: sensors, bias, layer1, layer2; then the output
    weight_scale raw weight = weight × this
    neurons      every neuron that a synapse touches, and the output, by id: id, kind ("sensor", "bias",
                 "layer1", "layer2", "output"), square (of a sensor, else null), live; in a dense network
                 also piece (of a sensor: "own man", "own king", "enemy man", "enemy king", else null); a
                 sensor by pattern has its squares, "A1 B2 A3 B4", and as piece a word for each: "own",
                 "enemy" or "empty"; "never" if it is always 0
    synapses     every allowed one, by (sink, source): source, sink, weight, raw, live
    dna          the genome as text, or null
    """
    graph = to_graph(network, show_all=True, layout=layout)
    neurons = [
        {"id": n, "kind": facts["kind"], "square": facts.get("square"), "live": facts["live"]}
        | ({"piece": facts.get("piece")} if network.topology.is_dense else {})
        for n, facts in sorted(graph.nodes(data=True))
    ]
    synapses = [
        {"source": source, "sink": sink, **{key: facts[key] for key in ("weight", "raw", "live")}}
        for source, sink, facts in sorted(graph.edges(data=True), key=lambda synapse: synapse[1::-1])
    ]
    document = {
        "format": "neche-network-1",
        "id": name,
        "perspective": network.perspective,
        "topology": {kind: getattr(network.topology, kind) for kind in _COUNTS},
        "weight_scale": WEIGHT_SCALE,
        "neurons": neurons,
        "synapses": synapses,
        "dna": dna,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def to_onnx(network: Network, *, name: str = "network", layout: SensorLayout | None = None) -> bytes:
    """Write a network as an ONNX model, single precision.

    Input `sensors` [batch, 32] float32, any number of positions: own view, in the order of the sensors (own
    man +1, own king +2, enemy man −1, enemy king −2, empty 0). Output `value` [batch, 1] float32, weight
    units, perspective included. In a dense network the input is the view of the side to move, 1 where a piece
    of the sensor's kind, or its pattern, is on the board, else 0, and the output is that side's value.

    layout: of the board that the network sees; None: by the number of its sensors. InputError if `onnx` is
    not installed, opposite squares are unknown, or the network values mobility.
    """
    if network.mobility:
        raise InputError("onnx: the network values the number of moves, which no sensor sees")
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as error:
        raise InputError("the format onnx needs the package onnx: pip install 'neche[onnx]'") from error
    constants, operations = _operations(network, layout)
    nodes = [helper.make_node(kind, into, [out], **options) for kind, into, out, options in operations]
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("sensors", TensorProto.FLOAT, [_BATCH, network.topology.sensors])],
        [helper.make_tensor_value_info("value", TensorProto.FLOAT, [_BATCH, 1])],
        [numpy_helper.from_array(array, key) for key, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="neche")
    model.ir_version = _IR_VERSION
    return bytes(model.SerializeToString())


def _operations(network: Network, layout: SensorLayout | None) -> tuple[_Constants, list[_Operation]]:
    """Return the forward pass as operations; for "antisymmetric" on both views [batch, 2, sensors]."""
    if network.topology.is_dense:
        return _dense_layers(network)
    if network.perspective == "own":
        return _layers(network, "sensors", "value")
    sensors = network.topology.sensors
    known = layout or LAYOUTS.get(sensors)
    if known is None:
        raise InputError(f"onnx: no known board has {sensors} squares, so the opponent's view is unknown")
    constants, layers = _layers(network, "views", "values")
    constants["rotated"] = np.array(known.turned, np.int64)
    constants["by_view"] = np.array([-1, 2, sensors], np.int64)
    constants["by_position"] = np.array([-1, 2], np.int64)
    constants["difference"] = np.array([[1], [-1]], np.float32)
    return constants, [
        ("Gather", ["sensors", "rotated"], "turned", {"axis": 1}),
        ("Neg", ["turned"], "opponent", {}),
        ("Concat", ["sensors", "opponent"], "in_a_row", {"axis": 1}),
        ("Reshape", ["in_a_row", "by_view"], "views", {}),
        *layers,
        ("Reshape", ["values", "by_position"], "pairs", {}),
        ("MatMul", ["pairs", "difference"], "value", {}),
    ]


def _layers(network: Network, views: str, values: str) -> tuple[_Constants, list[_Operation]]:
    """Map `views` to `values`; each layer sees all neurons before it, since skip connections are allowed."""
    topology = network.topology
    first, second, output = topology.first_layer1, topology.first_layer2, topology.output
    weights = np.zeros((output, output + 1), np.float32)
    weights[network.source, network.sink] = network.weight / WEIGHT_SCALE
    constants: _Constants = {
        "nothing": np.zeros((topology.sensors, topology.bias), np.float32),
        "one": np.ones(1, np.float32),
        "weights1": weights[:first, first:second],
        "weights2": weights[:second, second:output],
        "weights3": weights[:output, output:],
    }
    return constants, [
        # bias neurons, as many rows of them as there are views
        ("MatMul", [views, "nothing"], "zeros", {}),
        ("Add", ["zeros", "one"], "ones", {}),
        ("Concat", [views, "ones"], "inputs", {"axis": -1}),
        ("MatMul", ["inputs", "weights1"], "sums1", {}),
        ("Relu", ["sums1"], "layer1", {}),
        ("Concat", ["inputs", "layer1"], "up_to_layer1", {"axis": -1}),
        ("MatMul", ["up_to_layer1", "weights2"], "sums2", {}),
        ("Relu", ["sums2"], "layer2", {}),
        ("Concat", ["up_to_layer1", "layer2"], "up_to_layer2", {"axis": -1}),
        ("MatMul", ["up_to_layer2", "weights3"], values, {}),
    ]


def _dense_layers(network: Network) -> tuple[_Constants, list[_Operation]]:
    topology, weights = network.topology, network.weight.astype(np.float32) / np.float32(WEIGHT_SCALE)
    sensors, hidden = topology.sensors, topology.layer1
    matrix = np.zeros((topology.num_neurons, topology.num_neurons), np.float32)
    matrix[network.source, network.sink] = weights
    constants: _Constants = {"direct": matrix[:sensors, -1:], "constant": matrix[sensors : sensors + 1, -1:]}
    direct: list[_Operation] = [("Gemm", ["sensors", "direct", "constant"], "value", {})]
    if not hidden:
        return constants, direct
    into, last = slice(topology.first_layer1, topology.first_layer2), "layer1"
    constants |= {"weights1": matrix[:sensors, into], "bias1": matrix[sensors : sensors + 1, into]}
    layers: list[_Operation] = [("Gemm", ["sensors", "weights1", "bias1"], "sums1", {})]
    layers += [("Relu", ["sums1"], "layer1", {})]
    if topology.layer2:
        heard, into, last = into, slice(topology.first_layer2, topology.output), "layer2"
        constants["weights2"] = matrix[heard, into]
        layers += [("MatMul", ["layer1", "weights2"], "sums2", {}), ("Relu", ["sums2"], "layer2", {})]
    constants["out"] = matrix[into, -1:]
    return constants, [
        *layers,
        ("Gemm", ["sensors", "direct", "constant"], "from_sensors", {}),
        ("Gemm", [last, "out", "from_sensors"], "value", {}),
    ]
