"""A run and all its files record their game: commands need no --game."""

import io
import shutil

import pytest

import neche
from neche.archive.run import RunDirectory
from neche.evolution.population import Member, first_members
from neche.evolution.settings import parse_settings, resolve
from neche.genome.fasta import Record, format_record, read_fasta
from neche.players import source as sources

FEW = ("--games", 2, "--jobs", 1)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The directory of a run of Othello with a crowned champion, and no generation."""
    monkeypatch.chdir(tmp_path)
    tables = {
        "games": {"game": "othello"},
        "members": {"population": 2, "genes": 20},
        "selection": {"elites": 1},
    }
    settings = resolve(parse_settings(tables, "test"))
    member = first_members(settings.members, 0)[0]
    with RunDirectory.create("runs/discs", settings, 0) as directory:
        directory.crown(Member("g0-0000", (), member.genome), generation=0, scores={})
    return "runs/discs"


def without_game(path):
    """Write the file as a run did before headers said the game."""
    (record,) = read_fasta(path)
    fields = {key: value for key, value in record.fields.items() if key != "game"}
    path.write_text(format_record(Record(record.id, record.genome, fields)))


@pytest.mark.parametrize("is_old", [False, True])
def test_a_run_and_its_files_are_played_without_their_game_being_said(
    terminal, run, monkeypatch, tmp_path, is_old
):
    if is_old:
        without_game(tmp_path / run / "champion.fasta")
    for source in (run, f"{run}/champion.fasta"):
        monkeypatch.setattr("sys.stdin", io.StringIO("d3\nquit\n"))
        assert terminal.json("play", "--player", f"{source}:depth=1")["moves"][0] == "d3"
        spec = f"network:file={source},depth=1"
        assert terminal.json("analyse", "--player", spec)["game"] == "othello"
        assert terminal.json("match", "random", f"{source}:depth=1", *FEW)["pairs"]
        assert terminal.json("ladder", "random", "--rungs", f"{source}:depth=1", *FEW)["rungs"]
        exported = terminal.text("export", source, "--format", "json")
        assert exported == terminal.text("export", source, "--format", "json", "--game", "othello")
    table = terminal.json("round-robin", "random", "--file", f"{run}/champion.fasta", "--depth", 1, *FEW)
    assert len(table["table"]) == 2
    assert terminal.json("phases", f"uct:playouts=2,leaf={run}", "--positions", 1)["player"].startswith("uct")


def test_a_file_says_its_game_wherever_it_goes(terminal, run, tmp_path):
    assert read_fasta(tmp_path / run / "champion.fasta")[0].fields["game"] == "othello"
    shutil.copy(tmp_path / run / "champion.fasta", tmp_path / "best.fasta")
    assert terminal.json("analyse", "--player", "best.fasta:depth=1")["game"] == "othello"
    exported = terminal.text("export", run, "--format", "fasta")
    (tmp_path / "exported.fasta").write_text(exported)
    assert sources.game_of_source("exported.fasta") == "othello"


def test_an_exported_genome_of_an_old_run_says_its_game(terminal, run, tmp_path):
    without_game(tmp_path / run / "champion.fasta")
    assert " game=othello " in terminal.text("export", run, "--format", "fasta")


def test_a_game_that_contradicts_the_run_is_one_line(terminal, run):
    told = "g0-0000 is a champion of othello: it does not see the board of checkers\n"
    for words in (("match", run, "random", *FEW), ("play", "--player", run), ("ladder", run, *FEW)):
        assert terminal.fault(*words, "--game", "checkers").endswith(told)
    assert "champions of several games: " in terminal.fault("match", run, "champion", *FEW)


def test_an_evolution_says_what_to_do_next_in_its_game(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--generations", 0, "--set", "population=3", "--set", "ladder=[]", "--set", "game=othello")
    text = terminal.text("evolve", "--recipe", "tournament", *words, "--run", "runs/o", "--set", "elites=1")
    steps = [line.split()[1:] for line in text.splitlines() if line.startswith("  neche ")]
    assert [step[0] for step in steps] == ["play", "match", "report", "evolve"]
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    play, match, *_ = steps
    assert "Black" in terminal.text(*play)
    assert terminal.json(*match, *FEW)["wins"] >= 0
    lines = (tmp_path / "runs/o/generations/000000.fasta").read_text().splitlines()
    assert all(" game=othello " in line for line in lines if line.startswith(">"))


def test_a_run_of_checkers_says_nothing_of_its_game(terminal, tmp_path):
    terminal.evolve(tmp_path / "run", generations=0)
    assert " game=" not in (tmp_path / "run" / "champion.fasta").read_text()
    assert sources.game_of_source(str(tmp_path / "run")) == "checkers"
    assert "game" not in sources.read_source(str(tmp_path / "run")).fields


def test_scripts_need_not_say_the_game_either(run):
    assert neche.match(f"{run}:depth=1", "random", games=2).pairs.num_pairs == 1
    assert neche.player(f"{run}:depth=1").name == f"network:file={run},depth=1"
    with pytest.raises(neche.InputError, match="champion of othello"):
        neche.match(run, "random", games=2, game="checkers")


def test_a_run_of_checkers_does_not_play_othello_though_it_has_as_many_sensors(terminal, tmp_path):
    members = {"population": 2, "topology": "128-4-1", "perspective": "mover"}
    settings = resolve(parse_settings({"members": members, "selection": {"elites": 1}}, "test"))
    member = first_members(settings.members, 0)[0]
    with RunDirectory.create(tmp_path / "run", settings, 0) as directory:
        directory.crown(Member("g0-0000", (), member.genome), generation=0, scores={})
    told = "g0-0000 is a champion of checkers: it does not see the board of othello\n"
    for source in (tmp_path / "run", tmp_path / "run" / "champion.fasta"):
        for words in (("analyse", "--player", source), ("export", source)):
            assert terminal.fault(*words, "--game", "othello").endswith(told)
    assert terminal.json("export", tmp_path / "run", "--format", "json", "--game", "brazilian")["bytes"]
