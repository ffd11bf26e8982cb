import pytest

from neche.genome.dna import encode
from neche.genome.fasta import Record, format_record
from neche.network.decode import material_genome
from neche.players.spec import parse_player

WORDS = ("round-robin", "random", "blind:depth=1", "material:depth=2", "--games", 8)


def test_the_table_is_ordered_by_elo(terminal):
    values = terminal.json(*WORDS)
    ratings = [line["elo"] for line in values["table"]]
    assert ratings == sorted(ratings, reverse=True)
    assert values["table"][0]["player"] == "material:depth=2"
    assert all(line["games"] == 16 for line in values["table"])
    assert set(values["elo"]) == {"random", "blind:depth=1", "material:depth=2"}


def test_the_table_in_words_has_a_line_for_each_player(terminal):
    lines = terminal.text(*WORDS).splitlines()
    assert lines[0].split()[:2] == ["player", "Elo"]
    assert lines[1].split()[:2] == ["1", "material:depth=2"]
    assert len(lines) == 4


def test_every_genome_of_a_file_plays(terminal, tmp_path):
    path = tmp_path / "both.fasta"
    records = [Record("full", material_genome()), Record("silent", encode("CGATGGTAGTCGGATC"))]
    path.write_text("".join(map(format_record, records)))
    values = terminal.json("round-robin", "--file", path, "--depth", 2, "--games", 8)
    assert values["table"][0]["player"] == f"network:file={path},id=full,depth=2"


def test_an_anchor_has_elo_0(terminal):
    values = terminal.json(*WORDS, "--anchor", "random")
    assert values["elo"]["random"] == 0
    assert "not among the players" in terminal.fault(*WORDS, "--anchor", "blind:depth=3")


def test_who_stands_behind_the_members_of_a_population_does_not_play(terminal, tmp_path):
    path = tmp_path / "000007.fasta"
    names: dict[str, dict[str, str]] = {"one": {}, "two": {}, "earlier": {"labeller": "earlier"}}
    path.write_text(
        "".join(format_record(Record(name, encode("AAATTTGAAGCTACAA"), names[name])) for name in names)
    )
    values = terminal.json("round-robin", "--file", path, "--depth", 1, "--games", 2)
    assert {line["player"].split("id=")[1] for line in values["table"]} == {"one,depth=1", "two,depth=1"}


def test_a_round_robin_goes_on_from_its_results_file(terminal, tmp_path):
    path = tmp_path / "results.jsonl"
    first = terminal.json(*WORDS, "--results", path)
    kept = path.read_bytes()
    path.write_bytes(kept[: len(kept) // 2])
    assert terminal.json(*WORDS, "--results", path) == first
    assert path.read_bytes() == kept


@pytest.mark.parametrize("words", [(), ("random",)])
def test_fewer_than_two_players_are_refused(words, terminal):
    assert f"two players or more, got {len(words)}" in terminal.fault("round-robin", *words)


def test_a_player_listed_twice_is_refused(terminal):
    assert "listed twice" in terminal.fault("round-robin", "random", "random")


def test_players_of_all_kinds_meet(terminal):
    words = ("uct:playouts=40", "material:depth=1", "random", "--games", 2, "--seed", 1)
    values = terminal.json("round-robin", *words)
    assert {line["player"] for line in values["table"]} == {
        parse_player("uct:playouts=40").name,
        "material:depth=1",
        "random",
    }
    assert terminal.json("round-robin", *words, "--jobs", 1) == values
