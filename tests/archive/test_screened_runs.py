"""Runs whose members learn from own games: on disk, stopped anywhere, damaged, and resumed."""

import io
import shutil

import joblib
import numpy as np
import pytest
from rich.console import Console

from neche.archive.reading import read_generation, read_history
from neche.archive.run import RunDirectory
from neche.cli.watch import draw_state, read_state
from neche.evolution.champion import select_champion
from neche.evolution.evolve import evolve
from neche.genome.fasta import INHERITED, LABELLER, members_of, read_fasta
from neche.players.source import read_source
from neche.report.curves import charts_of
from neche.report.lineage import trace
from neche.report.story import read_story
from neche.web.watching import RunWatch
from tests.archive.builders import contents
from tests.evolution.builders import GENES, screened_settings

LAST = 5
KINDS = {
    "strands": (),
    "genes": GENES,
    "prediction": ("fitness=prediction",),
    "gradient": ("learning=gradient",),
    "duplicates": ("duplicate_neurons=true",),
    "baldwin": ("inheritance=baldwin",),
    "baldwin, genes, halves": ("inheritance=baldwin", "duplicate_neurons=true", "learning=gradient", *GENES),
    "strands in a tournament": ("fitness=tournament", "creep_mean=30", "creep_sd=0.1"),
    "strands refined": ("fitness=tournament", "refine_after=1", "next_depths=[]"),
    "othello": ("game=othello", "first_games=6", "sample_games=3"),
}


def settings_of(*more):
    return screened_settings('ladder=["random"]', "final_candidates=2", "keep_last=2", "keep_every=4", *more)


def go_on(path, last):
    """Open a run, continue to a generation, crown; return the notices."""
    with RunDirectory.open(path) as run:
        before = run.last
        for generation in evolve(run.settings, run.seed, generations=last, resume_from=before):
            run.save(generation)
        newest = run.last
        assert newest is not None
        member, ladder = select_champion(run.settings, run.seed, newest)
        run.crown(member, generation=newest.number, scores=ladder)
        return "\n".join(run.resumption.notices)


def begun(path, *more):
    RunDirectory.create(path, settings_of(*more), 11).close()
    return path


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    path = begun(tmp_path_factory.mktemp("straight") / "run")
    go_on(path, LAST)
    return path


@pytest.mark.parametrize("more", KINDS.values(), ids=KINDS)
def test_a_run_stopped_after_every_generation_has_the_bytes_of_a_straight_run(tmp_path, more):
    whole, stopped = begun(tmp_path / "whole", *more), begun(tmp_path / "stopped", *more)
    go_on(whole, LAST)
    for number in range(LAST + 1):
        go_on(stopped, number)
    assert contents(stopped) == contents(whole)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_change_no_byte(tmp_path, straight, backend):
    path = begun(tmp_path / "run")
    with joblib.parallel_config(backend=backend, n_jobs=2):
        go_on(path, 2)
        go_on(path, LAST)
    assert contents(path) == contents(straight)


def test_labellers_stand_behind_the_members_and_come_back(straight):
    generation = read_generation(straight, LAST)
    records = read_fasta(straight / "generations" / f"{LAST:06}.fasta")
    members = members_of(records)
    assert [record.id for record in members] == [member.id for member in generation.members]
    behind = records[len(members) :]
    assert [record.fields[LABELLER] for record in behind] == ["earlier"] * 2
    assert [record.id for record in behind] == [member.id for member in generation.labellers[:2]]
    values = read_history(straight).lines[LAST]
    assert values["labellers"] == [member.id for member in generation.labellers]
    assert values["labellers"][-1] == values["champion_id"]
    champions = [line["champion_id"] for line in read_history(straight).lines]
    assert values["labellers"] == champions[-3:]


def test_what_members_pass_on_stands_behind_them_and_comes_back(tmp_path):
    path = begun(tmp_path / "run", "inheritance=baldwin")
    go_on(path, 3)
    generation = read_generation(path, 3)
    records = read_fasta(path / "generations" / "000003.fasta")
    ids = [member.id for member in generation.members]
    assert [record.id for record in members_of(records)] == ids
    assert [record.fields[INHERITED] for record in records[-len(ids) :]] == ids
    assert [(member.id, member.parents) for member in generation.inherited] == [
        (member.id, member.parents) for member in generation.members
    ]
    for passed_on, member in zip(generation.inherited, generation.members, strict=True):
        assert not np.array_equal(passed_on.genome, member.genome)
        assert np.array_equal(read_source(str(path), f"{member.id}-inherited").genome, passed_on.genome)
    # Reading a member gives the genome that plays, after learning.
    champion = read_source(str(path))
    assert champion.id == generation.record["champion_id"]
    assert np.array_equal(champion.genome, generation.labellers[-1].genome)
    (leader,) = (member for member in generation.members if member.id == champion.id)
    assert np.array_equal(champion.genome, leader.genome)


def test_a_damaged_newest_population_falls_back_and_gives_the_same_bytes(tmp_path, straight):
    path = shutil.copytree(straight, tmp_path / "run")
    newest = path / "generations" / f"{LAST:06}.fasta"
    newest.write_bytes(newest.read_bytes()[:-200])
    notices = go_on(path, LAST)
    assert f"{LAST:06}.fasta: damaged" in notices
    assert f"goes on from generation {LAST - 1}" in notices
    assert contents(path) == contents(straight)


@pytest.mark.parametrize("field", ["labeller=earlier", "labellers"])
def test_damage_to_labellers_is_noticed(tmp_path, straight, field):
    path = shutil.copytree(straight, tmp_path / "run")
    file = path / ("history.jsonl" if field == "labellers" else f"generations/{LAST:06}.fasta")
    content = file.read_bytes()
    at = content.rindex(field.encode()) + len(field) + 30
    file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    assert "damaged" in go_on(path, LAST)
    assert contents(path) == contents(straight)


def test_whoever_reads_a_run_takes_no_labeller_for_a_member(straight):
    newest = read_generation(straight, LAST)
    assert len(newest.members) == settings_of().members.population
    labeller, *_ = newest.labellers
    assert labeller.id not in {member.id for member in newest.members}
    # While its own population is kept, its record is that of the member at that time.
    kept = read_source(str(straight), newest.labellers[1].id)
    assert kept.fields["rank"].isdecimal()
    assert np.array_equal(read_source(str(straight), labeller.id).genome, labeller.genome)
    story = read_story(straight)
    assert story.champion is not None
    charts = {chart.name: chart for chart in charts_of(story)}
    assert [len(line.points) for line in charts["prediction"].series] == [LAST, LAST]
    assert charts["prediction"].marks == ()
    lineage = trace(story)
    by_id = {one.id: one for one in lineage}
    centre = by_id[f"g{LAST}-0000"]
    assert centre.parents == tuple(member.id for member in read_generation(straight, LAST - 1).members[:3])
    state = read_state(straight)
    shown = io.StringIO()
    Console(file=shown, width=134).print(draw_state(state, 134))
    assert "prediction error" in shown.getvalue()
    news = RunWatch(straight).news(-1)
    assert news["champion"] == newest.record["champion_id"]
    assert news["lines"][-1]["prediction_error"] == newest.record["prediction_error"]


def test_a_run_by_tournament_says_nothing_of_labellers(tmp_path):
    path = begun(tmp_path / "run", "fitness=tournament", *GENES)
    go_on(path, 2)
    assert not any(b"labeller" in content for content in contents(path).values())
