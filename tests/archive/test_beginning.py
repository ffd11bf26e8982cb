"""Runs that begin with members of other runs."""

import shutil
from typing import Any

import numpy as np
import pytest

import neche
from neche.archive.beginning import digest_of, read_origin, unplayed_generation, write_begun_run
from neche.archive.layout import RunLayout
from neche.archive.reading import read_config, read_history
from neche.archive.repair import repair
from neche.archive.run import RunDirectory
from neche.archive.verify import verify
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from neche.genome.fasta import read_fasta
from tests.archive.builders import contents

TINY: dict[str, Any] = {
    "population": 6,
    "genes": 40,
    "elites": 2,
    "champion_candidates": 0,
    "final_candidates": 0,
    "ladder_games": 2,
    "ladder": ["blind:depth=1"],
}
LEARNING: dict[str, Any] = {**TINY, "genes": 99, "sample_games": 20, "first_games": 20, "batches": 2}
RECIPES = {"tournament": TINY, "quick": LEARNING}


def begun(path, recipe, *, generations=2, **options):
    list(neche.evolve(recipe, seed=3, generations=generations, run=path, **{**RECIPES[recipe], **options}))
    return str(path)


def begin(path, settings, seed, origin):
    generation = unplayed_generation(0, read_origin(origin, settings), settings)
    write_begun_run(path, settings, seed, generation)


def genomes(path, number):
    return [record.genome.tolist() for record in read_fasta(RunLayout(path).population(number))[:6]]


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_a_run_begins_with_the_newest_population_of_another_and_resumes_byte_for_byte(recipe, tmp_path):
    origin = begun(tmp_path / "origin", recipe)
    before = contents(tmp_path / "origin")
    list(neche.evolve(seed=5, generations=3, run=tmp_path / "straight", origin=origin))
    for number in range(4):
        again = {"resume": True} if number else {"origin": origin, "seed": 5}
        list(neche.evolve(generations=number, run=tmp_path / "stopped", **again))
    assert contents(tmp_path / "stopped") == contents(tmp_path / "straight")
    assert contents(tmp_path / "origin") == before
    assert genomes(tmp_path / "straight", 0) == genomes(tmp_path / "origin", 2)
    assert [line["generation"] for line in read_history(tmp_path / "straight").lines] == [0, 1, 2, 3]
    config = read_config(tmp_path / "straight")
    assert config.settings == read_config(tmp_path / "origin").settings
    assert config.origin == digest_of(read_origin(origin, config.settings))
    assert read_config(tmp_path / "origin").origin is None
    # The ids of the origin occur again, for other members.
    assert {record.id for record in read_fasta(RunLayout(tmp_path / "straight").population(0))} == {
        f"g0-000{at}" for at in range(6)
    }


def test_a_champion_fills_the_population_and_too_many_are_cut(tmp_path):
    origin = begun(tmp_path / "origin", "tournament", generations=1)
    settings = read_config(origin).settings
    champion = read_origin(str(tmp_path / "origin" / "champion.fasta"), settings)
    assert len(champion) == 6
    assert all(np.array_equal(genome, champion[0]) for genome in champion)
    few = read_origin(origin, resolve(override(settings, "population=4")))
    many = read_origin(origin, resolve(override(settings, "population=8")))
    assert [genome.tolist() for genome in many[:4]] == [genome.tolist() for genome in few]
    assert np.array_equal(many[6], many[0])
    assert len(set(map(digest_of, (few, many, champion)))) == 3
    memetic = resolve(load_recipe("memetic"))
    assert len(read_origin("memetic-6", memetic)) == memetic.members.population


def test_members_that_do_not_fit_are_refused_and_nothing_is_begun(tmp_path):
    origin = begun(tmp_path / "origin", "tournament", generations=0)
    for source, options, fault in (
        (origin, {"genes": 41}, "nucleotides, the settings say"),
        (origin, {"game": "othello"}, "is of the game checkers, the settings say othello"),
        ("memetic-2", {}, "has topology 128-64-1 and perspective mover, the settings say"),
        (str(tmp_path / "nothing"), {}, "no such run directory"),
    ):
        with pytest.raises(InputError, match=fault):
            neche.evolve("tournament", run=tmp_path / "run", origin=source, **{**TINY, **options})
    RunDirectory.create(tmp_path / "empty", read_config(origin).settings, 1).close()
    with pytest.raises(InputError, match="no generation is finished there"):
        neche.evolve(run=tmp_path / "run", origin=str(tmp_path / "empty"))
    with pytest.raises(InputError, match="needs a run"):
        neche.evolve(origin=origin)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "origin"]


def test_a_file_without_a_member_is_named_and_nothing_is_begun(tmp_path):
    file = tmp_path / "labellers.fasta"
    file.write_text(">g1-0000 labeller=earlier\nACGTACGTACGTACGT\n")
    with pytest.raises(InputError, match=r"labellers\.fasta: no member of a population is in it$"):
        neche.evolve("tournament", run=tmp_path / "run", origin=str(file), **{**TINY, "genes": 1})
    assert [*tmp_path.iterdir()] == [file]


def test_a_run_whose_newest_line_is_damaged_is_not_taken_for_a_shorter_one(tmp_path):
    origin = begun(tmp_path / "origin", "tournament")
    history = tmp_path / "origin" / "history.jsonl"
    history.write_bytes(history.read_bytes().replace(b'{"generation": 2', b'{"generation": 3'))
    with pytest.raises(neche.InputError, match=r"line 3 is damaged; neche verify .* --repair"):
        neche.evolve(run=tmp_path / "other", origin=origin)
    assert not (tmp_path / "other").exists()


def test_a_run_whose_newest_population_was_cut_off_is_named_and_not_begun_with(tmp_path):
    origin = begun(tmp_path / "origin", "tournament")
    population = RunLayout(tmp_path / "origin").population(2)
    content = population.read_bytes()
    # Cut between two members, where every remaining record is whole.
    population.write_bytes(content[: content.rindex(b">")])
    with pytest.raises(neche.InputError, match=r"000002\.fasta: damaged: its checksum differs"):
        neche.evolve(run=tmp_path / "other", origin=origin)
    assert not (tmp_path / "other").exists()


def test_a_directory_without_a_name_is_refused_and_left_empty(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(InputError, match=r"^\.: .* give its directory by name$"):
        neche.evolve("memetic", run=".", origin="memetic-7")
    assert [*tmp_path.rglob("*")] == [tmp_path / "here"]


def test_two_that_begin_the_same_run_at_once_do_not_write_into_each_others_way(tmp_path, monkeypatch):
    origin = begun(tmp_path / "origin", "tournament", generations=0)
    settings, seen, save = read_config(origin).settings, [], RunDirectory.save

    def meanwhile(run, generation):
        monkeypatch.setattr(RunDirectory, "save", save)
        with pytest.raises(InputError, match="in use by another neche process") as refused:
            begin(tmp_path / "run", settings, 6, origin)
        seen.append(str(refused.value))
        save(run, generation)

    monkeypatch.setattr(RunDirectory, "save", meanwhile)
    begin(tmp_path / "run", settings, 5, origin)
    assert len(seen) == 1
    assert read_config(tmp_path / "run").seed == 5
    assert verify(tmp_path / "run").faults == ()
    with pytest.raises(InputError, match="run: holds a run already"):
        begin(tmp_path / "run", settings, 6, origin)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["origin", "run"]


def test_a_run_whose_first_members_are_lost_does_not_go_on_with_others(tmp_path):
    origin = begun(tmp_path / "origin", "tournament", generations=0)
    run = neche.evolve(seed=5, generations=0, run=tmp_path / "run", origin=origin)
    run.close()
    layout = RunLayout(tmp_path / "run")
    layout.history.unlink()
    assert verify(tmp_path / "run").faults == (f"{layout.history}: cut off or missing",)
    with pytest.raises(InputError, match="the members that it began with are lost"):
        neche.evolve(run=tmp_path / "run", resume=True)


def test_first_members_that_are_lost_for_good_are_not_called_mended(tmp_path):
    origin = begun(tmp_path / "origin", "tournament", generations=0)
    list(neche.evolve(seed=5, generations=1, run=tmp_path / "run", origin=origin))
    lost = RunLayout(tmp_path / "run").population(0)
    lost.unlink()
    assert repair(tmp_path / "run") == ((f"{lost}: missing",), ())


def test_nothing_is_left_aside_where_a_locked_file_cannot_be_removed(tmp_path, monkeypatch):
    settings = resolve(load_recipe("tournament"))

    def remove_all_but_the_lock(path, **_):
        for file in path.glob("[!.]*"):
            file.unlink()

    monkeypatch.setattr(shutil, "rmtree", remove_all_but_the_lock)
    begin(tmp_path / "run", settings, 1, "champion-1")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
