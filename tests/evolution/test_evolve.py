import itertools
import json

import joblib
import numpy as np
import pytest

from neche.errors import InputError
from neche.evolution.events import ChampionMeasured, GamesPlayed, GenerationRanked, GenerationStarted, MovedUp
from neche.evolution.evolve import evolve, ranked
from neche.evolution.population import Generation
from tests.evolution.builders import ranked_generation, tiny_settings

SETTINGS = tiny_settings("move_up_score=0.0", "anneal_generations=5")


def traits(generation: Generation) -> tuple[object, ...]:
    """Return all of a generation as values that compare."""
    members = [(member.id, member.parents, member.genome.tobytes()) for member in generation.members]
    arrays = [array.tolist() for array in (generation.scores, generation.strengths, generation.games)]
    return generation.number, generation.depth, generation.moved_up_at, members, arrays, generation.record


def test_a_tiny_evolution_ranks_breeds_moves_up_and_climbs_the_ladder():
    generations = list(evolve(SETTINGS, 1, generations=2))
    assert [generation.number for generation in generations] == [0, 1, 2]
    assert [generation.depth for generation in generations] == [1, 1, 2]
    assert [generation.moved_up_at for generation in generations] == [None, None, 2]
    assert ["ladder" in generation.record for generation in generations] == [True, False, True]
    for parents, children in itertools.pairwise(generations):
        ids = {member.id for member in parents.members}
        assert {member.id for member in parents.members[:2]} <= {member.id for member in children.members}
        assert all(set(member.parents) <= ids for member in children.members if member.id not in ids)


def test_the_recipe_names_the_last_generation_and_0_is_the_random_population():
    assert [generation.number for generation in evolve(tiny_settings("generations=1"), 1)] == [0, 1]
    (random,) = evolve(tiny_settings("generations=0"), 1)
    assert all(member.parents == () for member in random.members)


def test_every_generation_stands_in_rank_order():
    for generation in evolve(SETTINGS, 1, generations=1):
        assert (np.diff(generation.strengths) <= 0).all()
        assert generation.games.sum() == 2 * generation.record["games"]
        assert generation.scores.shape == generation.strengths.shape == (12,)


def test_stopping_and_going_on_gives_the_generations_of_a_straight_run():
    straight = [traits(generation) for generation in evolve(SETTINGS, 3, generations=4)]
    first = list(evolve(SETTINGS, 3, generations=1))
    second = list(evolve(SETTINGS, 3, generations=3, resume_from=first[-1]))
    third = list(evolve(SETTINGS, 3, generations=4, resume_from=second[-1]))
    assert [traits(generation) for generation in first + second + third] == straight


@pytest.mark.parametrize(("backend", "jobs"), [("threading", 2), ("loky", 2)])
def test_workers_do_not_change_the_generations(backend, jobs):
    alone = [traits(generation) for generation in evolve(SETTINGS, 4, generations=1)]
    with joblib.parallel_config(backend=backend, n_jobs=jobs):
        together = [traits(generation) for generation in evolve(SETTINGS, 4, generations=1)]
    assert together == alone


@pytest.mark.parametrize("scheme", ["random", "swiss", "quicksort"])
def test_every_ranking_carries_an_evolution(scheme):
    generations = list(evolve(tiny_settings(f"ranking={scheme}"), 1, generations=1))
    assert len(generations[-1].members) == 12


def test_the_recipe_original_runs_with_full_replacement_and_one_game_a_comparison():
    settings = tiny_settings("elites=0", "depth=2", recipe="original")
    first, second = evolve(settings, 1, generations=1)
    assert {member.id for member in second.members} == {f"g1-{index:04d}" for index in range(12)}
    assert first.strengths.sum() == 3 * 66
    assert first.record["games"] < 3 * 66


def test_records_are_plain_json():
    (generation,) = evolve(SETTINGS, 1, generations=0)
    assert json.loads(json.dumps(generation.record)) == generation.record
    assert generation.record["generation"] == 0
    assert generation.record["champion_id"] in {member.id for member in generation.members}


def test_events_tell_the_story_of_a_generation():
    events: list[object] = []
    generations = list(evolve(SETTINGS, 1, generations=2, notify=events.append))
    kinds = [type(event) for event in events if not isinstance(event, GamesPlayed)]
    quiet = [GenerationStarted, GenerationRanked]
    ladder = [GenerationStarted, ChampionMeasured, GenerationRanked]
    assert kinds == [*ladder, *quiet, MovedUp, *ladder]
    counts = [event for event in events if isinstance(event, GamesPlayed)]
    assert counts[-1].done == counts[-1].total == generations[-1].record["games"] == 24


def test_asking_for_no_more_than_there_is_yields_nothing():
    (first,) = evolve(SETTINGS, 1, generations=0)
    assert list(evolve(SETTINGS, 1, generations=0, resume_from=first)) == []


def test_a_generation_that_never_played_is_ranked_before_it_breeds():
    straight = list(evolve(SETTINGS, 1, generations=2))
    imported = ranked_generation(SETTINGS)
    assert [member.id for member in imported.members] != [member.id for member in straight[0].members]
    events: list[object] = []
    following = list(evolve(SETTINGS, 1, generations=2, resume_from=imported, notify=events.append))
    for each, same in zip(straight[1:], following, strict=True):
        # The champion of an import is not kept, so that no other meets it again.
        assert "0" not in same.record["hall"]
        known = {"hall", "ancestors"}
        assert [*traits(same)[:5]] == [*traits(each)[:5]]
        assert {k: v for k, v in same.record.items() if k not in known} == {
            k: v for k, v in each.record.items() if k not in known
        }
    numbers = [event.generation.number for event in events if isinstance(event, GenerationRanked)]
    assert numbers == [0, 1, 2]


def test_a_generation_that_never_played_does_not_play_when_no_more_is_asked_for():
    events: list[object] = []
    imported = ranked_generation(SETTINGS)
    assert list(evolve(SETTINGS, 1, generations=0, resume_from=imported, notify=events.append)) == []
    assert events == []


def test_ranking_keeps_a_generation_that_has_played_as_it_is():
    (played,) = evolve(SETTINGS, 1, generations=0)
    assert ranked(SETTINGS, 1, played) is played
    assert traits(ranked(SETTINGS, 1, ranked_generation(SETTINGS))) == traits(played)


def test_a_population_of_another_size_cannot_be_continued():
    with pytest.raises(InputError, match="generation 0 has 12 members, the settings say population = 14"):
        evolve(tiny_settings("population=14"), 1, resume_from=ranked_generation(SETTINGS))


def test_a_faulty_ladder_stops_an_evolution_before_it_begins():
    with pytest.raises(InputError, match="unknown player"):
        evolve(tiny_settings('ladder=["nobody"]'), 1)
