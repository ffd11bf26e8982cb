"""Evolution as an iterator of generations."""

import sys
import threading
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import neche
from neche.archive.reading import read_history
from neche.archive.run import RunDirectory
from neche.evolution.events import GenerationStarted
from neche.evolution.population import networks_of
from neche.players.function_player import PLUGGED

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


@pytest.mark.parametrize("name", [None, "run"])
def test_a_loop_that_was_interrupted_goes_on_when_it_is_begun_again(tmp_path, name):
    interrupts = [KeyboardInterrupt]

    def interrupt(event):
        if isinstance(event, GenerationStarted) and event.number == 2 and interrupts:
            raise interrupts.pop()

    run = None if name is None else tmp_path / name
    evolution = neche.evolve("tournament", seed=3, generations=3, run=run, listener=interrupt, **TINY)
    with pytest.raises(KeyboardInterrupt):
        list(evolution)
    assert not (tmp_path / "run" / "champion.fasta").exists()
    last = [*evolution][-1]
    straight = [*neche.evolve("tournament", seed=3, generations=3, **TINY)][-1]
    assert [record["generation"] for record in evolution.records] == [0, 1, 2, 3]
    assert [member.id for member in last.members] == [member.id for member in straight.members]


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


def kept(run):
    return [line["generation"] for line in read_history(run).lines]


def test_a_generation_plays_while_the_one_before_is_put_on_disk(tmp_path, monkeypatch):
    plays, save = threading.Event(), RunDirectory.save

    def slowly(run, generation):
        # The first is saved only after the second has begun to play.
        assert generation.number > 0 or plays.wait(60)
        save(run, generation)

    def hear(event):
        if isinstance(event, GenerationStarted) and event.number == 1:
            assert kept(tmp_path / "run") == []
            plays.set()

    monkeypatch.setattr(RunDirectory, "save", slowly)
    with neche.evolve("tournament-quick", seed=3, generations=2, run=tmp_path / "run", **TINY) as evolution:
        for generation in evolution.generations(hear):
            if generation.number:
                assert kept(tmp_path / "run")[-1] >= generation.number - 1
        evolution.flush()
        assert kept(tmp_path / "run") == [0, 1, 2]
    monkeypatch.undo()
    with neche.evolve("tournament-quick", seed=3, generations=2, run=tmp_path / "twin", **TINY) as evolution:
        for number in range(3):
            next(evolution)
            assert kept(tmp_path / "twin")[-1] == number
    for path in ("history.jsonl", "generations/000002.fasta"):
        assert (tmp_path / "run" / path).read_bytes() == (tmp_path / "twin" / path).read_bytes()


def test_a_fault_of_the_disk_is_told_by_whoever_waits_for_it_and_leaves_the_run_as_it_was(
    tmp_path, monkeypatch
):
    def full(run, generation):
        raise neche.InputError("no space")

    evolution = neche.evolve("tournament-quick", seed=3, generations=4, run=tmp_path / "run", **TINY)
    next(evolution)
    monkeypatch.setattr(RunDirectory, "save", full)
    with pytest.raises(neche.InputError, match="no space"):
        next(evolution)
    assert evolution.last is not None
    assert evolution.last.number == 0
    evolution.close()
    evolution = neche.evolve(run=tmp_path / "run", resume=True, generations=2)
    next(evolution.generations())
    with pytest.raises(neche.InputError, match="no space"):
        evolution.close()
    assert evolution.run is None
    monkeypatch.undo()
    assert [one.number for one in neche.evolve(run=tmp_path / "run", resume=True, generations=2)] == [1, 2]


def test_settings_are_taken_as_text_too():
    words = neche.evolve("tournament-quick", overrides=["population=6", 'game="othello"'])
    names = neche.evolve("tournament-quick", population=6, game="othello")
    assert words.settings == names.settings


def test_settings_are_numbers_and_truth_values_of_other_libraries_too():
    plies, turned = np.array([2, 4]), np.bool_(True)
    evolution = neche.evolve(
        game="othello",
        population=np.int64(6),
        rate=np.float32(0.125),
        opening_plies=plies,
        symmetries=turned,
    )
    settings = evolution.settings
    assert (settings.members.population, settings.prediction.rate) == (6, 0.125)
    assert settings.games.opening_plies == (2, 4)
    assert settings.prediction.symmetries is True


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


def small_evolution(**options):
    return neche.evolve("tournament-quick", seed=3, generations=4, **{**TINY, "ladder_every": 2}, **options)


class Frame(list[dict[str, Any]]):
    """A stand-in for a pandas frame: the rows that it is made from."""

    def __init__(self, rows, columns=None):
        super().__init__(rows)
        self.columns, self.indexed_by = columns or list(rows[0]), ""

    def set_index(self, name):
        assert name in self.columns
        self.indexed_by = name
        return self


def test_records_and_frame_hold_every_generation_in_memory_and_on_disk(tmp_path, monkeypatch):
    stand_in = ModuleType("pandas")
    stand_in.__dict__["DataFrame"] = Frame
    monkeypatch.setitem(sys.modules, "pandas", stand_in)
    memory, disk = small_evolution(), small_evolution(run=tmp_path / "run")
    for evolution in (memory, disk):
        assert evolution.to_frame() == []
        assert len(list(evolution)) == 5
    again = neche.evolve(run=tmp_path / "run", resume=True)
    again.close()
    for evolution in (memory, disk, again):
        rows = evolution.to_frame()
        assert rows.indexed_by == "generation"
        assert [row["generation"] for row in rows] == [0, 1, 2, 3, 4]
        assert ["ladder blind:depth=1" in row for row in rows] == [True, False, True, False, True]
        assert not any(isinstance(value, dict | list) for row in rows for value in row.values())
    for row, kept in zip(memory.to_frame(), disk.to_frame(), strict=True):
        assert row.items() <= kept.items()
    plugged = small_evolution(fitness=lambda network: network.live.sum(), refine_after=0)
    best = [generation.strengths.max() for generation in plugged]
    assert [row["best fitness"] for row in plugged.to_frame()] == best
    assert all(row["mean fitness"] < row["best fitness"] for row in plugged.to_frame())


def test_what_is_damaged_is_warned_of(tmp_path):
    path = tmp_path / "run"
    list(neche.evolve("tournament", seed=3, generations=2, run=path, **TINY))
    history = (path / "history.jsonl").read_bytes()
    (path / "history.jsonl").write_bytes(history.replace(b'{"generation": 1', b'{"generation": 7'))
    with neche.evolve(run=path, resume=True, generations=3) as evolution:
        with pytest.warns(UserWarning, match="line 2 is damaged"):
            assert [record["generation"] for record in evolution.records] == [0, 2]
        with pytest.warns(UserWarning, match="damaged|goes on from generation 2") as warned:
            assert [generation.number for generation in evolution] == [3]
    assert any("goes on from generation 2" in str(one.message) for one in warned)


def test_without_pandas_it_is_named_in_a_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(neche.InputError, match="to_frame needs pandas: pip install pandas"):
        small_evolution().to_frame()


def test_progress_gives_the_generations_and_writes_how_far_it_is(capsys):
    with small_evolution() as evolution:
        assert [generation.number for generation in evolution.progress()] == [0, 1, 2, 3, 4]
    assert "evolving" in capsys.readouterr().out


def test_what_is_shown_is_short():
    evolution = small_evolution()
    assert repr(evolution) == "<Evolution of checkers, seed 3, in memory: nothing yet of 4>"
    first, *_ = evolution
    assert repr(first).startswith("<Generation 0: 6 members, best g0-")
    assert "generation 4 of 4" in repr(evolution)
    page = evolution._repr_html_()
    assert page.count("<tr>") == 6
    report = neche.match("material:depth=1", "random", games=2)
    assert repr(report).startswith("<Match of material:depth=1 against random: ")
    assert len(repr(report)) < 150


def test_a_page_is_written_from_a_run(tmp_path):
    with small_evolution(run=tmp_path / "run") as evolution:
        for _ in evolution:
            pass
    page = neche.write_report(tmp_path / "run", tmp_path / "page.html", games=2)
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html")
    with pytest.raises(neche.InputError, match="no such run directory"):
        neche.write_report(tmp_path / "none", page)
    with pytest.raises(neche.InputError, match="seed = -1: a whole number of at least 0 is needed"):
        neche.write_report(tmp_path / "run", page, seed=-1)


def test_a_page_knows_the_plug_ins_on_the_ladder_of_its_run(tmp_path, monkeypatch):
    parts = tmp_path / "parts.py"
    parts.write_text("import neche\n\n@neche.plugin.evaluator\ndef level(board):\n    return 0.0\n")
    settings = {**TINY, "ladder": ["level:depth=1"], "ladder_games": 2}
    for _ in neche.evolve("tournament-quick", generations=0, run=tmp_path / "run", plugins=parts, **settings):
        pass
    monkeypatch.delitem(PLUGGED, "level")
    with pytest.raises(neche.InputError, match="unknown player 'level'"):
        neche.write_report(tmp_path / "run", tmp_path / "page.html", games=1)
    page = neche.write_report(tmp_path / "run", tmp_path / "page.html", games=1, plugins=parts)
    assert "level:depth=1" in page.read_text(encoding="utf-8")


def test_a_keyword_that_changes_nothing_is_warned_of():
    with pytest.warns(UserWarning, match="^point_rate changes nothing where fitness = screened$"):
        neche.evolve("quick", point_rate=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        neche.evolve("quick", batches=9, overrides=["point_rate=0.1"])
