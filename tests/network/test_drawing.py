import os
import shutil
import subprocess
import sys
from collections import Counter

import numpy as np
import pydot
import pytest

from neche.errors import InputError
from neche.genome import dna
from neche.network.decode import decode, material_network
from neche.network.drawing import render, to_dot

# 0 → 39 → 55 → 63 with weights +1, −1, +52; 32 → 63 with −1; 24 → 58 leads nowhere.
CHAIN = "AAAGCTGAAGCTACAA" + "GCTTCTCTTCGATCAA" + "TCTTTTTTTTTTTTTT" + "GAATTTCTTCGATCAA" + "CGATGGTAGTCGGATC"


def parsed(network, **options):
    graphs = pydot.graph_from_dot_data(to_dot(network, **options))
    assert graphs is not None
    (graph,) = graphs
    nodes = {node.get_name(): node for column in graph.get_subgraphs() for node in column.get_nodes()}
    edges = {(edge.get_source(), edge.get_destination()): edge for edge in graph.get_edges()}
    return graph, nodes, edges


def test_the_text_is_dot_that_another_reader_understands():
    graph, nodes, edges = parsed(material_network(), name="material")
    assert graph.get_type() == "digraph"
    assert graph.get_rankdir() == "LR"
    assert "<b>material</b>" in graph.get_label()
    assert len(nodes) == 33
    assert len(edges) == 32


def test_every_kind_of_neuron_has_its_own_shape_and_column():
    graph, nodes, _ = parsed(decode(dna.encode(CHAIN)))
    shapes = {name: node.get_shape() for name, node in nodes.items()}
    assert shapes == {"n0": "box", "n32": "diamond", "n39": "circle", "n55": "doublecircle", "n63": "octagon"}
    columns = {
        column.get_name(): [n.get_name() for n in column.get_nodes()] for column in graph.get_subgraphs()
    }
    assert columns == {
        "sensor_column": ["n0", "n32"],
        "layer1_column": ["n39"],
        "layer2_column": ["n55"],
        "output_column": ["n63"],
    }
    assert all(column.get_rank() == "same" for column in graph.get_subgraphs())


def test_colour_tells_the_sign_and_width_the_weight():
    _, _, edges = parsed(decode(dna.encode(CHAIN)))
    assert edges["n0", "n39"].get_color() == edges["n55", "n63"].get_color()
    assert edges["n32", "n63"].get_color() == edges["n39", "n55"].get_color()
    assert edges["n0", "n39"].get_color() != edges["n32", "n63"].get_color()
    widths = [float(edges[ends].get_penwidth()) for ends in (("n0", "n39"), ("n32", "n63"), ("n55", "n63"))]
    assert widths[0] == widths[1] < widths[2]


def test_sensors_are_labelled_with_their_squares_in_board_order():
    graph, nodes, _ = parsed(material_network())
    labels = [node.get_label() for node in graph.get_subgraph("sensor_column")[0].get_nodes()]
    assert labels[:5] == ["B8", "D8", "F8", "H8", "A7"]
    assert labels[-4:] == ["A1", "C1", "E1", "G1"]
    assert nodes["n63"].get_label() == "OUT"


def test_weights_are_in_tooltips_and_in_labels_of_small_networks():
    _, _, few = parsed(decode(dna.encode(CHAIN)))
    assert few["n0", "n39"].get_edgetooltip().strip('"') == "A1 → 39: +1.0000"
    assert few["n0", "n39"].get_label().strip('"') == "+1.00"
    _, _, many = parsed(material_network())
    assert many["n0", "n63"].get_edgetooltip().strip('"') == "A1 → 63: +1.0000"
    assert many["n0", "n63"].get_label() is None


def test_dead_synapses_are_drawn_only_on_request_grey_and_dashed():
    network = decode(dna.encode(CHAIN))
    assert "n58" not in to_dot(network)
    _, nodes, edges = parsed(network, show_all=True)
    assert edges["n24", "n58"].get_style() == "dashed"
    assert edges["n24", "n58"].get_color() not in {
        edges[ends].get_color() for ends in edges if ends[0] != "n24"
    }
    assert "dashed" in nodes["n58"].get_style()


def test_the_same_network_gives_the_same_text_in_every_process():
    digits = dna.random_genome(200, np.random.default_rng(5))
    words = ["-m", "neche", "export", dna.decode(digits), "--all"]
    texts = set()
    for seed in ("1", "2"):
        run = [sys.executable, *words]
        done = subprocess.run(
            run, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        texts.add(done.stdout.decode())
    assert texts == {to_dot(decode(digits), name="dna", show_all=True)}
    assert Counter(to_dot(decode(digits)).splitlines())["}"] == 5


NAMES = ["g12-0034", 'a"b', "<b>&", "back\\slash", "naïve →"]


@pytest.mark.parametrize(("picture_format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
@pytest.mark.parametrize("name", NAMES)
def test_pictures_with_any_title_are_drawn_where_graphviz_is_installed(name, picture_format, start):
    text = to_dot(decode(dna.encode(CHAIN)), name=name, show_all=True)
    if shutil.which("dot") is None:
        with pytest.raises(InputError, match="install graphviz"):
            render(text, picture_format)
    else:
        assert render(text, picture_format).startswith(start)


def test_graphviz_receives_the_text_and_the_format(monkeypatch, tmp_path):
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho $1\nwhile read line; do echo $line; done\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert render("digraph {}\n", "png") == b"-Tpng\ndigraph {}\n"


def test_without_graphviz_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match=r"svg needs the graphviz program 'dot'.* install graphviz"):
        render(to_dot(material_network()), "svg")


def test_text_that_graphviz_refuses_is_an_input_error(monkeypatch, tmp_path):
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho 'syntax error in line 1' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="could not draw the network: syntax error in line 1"):
        render("no dot", "svg")
