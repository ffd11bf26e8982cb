import json
import sys
from dataclasses import replace

import networkx as nx
import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from neche.errors import InputError
from neche.genome import dna
from neche.network.decode import PERSPECTIVES, blind_network, decode, decode_population, material_network
from neche.network.interchange import to_graph, to_json, to_onnx
from neche.network.topology import Topology, topology_for
from tests.games.toys.loading import TICTACTOE, load
from tests.oracles import genome_twin

DIRECT_AND_DEAD = "AAATTTGAAGCTACAA" + "CGATGGTAGTCGGATC"


def random_view(rng):
    """Return the sensors of own men, own kings, enemy men and enemy kings as sets, and all 32 values."""
    view = rng.choice([0, 0, 0, 1, 2, -1, -2], size=32)
    return [set(np.flatnonzero(view == value).tolist()) for value in (1, 2, -1, -2)], view


def hidden_genome(rng):
    """Return a genome with many synapses through both hidden layers."""
    genes = rng.integers(4, size=(200, 16), dtype=np.uint8)
    genes[:100, :3] = dna.encode("GCTGCATAATCT").reshape(4, 3)[rng.integers(4, size=100)]
    genes[50:, 3:6] = dna.encode("GCTTCTTTTGTA").reshape(4, 3)[rng.integers(4, size=150)]
    return genes.reshape(-1)


def test_json_lists_neurons_synapses_and_identity_in_a_fixed_order():
    network = decode(dna.encode(DIRECT_AND_DEAD), perspective="antisymmetric")
    text = to_json(network, name="g0-1", dna=DIRECT_AND_DEAD)
    document = json.loads(text)
    assert text.endswith("}\n")
    assert list(document) == (
        ["format", "id", "perspective", "topology", "weight_scale", "neurons", "synapses", "dna"]
    )
    assert document["format"] == "neche-network-1"
    assert (document["id"], document["dna"]) == ("g0-1", DIRECT_AND_DEAD)
    assert document["perspective"] == "antisymmetric"
    assert document["topology"] == {"sensors": 32, "bias": 7, "layer1": 16, "layer2": 8}
    assert document["neurons"] == [
        {"id": 0, "kind": "sensor", "square": "A1", "live": True},
        {"id": 24, "kind": "sensor", "square": "C1", "live": False},
        {"id": 58, "kind": "layer2", "square": None, "live": False},
        {"id": 63, "kind": "output", "square": None, "live": True},
    ]
    assert document["synapses"] == [
        {"source": 24, "sink": 58, "weight": 30.8877, "raw": 308_877, "live": False},
        {"source": 0, "sink": 63, "weight": 1.0, "raw": 10_000, "live": True},
    ]


def test_json_without_name_and_genome_says_null():
    document = json.loads(to_json(blind_network()))
    assert (document["id"], document["dna"], document["synapses"]) == (None, None, [])


def test_json_weights_are_exact_in_their_scale():
    digits = dna.random_genome(200, np.random.default_rng(2))
    document = json.loads(to_json(decode(digits)))
    assert all(round(s["weight"] * document["weight_scale"]) == s["raw"] for s in document["synapses"])


@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_onnx_gives_the_values_of_the_slow_twin(perspective):
    rng = np.random.default_rng(6)
    for _ in range(5):
        genome = hidden_genome(rng)
        model = onnx.load_from_string(to_onnx(decode(genome, perspective=perspective), name="g0-1"))
        onnx.checker.check_model(model, full_check=True)
        evaluator = ReferenceEvaluator(model)
        drawn = [random_view(rng) for _ in range(5)]
        exact = [
            float(genome_twin.evaluate(dna.decode(genome), own, own_kings, foe, foe_kings, perspective))
            for (own, own_kings, foe, foe_kings), _ in drawn
        ]
        views = np.array([view for _, view in drawn], np.float32)
        (values,) = evaluator.run(None, {"sensors": views})
        assert values.shape == (5, 1)
        # Single precision keeps 2^-24 of the largest term, and terms here reach 10^5.
        assert values[:, 0].tolist() == pytest.approx(exact, rel=1e-6, abs=0.05)
        (first,) = evaluator.run(None, {"sensors": views[:1]})
        assert first.shape == (1, 1)
        assert first[0, 0] == pytest.approx(exact[0], rel=1e-6, abs=0.05)


def test_onnx_accepts_the_board_of_a_users_game():
    pair = decode(
        dna.random_genome(20, np.random.default_rng(1)), perspective="antisymmetric", topology=topology_for(9)
    )
    with pytest.raises(InputError, match="no known board has 9 squares"):
        to_onnx(pair)
    (rotated,) = [
        onnx.numpy_helper.to_array(tensor).tolist()
        for tensor in onnx.load_from_string(to_onnx(pair, layout=load(TICTACTOE).sensors)).graph.initializer
        if tensor.name == "rotated"
    ]
    assert rotated == [8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_onnx_counts_material_exactly():
    _, view = random_view(np.random.default_rng(8))
    evaluator = ReferenceEvaluator(onnx.load_from_string(to_onnx(material_network())))
    (value,) = evaluator.run(None, {"sensors": view[None].astype(np.float32)})
    assert value.tolist() == [[float(view.sum())]]


def test_onnx_names_and_shapes_are_as_documented():
    graph = onnx.load_from_string(to_onnx(blind_network("antisymmetric"))).graph
    shapes = {
        tensor.name: [axis.dim_param or axis.dim_value for axis in tensor.type.tensor_type.shape.dim]
        for tensor in (*graph.input, *graph.output)
    }
    assert shapes == {"sensors": ["batch", 32], "value": ["batch", 1]}


def test_onnx_does_not_leave_out_what_a_network_values_besides_its_sensors():
    with pytest.raises(InputError, match="values the number of moves, which no sensor sees"):
        to_onnx(replace(material_network(), mobility=10_000))


def test_without_the_onnx_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(InputError, match=r"pip install 'neche\[onnx\]'"):
        to_onnx(material_network())


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
