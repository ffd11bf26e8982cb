import pytest

from neche.cli import analyse

WORDS = ("phases", "uct:playouts=100", "--game", "brazilian", "--positions", 2, "--guide", "random")


def test_figures_of_each_phase_are_reported(terminal):
    values = terminal.json(*WORDS, "--seed", 1)
    assert values["player"] == "uct:playouts=100,c=0.5,leaf=1"
    assert (values["game"], values["guide"], values["seed"]) == ("brazilian", "random", 1)
    assert [phase["phase"] for phase in values["phases"]] == ["opening", "middle", "end"]
    for phase in values["phases"]:
        assert all(0 < position["playouts"] <= 100 for position in phase["positions"])
        assert {"fen", "ply", "plies", "legal_moves", "value", "seconds"} <= set(phase["positions"][0])
        assert {"mean_depth", "tree_depth", "line_to_leaf", "line_length"} <= set(phase["means"])
        assert phase["means"]["playouts_per_second"] > 0


def test_all_but_the_time_is_the_same_again(terminal):
    def timeless(values):
        for phase in values["phases"]:
            for figures in (phase["means"], *phase["positions"]):
                figures.pop("seconds")
                figures.pop("playouts_per_second", None)
        return values

    assert timeless(terminal.json(*WORDS)) == timeless(terminal.json(*WORDS))


def test_figures_in_words(terminal):
    lines = terminal.text(*WORDS).splitlines()
    assert lines[0] == "uct:playouts=100,c=0.5,leaf=1: means of 2 positions of each phase"
    assert lines[2].split()[:3] == ["phase", "moves", "value"]
    assert [line.split()[0] for line in lines[3:]] == ["opening", "middle", "end"]
    text = terminal.text("phases", "material:depth=1", "--positions", 1, "--guide", "random")
    assert text.startswith("material:depth=1: means of 1 position of each phase\n")
    assert "nodes/s" in text


def test_a_phase_that_is_solved_has_no_figures_of_a_tree(terminal):
    solver, settled = (
        ("phases", "uct:playouts=20,exact=12", "--game", "othello"),
        ("--positions", 1, "--seed", 2),
    )
    lines = terminal.text(*solver, *settled, "--guide", "random").splitlines()
    assert "mean depth" in lines[2]
    assert [line.count("–") for line in lines[3:]] == [0, 0, 4]


def test_a_player_that_judges_nothing_is_refused_before_anything_is_compiled(terminal, monkeypatch):
    monkeypatch.setattr(analyse, "prepare_field", lambda *_: pytest.fail("compiles"))
    assert "player random does not evaluate positions" in terminal.fault("phases", "random")


def test_bad_use_is_one_line(terminal):
    assert "not evaluate positions" in terminal.fault(
        "phases", "random", "--positions", 1, "--guide", "random"
    )
    assert "unknown player" in terminal.fault("phases", "uct", "--guide", "rendom")
    assert "does not see the board" in terminal.fault("phases", "champion", "--game", "othello")
