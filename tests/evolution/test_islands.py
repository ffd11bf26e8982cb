"""Islands: who emigrates, whom immigrants replace, and which of an immigrant's data are passed on."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as replace_struct

from neche.evolution.evolve import evolve
from neche.evolution.islands import arrivals, emigrants, is_exchange, island_seed, neighbour, with_island
from neche.evolution.population import Member, first_members
from neche.evolution.settings import resolve
from tests.evolution.builders import screened_settings, tiny_settings

ISLANDS = ("islands=3", "island=1", "migrate_every=2", "migrants=3", "elites=2")
REFINED = ("next_depths=[]", "refine_after=1", "refine_share=0.5")


def strangers(settings, number):
    """Return emigrants of another island as a generation there has them."""
    members = first_members(resolve(settings).members, 77, first_weights=0.2)
    return [replace_struct(one, id=f"g{number}-{at:04d}") for at, one in enumerate(members[:3])]


def evolved(settings, last, seed=5, **more):
    return list(evolve(settings, seed, generations=last, immigrants=lambda n: strangers(settings, n), **more))


def by_id(generation):
    return {member.id: member for member in generation.members}


def test_islands_stand_in_a_ring_and_each_draws_from_a_seed_of_its_own():
    settings = tiny_settings(*ISLANDS)
    ring = [with_island(settings, island) for island in range(3)]
    assert [neighbour(one.islands) for one in ring] == [2, 0, 1]
    seeds = {island_seed(one, seed) for one in ring for seed in (0, 1)}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**63 for seed in seeds)
    # what a run of islands is: another number would be another evolution
    assert island_seed(ring[0], 0) == 2014703091855440046
    assert island_seed(tiny_settings(), 5) == 5


def test_members_go_on_at_multiples_and_random_ones_never():
    islands = tiny_settings(*ISLANDS).islands
    assert [number for number in range(7) if is_exchange(islands, number)] == [2, 4, 6]


def test_the_champion_goes_on_and_the_best_of_the_others():
    (generation,) = evolve(tiny_settings(), 5, generations=0)
    ids = [member.id for member in generation.members]
    for champion in range(4):
        record = {**generation.record, "champion_id": ids[champion]}
        found = emigrants(replace(generation, record=record), 3)
        assert found == [champion, *[rank for rank in range(4) if rank != champion]][:3]


@pytest.mark.parametrize("more", [(), REFINED], ids=["bred", "refined"])
def test_immigrants_take_the_places_of_those_born_last_and_play(more):
    settings = tiny_settings(*ISLANDS, *more)
    alone, joined = list(evolve(settings, 5, generations=3)), evolved(settings, 3)
    assert [by_id(one).keys() for one in alone[:3]] == [by_id(one).keys() for one in joined[:3]]
    arrived = [by_id(joined[3])[f"g3-{index:04d}"] for index in (9, 10, 11)]
    assert [one.parents for one in arrived] == [(f"island-0.g2-{index:04d}",) for index in range(3)]
    for one, expected in zip(arrived, strangers(settings, 2), strict=True):
        assert np.array_equal(one.genome, expected.genome)
    last_born = sorted(name for name in by_id(alone[3]) if name.startswith("g3-"))[-3:]
    others = by_id(alone[3]).keys() - set(last_born)
    assert by_id(joined[3]).keys() == others | {one.id for one in arrived}
    for name in others:
        assert np.array_equal(by_id(alone[3])[name].genome, by_id(joined[3])[name].genome)
    played = dict(zip((member.id for member in joined[3].members), joined[3].games, strict=True))
    assert all(played[one.id] > 0 for one in arrived)


@pytest.mark.parametrize("more", [(), REFINED], ids=["bred", "refined"])
def test_an_island_that_is_resumed_anywhere_goes_on_alike(more):
    settings = tiny_settings(*ISLANDS, *more)
    straight = evolved(settings, 5)
    for number in range(5):
        went_on = evolved(settings, 5, resume_from=straight[number])
        for one, expected in zip(went_on, straight[number + 1 :], strict=True):
            assert one.record == expected.record
            assert [(m.id, m.parents, m.genome.tobytes()) for m in one.members] == [
                (m.id, m.parents, m.genome.tobytes()) for m in expected.members
            ]


@pytest.mark.parametrize("inheritance", ["lamarck", "baldwin"])
def test_immigrants_learn_from_what_they_are_as_all_others_do(inheritance):
    settings = screened_settings(*ISLANDS, "population=8", "elites=1", f"inheritance={inheritance}")
    joined = evolved(settings, 4)
    after = by_id(joined[3])
    centre = after["g3-0000"]
    for index, expected in zip((5, 6, 7), strangers(settings, 2), strict=True):
        one = after[f"g3-{index:04d}"]
        assert one.parents == (f"island-0.{expected.id}",)
        assert not np.array_equal(one.genome, expected.genome)
    assert {after[f"g3-{index:04d}"].parents for index in range(1, 5)} == {(centre.id,)}
    if inheritance == "baldwin":
        born = {member.id: member for member in joined[3].inherited}
        for index, expected in zip((5, 6, 7), strangers(settings, 2), strict=True):
            assert np.array_equal(born[f"g3-{index:04d}"].genome, expected.genome)
    foreign = {f"g3-{index:04d}" for index in (5, 6, 7)}
    better = [member.id for member in joined[3].members[:4]]
    expected = better[:1] if better[0] in foreign else [name for name in better if name not in foreign]
    assert list(by_id(joined[4])["g4-0000"].parents) == expected


def test_an_immigrant_that_leads_is_the_next_centre():
    settings = tiny_settings(*ISLANDS, *REFINED)
    third = evolved(settings, 3)[3]
    foreign = next(member for member in third.members if member.parents[0].startswith("island-"))
    order = [foreign, *(member for member in third.members if member is not foreign)]
    (fourth,) = evolved(settings, 4, resume_from=replace(third, members=tuple(order)))
    centre = by_id(fourth)["g4-0000"]
    assert centre.parents == (foreign.id,)
    assert np.array_equal(centre.genome, foreign.genome)


def test_who_arrives_is_named_by_where_it_is_from():
    settings = tiny_settings(*ISLANDS)
    genome = np.zeros(16, np.uint8)
    (one,) = arrivals(settings, 11, [Member("g4-0002", ("g3-0000",), genome)])
    assert (one.id, one.parents, one.genome is genome) == ("g11-0011", ("island-0.g4-0002",), True)
