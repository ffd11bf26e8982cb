import io
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from neche.archive.checkpoint import format_line
from neche.arena.playing import Contestants, paired, play_games
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import TOURNAMENT_DRAWS
from neche.genome.dna import decode as decode_letters, encode
from neche.genome.fasta import Record, format_record
from neche.network.decode import decode_population, material_network
from neche.network.topology import dense_topology
from neche.players import source
from neche.players.source import (
    game_of_players,
    identity_fields,
    newest_champion,
    read_source,
    shipped_champions,
    shipped_game,
    shipped_names,
)
from neche.players.spec import parse_player
from tests.genome.drawn import random_strands

DNA = "AAATTTGAAGCTACAA"


def write(path, *ids, **fields):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(format_record(Record(name, encode(DNA), fields)) for name in ids))


def write_history(run, *lines):
    (run / "history.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


@pytest.fixture
def run(tmp_path):
    """Return a run whose champion was crowned after generation 7, and whose leader then was g5-0003."""
    write(tmp_path / "champion.fasta", "g6-0001", generation="7")
    write(tmp_path / "champions.fasta", "g4-0002", "g5-0003")
    write_history(tmp_path, {"generation": 7, "champion_id": "g5-0003"})
    return tmp_path


def test_a_run_gives_the_champion_crowned_in_its_newest_generation(run):
    assert read_source(str(run)).id == "g6-0001"


def test_a_member_is_read_from_its_generation_and_not_from_later_labellers(run):
    members, newest = run / "generations" / "000006.fasta", run / "generations" / "000007.fasta"
    write(members, "g6-0005", rank="3", parents="-")
    write(newest, "g6-0005", labeller="earlier")
    assert read_source(str(run), "g6-0005").fields["rank"] == "3"
    members.unlink()
    assert read_source(str(run), "g6-0005").fields["labeller"] == "earlier"


@pytest.mark.parametrize(
    "line", [{"generation": 6, "champion_id": "g4-0002"}, {"generation": "?"}, [], {"generation": 8}]
)
def test_a_history_without_a_newer_leader_leaves_the_crowned_champion(run, line):
    write_history(run, {"generation": 6, "champion_id": "g4-0002"}, line)
    assert read_source(str(run)).id == "g6-0001"


def test_a_run_without_history_or_generation_gives_its_crowned_champion(run):
    write(run / "champion.fasta", "mine")
    assert read_source(str(run)).id == "mine"
    write(run / "champion.fasta", "old", generation="0")
    (run / "history.jsonl").unlink()
    assert read_source(str(run)).id == "old"


def test_a_run_with_a_newer_generation_gives_the_leader_of_that_generation(run):
    write_history(run, {"generation": 8, "champion_id": "g4-0002"})
    assert read_source(str(run)).id == "g4-0002"


def test_the_leader_is_found_in_its_population_when_the_champions_lack_it(run):
    write(run / "generations" / "000008.fasta", "g8-0000", "g8-0004")
    write_history(run, {"generation": 8, "champion_id": "g8-0004"})
    assert read_source(str(run)).id == "g8-0004"


def test_a_leader_whose_generation_is_deleted_meanwhile_gives_way_to_the_next_one(run, monkeypatch):
    """A run in progress that keeps one generation may delete it as soon as its line is read."""
    write_history(run, {"generation": 8, "champion_id": "g8-0004"})
    search = source._file_with

    def slow_search(of_run, identifier):
        if identifier == "g8-0004":
            write(run / "generations" / "000009.fasta", "g9-0001")
            write_history(run, {"generation": 9, "champion_id": "g9-0001"})
        return search(of_run, identifier)

    monkeypatch.setattr(source, "_file_with", slow_search)
    assert read_source(str(run)).id == "g9-0001"


def test_damaged_and_unfinished_lines_of_the_history_are_ignored(run):
    with (run / "history.jsonl").open("a") as history:
        history.write('{"generation": 8, "champion_id": "g4-\n{"generation": 9, "champion_id": "g4-0002"}')
    assert read_source(str(run)).id == "g6-0001"


@pytest.mark.parametrize(
    ("one", "other"), [("g5-0003", "g4-0002"), ('"generation": 7', '"generation": 9'), ('"a": 1', '"a": 2')]
)
def test_changed_lines_of_the_history_are_ignored(run, one, other):
    lines, check = [], "0" * 64
    for number, leader in [(6, "g6-0001"), (7, "g5-0003")]:
        line, check = format_line({"generation": number, "champion_id": leader, "a": number - 6}, check)
        lines.append(line)
    write(run / "generations" / "000006.fasta", "g6-0001")
    (run / "champion.fasta").unlink()
    (run / "history.jsonl").write_bytes(b"".join(lines))
    assert read_source(str(run)).id == "g5-0003"
    changed = lines[1].replace(one.encode(), other.encode())
    assert changed != lines[1]
    (run / "history.jsonl").write_bytes(lines[0] + changed)
    assert read_source(str(run)).id == "g6-0001"
    write(run / "champion.fasta", "g4-0002", generation="6")
    assert read_source(str(run)).id == "g4-0002"


@pytest.mark.parametrize("name", ["history.jsonl", "generations/000005.fasta"])
def test_a_file_of_a_run_that_cannot_be_read_is_named(run, name):
    (run / "history.jsonl").write_text('{"generation": 8, "champion_id": "g5-0009"}\n')
    locked = run / name
    locked.unlink(missing_ok=True)
    locked.mkdir(parents=True)
    with pytest.raises(InputError, match=f"{name}: cannot be read: "):
        read_source(str(run))


def test_an_imported_run_gives_its_last_champion(run):
    (run / "champion.fasta").unlink()
    write_history(run, {"generation": 8, "champion_id": None})
    assert read_source(str(run)).id == "g5-0003"
    (run / "champions.fasta").unlink()
    write(run / "generations" / "000008.fasta", "g8-0000")
    assert read_source(str(run), "g8-0000").id == "g8-0000"
    with pytest.raises(InputError, match="no champion yet"):
        read_source(str(run))


def test_a_shipped_champion_has_its_name_and_perspective():
    assert read_source("champion").fields["perspective"] == "mover"
    record = read_source("champion-1")
    assert record.fields["perspective"] == "antisymmetric"
    network = parse_player("network:file=champion-1,depth=2").evaluating_network
    assert network is not None
    assert network.live.sum() > 32


def test_a_bare_shipped_name_is_a_player():
    assert parse_player("champion:depth=3").name == "network:file=champion,depth=3"
    assert parse_player("champion").evaluating_network is not None


def test_the_champion_is_another_name_of_the_first_one_in_the_league():
    page = (Path(__file__).resolve().parents[2] / "docs" / "studies" / "league.md").read_text()
    first = re.search(r"^\| 1 \| `network:file=([a-z0-9-]+),depth=6`", page, re.MULTILINE)
    assert first is not None
    name = first[1]
    assert source.ALIASES["champion"] == name
    assert read_source("champion").id == read_source(name).id
    one, other = parse_player("champion:depth=3"), parse_player(f"{name}:depth=3")
    assert (one.digest, other.name) == (other.digest, f"network:file={name},depth=3")
    assert shipped_champions("checkers")[0] == "champion-1"
    assert set(shipped_champions("checkers")) < set(shipped_names())


def test_shipped_champions_know_their_game(ship):
    assert shipped_names() == ["disc-1", "wide-1"], "no file, no other name"
    assert (shipped_game("disc-1"), shipped_game("wide-1")) == ("othello", "checkers")
    assert (shipped_champions("othello"), shipped_champions("checkers")) == (["disc-1"], ["wide-1"])
    assert game_of_players(["uct:playouts=5", "disc-1:depth=2"]) == "othello"
    assert game_of_players(["random", "material"]) is None
    with pytest.raises(InputError, match="champions of several games"):
        game_of_players(["disc-1", "wide-1"])


def test_champions_are_in_order_of_their_numbers(ship):
    record = (source.SHIPPED / "disc-1.fasta").read_text()
    for number in (10, 2):
        (source.SHIPPED / f"disc-{number}.fasta").write_text(record)
    assert shipped_names("othello") == ["disc-1", "disc-2", "disc-10"]
    assert newest_champion("othello") == "disc-10"


def test_a_path_with_the_name_of_a_champion_is_preferred(ship, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "disc-1", "mine")
    assert game_of_players(["disc-1"]) is None
    assert read_source("disc-1").id == "mine"


def test_an_unknown_name_is_refused_with_the_nearest_shipped_one():
    with pytest.raises(InputError, match=r"shipped champion: champoin \(did you mean champion\?\)"):
        read_source("champoin")


def test_the_shipped_champion_beats_the_material_counter():
    champion = parse_player("network:file=champion").evaluating_network
    assert champion is not None
    field = Contestants.of([champion, material_network()], 2)
    opening_key, game_key = stream_keys(9, 0, "opening", 50), stream_keys(9, 0, "game", 100)
    pairings = paired(np.zeros(50, np.int64), np.ones(50, np.int64), opening_key, 4, game_key)
    outcome = play_games(field, pairings, TOURNAMENT_DRAWS).outcome.reshape(-1, 2)
    score = 0.5 + (outcome[:, 0] - outcome[:, 1]).sum() / 200
    assert score > 0.65


def test_strands_are_read_with_their_topology_and_the_perspective_mover(tmp_path):
    topology = dense_topology(128, 2)
    genome = random_strands(topology.strand_format, np.random.default_rng(1), sd=0.3)
    path = tmp_path / "wide.fasta"
    path.write_text(format_record(Record("wide", genome, identity_fields("mover", topology))))
    player = parse_player(f"network:file={path},depth=2")
    network = player.evaluating_network
    assert network is not None
    assert (network.perspective, network.topology) == ("mover", topology)
    told = parse_player(f"network:file={decode_letters(genome)},topology=128-2-1,depth=2")
    assert told.digest == player.digest
    with pytest.raises(InputError, match="strands need the perspective mover"):
        parse_player(f"network:file={path},perspective=own")
    with pytest.raises(InputError, match="which has 200"):
        player.require_board(game("international"))


def test_dense_and_sparse_networks_play_each_other():
    topology = dense_topology(128, 2)
    genomes = random_strands(topology.strand_format, np.random.default_rng(2), sd=0.3, count=2)
    networks = [
        *decode_population(genomes, perspective="mover", topology=topology),
        material_network("antisymmetric"),
    ]
    keys = stream_keys(1, 0, "opening", 3), stream_keys(1, 0, "games", 6)
    schedule = paired(np.array([0, 1, 2]), np.array([1, 2, 0]), keys[0], 4, keys[1])
    together = play_games(Contestants.of(networks, 2), schedule, TOURNAMENT_DRAWS)
    swapped = schedule._replace(first=2 - schedule.first, second=2 - schedule.second)
    other = play_games(Contestants.of(networks[::-1], 2), swapped, TOURNAMENT_DRAWS)
    assert np.array_equal(together.outcome, other.outcome)
    assert np.array_equal(together.nodes, other.nodes)


def test_a_run_in_a_directory_that_may_not_be_looked_into_is_not_said_to_be_missing(tmp_path, monkeypatch):
    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "stat", refuse)
    monkeypatch.setattr(io, "open", refuse)
    with pytest.raises((PermissionError, InputError), match="Permission denied"):
        read_source(str(tmp_path / "locked" / "run"))
    # but no word is looked for as a file in a directory that cannot be read
    assert not source.is_path("material")
