"""`--plugin FILE` on the command line: runs that are stopped, resumed and refused, and players by name."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from neche.cli.main import main
from neche.players.function_player import PLUGGED
from neche.report.svg import numeral

PARTS = """\
import numpy as np
import neche

@neche.plugin.mutation
def letters(genome, rng):
    return np.where(rng.random(len(genome)) < 0.02, rng.integers(4, size=len(genome)), genome)

@neche.plugin.ranking
def neighbours(count, play, rng):
    members = rng.permutation(count)
    balance = play(members, np.roll(members, 1))
    return members[np.argsort(-balance, kind="stable")]

@neche.plugin.evaluator
def men(board):
    return int(board.position.own).bit_count() - int(board.position.foe).bit_count()
"""
SMALL = [
    *("population=8", "genes=40", "refine_after=0", "ladder_every=2", "ladder_games=2"),
    *("ladder_thinker_games=2", "champion_candidates=0", "final_games=0", 'ladder=["men:depth=1"]'),
]
EVOLVE = ["evolve", "--recipe", "tournament", "--seed", "1", *(w for s in SMALL for w in ("--set", s))]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PARTS)
    yield tmp_path
    # another test may have a file of this name
    sys.modules.pop("mine", None)


def content(run):
    return {path.relative_to(run): path.read_bytes() for path in run.rglob("*") if path.is_file()}


def refused(capsys, *words):
    PLUGGED.clear()
    capsys.readouterr()
    assert main(list(words)) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def test_a_plug_in_that_failed_at_once_may_be_mended(folder, capsys):
    begin = [*EVOLVE, "--generations", "2", "--plugin", "mine.py"]
    good, bad = PARTS, PARTS.replace("np.roll(members, 1)", "np.roll(members, 1)[1:]")
    assert main([*begin, "--run", "straight"]) == 0
    (folder / "mine.py").write_text(bad)
    assert "ranking neighbours" in refused(capsys, *begin, "--run", "run", "--json")
    (folder / "mine.py").write_text(good)
    PLUGGED.clear()
    assert main([*begin, "--run", "run", "--resume"]) == 0
    assert content(folder / "run") == content(folder / "straight")
    (folder / "mine.py").write_text(bad)
    assert "began with another ranking" in refused(capsys, *begin, "--run", "run", "--resume")


def test_a_run_stopped_and_resumed_is_the_same_to_the_byte(folder, capsys):
    assert main([*EVOLVE, "--run", "straight", "--generations", "4", "--plugin", "mine.py"]) == 0
    assert main([*EVOLVE, "--run", "halted", "--generations", "2", "--plugin", "mine.py"]) == 0
    assert "neche evolve --resume --run halted --plugin mine.py --generations 4" in capsys.readouterr().out
    again = ["evolve", "--resume", "--run", "halted", "--generations", "4", "--plugin", "mine.py"]
    assert main(again) == 0
    assert content(folder / "straight") == content(folder / "halted")
    lines = (folder / "straight" / "history.jsonl").read_text().splitlines()
    assert "men:depth=1" in json.loads(lines[2])["ladder"]
    recorded = (folder / "straight" / "config.toml").read_text()
    assert [word in recorded for word in ("letters", "neighbours", "men", "format = 2")] == [True] * 4
    assert main(["verify", "straight"]) == 0
    assert main(["match", "straight:depth=1", "men:depth=1", "--games", "2", "--plugin", "mine.py"]) == 0
    assert main(["report", "straight", "--games", "2", "--plugin", "mine.py"]) == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_sweep_has_the_runs_that_evolve_makes_with_the_plug_ins(folder, capsys, jobs):
    assert main([*EVOLVE, "--run", "alone", "--generations", "3", "--plugin", "mine.py"]) == 0
    sweep = ["sweep", *EVOLVE[1:], "--seeds", "2", "--output", "all", "--plugin", "mine.py", "--jobs", jobs]
    assert main([*sweep, "--generations", "1"]) == 0
    assert main([*sweep, "--generations", "3"]) == 0
    assert content(folder / "alone") == content(folder / "all" / "seed-1")
    kept = content(folder / "all")
    (folder / "mine.py").write_text(PARTS.replace("0.02", "0.03"))
    assert "began with another mutation letters" in refused(capsys, *sweep, "--generations", "4")
    without = [word for word in sweep if word not in ("--plugin", "mine.py")]
    assert "ladder: unknown player 'men'" in refused(capsys, *without, "--generations", "4")
    assert content(folder / "all") == kept


def test_a_setting_of_a_step_that_is_plugged_in_is_said_to_change_nothing(folder, capsys):
    words = ["--set", "point_rate=0.1", "--generations", "0", "--plugin", "mine.py"]
    for command in (["evolve", *EVOLVE[1:], "--run", "run"], ["sweep", *EVOLVE[1:], "--output", "all"]):
        capsys.readouterr()
        assert main([*command, *words]) == 0
        assert "neche: point_rate changes nothing where a mutation is plugged in\n" in capsys.readouterr().err


def test_a_resume_without_the_plug_ins_or_with_others_is_refused(folder, capsys):
    assert main([*EVOLVE, "--run", "run", "--generations", "1", "--plugin", "mine.py"]) == 0
    kept = content(folder / "run")
    resume = ["evolve", "--resume", "--run", "run", "--generations", "3"]
    assert "began with the plug-in mutation letters, which is not given" in refused(capsys, *resume)
    (folder / "other.py").write_text(PARTS.replace("0.02", "0.03"))
    fault = refused(capsys, *resume, "--plugin", "other.py")
    assert "began with another mutation letters" in fault
    assert fault.endswith("; begin a new run with it\n")
    more = (
        PARTS + "\n@neche.plugin.selection\ndef some(generation, count, rng):\n    return [[0, 1]] * count\n"
    )
    (folder / "more.py").write_text(more)
    assert "began without the plug-in selection some" in refused(capsys, *resume, "--plugin", "more.py")
    assert content(folder / "run") == kept
    assert main([*resume, "--plugin", "mine.py"]) == 0


def test_a_run_without_plug_ins_is_gone_on_with_without_them(folder, capsys):
    keys = ("ladder_games=0", "population=8", "genes=40", "final_games=0", "refine_after=0")
    plain = ["evolve", "--recipe", "tournament", *(word for key in keys for word in ("--set", key))]
    plain += ["--run", "run", "--generations", "1"]
    assert main(plain) == 0
    assert "format = 1" in (folder / "run" / "config.toml").read_text()
    words = ["evolve", "--resume", "--run", "run", "--generations", "2", "--plugin", "mine.py"]
    assert "began without the plug-in mutation letters" in refused(capsys, *words)


def test_a_fault_in_the_midst_of_a_run_leaves_it_intact_up_to_the_last_generation(folder, capsys):
    broken = PARTS + (
        "\n@neche.plugin.listener\ndef breaks(event):\n"
        "    if type(event).__name__ == 'GenerationStarted' and event.number == 2:\n        event.nothing\n"
    )
    (folder / "broken.py").write_text(broken)
    err = refused(capsys, *EVOLVE, "--run", "run", "--generations", "4", "--plugin", "broken.py")
    assert err.startswith("neche: error: listener breaks (broken.py:18): AttributeError")
    assert len((folder / "run" / "history.jsonl").read_text().splitlines()) == 2
    # Who listens decides nothing: the run goes on without.
    resume = ["evolve", "--resume", "--run", "run", "--generations", "4", "--plugin", "mine.py"]
    assert main(resume) == 0
    assert main([*EVOLVE, "--run", "straight", "--generations", "4", "--plugin", "mine.py"]) == 0
    assert content(folder / "straight") == content(folder / "run")


def test_players_of_a_file_are_words_of_every_command_that_asks_for_one(folder, capsys):
    capsys.readouterr()
    assert main(["match", "men:depth=2", "random", "--games", "4", "--json", "--plugin", "mine.py"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == "men:depth=2"
    assert main(["analyse", "W:W18:B14", "--player", "men", "--json", "--plugin", "mine.py"]) == 0
    assert json.loads(capsys.readouterr().out)["move"] == "18x9"
    assert main(["round-robin", "men", "random", "blind:depth=1", "--games", "2", "--plugin", "mine.py"]) == 0
    assert "unknown player 'men'" in refused(capsys, "match", "men:depth=2", "random", "--games", "2")


def test_files_at_fault_are_one_line(folder, capsys):
    assert "none.py: no such Python file" in refused(capsys, *EVOLVE, "--run", "run", "--plugin", "none.py")
    (folder / "empty.py").write_text("x = 1\n")
    assert "it has no plug-in" in refused(capsys, *EVOLVE, "--run", "run", "--plugin", "empty.py")
    twice = refused(capsys, *EVOLVE, "--run", "run", "--plugin", "mine.py", "--plugin", "mine.py")
    assert "there is another mutation, letters: give only one" in twice
    assert not (folder / "run").exists()


def test_a_run_from_another_takes_plug_ins_too(folder, capsys):
    assert main([*EVOLVE, "--run", "first", "--generations", "1", "--plugin", "mine.py"]) == 0
    begun = ["evolve", "--from", "first", "--run", "second", "--generations", "2", "--plugin", "mine.py"]
    assert main(begun) == 0
    assert "letters" in (folder / "second" / "config.toml").read_text()
    resume = ["evolve", "--resume", "--run", "second", "--generations", "3"]
    assert "began with the plug-in mutation letters" in refused(capsys, *resume)
    assert main([*resume, "--plugin", "mine.py"]) == 0


def test_what_is_lost_is_computed_again_with_them_alone(folder, capsys):
    plugin = ("--plugin", "mine.py")
    assert main([*EVOLVE, "--generations", "4", "--run", "run", *plugin]) == 0
    before = content(folder / "run")
    population = folder / "run" / "generations" / "000002.fasta"
    population.unlink()
    capsys.readouterr()
    assert main(["verify", "run", "--repair"]) == 1
    assert not population.exists()
    assert "can be recomputed if --plugin FILE gives its plug-ins" in capsys.readouterr().err
    PLUGGED.clear()
    (folder / "other.py").write_text(PARTS.replace("0.02", "0.03"))
    assert "began with another mutation letters" in refused(
        capsys, "verify", "run", "--repair", "--plugin", "other.py"
    )
    PLUGGED.clear()
    assert main(["verify", "run", "--repair", *plugin]) == 0
    assert content(folder / "run") == before


def test_a_run_from_another_names_the_plug_ins_that_it_does_not_take_over(folder, capsys):
    assert main([*EVOLVE, "--run", "first", "--generations", "1", "--plugin", "mine.py"]) == 0
    (folder / "player.py").write_text(PARTS[: PARTS.index("@")] + PARTS[PARTS.rindex("@") :])
    PLUGGED.clear()
    capsys.readouterr()
    begun = ["evolve", "--from", "first", "--run", "second", "--generations", "0", "--plugin", "player.py"]
    assert main(begun) == 0
    left = "neche: plug-ins of first are not taken over: mutation letters, ranking neighbours; give"
    assert capsys.readouterr().err.startswith(left)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_what_a_plug_in_prints_is_no_part_of_the_json(backend, folder):
    loud = PARTS.replace("    return int", "    print('seen')\n    return int")
    (folder / "loud.py").write_text(f"{loud}\nprint('read')\n")
    words = ["match", "men:depth=1", "random", "--games", "4", "--backend", backend, "--jobs", "2"]
    # A process of its own: workers of tests before would print where those look.
    command = [sys.executable, "-m", "neche", *words, "--json", "--plugin", "loud.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    assert json.loads(done.stdout)["games"] == 4
    assert {"read", "seen"} <= {*done.stderr.splitlines()}


FITNESS = "import neche\n\n@neche.plugin.fitness\ndef few(network):\n    return network.live.sum() / 4 - 30\n"
UNPLAYED = [
    *("evolve", "--recipe", "tournament", "--seed", "1", "--generations", "3", "--plugin", "few.py"),
    *(word for key in (*SMALL[:-1], "ladder=[]", "elites=1") for word in ("--set", key)),
]


def test_a_fitness_is_seen_wherever_a_run_is(folder, capsys):
    def output(*words):
        capsys.readouterr()
        assert main(list(words)) == 0
        return capsys.readouterr()

    (folder / "few.py").write_text(FITNESS)
    told = output(*UNPLAYED, "--run", "run", "--json")
    history = (folder / "run" / "history.jsonl").read_text().splitlines()
    lines = [json.loads(line)["fitness"] for line in history]
    newest = lines[-1]
    assert json.loads(told.out)["fitness"] == newest
    words = f"fitness {newest['best']:.4g}, mean {newest['mean']:.4g}"
    assert words in told.err
    assert json.loads(output("watch", "run", "--json").out)["fitness"] == newest
    shown = output("watch", "run", "--once").out.splitlines()
    assert [line.split()[1] for line in shown if line.startswith("fitness ")] == [f"{newest['best']:.4g}"]
    (row,) = json.loads(output("compare", "run", "--output", "runs.csv", "--json").out)["runs"]
    assert row["best fitness"] == newest["best"]
    rows = csv.DictReader((folder / "runs.csv").read_text().splitlines())
    assert [float(row["best fitness"]) for row in rows] == [line["best"] for line in lines]
    output("compare", "run", "--output", "runs.html")
    assert f"<td>{numeral(newest['best'], '.6g')}</td>" in (folder / "runs.html").read_text()
    output("report", "run", "--games", "0")
    assert "Fitness. What the plugged-in fitness returned" in (folder / "run.html").read_text()


@pytest.mark.parametrize("kind", ["sweep", "islands"])
def test_runs_of_a_sweep_and_islands_keep_their_fitness(folder, kind, capsys):
    (folder / "few.py").write_text(FITNESS)
    if kind == "sweep":
        assert main(["sweep", *UNPLAYED[1:3], *UNPLAYED[5:], "--seeds", "2", "--output", "all"]) == 0
        rows = [*csv.DictReader((folder / "all" / "table.csv").read_text().splitlines())]
    else:
        isles = ("--set", "islands=2", "--set", "migrate_every=1", "--run", "all", "--json")
        capsys.readouterr()
        assert main([*UNPLAYED, *isles]) == 0
        champions = json.loads(capsys.readouterr().out)["champions"]
        rows = [{"run": one["run"], "best fitness": one["fitness"]["best"]} for one in champions]
        assert {row["run"] for row in rows} == {str(Path("all", f"island-{number}")) for number in range(2)}
    for row in rows:
        history = (folder / "all" / Path(row["run"]).name / "history.jsonl").read_text().splitlines()
        best = [json.loads(line)["fitness"]["best"] for line in history]
        assert len(best) == 4
        assert float(row["best fitness"]) == best[-1] >= best[0]
