"""Users' functions in place of the usual steps of an evolution."""

import json
import sys
from fractions import Fraction
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import joblib
import numpy as np
import pytest

import neche
from neche.errors import InputError
from neche.evolution.evolve import evolve
from neche.evolution.plugins import Plugins
from neche.evolution.population import networks_of
from neche.evolution.reproduction import cross_genomes, mutate_genomes
from neche.network.topology import parse_topology
from neche.players.plugged import Plugin
from tests.evolution.builders import STRANDS, screened_settings, tiny_settings

SMALL = ("genes=40", "refine_after=0", "ladder_games=0", "champion_candidates=0", "next_depths=[]")


def generations(count=3, *assignments, seed=1, resume_from=None, **functions):
    settings = tiny_settings(*SMALL, *assignments)
    plugins = Plugins.of(Plugin.of(kind, function) for kind, function in functions.items())
    return list(evolve(settings, seed, generations=count, plugins=plugins, resume_from=resume_from))


def one_letter(genome, rng):
    genome[rng.integers(len(genome))] = rng.integers(4)
    return genome


def first_half(mother, father, rng):
    return np.concatenate([mother[: len(mother) // 2], father[len(father) // 2 :]])


def best_of_two(generation, count, rng):
    return rng.integers(len(generation.members), size=(count, 2, 2)).min(axis=2)


def neighbours(count, play, rng):
    members = rng.permutation(count)
    balance = play(members, np.roll(members, 1))
    return members[np.argsort(-balance, kind="stable")]


def live_synapses(network, rng):
    return network.live.sum() + rng.random()


EVERY = {
    "mutation": one_letter,
    "crossover": first_half,
    "selection": best_of_two,
    "ranking": neighbours,
    "fitness": live_synapses,
}


def genomes(generation):
    return np.stack([member.genome for member in generation.members])


@pytest.mark.parametrize("kind", EVERY)
def test_a_resumed_evolution_is_the_one_in_one_go(kind):
    straight = generations(4, **{kind: EVERY[kind]})
    rest = generations(4, resume_from=straight[1], **{kind: EVERY[kind]})
    for once, again in zip(straight[2:], rest, strict=True):
        assert (genomes(once) == genomes(again)).all()
        assert once.record == again.record
    usual = generations(4)
    assert (genomes(straight[-1]) != genomes(usual[-1])).any()


@pytest.mark.parametrize("kind", EVERY)
def test_genes_and_strands_alike(kind):
    assert len(generations(2, *STRANDS, **{kind: EVERY[kind]})) == 3


def test_plug_ins_that_do_what_is_usual_give_the_usual_evolution_but_for_their_draws():
    """A mutation that changes nothing and a crossover that takes the mother leave only clones of parents."""
    first, second = generations(1, mutation=lambda genome: genome, crossover=lambda mother, father: mother)
    born = {genome.tobytes() for genome in genomes(second)}
    assert born <= {genome.tobytes() for genome in genomes(first)}


def test_each_child_is_made_of_its_parents_by_the_functions():
    first, second = generations(1, crossover=first_half, mutation=lambda genome: genome)
    parents = {member.id: member.genome for member in first.members}
    children = [member for member in second.members if member.id.startswith("g1-")]
    assert len(children) == 10
    for child in children:
        mother, father = (parents[name] for name in child.parents)
        assert (child.genome == first_half(mother, father, None)).all()


def test_parents_are_those_that_the_selection_names():
    first, second = generations(1, selection=lambda generation, count, rng: np.full((count, 2), [3, 7]))
    couples = {member.parents for member in second.members if member.id.startswith("g1-")}
    assert couples == {(first.members[3].id, first.members[7].id)}


def test_members_stand_in_the_order_of_their_fitness_and_play_no_games():
    heard: list[Any] = []
    for generation in generations(2, fitness=lambda network: network.live.sum(), listener=heard.append):
        assert (np.diff(generation.strengths) <= 0).all()
        assert not generation.games.any()
        assert generation.record["games"] == 0
        assert generation.is_ranked
    assert {event.planned_games for event in heard if hasattr(event, "planned_games")} == {0}


def test_the_record_has_the_best_and_the_mean_of_what_a_fitness_returns():
    def share(network):
        return float(network.live.sum()) / 7 - 3

    for generation in generations(2, fitness=share):
        members = networks_of(tiny_settings(*SMALL).members, generation.members)
        values = [*map(share, members)]
        exact = sum(map(Fraction, values)) / len(values)
        assert generation.record["fitness"] == {"best": max(values), "mean": float(exact)}
    for functions in ({}, {"ranking": neighbours}, {"mutation": one_letter}):
        assert all("fitness" not in one.record for one in generations(1, **functions))


@pytest.mark.parametrize(
    "values", [[-sys.float_info.max], [sys.float_info.max], [1e308, -1e308, 1.7e308], [5e-324, 0.0, -0.0]]
)
def test_values_of_any_size_have_a_mean_between_them_that_is_valid_json(values):
    for generation in generations(1, fitness=lambda network, rng: rng.choice(values)):
        figures = json.loads(json.dumps(generation.record, allow_nan=False))["fitness"]
        assert min(values) <= figures["mean"] <= figures["best"] <= max(values)


def test_what_the_next_generation_follows_from_cannot_be_changed_by_those_who_look_on():
    def sorts(event):
        if hasattr(event, "generation"):
            event.generation.scores.sort()

    with pytest.raises(InputError, match=r"listener sorts \(.*\): ValueError"):
        generations(1, listener=sorts)
    first, second = generations(1)
    for array in (first.strengths, second.games, *(member.genome for member in second.members)):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    for member in second.members:
        member.genome.copy()[:] = 0  # of one's own, such as of a gene knocked out


def takes_apart(record):
    """Make of a record what a table of the caller's own needs."""
    record["warnings"].append("mine")
    record |= {"seed": 1, "scores": [*record.pop("ladder", {}).values()]}
    for key in ("champion_id", "squares_seen_most", "rank_agreement_mean"):
        record.pop(key, None)


def watches(event):
    if hasattr(event, "generation"):
        takes_apart(event.generation.record)
    if hasattr(event, "scores"):
        event.scores.clear()


def first_two(generation, count):
    takes_apart(generation.record)
    return np.full((count, 2), [0, 1])


@pytest.mark.parametrize("settings", [screened_settings(), tiny_settings(*SMALL, "ladder_games=2")])
def test_what_is_made_of_a_record_changes_neither_the_history_nor_the_next_generation(settings):
    is_bred = settings.prediction.fitness == "tournament"
    steps = [Plugin.of("selection", lambda generation, count: np.full((count, 2), [0, 1]))] * is_bred
    usual = list(evolve(settings, 1, generations=2, plugins=Plugins.of(steps)))
    steps = [Plugin.of("selection", first_two)] * is_bred
    plugins = Plugins.of([*steps, Plugin.of("listener", watches)])
    for generation, expected in zip(evolve(settings, 1, generations=2, plugins=plugins), usual, strict=True):
        assert generation.record == expected.record
        takes_apart(generation.record)


def test_what_is_made_of_a_record_is_not_gone_on_with(tmp_path):
    few = ["population=6", "genes=40", "champion_candidates=0", "ladder_games=0"]
    for run in (None, tmp_path / "run"):
        evolution = neche.evolve("tournament-quick", generations=1, run=run, overrides=few)
        takes_apart(next(evolution).record)
        takes_apart(evolution.records[0])
        evolution._steps = evolution.generations()  # as after Ctrl-C
        takes_apart(next(evolution).record)
        for record in evolution.records:
            assert "squares_seen_most" in record
            assert "seed" not in record
        evolution.close()


def test_members_stand_in_the_order_that_the_ranking_returns():
    orders = []

    def backwards(count, play, rng):
        orders.append(play([0, 1], [2, 3]).tolist())
        return range(count - 1, -1, -1)

    (first,) = generations(0, ranking=backwards)
    assert [member.id for member in first.members] == [f"g0-{index:04d}" for index in range(11, -1, -1)]
    assert first.record["games"] == 4
    assert sorted(first.games.tolist()) == [0] * 8 + [2] * 4
    assert all(abs(balance) <= 2 for balance in orders[0])


def test_the_generation_is_given_to_functions_that_ask_for_it_also_after_a_resume():
    functions = {
        "mutation": lambda genome, *, generation: [generation, *genome[1:]],
        "crossover": lambda mother, father, *, generation: [*mother[:9], generation, *father[10:]],
        "fitness": lambda network, *, generation: generation,
    }
    straight = generations(3, **functions)
    assert [one.strengths.tolist() for one in straight] == [[number] * 12 for number in range(4)]
    bred = [member for member in straight[-1].members if member.parents]
    assert [one.genome[[0, 9]].tolist() for one in bred] == [[int(one.id[1])] * 2 for one in bred] != []
    rest = generations(3, resume_from=straight[1], **functions)
    assert [one.record for one in rest] == [one.record for one in straight[2:]]


def test_a_ranking_that_asks_for_the_networks_has_those_of_the_members_it_orders():
    def fewest(count, play, *, networks, generation):
        assert (len(networks), generation) == (count, 0)
        return np.argsort([network.live.sum() for network in networks], kind="stable")

    (first,) = generations(0, ranking=fewest)
    sizes = [network.live.sum() for network in networks_of(tiny_settings(*SMALL).members, first.members)]
    assert sorted(sizes) == sizes != sizes[::-1]


def test_a_fitness_below_zero_makes_parents_by_rank_where_rank_sums_would():
    def least(network, rng):
        return -1000.0 * rng.random()

    sums = ("ranking=original", "selection=rank-sum", "elites=0")
    by_sums, by_ranks = (generations(1, *keys, fitness=least)[1] for keys in (sums, sums[1:]))
    assert (genomes(by_sums) == genomes(by_ranks)).all()


def test_a_game_that_fails_in_what_a_ranking_plays_is_named_and_not_the_ranking(tmp_path, monkeypatch):
    file = tmp_path / "odd_game.py"
    file.write_text("def compare(first, second):\n    raise ValueError('odd')\n", encoding="utf-8")
    monkeypatch.setattr("neche.errors.CODE_OF_OTHERS", [str(file)])
    scorebook: Any = SimpleNamespace(**run_path(str(file)))
    context: Any = SimpleNamespace(settings=tiny_settings(*SMALL), seed=1, number=0)
    with pytest.raises(InputError, match=f"^{file}, line 2: ValueError: odd$"):
        Plugins.of([Plugin.of("ranking", neighbours)]).order(context, (), scorebook)


def test_a_ranking_may_ask_for_no_game_in_a_list_of_none():
    balances = []

    def unplayed(count, play, rng):
        balances.append(play([], []))
        return range(count)

    (first,) = generations(0, ranking=unplayed)
    assert first.record["games"] == len(balances[0]) == 0


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_change_nothing(backend):
    offset = 3.0

    def shifted(network, rng, *, generation):
        return network.live.sum() + generation * offset * rng.random()

    straight = generations(2, fitness=shifted)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        shared = generations(2, fitness=shifted)
    assert [(one.record, one.strengths.tolist()) for one in straight] == [
        (one.record, one.strengths.tolist()) for one in shared
    ]


def twice(count, play, rng):
    return [0, *range(count - 1)]


def against_itself(count, play, rng):
    play([1], [1])
    return range(count)


NONSENSE: dict[str, list[tuple[Any, str]]] = {
    "mutation": [
        (lambda genome: genome[:-1], r"returned shape \[639\], not whole numbers 0 … 3 of shape \[640\]"),
        (lambda genome: genome + 4, "returned values 4 … 7"),
        (lambda genome: None, "returned None"),
        (lambda genome: "A" * len(genome), "returned 'AAAA"),
        (lambda genome: 0 * genome, "left no viable child in 1000 attempts"),
        (lambda genome: 1 / 0, r"ZeroDivisionError: division by zero \(line \d+\)"),
    ],
    "crossover": [(lambda mother, father: mother / 2, "returned array")],
    "selection": [
        (
            lambda generation, count, rng: np.zeros(count, int),
            r"returned shape \[10\], .* of shape \[10, 2\]",
        ),
        (lambda generation, count, rng: np.full((count, 2), 12), "returned values 12 … 12"),
    ],
    "ranking": [
        (twice, "returned an order with member 0 twice, not every member once"),
        (lambda count, play, rng: [], r"returned array|returned shape|returned \[\]"),
        (against_itself, "member 1 cannot play itself"),
        (lambda count, play, rng: play([0], [12]), "returned values 12 … 12"),
    ],
    "fitness": [
        (lambda network: float("nan"), "returned nan, not a finite number"),
        (lambda network: [1, 2], "not a finite number"),
    ],
    "listener": [(lambda event: event.nothing, "AttributeError")],
}


@pytest.mark.parametrize(
    ("kind", "function", "fault"), [(kind, *case) for kind, cases in NONSENSE.items() for case in cases]
)
def test_nonsense_is_one_line_that_names_the_function(kind, function, fault):
    with pytest.raises(InputError, match=rf"^{kind} \S+ \(test_plugins.py:\d+\): .*{fault}") as refused:
        generations(1, **{kind: function})
    assert str(refused.value).count("test_plugins.py") == 1


@pytest.mark.parametrize(
    ("functions", "assignments", "fault"),
    [
        ({"mutation": one_letter}, ("refine_after=60",), "disable it with refine_after=0"),
        ({"crossover": first_half}, ("parents_per_child=1",), "nothing is crossed"),
        (
            {"fitness": live_synapses, "ranking": neighbours},
            (),
            "ranking neighbours already orders the members",
        ),
    ],
)
def test_a_plug_in_that_would_never_be_called_is_refused_before_anything_is_played(
    functions, assignments, fault
):
    with pytest.raises(InputError, match=fault):
        generations(1, *assignments, **functions)


def test_members_that_learn_by_prediction_have_no_parents_to_choose_but_an_order():
    settings = screened_settings("ladder_games=0")
    for kind in ("mutation", "crossover", "selection"):
        with pytest.raises(InputError, match="fitness = screened breeds no children"):
            evolve(settings, 1, plugins=Plugins.of([Plugin.of(kind, EVERY[kind])]))
    plugins = Plugins.of([Plugin.of("fitness", live_synapses)])
    last = list(evolve(settings, 1, generations=2, plugins=plugins))[-1]
    assert (np.diff(last.strengths) <= 0).all()
    assert last.record["fitness"]["best"] == last.strengths[0]
    with pytest.raises(InputError, match="fitness = prediction already orders the members"):
        evolve(screened_settings("fitness=prediction"), 1, plugins=plugins)


def test_two_functions_for_one_step_are_refused():
    with pytest.raises(InputError, match="there is another mutation, one_letter: give only one"):
        Plugins.of([Plugin.of("mutation", one_letter), Plugin.of("mutation", lambda genome: genome)])


@pytest.mark.parametrize("words", ["64-3-1", "32-12-12-7-1"])
def test_the_usual_operators_keep_whole_genomes(words):
    topology, rng = parse_topology(words), np.random.default_rng(1)
    length = topology.strand_format.length if topology.is_dense else 12 * 16
    parents = rng.integers(4, size=(2, 5, length), dtype=np.uint8)
    children = cross_genomes(parents[0], parents[1], rng, topology)
    mutants = mutate_genomes(children, tiny_settings().mutation, rng, topology)
    assert children.shape == mutants.shape == (5, length)
    assert (mutants != children).any()


def test_an_evolution_takes_marked_functions_and_keywords_alike():
    marked = neche.plugin.mutation(lambda genome, rng: one_letter(genome, rng))
    small: dict[str, Any] = {
        "population": 6,
        "genes": 40,
        "refine_after": 0,
        "ladder_games": 0,
        "champion_candidates": 0,
    }
    by_mark = neche.evolve("tournament", seed=1, generations=1, plugins=marked, **small)
    by_name = neche.evolve("tournament", seed=1, generations=1, mutation=marked, **small)
    assert [repr(one.members) for one in by_mark] == [repr(one.members) for one in by_name]
    with pytest.raises(InputError, match="unknown kind of plug-in 'mutaton' \\(did you mean mutation"):
        neche.evolve("tournament", mutaton=one_letter)
    with pytest.raises(InputError, match="is no plug-in: mark it"):
        neche.evolve("tournament", plugins=[one_letter])
