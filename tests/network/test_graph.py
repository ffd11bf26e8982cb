import networkx as nx
import numpy as np

from neche.genome import dna
from neche.network.decode import blind_network, decode, decode_population, material_network
from neche.network.interchange import to_graph
from neche.network.topology import Topology

DIRECT = "AAATTTGAAGCTACAA"
DEAD = "CGATGGTAGTCGGATC"


def test_only_live_synapses_and_their_neurons_are_shown():
    graph = to_graph(decode(dna.encode(DIRECT + DEAD)))
    assert dict(graph.nodes) == {
        0: {"kind": "sensor", "live": True, "square": "A1"},
        63: {"kind": "output", "live": True},
    }
    assert dict(graph.edges) == {(0, 63): {"weight": 1.0, "raw": 10_000, "live": True}}


def test_dead_synapses_are_there_when_asked_for():
    graph = to_graph(decode(dna.encode(DIRECT + DEAD)), show_all=True)
    assert graph.edges[24, 58] == {"weight": 30.8877, "raw": 308_877, "live": False}
    assert graph.nodes[24] == {"kind": "sensor", "live": False, "square": "C1"}
    assert graph.nodes[58] == {"kind": "layer2", "live": False}


def test_the_blind_network_is_its_output_alone():
    assert list(to_graph(blind_network()).nodes) == [63]


def test_the_perspective_is_kept():
    assert to_graph(material_network("antisymmetric")).graph["perspective"] == "antisymmetric"


def test_live_synapses_are_those_on_a_path_as_networkx_finds_it():
    population = np.random.default_rng(3).integers(4, size=(50, 3200), dtype=np.uint8)
    for network in decode_population(population):
        everything = to_graph(network, show_all=True)
        heard = nx.ancestors(everything, 63) | {63}
        fed = set().union(*(nx.descendants(everything, n) | {n} for n in everything if n <= 38))
        on_a_path = {(source, sink) for source, sink in everything.edges if source in fed and sink in heard}
        assert set(to_graph(network).edges) == on_a_path


def test_a_network_without_the_board_has_no_squares():
    small = Topology(sensors=4, bias=1, layer1=2, layer2=1)
    assert "square" not in to_graph(decode(dna.encode("AAAAGAGAAAAAAAAC"), topology=small)).nodes[0]
