import pytest

from neche.arena import benchmark
from neche.cli.bench import count_nodes


@pytest.fixture(autouse=True)
def small_workload(monkeypatch):
    monkeypatch.setattr(benchmark, "PERFT_DEPTH", 6)
    monkeypatch.setattr(benchmark, "SEARCH_DEPTH", 3)
    monkeypatch.setattr(benchmark, "GAMES", {1: 20, 2: 10})
    monkeypatch.setattr(benchmark, "PLAYOUTS", {"side_by_side": 500, "one_by_one": 500})


def test_node_counts_repeat_and_rates_are_measured(terminal):
    first = terminal.json("bench", "perft", "search", "games")
    again = terminal.json("bench", "perft", "search", "games")
    assert first["perft"]["nodes"] == 36_768
    for workload in (first["perft"], first["search"], first["games"]["depth_1"], first["games"]["depth_2"]):
        assert any(key.endswith("_per_second") and value > 0 for key, value in workload.items())
        assert workload["nodes"] > 0
    assert first["nodes"] == again["nodes"] == count_nodes(first) - first["nodes"]
    assert {"neche", "python", "numba", "numpy"} <= set(first["versions"])


def test_another_seed_is_another_workload(terminal):
    words = ("bench", "search", "games")
    assert terminal.json(*words, "--seed", 1)["nodes"] != terminal.json(*words)["nodes"]


def test_playouts_side_by_side_and_one_by_one_are_the_same_games(terminal):
    measured = terminal.json("bench", "playouts")["playouts"]
    side_by_side, one_by_one = measured["side_by_side"], measured["one_by_one"]
    for key in ("playouts", "wins", "draws", "losses", "plies", "nodes"):
        assert side_by_side[key] == one_by_one[key]
    assert side_by_side["wins"] + side_by_side["draws"] + side_by_side["losses"] == 500
    assert terminal.json("bench", "playouts", "--seed", 1)["nodes"] != 2 * side_by_side["nodes"]


def test_one_workload_is_measured_alone_and_signed(terminal):
    text = terminal.text("bench", "perft")
    assert text.endswith("Bench: 36768\n")
    assert "leaves/s" in text
    assert terminal.notes == "measuring perft\n"


def test_an_unknown_workload_names_the_nearest(terminal):
    assert "unknown workload 'serach' (did you mean search?)" in terminal.fault("bench", "serach")


@pytest.mark.slow
def test_a_generation_is_the_same_whatever_the_workers(terminal):
    one = terminal.json("bench", "generation", "--jobs", 1)
    two = terminal.json("bench", "generation", "--jobs", 2)
    assert one["generation"]["population"] == 200
    assert one["nodes"] == two["nodes"]
