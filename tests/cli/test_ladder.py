import pytest

from neche.genome.dna import encode
from neche.genome.fasta import Record, format_record
from neche.players.spec import parse_player

RUNGS = ("--rungs", "random", "material:depth=1", "uct:playouts=30")
WORDS = ("ladder", "material:depth=2", "--games", 4, *RUNGS)


def test_a_champion_climbs_the_rungs_in_order(terminal):
    values = terminal.json(*WORDS)
    assert [rung["player"] for rung in values["rungs"]] == [
        "random",
        "material:depth=1",
        parse_player("uct:playouts=30").name,
    ]
    for rung in values["rungs"]:
        assert rung["games"] == rung["wins"] + rung["draws"] + rung["losses"] == 4
        assert rung["score"] == (rung["wins"] + rung["draws"] / 2) / 4
        assert rung["score_low"] <= rung["score"] <= rung["score_high"]
    assert values["rungs"][0]["score"] == 1
    assert (values["champion"], values["games"], values["seed"]) == ("material:depth=2", 4, 0)


def test_the_same_seed_climbs_alike_with_any_workers(terminal):
    values = terminal.json(*WORDS, "--jobs", 1)
    assert terminal.json(*WORDS, "--jobs", 2) == values
    assert terminal.json(*WORDS, "--jobs", 2, "--backend", "loky") == values
    assert terminal.json(*WORDS, "--seed", 9)["rungs"] != values["rungs"]


def test_people_get_one_table_and_a_line_for_each_rung_meanwhile(terminal):
    text = terminal.text(*WORDS)
    assert "material:depth=2: 4 games against each, openings of 12 random plies, seed 0" in text
    assert text.count("\nrandom ") == text.count("\nuct:playouts=30") == 1
    # four wins of four: 0.025^(1/4) of the points at least
    assert "above -72.1" in text
    assert terminal.notes.count("\n") == 3
    assert "random:     4     0     0   1.000" in terminal.notes


def test_a_picture_is_drawn(terminal, tmp_path):
    path = tmp_path / "ladder.svg"
    assert terminal.json(*WORDS, "--picture", path)["picture"] == str(path)
    assert "uct:playouts=30" in path.read_text()


def test_a_climb_goes_on_from_its_results_file(terminal, tmp_path):
    path = tmp_path / "results.jsonl"
    values = terminal.json(*WORDS, "--results", path)
    kept = path.read_bytes()
    path.write_bytes(kept[: len(kept) * 2 // 3])
    assert terminal.json(*WORDS, "--results", path) == values
    assert path.read_bytes() == kept
    assert "seed is 0 there, 1 here" in terminal.fault(*WORDS, "--results", path, "--seed", 1)


def test_networks_search_as_deep_as_is_said(terminal, tmp_path):
    path = tmp_path / "one.fasta"
    path.write_text(format_record(Record("a", encode("AAATTTGAAGCTACAA"))))
    few = ("--games", 2, "--rungs", "random")
    assert terminal.json("ladder", path, *few)["champion"] == f"network:file={path},depth=4"
    assert terminal.json("ladder", path, *few, "--depth", 2)["champion"] == f"network:file={path},depth=2"
    assert terminal.json("ladder", "champion", *few)["champion"] == "network:file=champion,depth=4"


def test_a_run_climbs_too(terminal, tmp_path):
    terminal.evolve(tmp_path / "run", generations=1)
    values = terminal.json("ladder", tmp_path / "run", "--games", 2, "--rungs", "random", "--depth", 1)
    assert values["champion"] == f"network:file={tmp_path / 'run'},depth=1"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("nobody",), "unknown player 'nobody'"),
        (("material", "--rungs", "nobody"), "unknown player 'nobody'"),
        (("material", "--rungs", "random", "random"), "rung random is listed twice"),
        (("material", "--games", "0"), "--games: 0 is out of range"),
        (("material", "--rungs", "material:time=5", "--results", "pairs.jsonl"), "is not repeatable"),
        (("material:depth=3", "--depth", "2"), "material:depth=3 already names its depth"),
        (("random", "--depth", "2"), "random does not search to a depth"),
        (("material", "--picture", "ladder.png"), "ladder.png: its name must end in .svg"),
        (("material", "--picture", "no/where.svg"), "no/where.svg: cannot be written"),
        (("material", "--game", "ludo"), "unknown game 'ludo'"),
    ],
)
def test_bad_ladders_name_the_fault(words, fault, terminal):
    assert fault in terminal.fault("ladder", *words)


def test_a_champion_climbs_by_the_clock(terminal):
    values = terminal.json("ladder", "champion:time=2", "--games", 2, "--rungs", "random", "champion:time=1")
    assert [rung["player"] for rung in values["rungs"]] == ["random", "network:file=champion,time=1"]
    assert values["repeatable"] is False
    assert terminal.notes.count("\n") == 1


def test_other_games_have_ladders_too(terminal):
    words = ("--games", 2, "--rungs", "random", "mcrd:playouts=30", "--game", "othello")
    values = terminal.json("ladder", "uct:playouts=30", *words)
    assert [rung["player"].partition(":")[0] for rung in values["rungs"]] == ["random", "mcrd"]
    assert "does not see the board of othello" in terminal.fault("ladder", "champion", *words)
