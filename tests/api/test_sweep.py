"""Which runs a sweep has, what it refuses before anything starts, and how it resumes."""

import csv
import importlib
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import neche
from neche.api.sweep import TABLE, is_finished, plan_sweep, run_sweep, values_of
from neche.archive.reading import read_config
from neche.archive.run import RunDirectory
from tests.archive.builders import contents

TINY: dict[str, Any] = {
    "population": 6,
    "genes": 20,
    "champion_candidates": 2,
    "champion_games": 2,
    "final_candidates": 2,
    "final_games": 2,
    "ladder_games": 2,
    "ladder": [["blind:depth=1"]],
    "next_depths": [[]],
}
WORDS = ("population=6", "genes=20", "next_depths=[]", 'ladder=["blind:depth=1"]', "ladder_games=2")
SHORT = (*WORDS, "champion_candidates=0", "final_candidates=0")

plain = st.text("abc019.-_", min_size=1)
listed = st.lists(plain, max_size=3).map(lambda words: f"[{','.join(words)}]")
quoted = st.text("ab,[] =:", min_size=1).map(lambda text: f'"{text}"')


@given(st.lists(st.one_of(plain, listed, quoted), min_size=1, max_size=5, unique=True))
def test_commas_part_values_and_not_lists_or_texts(values):
    assert values_of(f"key={','.join(values)}") == ("key", values)


@pytest.mark.parametrize(
    "wrong", ["elites", "=3", "elites=", "elites=1,", "elites=1,,2", "a=[1", "elites=1,1"]
)
def test_an_assignment_that_says_no_values_is_refused(wrong):
    with pytest.raises(neche.InputError, match=r"expected KEY=VALUE or|has a value twice"):
        values_of(wrong)


def test_values_and_seeds_are_crossed_and_only_what_varies_names_the_directories(tmp_path):
    overrides = (*SHORT, "elites=1,2", "opening_plies=[0, 0],[2, 4]")
    planned = plan_sweep(tmp_path / "all", "tournament", seeds=(3, 4), overrides=overrides)
    assert len({run.path for run in planned}) == len(planned) == 8
    assert [(run.seed, run.settings.selection.elites) for run in planned[::2]] == [
        (3, n) for n in (1, 1, 2, 2)
    ]
    assert planned[0].path.name.startswith("elites-1-opening_plies-0-0-")
    assert planned[0].path.name.endswith("-seed-3")
    # A player specification may contain such a directory.
    assert not {*",:= []"} & {letter for run in planned for letter in run.path.name}
    assert not (tmp_path / "all").exists()
    (alone,) = plan_sweep(tmp_path, "tournament", seeds=(7,), overrides=SHORT)
    assert alone.path == tmp_path / "seed-7"


@pytest.mark.parametrize(
    ("overrides", "fault"),
    [
        (("populatoin=5",), "unknown setting 'populatoin'"),
        (("elites=1,many",), "elites=many: must be"),
        (("elites=1,900",), "elites = 900: must be fewer than population"),
        (("elites=1", "elites=2"), "elites: given twice; several values are written elites=A,B"),
        (("creep_sd=1,1.0",), "creep_sd=1.0: given twice"),
        (('ladder=["blynd"]',), "unknown player 'blynd'"),
        (("elites=1,2,3", f"population={','.join(map(str, range(10, 4000)))}"), "runs are too many"),
    ],
)
def test_bad_settings_are_refused_before_anything_is_begun(overrides, fault, tmp_path):
    with pytest.raises(neche.InputError, match=fault.replace("[", r"\[")):
        plan_sweep(tmp_path / "runs", "tournament", overrides=overrides)
    assert not (tmp_path / "runs").exists()


def test_every_run_has_the_bytes_that_it_has_alone(tmp_path):
    heard: list[tuple[int, int]] = []
    chosen = {**TINY, "elites": [1, 2], "notify": lambda *told: heard.append(told)}
    rows = neche.sweep(tmp_path / "s", "tournament", seeds=(1, 2), generations=2, jobs=1, **chosen)
    assert heard == [(done, 12) for done in range(1, 13)]
    assert [row["run"] for row in rows] == [f"elites-{n}-seed-{seed}" for n in (1, 2) for seed in (1, 2)]
    alone = {**TINY, "ladder": ["blind:depth=1"], "next_depths": [], "elites": 2}
    list(neche.evolve("tournament", seed=1, generations=2, run=tmp_path / "alone", **alone))
    assert contents(tmp_path / "alone") == contents(tmp_path / "s" / "elites-2-seed-1")
    with (tmp_path / "s" / TABLE).open() as file:
        table = list(csv.DictReader(file))
    assert [{key: str(value) for key, value in row.items()} for row in rows] == table
    assert {row["generation"] for row in table} == {"2"}
    assert [row["elites"] for row in table] == ["1", "1", "2", "2"]
    assert all(0 <= float(row["score blind:depth=1"]) <= 1 for row in table)


def test_seeds_and_values_may_be_arrays_and_ranges(tmp_path):
    chosen = {**TINY, "population": range(6, 7), "ladder_games": 0, "opening_plies": np.array([[0, 4]])}
    rates = np.logspace(-4, -3, 2)
    rows = neche.sweep(
        tmp_path,
        "tournament-quick",
        seeds=np.arange(2),
        generations=0,
        elites=1,
        jobs=1,
        point_rate=rates,
        **chosen,
    )
    assert [(row["seed"], row["point_rate"]) for row in rows] == [
        (seed, rate) for rate in ("0.0001", "0.001") for seed in (0, 1)
    ]


def test_a_key_that_changes_nothing_is_warned_of_once(tmp_path):
    with pytest.warns(UserWarning, match="^creep_sd changes nothing where fitness = screened$") as warned:
        neche.sweep(tmp_path, "quick", seeds=(1, 2), generations=0, creep_sd=[1.0, 2.0], ladder_games=0)
    assert len(warned) == 1


def test_a_key_that_is_a_list_takes_one_value_as_evolve_does_or_several(tmp_path):
    def swept(name: str, **changed: Any) -> list[dict[str, Any]]:
        told = {**TINY, **changed}
        return neche.sweep(tmp_path / name, "tournament", generations=0, jobs=1, **told)

    (row,) = swept("one", ladder=["blind:depth=1"], next_depths=[], opening_plies=np.array([0, 4]))
    assert 0 <= row["score blind:depth=1"] <= 1
    settings = read_config(tmp_path / "one" / row["run"]).settings
    alone = neche.evolve("tournament", ladder=["blind:depth=1"], next_depths=[], opening_plies=[0, 4])
    assert (settings.ladder.ladder, settings.games) == (("blind:depth=1",), alone.settings.games)
    (silent,) = swept("none", ladder=[])
    assert not [key for key in silent if key.startswith("score")]
    assert len(swept("two", ladder=[["blind:depth=1"], ["random", "blind:depth=1"]])) == 2


@neche.plugin.mutation
def unmutated(genome):
    return genome


def test_a_rate_that_a_mutation_of_ones_own_does_not_read_is_warned_of(tmp_path):
    rates: dict[str, Any] = {"point_rate": [0.0, 0.9], "refine_after": 0, "plugins": [unmutated]}
    with pytest.warns(UserWarning, match="^point_rate changes nothing where a mutation is plugged in$"):
        neche.sweep(tmp_path, "tournament", generations=1, jobs=1, **rates, **TINY)
    first, second = contents(tmp_path / "point_rate-0.0-seed-0"), contents(tmp_path / "point_rate-0.9-seed-0")
    assert first["champion.fasta"] == second["champion.fasta"]


def test_a_sweep_goes_on_with_what_is_begun_skips_what_is_finished_and_takes_more(tmp_path):
    def plan(seeds, generations):
        return plan_sweep(tmp_path, "tournament", seeds=seeds, overrides=SHORT, generations=generations)

    first, second = plan((1, 2), 1)
    assert [ended.run for ended in run_sweep([first], jobs=1)] == [first]
    RunDirectory.create(second.path, second.settings, 2).close()
    before = contents(first.path)
    assert (is_finished(first), is_finished(second)) == (True, False)
    (went_on,) = run_sweep([first, second], jobs=1)
    assert went_on.run == second
    assert went_on.notices
    assert contents(first.path) == before
    first.path.joinpath("champion.fasta").unlink()
    assert [ended.run.seed for ended in run_sweep(plan((1, 2, 3), 1), jobs=1)] == [1, 3]
    assert contents(first.path) == before
    heard: list[tuple[int, int]] = []
    assert len(list(run_sweep(plan((1, 2, 3), 2), jobs=1, notify=lambda *told: heard.append(told)))) == 3
    assert heard[0] == (7, 9)
    assert heard[-1] == (9, 9)
    assert list(run_sweep(plan((1, 2, 3), 1), jobs=1)) == []


STEADY = """
import neche

LETTERS = 2
SEEN = {}

@neche.plugin.mutation
def letters(genome, rng):
    SEEN[len(SEEN)] = genome.tolist()
    genome[rng.integers(len(genome), size=LETTERS)] = rng.integers(4, size=LETTERS)
    return genome
"""


@pytest.mark.parametrize("given", ["file", "function"])
def test_all_runs_of_a_sweep_have_the_plug_in_that_it_began_with(tmp_path, monkeypatch, given):
    file = tmp_path / "steady.py"
    file.write_text(STEADY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "steady", raising=False)
    plugins = [file] if given == "file" else [importlib.import_module("steady").letters]
    overrides = (*SHORT, "refine_after=0")
    sweep: dict[str, Any] = {"seeds": (1, 2), "overrides": overrides, "generations": 1}
    planned = plan_sweep(tmp_path / "all", "tournament", plugins=plugins, **sweep)
    # While the first runs are computed, the file is edited for later ones.
    file.write_text(STEADY.replace("LETTERS = 2", "LETTERS = 20"))
    assert [ended.fault for ended in run_sweep(planned, jobs=1)] == [None, None]
    first, second = (read_config(run.path).plugins for run in planned)
    assert first == second
    with pytest.raises(neche.InputError, match="began with another mutation letters"):
        plan_sweep(tmp_path / "all", "tournament", plugins=[file], **sweep)
    file.write_text(STEADY)
    assert all(map(is_finished, plan_sweep(tmp_path / "all", "tournament", plugins=[file], **sweep)))


def test_directories_of_other_runs_are_refused_and_left_alone(tmp_path):
    planned = plan_sweep(tmp_path / "runs", "tournament", overrides=SHORT, generations=0)
    assert len(list(run_sweep(planned, jobs=1))) == 1
    before = contents(tmp_path)

    def refused(output, *changes):
        with pytest.raises(neche.InputError) as fault:
            plan_sweep(output, "tournament", overrides=(*SHORT, *changes))
        assert contents(tmp_path) == before
        return str(fault.value)

    assert "seed-0 began with elites = 5, not 2; a run keeps its settings" in refused(
        tmp_path / "runs", "elites=2"
    )
    assert "is a run itself" in refused(tmp_path / "runs" / "seed-0")
    assert "a file, not a directory" in refused(tmp_path / "runs" / "seed-0" / "config.toml")
    (tmp_path / "other" / "seed-0").mkdir(parents=True)
    (tmp_path / "other" / "seed-0" / "notes").touch()
    before = contents(tmp_path)
    assert "seed-0: exists and is not a run (notes is in it)" in refused(tmp_path / "other")


def test_a_run_that_cannot_go_on_costs_the_others_nothing(tmp_path):
    planned = plan_sweep(tmp_path, "tournament", seeds=(1, 2), overrides=SHORT, generations=0)
    with RunDirectory.create(planned[0].path, planned[0].settings, 1):
        first, second = run_sweep(planned, jobs=1)
    assert first.fault is not None
    assert "in use by another neche process" in first.fault
    assert second.fault is None
    assert [is_finished(run) for run in planned] == [False, True]


def test_why_runs_cannot_begin_is_told_even_if_none_has_begun(tmp_path, monkeypatch):
    def refuse(*given, **options):
        raise neche.InputError("no space left")

    monkeypatch.setattr("neche.api.sweep._opened", refuse)
    with pytest.raises(neche.InputError, match="1 of 1 runs could not go on: no space left"):
        neche.sweep(tmp_path / "runs", "tournament-quick", generations=0, jobs=1, **TINY)
