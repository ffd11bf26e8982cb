"""A real evolution through the archive, small enough for every test run."""

import pytest

from neche.archive.run import RunDirectory
from neche.evolution.champion import select_champion
from neche.evolution.evolve import evolve
from neche.evolution.recipes import load_recipe, override
from neche.network.topology import topology_for
from neche.players.source import read_source
from neche.players.spec import parse_player
from tests.archive.builders import contents

SMALL = {
    "tournament": [
        "population=6",
        "genes=40",
        "elites=1",
        "games_per_member=2",
        "champion_candidates=2",
        "champion_games=2",
        "final_candidates=2",
        "final_games=2",
        "ladder_every=2",
        "ladder_games=2",
        "move_up_every=2",
        "move_up_score=0.0",
        "keep_last=2",
        "keep_every=4",
    ],
    "original": ["population=6", "genes=40", "depth=2", "ladder_games=2"],
}


SQUARES = {"international": 50, "othello": 64}


def settings_of(recipe, *more):
    settings = load_recipe(recipe)
    for assignment in [*SMALL[recipe], 'ladder=["blind:depth=1"]', *more]:
        settings = override(settings, assignment)
    return settings


def go_on(run, number):
    last = run.last
    for generation in evolve(run.settings, run.seed, generations=number, resume_from=last):
        run.save(generation)
    last = run.last
    member, ladder = select_champion(run.settings, run.seed, last)
    run.crown(member, generation=last.number, scores=ladder)


def hall_of(run):
    last = run.last
    assert last is not None
    return last.hall_of_fame


@pytest.mark.parametrize("recipe", sorted(SMALL))
def test_an_evolution_stopped_after_every_generation_gives_the_bytes_of_a_straight_run(tmp_path, recipe):
    with RunDirectory.create(tmp_path / "straight", settings_of(recipe), 11) as run:
        go_on(run, 5)
    RunDirectory.create(tmp_path / "stopped", settings_of(recipe), 11).close()
    for number in range(6):
        with RunDirectory.open(tmp_path / "stopped") as run:
            go_on(run, number)
    assert contents(tmp_path / "stopped") == contents(tmp_path / "straight")


@pytest.mark.parametrize("name", ["international", "othello"])
def test_a_run_on_a_larger_board_goes_on_alike_with_the_refinement_in_it(tmp_path, name):
    topology = topology_for(SQUARES[name])
    settings = settings_of("tournament", f"game={name}", "refine_after=1", "modules=3", "links=3")
    with RunDirectory.create(tmp_path / "straight", settings, 11) as run:
        go_on(run, 5)
    RunDirectory.create(tmp_path / "stopped", settings, 11).close()
    for number in (2, 4, 5):
        with RunDirectory.open(tmp_path / "stopped") as run:
            go_on(run, number)
    assert contents(tmp_path / "stopped") == contents(tmp_path / "straight")
    with RunDirectory.open(tmp_path / "straight") as run:
        champion = read_source(str(run.path))
        assert run.settings.members.topology == champion.fields["topology"] == topology.words
    assert champion.genome.size == 40 * 18
    network = parse_player(str(tmp_path / "straight"), name).evaluating_network
    assert network is not None
    assert network.topology == topology


def test_the_hall_of_fame_comes_back_from_the_file_of_champions(tmp_path):
    with RunDirectory.create(tmp_path / "run", settings_of("tournament"), 11) as run:
        go_on(run, 4)
        saved = hall_of(run)
    assert [ancestor.generation for ancestor in saved] == [0, 2, 4]
    with RunDirectory.open(tmp_path / "run") as run:
        read = hall_of(run)
    assert [(a.generation, a.member.id, a.member.parents) for a in read] == [
        (a.generation, a.member.id, a.member.parents) for a in saved
    ]
    assert all((a.member.genome == b.member.genome).all() for a, b in zip(read, saved, strict=True))


def test_a_lost_champion_is_named_and_missing_from_the_hall_of_fame(tmp_path):
    with RunDirectory.create(tmp_path / "run", settings_of("tournament"), 11) as run:
        go_on(run, 3)
        hall = hall_of(run)
    (tmp_path / "run" / "champions.fasta").unlink()
    (tmp_path / "run" / "generations" / "000000.fasta").unlink()
    with RunDirectory.open(tmp_path / "run") as run:
        assert [ancestor.generation for ancestor in hall_of(run)] == [2]
        notices = "\n".join(run.resumption.notices)
    assert f"champion {hall[0].member.id} of generation 0 is missing, and its population is" in notices
