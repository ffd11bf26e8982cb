"""Evolution as an iterator of generations."""

from typing import Any

import numpy as np
import pytest

import neche
from neche.evolution.population import networks_of

TINY: dict[str, Any] = {
    "population": 6,
    "genes": 40,
    "champion_candidates": 2,
    "champion_games": 2,
    "final_candidates": 2,
    "final_games": 2,
    "ladder_games": 2,
    "ladder": ["blind:depth=1"],
}


def digest_of(evolution, member):
    (network,) = networks_of(evolution.settings.members, [member])
    return network.digest


def test_generations_come_one_after_the_other_and_leave_networks():
    evolution = neche.evolve("tournament-quick", seed=3, generations=2, **TINY)
    assert evolution.networks == []
    assert [generation.number for generation in evolution] == [0, 1, 2]
    assert len(evolution.networks) == 6
    report = neche.match(evolution.networks[0], "random", games=2)
    assert report.pairs.num_pairs == 1


@pytest.mark.parametrize("name", ["checkers", "othello"])
def test_a_run_on_disk_goes_on_where_it_was_left(tmp_path, name):
    first = neche.evolve("tournament-quick", seed=3, generations=3, run=tmp_path / "run", game=name, **TINY)
    next(first)
    next(first)
    first.close()
    rest = [
        generation.number for generation in neche.evolve(run=tmp_path / "run", resume=True, generations=3)
    ]
    assert rest == [2, 3]
    straight = list(neche.evolve("tournament-quick", seed=3, generations=3, game=name, **TINY))
    again = neche.read_network(str(tmp_path / "run"))
    champions = neche.evolve(run=tmp_path / "run", resume=True, generations=3)
    champions.close()
    assert champions.last is not None
    for kept, straight_member in zip(champions.last.members, straight[-1].members, strict=True):
        assert np.array_equal(kept.genome, straight_member.genome)
    assert again.topology.sensors == (64 if name == "othello" else 32)


def test_events_are_heard_and_the_champion_is_that_of_the_run_on_disk(tmp_path):
    events: list[Any] = []
    with neche.evolve("tournament-quick", seed=3, generations=1, run=tmp_path / "run", **TINY) as evolution:
        with pytest.raises(neche.InputError, match="without a generation has no champion"):
            evolution.select_champion()
        for _ in evolution.generations(events.append):
            assert events
        member, scores = evolution.select_champion()
    assert set(scores) == {"blind:depth=1"}
    assert evolution.run is None
    assert neche.read_network(str(tmp_path / "run")).digest == digest_of(evolution, member)


def test_settings_are_taken_as_text_too():
    words = neche.evolve("tournament-quick", overrides=["population=6", 'game="othello"'])
    names = neche.evolve("tournament-quick", population=6, game="othello")
    assert words.settings == names.settings


def test_unknown_settings_and_taken_directories_are_refused(tmp_path):
    with pytest.raises(neche.InputError, match="unknown setting 'populatoin'"):
        neche.evolve(populatoin=5)
    with pytest.raises(neche.InputError, match="nothing to resume"):
        neche.evolve(run=tmp_path / "none", resume=True)


def test_faults_of_settings_speak_of_the_call_and_not_of_the_command():
    for options in ({"populaton": 5}, {"overrides": ["populaton=5"]}, {"population": "many"}):
        with pytest.raises(neche.InputError, match=r"^populat") as fault:
            neche.evolve(**options)
        assert "--set" not in str(fault.value)


def test_without_a_recipe_it_is_that_of_the_command():
    assert neche.evolve().settings == neche.evolve("default").settings


def test_a_member_is_written_in_a_line():
    (generation,) = neche.evolve("tournament-quick", generations=0, **{**TINY, "ladder_games": 0})
    assert repr(generation.members[0]).startswith("Member('g0-")
    assert repr(generation.members[0]).endswith(f"{16 * TINY['genes']} nucleotides)")


def test_resuming_takes_no_other_settings_and_needs_a_run(tmp_path):
    for options in ({}, {"run": tmp_path, "population": 9}, {"run": tmp_path, "recipe": "long"}):
        with pytest.raises(neche.InputError, match="resume needs a run, which keeps its own recipe"):
            neche.evolve(resume=True, **options)


def test_any_text_reaches_the_settings_as_it_is():
    with pytest.raises(neche.InputError, match="unknown game 'a\"b'"):
        neche.evolve(game='a"b')


def test_a_network_as_matrix_and_graph_agree():
    champion = neche.read_network("champion")
    matrix, graph = neche.weights(champion), neche.to_graph(champion, show_all=True)
    for source, sink, facts in graph.edges(data=True):
        assert matrix[source, sink] == facts["weight"]
    assert np.count_nonzero(matrix) == sum(facts["raw"] != 0 for *_, facts in graph.edges(data=True))
