"""The memory of plug-ins in a run directory: written, read back, repaired, and damage to it found."""

import shutil
from hashlib import sha256
from typing import Any

import pytest

import neche
from neche.archive.layout import RunLayout
from neche.archive.reading import read_generation
from neche.archive.repair import repair
from neche.archive.verify import verify
from neche.errors import InputError
from neche.evolution.plugins import Plugins
from neche.genome.fasta import read_fasta
from neche.players.plugged import Plugin
from tests.archive.builders import begin_plugged, contents, go_on_plugged
from tests.archive.test_repair import gone, population, rotten
from tests.evolution.test_memory import counting, novel
from tests.report.runs import sealed_history

NEWEST = 9
PLUGINS = Plugins.of([Plugin.of("ranking", novel), Plugin.of("mutation", counting)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return go_on_plugged(begin_plugged(tmp_path_factory.mktemp("whole") / "run", PLUGINS), NEWEST, PLUGINS)


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def test_a_run_in_parts_has_the_bytes_of_one_in_one_go(whole, tmp_path):
    path = begin_plugged(tmp_path / "run", PLUGINS)
    for last in range(NEWEST + 1):
        go_on_plugged(path, last, PLUGINS)
    assert contents(path) == contents(whole)
    assert verify(path).faults == ()


def test_the_memory_is_a_comment_of_the_population_that_readers_of_genomes_pass_over(whole):
    path = RunLayout(whole).population(NEWEST)
    first, second, *_ = path.read_text().splitlines()
    assert first.startswith(';memory {"')
    assert second.startswith(">g")
    assert len(read_fasta(path)) == 6
    assert str(path) in neche.player(str(path)).name
    memory = read_generation(whole, NEWEST).memory
    assert len(memory["archive"]) == 2 * (NEWEST + 1)
    assert list(memory["children"]) == [f"of {number}" for number in range(1, NEWEST + 1)]


def test_no_text_in_a_memory_is_taken_for_a_record_or_a_line(tmp_path):
    odd = {"a>b": "\n>g0-0000 x=1\nACGT\n;memory {}\r\n", "ä \u2028 \ud800": [">", None, True, -0.5e-300]}

    def keeping(count, play, memory):
        assert memory in ({}, odd)
        memory.update(odd)
        return range(count)

    small: dict[str, Any] = {
        "population": 6,
        "genes": 20,
        "refine_after": 0,
        "ladder_games": 0,
        "champion_candidates": 0,
    }
    given: dict[str, Any] = {"run": tmp_path / "run", "ranking": keeping}
    list(neche.evolve("tournament", seed=1, generations=0, **given, **small))
    list(neche.evolve(resume=True, generations=1, **given))
    path = RunLayout(tmp_path / "run").population(1)
    assert path.read_text(encoding="ascii").count(">") == len(read_fasta(path)) == 6
    assert read_generation(tmp_path / "run", 1).memory == odd


@pytest.mark.parametrize(
    "damages", [[rotten(9)], [rotten(8), gone(7)], [population(6), population(9)], [gone(4)]]
)
def test_a_lost_memory_is_computed_again(run, whole, damages):
    for damage in damages:
        damage(run)
    assert verify(run).faults
    assert repair(run, plugins=PLUGINS).faults == ()
    assert contents(run) == contents(whole)


def test_a_memory_changed_by_hand_is_damage_and_costs_its_generation(run, whole):
    path = RunLayout(run).population(NEWEST)
    path.write_text(path.read_text().replace('"born": ', '"born": 1'))
    assert any("damaged" in fault for fault in verify(run).faults)
    assert contents(go_on_plugged(run, NEWEST, PLUGINS)) == contents(whole)


@pytest.mark.parametrize("memory", ["", "5", "{", '["kept"]', "[" * 100_000])
def test_a_forged_memory_is_a_fault_of_one_line(run, memory):
    path = RunLayout(run).population(NEWEST)
    _, rest = path.read_text().split("\n", 1)
    path.write_text(f";memory {memory}\n{rest}")
    digest = sha256(path.read_bytes()).hexdigest()
    sealed_history(
        run, lambda values: {**values, "sha256": digest} if values["generation"] == NEWEST else values
    )
    with pytest.raises(
        InputError, match=r"^\S+000009.fasta: does not match its line in the history: [^\n]+$"
    ):
        read_generation(run, NEWEST)
