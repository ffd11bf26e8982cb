"""What plug-ins keep for later generations: the memory of a generation, the same after a resume."""

import json
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import neche
from neche.errors import InputError
from neche.evolution.evolve import evolve
from neche.evolution.plugins import Plugins
from neche.genome.dna import decode, encode
from neche.players.plugged import Plugin
from tests.evolution.builders import screened_settings, tiny_settings

SMALL = ("genes=40", "refine_after=0", "ladder_games=0", "champion_candidates=0", "next_depths=[]")


def seen_squares(networks):
    return np.array([np.isin(range(32), network.source[network.live]) for network in networks], dtype=int)


def novel(count, play, rng, networks, memory):
    """Order by the distance to the nearest three of members and archive; two enter it."""
    seen = seen_squares(networks)
    archive = memory.setdefault("archive", [])
    others = np.array([*archive, *seen])
    nearest = np.sort(np.abs(seen[:, None] - others).sum(axis=2), axis=1)[:, :4].sum(axis=1)
    archive += seen[rng.choice(count, 2, replace=False)].tolist()
    return np.argsort(-nearest, kind="stable")


def counting(genome, rng, generation, memory):
    """Count the children of each generation; its ranking finds the number."""
    memory["children"] = {**memory.get("children", {}), f"of {generation}": memory.get("born", 0) + 1}
    memory["born"] = memory.get("born", 0) + 1
    genome[rng.integers(len(genome), size=9)] = memory["born"] % 4
    return genome


def evolved(count, *assignments, resume_from=None, settings=tiny_settings, **functions):
    plugins = Plugins.of(Plugin.of(kind, function) for kind, function in functions.items())
    chosen = settings(*(SMALL if settings is tiny_settings else ()), *assignments)
    return list(evolve(chosen, 1, generations=count, plugins=plugins, resume_from=resume_from))


def genomes(generation):
    return np.stack([member.genome for member in generation.members])


def test_an_archive_grows_by_what_members_of_each_generation_saw():
    generations = evolved(4, ranking=novel)
    assert [len(one.memory["archive"]) for one in generations] == [2, 4, 6, 8, 10]
    for before, after in pairwise(generations):
        assert after.memory["archive"][:-2] == before.memory["archive"]
    # without the archive other members are novel
    forgetful = evolved(4, ranking=lambda count, play, rng, networks: novel(count, play, rng, networks, {}))
    assert (genomes(generations[-1]) != genomes(forgetful[-1])).any()


def elites(count, play, rng, members, networks, memory):
    """Keep the member of each niche that has most live synapses, as MAP-Elites does."""
    archive = memory.setdefault("elites", {})
    squares, sizes = seen_squares(networks).sum(axis=1), [int(one.live.sum()) for one in networks]
    for member, seen, size in zip(members, squares, sizes, strict=True):
        if size > archive.get(str(seen), [-1])[0]:
            archive[str(seen)] = [size, decode(member.genome)]
    return np.argsort(squares, kind="stable")


def from_elites(genome, rng, memory):
    """Return an elite of any niche with a few letters redrawn."""
    _, letters = list(memory["elites"].values())[rng.integers(len(memory["elites"]))]
    is_hit = rng.random(len(genome)) < 0.02
    return np.where(is_hit, rng.integers(4, size=len(genome)), encode(letters))


def test_map_elites_illuminates_more_niches_and_better_ones():
    generations = evolved(12, mutation=from_elites, ranking=elites)
    archives = [one.memory["elites"] for one in generations]
    for before, after in pairwise(archives):
        assert before.keys() <= after.keys()
        assert all(after[niche][0] >= size for niche, (size, _) in before.items())
    assert len(archives[-1]) > len(archives[0])
    # an elite has been a member, and outlives it
    assert not {letters for _, letters in archives[-1].values()} <= {
        decode(member.genome) for member in generations[-1].members
    }


def test_a_ranking_cannot_change_the_genomes_of_members():
    def breeding(count, play, generation, members):
        if generation:  # those who have just been born; nobody has protected them yet
            next(member for member in members if member.id.startswith("g1-")).genome[:] = 0
        return range(count)

    with pytest.raises(InputError, match=r"ranking breeding .*read-only"):
        evolved(1, ranking=breeding)


@pytest.mark.parametrize(
    ("settings", "functions"),
    [
        (tiny_settings, {"ranking": novel}),
        (tiny_settings, {"mutation": counting}),
        (tiny_settings, {"mutation": counting, "ranking": novel}),
        (tiny_settings, {"mutation": from_elites, "ranking": elites}),
        (screened_settings, {"ranking": novel}),
    ],
)
def test_a_resumed_evolution_remembers_what_one_in_one_go_does(settings, functions):
    straight = evolved(4, settings=settings, **functions)
    before = deepcopy(straight[1].memory)
    # twice, as a generation from which an evolution goes on must not remember what came later
    for _ in range(2):
        rest = evolved(4, settings=settings, resume_from=straight[1], **functions)
        assert straight[1].memory == before
        for once, again in zip(straight[2:], rest, strict=True):
            assert (genomes(once) == genomes(again)).all()
            assert (once.record, once.memory) == (again.record, again.memory)


def test_members_from_elsewhere_are_ranked_with_an_empty_memory_each_time():
    (first,) = evolved(0)
    imported = replace(first, games=np.zeros_like(first.games), record={})
    plugins, settings = Plugins.of([Plugin.of("ranking", novel)]), tiny_settings(*SMALL)
    for _ in range(2):
        (after,) = evolve(settings, 1, generations=1, plugins=plugins, resume_from=imported)
        assert len(after.memory["archive"]) == 4  # two of the imported generation, two of its children


def test_mutation_and_ranking_share_one_memory():
    found = []

    def first_come(count, play, memory):
        found.append(dict(memory.get("children", {})))
        return range(count)

    *_, last = evolved(3, mutation=counting, ranking=first_come)
    assert [list(one) for one in found] == [[], ["of 1"], ["of 1", "of 2"], ["of 1", "of 2", "of 3"]]
    # ten children a generation, and some that were not viable
    assert 30 <= last.memory["born"] == last.memory["children"]["of 3"]


def test_a_function_finds_what_a_resume_would_read():
    kinds = []

    def keeping(count, play, memory):
        kinds.append({key: type(value) for key, value in memory.items()})
        memory |= {"array": np.arange(3), "number": np.int64(3), "pair": (1, 2), "texts": {7: "ä", None: 1.5}}
        return range(count)

    *_, last = evolved(1, ranking=keeping)
    assert last.memory == {"array": [0, 1, 2], "number": 3, "pair": [1, 2], "texts": {"7": "ä", "null": 1.5}}
    assert kinds == [{}, {"array": list, "number": int, "pair": list, "texts": dict}]


def test_who_looks_on_cannot_change_what_is_remembered():
    def forget(event):
        if hasattr(event, "generation") and hasattr(event.generation, "memory"):
            event.generation.memory.clear()

    heard = evolved(3, ranking=novel, listener=forget)
    assert [one.memory for one in heard] == [one.memory for one in evolved(3, ranking=novel)]


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), np.array([np.inf]), b"bytes", {(1, 2): 3}, json])
def test_what_a_file_cannot_hold_is_named_with_the_function(value):
    def wrong(count, play, memory):
        memory["kept"] = value
        return range(count)

    with pytest.raises(
        InputError, match=r"^ranking wrong \(test_memory.py:\d+\): its memory cannot be stored"
    ):
        evolved(1, ranking=wrong)


def test_a_memory_that_holds_itself_or_is_nested_too_deeply_is_named():
    def endless(count, play, memory):
        memory["self"] = memory
        return range(count)

    def nested(levels):
        def deep(count, play, memory):
            memory["inner"] = None
            for _ in range(levels - 1):
                memory["inner"] = [memory["inner"]]
            return range(count)

        return deep

    *_, last = evolved(1, ranking=nested(100))
    assert json.dumps(last.memory).count("[") == 99
    # Python copies to a depth of some five hundred, and writes JSON to some thousand
    for function in (endless, nested(101), nested(600), nested(100_000)):
        with pytest.raises(InputError, match="its memory cannot be stored"):
            evolved(1, ranking=function)


def test_kinds_that_run_beside_one_another_have_no_memory():
    with pytest.raises(InputError, match=r"must take \(network, rng\), and may ask for generation$"):
        neche.evolve("tournament", seed=1, fitness=lambda network, rng, memory: 1.0)
