"""A network as a networkx graph: for drawing, and for every question that graph algorithms answer."""

import networkx as nx

from neche.games.sensing import LAYOUTS
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network


def to_graph(network: Network, *, show_all: bool = False) -> nx.DiGraph:
    """Build a directed graph: nodes are neuron ids, edges are synapses.

    Nodes carry `kind` (see topology), `live` (some live synapse touches it) and, for the sensors of a board
    of the catalogue, `square`. Edges carry `weight` (float, weight units), `raw` (int, ten-thousandths of
    one) and `live`. Without `show_all` only live synapses and their neurons are there. The output neuron
    always is.
    """
    topology = network.topology
    columns = (network.source.tolist(), network.sink.tolist(), network.weight.tolist(), network.live.tolist())
    synapses = [synapse for synapse in zip(*columns, strict=True) if show_all or synapse[3]]
    graph = nx.DiGraph(perspective=network.perspective)
    graph.add_node(topology.output)
    for source, sink, raw, live in synapses:
        graph.add_edge(source, sink, weight=raw / WEIGHT_SCALE, raw=raw, live=live)
    alive = {neuron for source, sink, _, live in synapses if live for neuron in (source, sink)}
    for neuron, facts in graph.nodes.items():
        facts.update(kind=topology.kind(neuron), live=neuron in alive or neuron == topology.output)
        if neuron < topology.sensors and topology.sensors in LAYOUTS:
            facts["square"] = LAYOUTS[topology.sensors].squares[neuron]
    return graph
