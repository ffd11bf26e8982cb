"""No knowledge of the game reaches the genomes: not from recipes, first members, operators or measurements.

A relabelled board is the test of it: who does not know what a sensor sees must treat a population
that has its sensors exchanged exactly as it treats the original one.
"""

import ast
import importlib
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as replace_struct
from scipy.stats import chisquare, kstest

from neche.arena.playing import GameResults
from neche.compiled.streams import stream
from neche.evolution.device import EvolutionDevice
from neche.evolution.evolution_strategy import add_links, add_modules, strategy_members
from neche.evolution.evolve import evolve
from neche.evolution.population import Generation, first_members
from neche.evolution.recipes import load_recipe, recipe_names
from neche.evolution.replay import Replay
from neche.evolution.reproduction import mutate_genomes, next_members
from neche.evolution.screening import Lesson, Screened, screened_members
from neche.evolution.settings import KEYS, Settings, resolve
from neche.genome.dna import Digits, random_genome, read_genes, write_genes
from neche.network.decode import wired_genes
from neche.network.topology import ORIGINAL, parse_topology
from neche.prediction.neurons import INPUTS, Wiring, read_neurons, write_neurons
from tests.evolution.builders import GENES, STRANDS, ranked_generation, screened_settings, tiny_settings

MAKERS = ("population", "reproduction", "evolution_strategy", "screening")
"""Modules of neche.evolution that make members: the rest pairs them, counts results and measures."""
IGNORANT = ("neche.games", "neche.search", "neche.players", "neche.arena", "neche.network.folding")
HAND_MADE = ("square_network", "material_network", "material_genome")
_UNLIKELY = 1e-4


def imported(name: str) -> set[str]:
    """Return the modules of neche that a module imports by name, directly."""
    tree = ast.parse(Path(str(importlib.import_module(name).__file__)).read_text(encoding="utf-8"))
    found = set()
    nodes = [node for part in tree.body if not _is_for_types(part) for node in ast.walk(part)]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("neche"):
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("neche")}
    return found


def _is_for_types(node: ast.stmt) -> bool:
    """Return whether a statement holds imports that only a type checker makes."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def reach_of(names: tuple[str, ...]) -> set[str]:
    """Return the modules that these import, and those that they import, and so on.

    The catalogue is left out: the settings check the name of the game against the names there are.
    """
    found: set[str] = set()
    waiting = [f"neche.evolution.{name}" for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found | {"neche.games.catalogue"}:
            found.add(name)
            waiting += imported(name)
    return found


def exchanged(genome: Digits, order: np.ndarray) -> Digits:
    """Return the genome with sensor i written as sensor order[i]."""
    genes = read_genes(genome)
    label = np.arange(64)
    label[: ORIGINAL.sensors] = order
    return write_genes(genes._replace(source=label[genes.source], sink=label[genes.sink]))


@pytest.fixture
def order() -> np.ndarray:
    return np.random.default_rng(5).permutation(ORIGINAL.sensors)


def test_what_makes_members_reaches_neither_rules_nor_search_nor_games():
    reach = reach_of(MAKERS)
    assert "neche.genome.operators" in reach
    assert not [name for name in reach if name.startswith(IGNORANT)]


def test_what_makes_members_never_asks_which_square_a_sensor_sees():
    for name in reach_of(MAKERS):
        source = Path(str(importlib.import_module(name).__file__)).read_text(encoding="utf-8")
        # A module may offer hand-made networks, but nothing beside their own makers may name them.
        kept = [node for node in ast.parse(source).body if getattr(node, "name", "") not in HAND_MADE]
        text = "\n".join(map(ast.unparse, kept))
        assert "games.sensors" not in text, name
        assert "games.geometry" not in text, name
        assert not [made for made in HAND_MADE if made in text], name


def test_recipes_say_numbers_names_of_schemes_and_players_to_be_measured_against():
    for name in recipe_names():
        text = resources.files("neche.evolution").joinpath("recipes", f"{name}.toml").read_text("utf-8")
        for table in tomllib.loads(text).values():
            for key, value in table.items():
                assert key in KEYS
                if key not in ("ladder", "game", "topology"):
                    assert_plain(key, value)


def assert_plain(key: str, value: Any) -> None:
    schemes = {"descent", "random", "swiss", "quicksort", "original", "truncation", "rank-sum"}
    schemes |= {"tournament", "screened", "prediction", "coevolution", "gradient", "lamarck", "mover"}
    values = value if isinstance(value, list) else [value]
    for entry in values:
        is_number = isinstance(entry, int | float)
        assert is_number or entry in schemes | {"own", "antisymmetric"}, f"{key} = {value}"


def test_the_first_members_of_every_recipe_are_random_dna_and_nothing_else():
    for name in recipe_names():
        settings = load_recipe(name)
        if settings.prediction.fitness != "tournament":
            continue
        members = first_members(settings.members, 3)
        for index, member in enumerate(members[:20]):
            rng = stream(3, 0, "first genome", index)
            drawn = [random_genome(settings.members.genes, rng) for _ in range(9)]
            assert any(np.array_equal(member.genome, genome) for genome in drawn)
        letters = np.bincount(np.concatenate([member.genome for member in members]), minlength=4)
        assert chisquare(letters).pvalue > _UNLIKELY
        sources = read_genes(np.stack([member.genome for member in members])).source
        assert chisquare(np.bincount(sources.ravel(), minlength=64)).pvalue > _UNLIKELY


@pytest.mark.parametrize("topology", ["32-7-16-8-1", "128-32-1"])
def test_the_first_members_that_learn_have_random_weights_alike_for_every_sensor(topology):
    settings = load_recipe("wide").members
    settings = replace_struct(settings, topology=topology, genes=849, population=60)
    genomes = [member.genome for member in first_members(settings, 3, first_weights=0.16)]
    neurons = np.stack([read_neurons(genome, parse_topology(topology)) for genome in genomes])
    weights = neurons[:, 1:, 2:]
    assert not neurons[:, 0].any()
    assert weights.std() == pytest.approx(0.16, rel=0.01)
    # the mean of each sensor over all neurons and members, in standard errors
    means = weights.mean(axis=(0, 1)) / (0.16 / np.sqrt(weights[..., 0].size))
    assert kstest(means, "norm").pvalue > _UNLIKELY


def test_mutations_write_every_sensor_equally_often():
    rates = load_recipe("tournament").mutation
    rng = np.random.default_rng(8)
    offspring = np.stack([random_genome(200, rng) for _ in range(900)])
    before, after = read_genes(offspring).source, read_genes(mutate_genomes(offspring, rates, rng)).source
    written = np.bincount(after[before != after], minlength=64)
    assert written[: ORIGINAL.sensors].sum() > 2000
    assert chisquare(written[: ORIGINAL.sensors]).pvalue > _UNLIKELY


@pytest.mark.parametrize("grow", [add_modules, add_links])
def test_growth_takes_every_sensor_equally_often(grow):
    taken = np.zeros(ORIGINAL.sensors, dtype=np.int64)
    for number in range(300):
        rng = np.random.default_rng(number)
        silent = random_genome(200, rng)
        genes = read_genes(silent)
        silent = write_genes(genes._replace(sink=np.zeros_like(genes.sink)))
        grown = grow(silent, 7, rng)
        sources = read_genes(grown).source[wired_genes(grown)]
        taken += np.bincount(sources[sources < ORIGINAL.sensors], minlength=ORIGINAL.sensors)
    assert taken.sum() == 2100
    assert chisquare(taken).pvalue > _UNLIKELY


def test_an_evolution_strategy_varies_a_relabelled_board_alike(order):
    settings = tiny_settings("refine_after=1")
    original = ranked_generation(settings, number=9, depth=2, moved_up_at=1)
    centre = original.members[0].genome
    members = tuple(
        replace_struct(member, id=f"g9-{index:04d}", genome=centre)
        for index, member in enumerate(original.members)
    )
    original = replace(original, members=members)
    relabelled = replace(
        original,
        members=tuple(replace_struct(member, genome=exchanged(member.genome, order)) for member in members),
    )
    plain = strategy_members(settings, 4, original, 7)
    other = strategy_members(settings, 4, relabelled, 7)
    assert len({member.genome.tobytes() for member in plain}) > 2
    for one, two in zip(plain, other, strict=True):
        assert np.array_equal(exchanged(one.genome, order), two.genome)


def renamed_lesson(lesson: Lesson, order: np.ndarray) -> Lesson:
    """Return samples in which sensor i by kind is called order[i]; how it reaches inputs is as before."""
    return lesson._replace(samples=lesson.samples._replace(excited=order[lesson.samples.excited]))


def rewired(lesson: Lesson, order: np.ndarray) -> Lesson:
    """Return samples with renamed sensors, each of which reaches the input that it did before."""
    back = np.argsort(order)
    plain = lesson.wiring
    wiring = Wiring(
        plain.input_of[back], plain.factor[back], order[plain.opposite[back]], plain.views, plain.second
    )
    return renamed_lesson(lesson, order)._replace(wiring=wiring)


def exchanged_inputs(genome: Digits, order: np.ndarray, settings: Settings) -> Digits:
    """Return the genome of the neurons whose input i is called order[i]."""
    topology = parse_topology(settings.members.topology)
    neurons = read_neurons(genome, topology)
    turned = neurons.copy()
    turned[:, INPUTS + order] = neurons[:, INPUTS:]
    return write_neurons(turned, topology, settings.members.genes)


@pytest.fixture
def kinds_order() -> np.ndarray:
    return np.random.default_rng(6).permutation(128).astype(np.uint8)


@pytest.mark.parametrize("learning", ["coevolution", "gradient"])
@pytest.mark.parametrize("more", [STRANDS, GENES], ids=["strands", "genes"])
def test_members_learn_alike_whatever_the_sensors_are_called(kinds_order, more, learning):
    settings = resolve(screened_settings(*more, f"learning={learning}"))
    *_, generation = evolve(settings, 4, generations=1)
    lesson = Replay(settings, 4).after(generation)
    plain = screened_members(settings, 4, generation, lesson)
    other = screened_members(settings, 4, generation, rewired(lesson, kinds_order))
    assert [m.genome.tobytes() for m in plain.members] == [m.genome.tobytes() for m in other.members]
    assert plain.errors.tolist() == other.errors.tolist()


def learned_on_two_boards(
    settings: Settings, generation: Generation, order: np.ndarray
) -> tuple[Screened, Screened]:
    """Return what members become on the board as it is and on a relabelled one."""
    lesson = Replay(settings, 4).after(generation)
    members = (
        replace_struct(member, genome=exchanged_inputs(member.genome, order, settings))
        for member in generation.members
    )
    relabelled = replace(generation, members=tuple(members))
    plain = screened_members(settings, 4, generation, lesson)
    return plain, screened_members(settings, 4, relabelled, renamed_lesson(lesson, order))


def test_members_that_follow_slopes_learn_a_relabelled_board_alike(kinds_order):
    settings = resolve(screened_settings("learning=gradient", "batches=20"))
    *_, generation = evolve(settings, 4, generations=1)
    plain, other = learned_on_two_boards(settings, generation, kinds_order)
    assert len({member.genome.tobytes() for member in plain.members}) > 2
    for one, two in zip(plain.members, other.members, strict=True):
        assert np.array_equal(exchanged_inputs(one.genome, kinds_order, settings), two.genome)
    assert plain.errors.tolist() == other.errors.tolist()


def test_neurons_that_evolve_learn_a_relabelled_board_as_well(kinds_order):
    # mutations are drawn by weight, so that the members are others, but as good ones
    settings = resolve(screened_settings("batches=150", "first_games=100"))
    (generation,) = evolve(settings, 4, generations=0)
    plain, other = learned_on_two_boards(settings, generation, kinds_order)
    assert plain.errors[0] == other.errors[0]
    assert other.errors[1:].mean() == pytest.approx(plain.errors[1:].mean(), rel=0.1)
    assert other.errors[1:].mean() < 0.9 * plain.errors[0]


def chance(field: Any, pairings: Any, rule: Any, *, notify: Any = None) -> GameResults:
    """Decide games by their keys alone, whichever members play."""
    count = len(pairings.first)
    outcome = (pairings.game_key % np.uint64(3)).astype(np.int8) - np.int8(1)
    return GameResults(outcome, np.full(count, 10, np.int32), np.full(count, 100, np.int64))


@pytest.mark.parametrize("scheme", ["descent", "random", "swiss", "quicksort", "original"])
def test_equal_results_rank_and_breed_equally_whatever_the_networks_are(monkeypatch, order, scheme):
    monkeypatch.setattr("neche.evolution.champion.play_games", chance)
    settings = tiny_settings(f"ranking={scheme}", "point_rate=0", "renewal_rate=0")

    def families() -> list[tuple[str, tuple[str, ...]]]:
        (ranked,) = evolve(settings, 2, generations=0, device=EvolutionDevice(play=chance))
        children = next_members(settings, 2, ranked)
        return [(member.id, member.parents) for member in (*ranked.members, *children)]

    plain = families()
    random = first_members(settings.members, 2)
    relabelled = tuple(replace_struct(member, genome=exchanged(member.genome, order)) for member in random)
    monkeypatch.setattr("neche.evolution.evolve.first_members", lambda *_, **__: relabelled)
    assert families() == plain


def test_whom_a_champion_is_measured_against_changes_no_member():
    def members(*assignments: str) -> list[bytes]:
        settings = tiny_settings("depth=1", *assignments)
        return [
            member.genome.tobytes()
            for ranked in evolve(settings, 6, generations=3)
            for member in ranked.members
        ]

    assert members('ladder=["material:depth=1"]') == members('ladder=["blind:depth=1", "random"]')
    assert members('ladder=["material:depth=1"]') == members("ladder=[]")
