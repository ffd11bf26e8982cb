import csv
import shlex
import shutil
import sys
from types import SimpleNamespace

import pytest

from neche.archive import layout
from neche.archive.layout import Config
from neche.evolution.recipes import override
from neche.report.comparison import read_runs, versions_apart
from tests.games.toys.loading import TICTACTOE, load
from tests.report.runs import LADDER, made_run, sealed_history


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for elites in (1, 2):
        for seed in (1, 2):
            made_run(folder / f"e{elites}-s{seed}", seed=seed, elites=elites)
    return folder


def test_groups_of_runs_stand_below_one_another(terminal, folder):
    lines = terminal.text("compare", folder).splitlines()
    assert lines[0] == "4 runs; final scores a game, over seeds"
    for player in LADDER:
        at = lines.index(f"against {player}")
        assert [line.split()[0] for line in lines[at + 1 : at + 4]] == ["settings", "elites=1", "elites=2"]
        assert lines[at + 2].split()[1:] == ["2", "0.625", "0.625", "0.625", "0.625"]
    values = terminal.json("compare", folder / "e1-s1", folder / "e2-s2")
    assert [row["run"] for row in values["runs"]] == ["e1-s1", "e2-s2"]
    assert [(one["label"], one["value"], one["p_value"]) for one in values["differences"]] == [
        ("elites=2", 0.0, None)
    ] * len(LADDER)


def test_a_plugged_in_fitness_stands_below_the_scores(terminal, folder, tmp_path):
    final = {(1, 1): 40.0, (1, 2): -1250.5, (2, 1): 60.0, (2, 2): 1e300}
    for (elites, seed), best in final.items():
        run = made_run(tmp_path / f"e{elites}-s{seed}", seed=seed, elites=elites)
        sealed_history(run, lambda values, best=best: {**values, "fitness": {"best": best, "mean": 0.0}})
    lines = terminal.text("compare", tmp_path).splitlines()
    at = lines.index("best fitness, of the last generation")
    assert [line.split() for line in lines[at + 1 : at + 4]] == [
        ["settings", "runs", "median", "mean", "worst", "best"],
        ["elites=1", "2", *["−605.25"] * 2, "−1250.5", "40"],
        # what stands for a failure counts as little as in the curves
        ["elites=2", "1", *["60"] * 4],
    ]
    assert any(line.split()[:2] == ["elites=2", "+665.25"] and "best fitness" in line for line in lines)
    values = terminal.json("compare", tmp_path)
    assert [(one["label"], one["mean"]) for one in values["fitness"]] == [
        ("elites=1", -605.25),
        ("elites=2", 60),
    ]
    assert [one["value"] for one in values["fitness_differences"]] == [665.25]
    assert {one["player"] for one in values["scores"]} == {*LADDER}
    assert terminal.json("compare", folder)["fitness"] == []


def test_a_page_and_a_table_are_written(terminal, folder, tmp_path):
    assert terminal.text("compare", folder, "--output", tmp_path / "a.html").endswith(
        f"written: {tmp_path}/a.html\n"
    )
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    terminal.text("compare", folder, "--output", tmp_path / "a.csv")
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert [(row["run"], row["generation"]) for row in rows[:3]] == [("e1-s1", str(at)) for at in (0, 2, 4)]


def test_a_run_without_its_configuration_is_not_taken_for_another(terminal, tmp_path):
    made_run(tmp_path / "run")
    (tmp_path / "run" / "config.toml").unlink()
    assert terminal.fault("compare", tmp_path / "run").endswith(
        f"{tmp_path / 'run'}: no run is there (config.toml is missing; neche verify {tmp_path / 'run'}"
        " --repair restores it)\n"
    )


def test_other_endings_and_other_places_are_refused(terminal, folder, tmp_path):
    assert "must end in .html or .csv or .parquet" in terminal.fault("compare", folder, "--output", "a.txt")
    assert "there is no directory" in terminal.fault("compare", folder, "--output", tmp_path / "no" / "a.csv")
    assert "neither a run nor a directory of runs" in terminal.fault("compare", tmp_path)


def test_parquet_needs_pyarrow_and_says_so(terminal, folder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    fault = terminal.fault("compare", folder, "--output", tmp_path / "a.parquet")
    assert (
        fault
        == f"neche: error: {tmp_path}/a.parquet: Parquet needs pyarrow: pip install pyarrow; or use .csv\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_with_pyarrow_the_measurements_are_columns(terminal, folder, tmp_path, monkeypatch):
    written = []
    parquet = SimpleNamespace(write_table=lambda table, target: written.append((table, target)))
    arrow = SimpleNamespace(table=dict, parquet=parquet)
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    terminal.text("compare", folder, "--output", tmp_path / "a.parquet")
    ((table, target),) = written
    assert target == tmp_path / "a.parquet"
    assert table["generation"] == [0, 2, 4] * 4
    assert set(table) >= {
        "run",
        "settings",
        "seed",
        "games",
        "positions",
        *(f"score {name}" for name in LADDER),
    }


def test_a_history_that_was_emptied_is_said(terminal, tmp_path):
    made_run(tmp_path / "run")
    (tmp_path / "run" / "history.jsonl").write_bytes(b"")
    terminal.json("compare", tmp_path / "run")
    assert "history.jsonl: cut off or missing: generation 4 is not in it\n" in terminal.notes


def test_runs_whose_champions_met_nobody_have_no_scores_and_it_is_said(terminal, tmp_path):
    made_run(tmp_path / "run", generations=0)
    assert "\nnone: no champion of these runs has met " in terminal.text("compare", tmp_path / "run")


def test_runs_of_several_versions_are_said(terminal, tmp_path, monkeypatch):
    here = layout.present_versions()
    made_run(tmp_path / "new", seed=1)
    terminal.json("compare", tmp_path)
    assert terminal.notes == ""
    monkeypatch.setattr(layout, "present_versions", lambda game: {**here, "neche": "0.0.9"})
    made_run(tmp_path / "old", seed=2)
    terminal.json("compare", tmp_path)
    assert terminal.notes == (
        f"neche: the runs began with neche 0.0.9 and {here['neche']}: differences may be due to that\n"
    )


def test_rules_of_a_game_that_the_first_run_does_not_play_are_compared(tmp_path):
    (first,) = read_runs([made_run(tmp_path / "first")])
    usual, own = first.story.config, override(first.story.config.settings, f"game={load(TICTACTOE).name}")
    configs = [
        usual,
        *(Config(own, 1, {**usual.versions, "rules": rules}, "") for rules in ("beef", "cafe")),
        usual._replace(versions={**usual.versions, "numba": "0.1"}),
    ]
    runs = [first._replace(story=first.story._replace(config=config)) for config in configs]
    assert versions_apart(runs[:2]) == ""
    assert versions_apart(runs[:3]) == "rules of tictactoe beef and cafe"
    apart = f"numba 0.1 and {usual.versions['numba']}, rules of tictactoe beef and cafe"
    assert versions_apart(runs) == versions_apart(runs[::-1]) == apart


def test_a_run_that_is_there_twice_or_is_shorter_than_others_is_said(terminal, folder, tmp_path):
    terminal.text("compare", folder)
    assert not terminal.notes
    shutil.copytree(folder / "e1-s1", tmp_path / "copy")
    made_run(tmp_path / "short", generations=3, elites=1)
    terminal.text("compare", folder, tmp_path)
    first, second = terminal.notes.splitlines()
    assert "e1-s1 and copy have the same settings and seed" in first
    assert "elites=1: one ends at generation 2, another at 4" in second


def test_what_is_said_of_a_damaged_line_mends_it(terminal, tmp_path):
    run = tmp_path / "my run"
    terminal.evolve(run)
    history = run / "history.jsonl"
    lines = history.read_bytes()
    for words in (("compare", run), ("evolve", "--from", run, "--run", tmp_path / "other")):
        history.write_bytes(lines.replace(b'"generation": 1', b'"generation": 7'))
        advised = terminal.fault(*words).partition("; neche ")[2].removesuffix(" mends what can be mended\n")
        terminal.text(*shlex.split(advised))
        assert history.read_bytes() == lines
