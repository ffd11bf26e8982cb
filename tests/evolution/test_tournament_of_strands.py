"""Strands in a tournament: dense networks breed, climb, are refined, and go on after a stop."""

import msgspec
import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.evolution_strategy import better_half, centre_rank, mirrored_steps, strand_scale
from neche.evolution.evolve import evolve
from neche.evolution.population import FIRST_WEIGHTS, first_members
from neche.evolution.reproduction import breed, next_members
from neche.evolution.settings import MemberSettings
from neche.genome.strand_operators import blend_strands
from neche.genome.strands import StrandFormat, neurons_of, read_weights
from neche.network.topology import parse_topology
from tests.evolution.builders import NO_MUTATION, STRANDS, ranked_generation, tiny_settings
from tests.evolution.test_evolve import traits
from tests.genome.drawn import random_strands

TOPOLOGY = parse_topology("128-8-1")
FORMAT = TOPOLOGY.strand_format
FINE = ("point_rate=0", "renewal_rate=0", "creep_mean=100", "creep_sd=0.1", "duplication_mean=0.1")


def settings_of(*assignments):
    return tiny_settings("topology=128-8-1", "perspective=mover", *assignments)


def parents_of(count=4):
    return random_strands(FORMAT, stream(1, 0, "strands"), sd=0.5, count=count)


def children_of(count=12, **rates):
    return breed(
        parents_of(),
        np.ones(4),
        msgspec.structs.replace(NO_MUTATION, **rates),
        num_children=count,
        attempts=lambda attempt: stream(1, 0, "test", attempt),
        topology=TOPOLOGY,
    )


def test_without_mutation_each_neuron_comes_whole_from_either_parent():
    couples, children = children_of(30)
    parents = neurons_of(read_weights(parents_of(), FORMAT), FORMAT)
    for (mother, father), child in zip(
        couples, neurons_of(read_weights(children, FORMAT), FORMAT), strict=True
    ):
        from_mother = (child == parents[mother]).all(axis=1)
        assert (from_mother | (child == parents[father]).all(axis=1)).all()
    assert len({child.tobytes() for child in children}) > 20


@pytest.mark.parametrize(
    "rates",
    [{"point_rate": 0.2}, {"duplication_mean": 20.0}, {"creep_mean": 20.0}, {"renewal_rate": 0.2}],
    ids=lambda rates: next(iter(rates)),
)
def test_every_mutation_of_neurons_and_weights_can_change_every_child(rates):
    _, plain = children_of()
    couples, mutated = children_of(**rates)
    assert (mutated != plain).any(axis=1).all()
    assert (couples == children_of()[0]).all()


def test_what_is_for_genes_alone_changes_no_strand():
    _, plain = children_of()
    _, other = children_of(translocation_rate=1.0, duplication_source_rate=1.0, duplication_sink_rate=1.0)
    assert np.array_equal(plain, other)


def test_silent_neurons_of_the_first_members_are_filled_by_duplication():
    settings = settings_of("first_neurons=2", *FINE, "duplication_mean=2", "elites=0")
    speaking = [
        np.count_nonzero(neurons_of(read_weights(member.genome, FORMAT), FORMAT)[:, 0])
        for member in first_members(settings.members, 1)
    ]
    assert speaking == [2] * 12
    random, *_, last = evolve(settings, 1, generations=3)
    assert random.record["hidden_neurons"] == 2.0
    assert last.record["hidden_neurons"] > 4.0


def test_all_neurons_of_the_first_members_speak_unless_fewer_are_asked_for():
    settings = MemberSettings(population=3, topology="128-8-1", perspective="mover")
    for member in first_members(settings, 1):
        assert neurons_of(read_weights(member.genome, FORMAT), FORMAT)[:, 0].all()


def test_children_of_strands_know_their_parents():
    settings = settings_of("elites=2")
    parents = ranked_generation(settings)
    members = next_members(settings, 1, parents)
    best = {member.id for member in parents.members[:3]}
    assert members[:2] == parents.members[:2]
    assert all(len(member.parents) == 2 and set(member.parents) <= best for member in members[2:])


def test_a_tournament_of_strands_climbs_over_the_blind_player():
    ladder = ("ladder_games=200", "ladder_every=40", 'ladder=["blind:depth=2"]', "champion_games=20")
    depth = ("depth=2", "next_depths=[]", "refine_after=0")
    settings = settings_of(*depth, *ladder, *FINE, "population=40", "games_per_member=10", "elites=5")
    generations = list(evolve(settings, 2, generations=40))
    scores = [generations[number].record["ladder"]["blind:depth=2"] for number in (0, 40)]
    assert scores[0] < 0.3
    assert scores[1] > 0.55
    known = {member.id for member in generations[0].members}
    for generation in generations[1:]:
        assert all(set(member.parents) <= known for member in generation.members)
        known |= {member.id for member in generation.members}


REFINED = ("depth=1", "next_depths=[]", "refine_after=2")


@pytest.mark.parametrize("game", ["checkers", "othello", "international"])
def test_stopping_and_going_on_gives_the_generations_of_a_straight_run(game):
    settings = tiny_settings(*STRANDS, *REFINED, f"game={game}", "refine_share=0.5")
    straight = list(evolve(settings, 9, generations=4))
    stopped = None
    for number, expected in enumerate(straight):
        (stopped,) = evolve(settings, 9, generations=number, resume_from=stopped)
        assert traits(stopped) == traits(expected)


def test_an_evolution_strategy_varies_strands_around_the_mean_of_the_better_half():
    *_, founded, refined = evolve(settings_of(*REFINED), 4, generations=3)
    centre = refined.members[centre_rank(refined.members, 3)]
    better = np.stack([read_weights(member.genome, FORMAT) for member in founded.members[:6]])
    expected = blend_strands(better, better_half(founded.members, 0.5)[1])
    assert np.array_equal(read_weights(centre.genome, FORMAT), expected)
    others = [member for member in refined.members if member is not centre]
    assert {member.parents for member in others} == {(centre.id,)}
    assert len({member.genome.tobytes() for member in refined.members}) == 12


def test_the_founder_of_an_evolution_strategy_is_the_champion_as_it_is():
    *_, before, founded = evolve(settings_of(*REFINED), 4, generations=2)
    champion = next(m for m in before.members if m.id == before.record["champion_id"])
    centre = founded.members[centre_rank(founded.members, 2)]
    assert centre.parents == (champion.id,)
    assert np.array_equal(centre.genome, champion.genome)


def test_steps_of_strands_are_shares_of_the_weights_beside_them_and_never_nothing():
    form = StrandFormat(2, 2)
    weights = np.array([125, 250, 250, 1000, 0, 0, 0, 500, 375, 500, 0], np.int16)
    weights = np.clip(weights, -512, 511)
    scale = strand_scale(weights / 125, form)
    assert scale[:3].tolist() == pytest.approx([np.sqrt(3.0)] * 3)
    assert scale[3] == scale[7] == pytest.approx(np.sqrt((511**2 + 500**2) / 2) / 125)
    assert (scale[4:7] == FIRST_WEIGHTS).all()
    assert scale[8:].tolist() == pytest.approx([np.sqrt((9 + 16) / 3)] * 3)
    steps = mirrored_steps(0.1 * scale, 5, stream(1, 1, "steps").standard_normal)
    assert steps.shape == (5, 11)
    assert np.array_equal(steps[0:4:2], -steps[1:4:2])
