"""Runs with a fitness of the user: it is in the history, and a run begun without it there stays whole."""

import shutil
from math import fsum
from pathlib import Path

import pytest

import neche
from neche.archive.reading import read_generation, read_history
from neche.archive.repair import repair
from neche.archive.verify import verify
from neche.evolution.plugins import Plugins
from neche.players.plugged import Plugin
from tests.archive.builders import begin_plugged, contents, go_on_plugged
from tests.archive.test_repair import cut_off, gone, line, population, rotten
from tests.report.runs import sealed_history

NEWEST, FURTHER = 9, 14


def few_squares(network, rng):
    """Return a number below zero, the higher the more sensors matter, and in part drawn."""
    return len({*network.source[network.live].tolist()}) - 40 + rng.random() / 3


PLUGINS = Plugins.of([Plugin.of("fitness", few_squares)])


def go_on(path, last):
    return go_on_plugged(path, last, PLUGINS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return go_on(begin_plugged(tmp_path_factory.mktemp("whole") / "run", PLUGINS), NEWEST)


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def made_older(run):
    """Make of a run what a version wrote that had no fitness in the history."""
    sealed_history(run, lambda values: {key: value for key, value in values.items() if key != "fitness"})
    return run


DAMAGES = {
    "population": [population(3)],
    "rotten population": [rotten(6)],
    "line": [line(4, 100)],
    "check of a line": [line(4, 8)],
    "first line and population": [line(0, 60), population(0)],
    "neighbours": [line(4, 100), line(5, 100)],
    "whole line": [gone(4)],
    "newest population": [rotten(NEWEST)],
    "newest line": [line(NEWEST, 100)],
    "newest lines and a population": [line(NEWEST, 100), line(8, 100), population(6)],
    "three lines gone": [gone(6), gone(5), gone(4)],
    "first lines gone": [gone(1), gone(0)],
}


def test_a_line_has_the_best_and_the_mean_of_what_the_members_are_worth(whole):
    lines = read_history(whole).lines
    assert len(lines) == NEWEST + 1
    for number in (0, 3, 6, 8, 9):
        strengths = read_generation(whole, number).strengths.tolist()
        mean = pytest.approx(fsum(strengths) / 6, rel=1e-15)
        assert lines[number]["fitness"] == {"best": max(strengths), "mean": mean}
    best = [line["fitness"]["best"] for line in lines]
    assert best[0] < best[-1] < 0


@pytest.mark.parametrize("damage", [cut_off(5, 100), cut_off(6, 0), cut_off(1, 1), rotten(NEWEST)])
def test_a_run_that_was_ended_goes_on_to_the_same_bytes(whole, run, damage):
    damage(run)
    go_on(run, NEWEST)
    assert contents(run) == contents(whole)


@pytest.mark.parametrize("damages", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("made", [Path, made_older], ids=["new", "older"])
def test_what_is_lost_comes_back_as_it_was(run, made, damages):
    before = contents(made(run))
    for damage in damages:
        damage(run)
    assert verify(run).faults
    assert repair(run, plugins=PLUGINS).faults == ()
    assert contents(run) == before


def test_lines_after_members_that_have_not_played_come_back(whole, tmp_path):
    path = tmp_path / "later"
    for _ in neche.evolve(run=path, generations=5, origin=whole, fitness=few_squares):
        pass
    before = contents(path)
    for damage in (gone(2), gone(1)):
        damage(path)
    assert repair(path, plugins=PLUGINS).faults == ()
    assert contents(path) == before


def test_an_older_run_is_whole_and_has_its_fitness_from_where_it_goes_on(run, whole, tmp_path):
    older = made_older(run)
    assert verify(older).faults == ()
    go_on(older, FURTHER)
    assert verify(older).faults == ()
    lines = read_history(older).lines
    assert [line["generation"] for line in lines if "fitness" in line] == [*range(NEWEST + 1, FURTHER + 1)]
    further = go_on(shutil.copytree(whole, tmp_path / "further"), FURTHER)
    assert contents(older / "generations") == contents(further / "generations")
    assert [line.get("fitness") for line in lines[NEWEST + 1 :]] == [
        line["fitness"] for line in read_history(further).lines[NEWEST + 1 :]
    ]


@pytest.mark.parametrize(
    "damages",
    [
        [line(NEWEST, 100)],
        [line(NEWEST + 1, 100)],
        [line(NEWEST, 100), line(NEWEST + 1, 100)],
        [gone(NEWEST), rotten(6)],
        [gone(NEWEST + 1), gone(NEWEST), gone(8)],
        [rotten(13), rotten(14), rotten(12), rotten(9)],
    ],
)
def test_an_older_run_that_went_on_is_repaired_on_both_sides_of_that(run, damages):
    before = contents(go_on(made_older(run), FURTHER))
    for damage in damages:
        damage(run)
    assert repair(run, plugins=PLUGINS).faults == ()
    assert contents(run) == before


@pytest.mark.parametrize(
    "fitness",
    [None, {}, {"best": 1.0}, {"best": None, "mean": 1.0}, {"best": "1", "mean": 1.0}, [1.0, 1.0], 1.0],
)
def test_a_line_with_a_forged_fitness_is_a_damaged_one(run, fitness):
    sealed_history(
        run, lambda values: {**values, "fitness": fitness} if values["generation"] == 4 else values
    )
    assert read_history(run).notices == (f"{run / 'history.jsonl'}: line 5 is damaged",)
