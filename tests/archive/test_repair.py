"""Lost parts of a run are computed again, and put in place only if they are identical."""

import shutil

import pytest

from neche.archive import repair as repairing
from neche.archive.repair import repair
from neche.archive.run import RunDirectory
from neche.archive.verify import verify
from neche.errors import InputError
from neche.evolution.evolve import evolve
from neche.evolution.plugins import Plugins
from neche.evolution.recipes import load_recipe, override
from neche.players.plugged import PluginIdentity
from tests.archive.builders import contents, continue_run, small_settings

NEWEST = 9
SMALL = (
    *("population=6", "genes=20", "generations=9", "keep_every=3", "keep_last=2", "ladder_every=2"),
    *("ladder_games=2", "champion_games=2", "final_games=2"),
)
BY_PREDICTION = ("sample_games=10", "first_games=10", "batches=2", "genes=1")


def small_run(path, recipe, changes):
    settings = load_recipe(recipe)
    for change in (*SMALL, *changes):
        settings = override(settings, change)
    with RunDirectory.create(path, settings, 5) as run:
        for generation in evolve(run.settings, run.seed):
            run.save(generation)
    return path


@pytest.fixture(scope="module", params=[("tournament", ()), ("quick", BY_PREDICTION)], ids=lambda of: of[0])
def whole(request, tmp_path_factory):
    return small_run(tmp_path_factory.mktemp("whole") / "run", *request.param)


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def flip(path, at):
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def population(number):
    return lambda run: (run / "generations" / f"{number:06}.fasta").unlink()


def rotten(number):
    return lambda run: flip(run / "generations" / f"{number:06}.fasta", 100)


def line(number, from_its_end):
    def damage(run):
        history = run / "history.jsonl"
        lines = history.read_bytes().splitlines(keepends=True)
        flip(history, len(b"".join(lines[: number + 1])) - from_its_end)

    return damage


def twice(first, after):
    """Write lines of the history twice."""

    def damage(run):
        history = run / "history.jsonl"
        lines = history.read_bytes().splitlines(keepends=True)
        history.write_bytes(b"".join(lines[:after] + lines[first:]))

    return damage


def cut_off(number, length):
    """Cut the history off, this many bytes into the line of a generation."""

    def damage(run):
        history = run / "history.jsonl"
        lines = history.read_bytes().splitlines(keepends=True)
        history.write_bytes(b"".join(lines[:number]) + lines[number][:length])

    return damage


def gone(number):
    """Lose the line of a generation whole."""

    def damage(run):
        history = run / "history.jsonl"
        lines = history.read_bytes().splitlines(keepends=True)
        history.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))

    return damage


def joined(number):
    """Lose the line feed after the line of a generation."""

    def damage(run):
        history = run / "history.jsonl"
        lines = history.read_bytes().splitlines(keepends=True)
        lines[number] = lines[number].removesuffix(b"\n")
        history.write_bytes(b"".join(lines))

    return damage


def champion(number):
    """Lose a champion whose population is no longer kept."""

    def damage(run):
        champions = run / "champions.fasta"
        records = champions.read_text().split(">")
        lost = [record for record in records if f" generation={number} " in record]
        assert len(lost) == 1
        assert not (run / "generations" / f"{number:06}.fasta").exists()
        champions.write_text(">".join(record for record in records if record not in lost))

    return damage


DAMAGES = {
    "missing population": [population(3)],
    "rotten populations": [rotten(6), population(3), rotten(0)],
    "line": [line(4, 100)],
    "check of a line": [line(4, 8)],
    "first line": [line(0, 60)],
    "line and population": [line(6, 100), population(6)],
    "whole line": [gone(4)],
    "whole lines": [gone(4), gone(4), gone(4)],
    "first lines and a population": [gone(0), gone(0), population(3)],
    "all lines but the newest two": [gone(0)] * (NEWEST - 1),
    "first line and a population": [gone(0), population(3)],
    "a whole line, and a part of an earlier one": [gone(5), line(2, 100)],
    "a whole line, and the check of a later one": [gone(2), line(5, 9)],
    "a whole line, and a part of the next": [gone(4), line(4, 100), population(6)],
    "a whole line, and a part of the one before": [gone(4), line(3, 100)],
    "lines in two places": [gone(6), gone(2), gone(2)],
    "a whole line and a champion": [champion(2), gone(5)],
    "line feed": [line(4, 1), population(3)],
    "line feeds": [line(5, 1), joined(3), joined(2), line(0, 1), rotten(6)],
    "newest line feeds": [joined(NEWEST), line(8, 1)],
    "newest population": [rotten(NEWEST)],
    "newest line": [line(NEWEST, 100)],
    "newest lines": [line(NEWEST, 100), line(8, 100)],
    "end of the history": [cut_off(5, 100)],
    "half of the history and a population": [cut_off(5, 0), population(3), rotten(8)],
    "newest populations": [rotten(NEWEST), population(8), rotten(6), line(4, 100)],
    "champion": [champion(4)],
    "all of them": [champion(2), line(2, 100), rotten(0), population(3), line(5, 9), rotten(6)],
}


def test_what_a_kill_left_is_finished_and_what_none_finished_has_nothing_to_mend(run, tmp_path):
    before = contents(run)
    cut_off(NEWEST, 20)(run)
    assert repair(run).faults == ()
    assert contents(run) == before
    RunDirectory.create(tmp_path / "begun", load_recipe("tournament"), 5).close()
    found = repair(tmp_path / "begun")
    assert found.faults == ()
    assert [text.rpartition(": ")[2] for text in found.mended] == ["no generation was finished; begins anew"]


@pytest.mark.parametrize("damages", DAMAGES.values(), ids=DAMAGES)
def test_what_is_lost_is_computed_again(run, damages):
    before = contents(run)
    for damage in damages:
        damage(run)
    assert verify(run).faults
    told = []
    found = repair(run, lambda done, total: told.append((done, total)))
    assert found.faults == ()
    assert any("computed again, from" in said for said in found.mended)
    assert contents(run) == before
    assert all(0 < done <= total for done, total in told)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize(
    ("damages", "said"),
    [
        ([gone(3)] * 3, ["generations 3 to 5 were computed again, from 0"]),
        ([gone(4)], ["generation 4 was computed again, from 3"]),
        ([line(NEWEST, 100)], ["generation 9 was computed again, from 8"]),
        ([gone(6), gone(4)], ["generations 4, 6 were computed again, from 3"]),
        (
            [gone(7), gone(1), gone(1)],
            ["generations 1 to 2 were computed again, from 0", "generation 7 was computed again, from 6"],
        ),
    ],
)
def test_all_that_was_lost_and_nothing_else_is_computed_and_named(run, damages, said):
    for damage in damages:
        damage(run)
    assert [text.partition(": ")[2] for text in repair(run).mended if "computed again, from" in text] == said


@pytest.mark.parametrize(
    "damages",
    [
        [twice(0, NEWEST + 1)],
        [twice(0, NEWEST)],
        [twice(4, 5)],
        [twice(2, 5)],
        [twice(NEWEST, NEWEST + 1)],
        [twice(0, 1), population(3)],
        [line(4, 100), twice(0, NEWEST + 1)],
    ],
)
def test_lines_that_stand_there_twice_are_taken_away(run, damages):
    before = contents(run)
    for damage in damages:
        damage(run)
    assert verify(run).faults
    assert repair(run).faults == ()
    assert contents(run) == before


@pytest.mark.parametrize(
    "damages", [DAMAGES["all of them"][1:], [gone(4)], [gone(4)] * 3, [gone(4), line(4, 99)]]
)
def test_what_comes_out_otherwise_changes_nothing(run, monkeypatch, damages):
    def other(settings, seed, **given):
        yield from evolve(settings, seed + 1, **given)

    monkeypatch.setattr(repairing, "evolve", other)
    for damage in damages:
        damage(run)
    before, faults = contents(run), verify(run).faults
    assert repair(run).faults == faults
    assert contents(run) == before


@pytest.mark.parametrize("damages", [[rotten(7)], [population(7)], [line(7, 40)], [cut_off(5, 0)]])
def test_the_newest_generation_of_a_run_with_plug_ins_is_not_cut_off_without_them(tmp_path, damages):
    letters = PluginIdentity(kind="mutation", name="letters", digest="1" * 16)
    with RunDirectory.create(tmp_path / "run", small_settings(), 5, plugins=[letters]) as run:
        continue_run(run, 8)
    (run.path / "champion.fasta").unlink()
    for damage in damages:
        damage(run.path)
    before = contents(run.path)
    said = "run: its newest generation is lost; give its plug-ins by --plugin FILE: mutation letters"
    with pytest.raises(InputError, match=f"{said}$"):
        repair(run.path)
    with pytest.raises(InputError, match="began with the plug-in mutation letters, which is not given"):
        repair(run.path, plugins=Plugins())
    assert contents(run.path) == before


def test_a_repair_that_was_ended_goes_on(run, monkeypatch):
    before, left = contents(run), [2]

    def ended(*given, **settings):
        for generation in evolve(*given, **settings):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            yield generation

    for damage in DAMAGES["all of them"]:
        damage(run)
    monkeypatch.setattr(repairing, "evolve", ended)
    with pytest.raises(KeyboardInterrupt):
        repair(run)
    assert 0 < len(verify(run).faults) < len(DAMAGES["all of them"])
    left[0] = 1000
    assert repair(run).faults == ()
    assert contents(run) == before


def test_what_a_run_began_with_is_not_to_be_had_again(whole, tmp_path):
    settings = RunDirectory.open(whole).settings
    members = next(iter(evolve(settings, 5)))
    with RunDirectory.create(tmp_path / "run", settings, 7, origin="0" * 64) as run:
        for generation in (members, *evolve(settings, 7, generations=4, resume_from=members)):
            run.save(generation)
    before = contents(tmp_path / "run")
    population(3)(tmp_path / "run")
    assert repair(tmp_path / "run").faults == ()
    assert contents(tmp_path / "run") == before
    population(0)(tmp_path / "run")
    assert [fault.rpartition("/")[2] for fault in repair(tmp_path / "run").faults] == [
        "000000.fasta: missing"
    ]
