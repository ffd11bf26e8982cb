"""Generations screened by prediction: how members learn, and the order in which they go on."""

from dataclasses import replace
from itertools import pairwise

import joblib
import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.evolution import screening
from neche.evolution.events import GenerationStarted, MembersLearned, SamplesMade
from neche.evolution.evolve import evolve
from neche.evolution.population import Generation
from neche.evolution.replay import Replay
from neche.evolution.screening import divided, learning_rate, mean_errors, screened_members
from neche.evolution.settings import PredictionSettings, resolve
from neche.genome.strand_operators import usefulness
from neche.network.topology import parse_topology
from neche.prediction.coevolution import StrategyPlan
from neche.prediction.neurons import read_neurons
from tests.evolution.builders import GENES, screened_settings
from tests.evolution.test_evolve import traits

KINDS = {"strands": (), "genes": GENES}
LAYERED = ("topology=auto-6-3-1", "learning=gradient")
PATTERNED = ("topology=patterns-3-1",)


def neurons_of(settings, member):
    return read_neurons(member.genome, parse_topology(settings.members.topology))


@pytest.mark.parametrize("more", KINDS.values(), ids=KINDS)
def test_a_generation_begins_with_the_centre_of_the_one_before(more):
    settings = resolve(screened_settings(*more))
    _, parents, children = evolve(settings, 3, generations=2)
    by_birth = sorted(children.members, key=lambda member: member.id)
    centre, *others = by_birth
    assert [member.id for member in by_birth] == [f"g2-{index:04d}" for index in range(6)]
    assert centre.parents == tuple(member.id for member in parents.members[: len(centre.parents)])
    assert len(centre.parents) == 3
    assert all(member.parents == (centre.id,) for member in others)
    better = np.stack([neurons_of(settings, member) for member in parents.members[:3]])
    found = neurons_of(settings, centre)
    step = 0.008 if not more else 0.0001
    assert (found >= better.min(axis=0) - step).all()
    assert (found <= better.max(axis=0) + step).all()
    assert len({member.genome.tobytes() for member in by_birth}) == 6


def test_the_first_centre_is_the_champion_of_the_random_members():
    random, first = evolve(screened_settings(), 3, generations=1)
    champion = next(m for m in random.members if m.id == random.record["champion_id"])
    centre = next(member for member in first.members if member.id == "g1-0000")
    assert centre.parents == (champion.id,)
    assert np.array_equal(centre.genome, champion.genome)


WAYS = [(*more, f"learning={way}") for more in KINDS.values() for way in ("coevolution", "gradient")]


@pytest.mark.parametrize("ways", [*WAYS, LAYERED, PATTERNED])
def test_members_come_to_predict_better(ways):
    settings = resolve(screened_settings("batches=150", "first_games=100", *ways))
    _, first = evolve(settings, 5, generations=1)
    figures = first.record
    assert figures["best_prediction_error"] < 0.9 * figures["prediction_error"]
    assert figures["samples"] > 200
    assert 0.0 <= figures["sample_draws"] <= 1.0


def test_games_order_members_where_prediction_screens_and_errors_where_it_decides():
    by_games = list(evolve(screened_settings(), 4, generations=2))[-1]
    assert (np.diff(by_games.strengths) <= 0).all()
    settings = resolve(screened_settings("fitness=prediction"))
    generations = list(evolve(settings, 4, generations=2))
    replay = Replay(settings, 4)
    for before, after in pairwise(generations):
        lesson = replay.after(before)
        screened = screened_members(settings, 4, before, lesson)
        errors = dict(zip([member.id for member in screened.members], screened.errors, strict=True))
        found = [errors[member.id] for member in after.members]
        assert found == sorted(found)
        assert after.record["prediction_error"] == pytest.approx(errors[f"g{after.number}-0000"], abs=1e-6)
        assert after.record["champion_id"] in errors


def test_errors_are_those_of_what_dna_can_write():
    settings = resolve(screened_settings("batches=40"))
    (random,) = evolve(settings, 6, generations=0)
    lesson = Replay(settings, 6).after(random)
    screened = screened_members(settings, 6, random, lesson)
    again = mean_errors(
        lesson.wiring, lesson.samples, [neurons_of(settings, member) for member in screened.members], 1
    )
    assert screened.errors == pytest.approx(again, rel=0.05)


def test_members_learn_by_the_plan_that_the_settings_say():
    settings = resolve(
        screened_settings("spread=0.03", "weight_decay=0.25", "orthogonal=true", "refine_after=0")
    )
    (random,) = evolve(settings, 6, generations=0)
    plans = []

    def learn(wiring, samples, begun, plan, keys):
        plans.append(plan)
        return begun

    screened_members(settings, 6, random, Replay(settings, 6).after(random), learn=learn)
    assert plans == [
        StrategyPlan(batches=3, batch=40, pairs=8, spread=0.03, rate=0.02, block=8, decay=0.25),
    ]


def generation_traits(generation: Generation) -> tuple[object, ...]:
    labellers = [(member.id, member.genome.tobytes()) for member in generation.labellers]
    inherited = [(member.id, member.genome.tobytes()) for member in generation.inherited]
    return (*traits(generation), labellers, inherited)


@pytest.mark.parametrize("inheritance", ["lamarck", "baldwin"])
@pytest.mark.parametrize("learning", ["coevolution", "gradient"])
@pytest.mark.parametrize("fitness", ["screened", "prediction"])
@pytest.mark.parametrize("more", KINDS.values(), ids=KINDS)
def test_stopping_and_going_on_gives_the_generations_of_a_straight_run(more, fitness, learning, inheritance):
    ways = (f"fitness={fitness}", f"learning={learning}", f"inheritance={inheritance}")
    settings = screened_settings(*ways, *more)
    straight = list(evolve(settings, 9, generations=5))
    stopped = None
    for number, expected in enumerate(straight):
        (stopped,) = evolve(settings, 9, generations=number, resume_from=stopped)
        assert generation_traits(stopped) == generation_traits(expected)


@pytest.mark.parametrize("more", [(), ("inheritance=baldwin", "refine_after=0", "duplicate_neurons=true")])
def test_two_hidden_layers_stop_and_go_on_too(more):
    settings = screened_settings(*LAYERED, *more)
    straight = list(evolve(settings, 9, generations=3))
    *_, stopped = evolve(settings, 9, generations=1)
    gone_on = evolve(settings, 9, generations=3, resume_from=stopped)
    assert [*map(generation_traits, gone_on)][-2:] == [*map(generation_traits, straight)][-2:]


def test_turned_and_mirrored_positions_stop_and_go_on_too():
    settings = screened_settings("game=othello", "symmetries=true")
    straight = list(evolve(settings, 9, generations=3))
    stopped = None
    for number, expected in enumerate(straight):
        (stopped,) = evolve(settings, 9, generations=number, resume_from=stopped)
        assert generation_traits(stopped) == generation_traits(expected)
    *_, plain = evolve(screened_settings("game=othello"), 9, generations=3)
    assert generation_traits(plain) != generation_traits(straight[-1])


def test_a_game_without_symmetries_learns_as_it_would():
    *_, asked = evolve(screened_settings("symmetries=true"), 9, generations=2)
    *_, plain = evolve(screened_settings(), 9, generations=2)
    assert generation_traits(asked) == generation_traits(plain)


@pytest.mark.parametrize(("backend", "jobs"), [("sequential", 1), ("threading", 2), ("loky", 2)])
def test_workers_do_not_change_the_generations(backend, jobs):
    settings = screened_settings()
    alone = [generation_traits(generation) for generation in evolve(settings, 4, generations=2)]
    with joblib.parallel_config(backend=backend, n_jobs=jobs):
        together = [generation_traits(generation) for generation in evolve(settings, 4, generations=2)]
    assert together == alone


@pytest.mark.parametrize("game", ["othello", "international", "brazilian"])
def test_every_game_can_be_evolved_by_prediction(game):
    *_, last = evolve(screened_settings(f"game={game}"), 2, generations=2)
    assert [member.id for member in last.labellers] == [
        last.labellers[0].id,
        last.record["champion_id"],
    ]


@pytest.mark.parametrize("more", KINDS.values(), ids=KINDS)
def test_members_begin_with_halves_of_the_most_useful_neuron_where_asked_for(more, monkeypatch):
    settings = resolve(screened_settings("duplicate_neurons=true", *more))
    (random,) = evolve(settings, 6, generations=0)
    lesson = Replay(settings, 6).after(random)
    begun = []

    def learned(wiring, samples, neurons, *rest):
        begun.append(neurons)
        return neurons

    monkeypatch.setattr(screening, "learned", learned)
    centre, *_ = screened_members(settings, 6, random, lesson).members
    before = neurons_of(settings, centre)
    for neurons in begun:
        changed = [h for h in range(1, len(before)) if not np.array_equal(neurons[h], before[h])]
        assert len(changed) == (2 if len(before) > 2 else 0)
    assert len({neurons.tobytes() for neurons in begun}) == 5


BALDWIN = "inheritance=baldwin"


@pytest.mark.parametrize("more", KINDS.values(), ids=KINDS)
def test_after_baldwin_the_centre_is_the_mean_of_what_was_inherited(more):
    settings = resolve(screened_settings(BALDWIN, *more))
    random, parents, children = evolve(settings, 3, generations=2)
    champion = next(m for m in random.members if m.id == random.record["champion_id"])
    founder = next(member for member in parents.inherited if member.id == "g1-0000")
    assert np.array_equal(neurons_of(settings, founder), neurons_of(settings, champion))
    centre = next(member for member in children.inherited if member.id == "g2-0000")
    assert centre.parents == tuple(member.id for member in parents.members[:3])
    better = np.stack([neurons_of(settings, member) for member in parents.inherited[:3]])
    found = neurons_of(settings, centre)
    step = 0.008 if not more else 0.0001
    assert (found >= better.min(axis=0) - step).all()
    assert (found <= better.max(axis=0) + step).all()


@pytest.mark.parametrize("more", KINDS.values(), ids=KINDS)
def test_after_baldwin_members_are_born_mutated_and_all_of_them_learn(more):
    settings = resolve(screened_settings(BALDWIN, "batches=60", "first_games=60", *more))
    (random,) = evolve(settings, 5, generations=0)
    lesson = Replay(settings, 5).after(random)
    events: list[object] = []
    screened = screened_members(settings, 5, random, lesson, events.append)
    assert events == [MembersLearned(1, done, 6) for done in range(1, 7)]
    born = np.stack([neurons_of(settings, member) for member in screened.inherited])
    # mirrored pairs around the centre, up to a step of DNA
    step = 0.008 if not more else 0.0001
    assert np.abs(born[1] + born[2] - 2 * born[0]).max() <= step + 1e-6
    assert len({rows.tobytes() for rows in born}) == 6
    before = mean_errors(lesson.wiring, lesson.samples, list(born), 1)
    after = mean_errors(
        lesson.wiring, lesson.samples, [neurons_of(settings, member) for member in screened.members], 1
    )
    assert (after < before).all()


def test_after_lamarck_nothing_is_kept_beside_what_was_learned():
    *_, last = evolve(screened_settings(), 3, generations=1)
    assert last.inherited == ()


def test_after_baldwin_what_is_passed_on_stands_in_the_order_of_the_members():
    for fitness in ("screened", "prediction"):
        *_, last = evolve(screened_settings(BALDWIN, f"fitness={fitness}"), 3, generations=2)
        assert [member.id for member in last.inherited] == [member.id for member in last.members]
        assert last.labellers[-1] in last.members


@given(st.integers(2, 6), st.integers(1, 3), st.integers(0, 1000))
def test_halves_say_together_what_the_neuron_said_while_both_are_on(hidden, outs, seed):
    rng = np.random.default_rng(seed)
    neurons = rng.normal(0.0, 1.0, (hidden + 1, outs + 1 + 10)).astype(np.float32)
    neurons[rng.integers(1, hidden + 1), :outs] = 0.0
    use = usefulness(neurons[1:], outs)
    best, least = 1 + int(use.argmax()), 1 + int(use.argmin())
    for spread in (0.0, 0.05):
        halves = divided(neurons, spread, np.random.default_rng(seed), outs)
        assert halves.dtype == np.float32
        first, other, whole = halves[best], halves[least], neurons[best]
        assert first[:outs].tolist() == other[:outs].tolist() == (whole[:outs] / 2).tolist()
        assert (first[outs:] + other[outs:]) / 2 == pytest.approx(whole[outs:], abs=1e-6)
        assert np.abs(first[outs:] - other[outs:]) == pytest.approx(2 * spread, abs=1e-6)
        rest = [h for h in range(hidden + 1) if h not in (best, least)]
        assert np.array_equal(halves[rest], neurons[rest])


def test_neurons_of_which_none_can_be_spared_stay_whole():
    for hidden in (0, 1):
        neurons = np.ones((hidden + 1, 5), np.float32)
        assert divided(neurons, 0.1, np.random.default_rng(1)) is neurons


def test_the_rate_falls_exponentially_and_stays():
    settings = PredictionSettings(rate=0.01, rate_end=0.0001, rate_generations=10)
    assert learning_rate(settings, 1) == 0.01
    assert learning_rate(settings, 6) == pytest.approx(0.001)
    assert learning_rate(settings, 11) == learning_rate(settings, 500) == pytest.approx(0.0001)


def test_the_rate_can_stay_before_it_falls():
    settings = PredictionSettings(rate=0.01, rate_end=0.0001, rate_falls_after=6, rate_generations=10)
    assert {learning_rate(settings, number) for number in range(1, 8)} == {0.01}
    assert learning_rate(settings, 9) == pytest.approx(0.001)
    assert learning_rate(settings, 11) == learning_rate(settings, 500) == pytest.approx(0.0001)


def test_a_generation_follows_from_its_ranks_and_not_from_the_order_of_births():
    settings = resolve(screened_settings())
    *_, ranked = evolve(settings, 8, generations=1)
    lesson = Replay(settings, 8).after(ranked)
    turned = replace(ranked, members=ranked.members[::-1])
    centre, other = (screened_members(settings, 8, one, lesson).members[0] for one in (ranked, turned))
    assert centre.parents != other.parents


def test_events_tell_of_samples_and_learning_before_the_games():
    events: list[object] = []
    *_, last = evolve(screened_settings(), 4, generations=2, notify=events.append)
    made = [event for event in events if isinstance(event, SamplesMade)]
    assert [(event.number, event.games, event.total) for event in made] == [(1, 20, 20), (2, 6, 6)]
    assert sum(event.positions for event in made) == last.record["samples"]
    learned = [event for event in events if isinstance(event, MembersLearned)]
    assert learned == [MembersLearned(number, done, 5) for number in (1, 2) for done in range(1, 6)]
    second = [type(event) for event in events[events.index(made[-1]) :]]
    assert second[:7] == [SamplesMade, *[MembersLearned] * 5, GenerationStarted]
