import json
import os
import signal
import subprocess
import sys

import pytest

from neche.cli.evolve import RUNS
from neche.evolution.recipes import load_recipe
from neche.genome.fasta import read_fasta
from tests.cli.conftest import TINY_RUN
from tests.cli.interrupts import hear_interrupts


def contents(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def history(directory):
    return [json.loads(line) for line in (directory / "history.jsonl").read_text().splitlines()]


def test_a_run_leaves_its_directory_and_reports_its_champion(terminal, tmp_path):
    run = tmp_path / "run"
    values = terminal.evolve(run)
    assert (values["run"], values["generation"], values["seed"]) == (str(run), 3, 0)
    assert set(values["ladder"]) == {"blind:depth=4", "material:depth=4"}
    assert values["seconds"] > 0
    (champion,) = read_fasta(run / "champion.fasta")
    assert champion.id == values["champion_id"]
    assert [line["generation"] for line in history(run)] == [0, 1, 2, 3]


def test_progress_is_written_in_lines_where_there_is_no_terminal(terminal, tmp_path):
    settings = [word for key, value in TINY_RUN.items() for word in ("--set", f"{key}={value}")]
    words = ("--recipe", "tournament", "--run", tmp_path / "run", "--generations", 2)
    text = terminal.text("evolve", *words, *settings)
    lines = [line for line in text.splitlines() if line.startswith("generation ")]
    shown = [line.split("  ")[0] for line in lines]
    assert [text for text in shown if text != "generation 1/2"] == ["generation 0/2", "generation 2/2"]
    assert all("depth 1" in line and "champion g" in line and "blind:depth=4 " in line for line in lines)
    assert f"neche play --player {tmp_path / 'run'}" in text
    assert text.endswith(f"neche evolve --resume --run {tmp_path / 'run'} --generations 4\n")


def test_a_resumed_run_equals_a_straight_one_byte_for_byte(terminal, tmp_path):
    straight = terminal.evolve(tmp_path / "straight", generations=4)
    terminal.evolve(tmp_path / "chain", generations=1)
    resumed = terminal.json("evolve", "--resume", "--run", tmp_path / "chain", "--generations", 4)
    assert contents(tmp_path / "chain") == contents(tmp_path / "straight")
    assert resumed["champion_id"] == straight["champion_id"]
    assert resumed["ladder"] == straight["ladder"]


@pytest.mark.parametrize(
    "words", [("--jobs", 2), pytest.param(("--jobs", 2, "--backend", "loky"), marks=pytest.mark.slow)]
)
def test_workers_change_no_byte(words, terminal, tmp_path):
    # Deep and many enough that a generation's games are handed out in several batches.
    work = ("--set", "depth=4", "--set", "next_depths=[]", "--set", "population=40")
    terminal.evolve(tmp_path / "one", "--jobs", 1, *work, generations=1)
    terminal.evolve(tmp_path / "many", *words, *work, generations=1)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def test_the_seed_changes_the_run(terminal, tmp_path):
    terminal.evolve(tmp_path / "one", "--seed", 1)
    assert terminal.evolve(tmp_path / "two", "--seed", 2)["seed"] == 2
    assert history(tmp_path / "one") != history(tmp_path / "two")


def test_resume_takes_the_newest_run(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal.evolve(RUNS / "first", generations=0)
    terminal.evolve(RUNS / "second", generations=0)
    os.utime(RUNS / "second" / "history.jsonl", (1, 1))
    assert terminal.json("evolve", "--resume", "--generations", 1)["run"] == str(RUNS / "first")


def test_a_run_is_named_after_its_recipe_by_default(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(
        "[members]\npopulation = 6\ngenes = 10\n[ladder]\nladder = []\n[champion]\nfinal_candidates = 0\n"
    )
    values = terminal.json("evolve", "--recipe", "mine.toml", "--generations", 0)
    assert values["generation"] == 0
    assert values["run"] == str(RUNS / "mine")
    assert values["ladder"] == {}


def test_the_config_of_a_run_is_a_recipe(terminal, tmp_path):
    terminal.evolve(tmp_path / "one", "--seed", 3, generations=1)
    again = ("--recipe", tmp_path / "one" / "config.toml", "--seed", 3, "--generations", 1)
    terminal.json("evolve", "--run", tmp_path / "again", *again)
    assert contents(tmp_path / "again") == contents(tmp_path / "one")


def test_resume_says_first_how_far_it_goes(terminal, tmp_path):
    run = tmp_path / "run"
    terminal.evolve(run, "--set", "generations=2", generations=0)
    assert "goes on" not in terminal.notes
    (run / "generations" / "000001.fasta").touch()
    assert terminal.json("evolve", "--resume", "--run", run)["generation"] == 2
    first, second, *_ = terminal.notes.splitlines()
    assert first == f"neche: continuing {run} up to generation 2"
    assert "000001.fasta: not in history.jsonl" in second


def test_that_a_run_ends_before_its_learning_rate_falls_is_said_once(terminal, tmp_path):
    learning = {"fitness": "prediction", "genes": 849, "elites": 1, "first_games": 10, "sample_games": 2}
    learning |= {"batches": 1, "rate_falls_after": 4, "rate_generations": 6}
    words = [word for key, value in learning.items() for word in ("--set", f"{key}={value}")]
    terminal.evolve(tmp_path / "run", *words, generations=1)
    assert terminal.notes.count("generation 1 is the last, and the learning rate has not fallen by then") == 1
    assert "rate_falls_after = 4;" in terminal.notes
    resume = ("evolve", "--resume", "--run", tmp_path / "run", "--generations")
    terminal.json(*resume, 1)
    assert "rate" not in terminal.notes  # nothing learns any more
    terminal.json(*resume, 6)
    assert "rate" not in terminal.notes


def test_a_setting_that_changes_nothing_is_named(terminal, tmp_path):
    terminal.evolve(tmp_path / "run", "--set", "batches=7", generations=0)
    assert "neche: batches changes nothing where fitness = tournament\n" in terminal.notes
    assert terminal.notes.count("changes nothing") == 1


def test_a_setting_in_a_recipe_of_ones_own_that_changes_nothing_is_named(terminal, tmp_path):
    terminal.evolve(tmp_path / "run", "--set", "batches=7", generations=0)
    words = ("--recipe", tmp_path / "run/config.toml", "--generations", 0)
    terminal.json("evolve", *words, "--run", tmp_path / "again")
    assert "neche: batches changes nothing where fitness = tournament\n" in terminal.notes
    assert terminal.notes.count("changes nothing") == 1  # nothing of keys left at their defaults


@pytest.mark.parametrize(
    ("ladder", "is_said"),
    [(["champion-1:depth=1"], True), (["champion-1:depth=1", "blind:depth=1"], False), ([], False)],
)
def test_that_no_player_of_the_ladder_plays_the_game_is_said(terminal, tmp_path, ladder, is_said):
    terminal.evolve(tmp_path / "run", "--set", "game=othello", "--set", f"ladder={ladder}", generations=0)
    said = "ladder: none of its players plays othello (champion-1:depth=1), so no champion is measured"
    assert (said in terminal.notes) == is_said


def test_no_scores_are_announced_where_none_were_measured(terminal, tmp_path):
    words = ("--recipe", "tournament", "--run", tmp_path / "run", "--generations", 0, *TINY)
    assert "score a game" not in terminal.text("evolve", *words, "--set", "ladder=[]")


def test_a_play_off_is_announced_only_when_there_is_one(terminal, tmp_path):
    terminal.evolve(tmp_path / "some", generations=0)
    assert "the best 2 play off to decide the champion" in terminal.notes
    terminal.evolve(tmp_path / "all", "--set", "final_candidates=99", generations=0)
    assert "the best 8 play off to decide the champion" in terminal.notes
    without = {"none": "final_candidates=0", "one": "final_candidates=1", "idle": "final_games=0"}
    for name, setting in without.items():
        values = terminal.evolve(tmp_path / name, "--set", setting, generations=1)
        assert "play off" not in terminal.notes
        first, *_ = read_fasta(tmp_path / name / "generations" / "000001.fasta")
        assert values["champion_id"] == first.id


def test_resume_of_a_finished_run_says_so_and_crowns_again(terminal, tmp_path):
    finished = terminal.evolve(tmp_path / "run", generations=1)
    (tmp_path / "run" / "champion.fasta").unlink()
    again = terminal.json("evolve", "--resume", "--run", tmp_path / "run", "--generations", 1)
    assert terminal.notes.startswith(f"neche: {tmp_path / 'run'} has already reached generation 1; ")
    assert again["champion_id"] == finished["champion_id"]
    assert (tmp_path / "run" / "champion.fasta").exists()


def test_resume_keeps_the_settings_of_the_run(terminal, tmp_path):
    run = tmp_path / "run"
    terminal.evolve(run, generations=0)
    before = contents(run)
    resume = ("evolve", "--resume", "--run", run, "--generations", 1)
    assert "--set genes=30: " in terminal.fault(*resume, "--set", "genes=30")
    assert "began with seed 0" in terminal.fault(*resume, "--seed", 1)
    assert "--recipe original: " in terminal.fault(*resume, "--recipe", "original")
    assert contents(run) == before
    assert terminal.json(*resume, "--set", "genes=20", "--seed", 0)["generation"] == 1


TINY = [word for key, value in TINY_RUN.items() for word in ("--set", f"{key}={value}")]


def test_the_same_command_with_resume_begins_where_nothing_is_and_goes_on(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("evolve", "--recipe", "tournament", *TINY, "--seed", 3, "--resume")
    begun = terminal.json(*command, "--generations", 0)
    assert (begun["run"], begun["generation"]) == (str(RUNS / "tournament-seed-3"), 0)
    assert terminal.notes.startswith(f"neche: no run in {begun['run']}; starting one\n")
    (tmp_path / "runs" / "newer").mkdir()
    gone_on = terminal.json(*command, "--generations", 1)
    assert (gone_on["run"], gone_on["generation"]) == (begun["run"], 1)
    assert terminal.notes.startswith(f"neche: continuing {begun['run']} up to generation 1\n")
    fault = terminal.fault(*command, "--set", "genes=30")
    assert f"--set genes=30: {begun['run']} began with another value; " in fault
    fault = terminal.fault("evolve", "--recipe", "quick", "--resume", "--run", begun["run"])
    assert "--recipe quick: runs/tournament-seed-3 began with generations = 900, not " in fault


def test_resume_alone_begins_the_default_run_where_there_is_none(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    # a directory of other things is never taken for a run
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").touch()
    assert "full: exists and is not a run" in terminal.fault("evolve", "--resume", "--run", "full")
    assert "file: a file" in terminal.fault("evolve", "--resume", "--run", "file")
    few = (
        "population=3",
        "sample_games=20",
        "first_games=20",
        "batches=2",
        "ladder=[]",
        "final_candidates=0",
    )
    words = [word for item in few for word in ("--set", item)]
    values = terminal.json("evolve", "--resume", *words, "--generations", 0)
    assert values["run"] == str(RUNS / "default")
    assert terminal.json("evolve", "--resume", "--generations", 0)["run"] == str(RUNS / "default")


def test_a_command_given_twice_goes_on_with_what_is_there(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("evolve", "--recipe", "tournament", *TINY)
    first = terminal.json(*command, "--generations", 1)
    before = contents(tmp_path)
    again = terminal.json(*command, "--generations", 1)
    assert contents(tmp_path) == before
    assert (again["champion_id"], again["ladder"]) == (first["champion_id"], first["ladder"])
    assert "runs/tournament has already reached generation 1; for more use --generations" in terminal.notes
    assert terminal.json(*command, "--generations", 2)["generation"] == 2
    assert "continuing runs/tournament up to generation 2" in terminal.notes
    fault = terminal.fault("evolve", "--recipe", "tournament")
    assert "runs/tournament began with keep_every = 100, not 50; a run keeps its settings" in fault
    assert "; --resume --run runs/tournament continues it, another --run starts a new one\n" in fault
    assert "began with another value" in terminal.fault(*command, "--set", "genes=30")


def test_runs_of_other_seeds_and_games_have_directories_of_their_own(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("evolve", "--recipe", "tournament", *TINY, "--set", "ladder=[]", "--generations", 0)
    assert terminal.json(*command)["run"] == "runs/tournament"
    assert terminal.json(*command, "--seed", 0)["run"] == "runs/tournament-seed-0"
    assert terminal.json(*command, "--seed", 1)["run"] == "runs/tournament-seed-1"
    values = terminal.json(*command, "--seed", 1, "--set", "game=brazilian")
    assert values["run"] == "runs/tournament-brazilian-seed-1"
    again = terminal.json(*command, "--seed", 1, "--game", "brazilian")
    assert (again["run"], again["champion_id"]) == (values["run"], values["champion_id"])
    (tmp_path / "runs" / "tournament").rename(tmp_path / "runs" / "tournament-seed-9")
    fault = terminal.fault(*command, "--seed", 9)
    assert "--seed 9: runs/tournament-seed-9 began with seed 0; " in fault


def test_a_recipe_named_after_its_game_and_one_that_is_given_it_have_two_directories(
    terminal, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("")
    (tmp_path / "mine-brazilian.toml").write_text('[games]\ngame = "brazilian"\n')
    given = (*TINY, "--set", "ladder=[]", "--generations", 0)
    alone = terminal.json("evolve", "--recipe", "mine-brazilian.toml", *given)
    other = terminal.json("evolve", "--recipe", "mine.toml", "--game", "brazilian", *given)
    assert alone["run"] != other["run"] == "runs/mine-brazilian"


def test_a_run_is_never_begun_over_another(terminal, tmp_path):
    terminal.evolve(tmp_path / "run", generations=0)
    before = contents(tmp_path / "run")
    assert "--resume" in terminal.fault("evolve", "--run", tmp_path / "run")
    assert contents(tmp_path / "run") == before


def test_a_wrong_ladder_player_is_found_before_anything_is_written(terminal, tmp_path):
    fault = terminal.fault("evolve", "--run", tmp_path / "run", "--set", 'ladder=["blynd"]')
    assert "unknown player 'blynd' (did you mean blind?)" in fault
    assert not (tmp_path / "run").exists()


def test_every_recipe_is_accepted():
    for name in ("default", "original", "quick", "tournament"):
        assert load_recipe(name)
    assert load_recipe("original").curriculum.depth == 6


def test_ctrl_c_keeps_every_finished_generation_and_says_how_to_go_on(terminal, tmp_path):
    run = tmp_path / "run"
    terminal.evolve(run, generations=0)
    resume = ["evolve", "--resume", "--run", str(run), "--generations", "900000"]
    command = [sys.executable, "-m", "neche", *resume]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("generation 1/900000")
        process.send_signal(signal.SIGINT)
        complaint = process.stderr.read()
        assert process.wait() == 130
    last = history(run)[-1]["generation"]
    assert complaint.splitlines()[-1] == (
        f"neche: interrupted: all generations up to {last} are kept; "
        f"continue with: neche evolve --resume --run {run}"
    )
    resumed = terminal.json("evolve", "--resume", "--run", run, "--generations", last + 1)
    assert resumed["generation"] == last + 1


def test_players_of_another_game_evolve(terminal, tmp_path):
    values = terminal.evolve(tmp_path / "run", "--set", "game=brazilian")
    assert values["generation"] == 3
    assert 'game = "brazilian"' in (tmp_path / "run" / "config.toml").read_text()
