"""The tools behind docs/studies/plateau.md: tiny studies, and facts about the networks they draw."""

import json

import numpy as np
import pytest

from neche.archive.run import RunDirectory
from neche.evolution.evolve import evolve
from neche.evolution.recipes import override
from neche.evolution.schedule import StreamName
from neche.network.decode import decode, material_network
from tools.studies import ablation, measurement, valley

LADDER = {"blind:depth=4": 0.5, "material:depth=4": 0.0}
PURPOSE = StreamName(1, 0, "test")
TINY = ("population=8", "games_per_member=4", "ladder_games=2", "ladder_every=2", "final_games=2")


def tiny_settings():
    settings = ablation.settings_of(ablation.STUDIES["climb"], "as it is")
    for assignment in (*TINY, "elites=1", "champion_games=2"):
        settings = override(settings, assignment)
    return settings


@pytest.mark.parametrize(
    ("study", "variant"),
    [(study, name) for study in ablation.STUDIES for name in ablation.STUDIES[study].variants],
)
def test_every_variant_differs_from_its_base_by_valid_settings(study, variant):
    changed = ablation.settings_of(ablation.STUDIES[study], variant)
    if variant != "as it is" and "as it is" in ablation.STUDIES[study].variants:
        assert changed != ablation.settings_of(ablation.STUDIES[study], "as it is")


def test_a_cell_plays_its_games_and_follows_from_its_seed():
    once, again = (ablation.run_cell(tiny_settings(), 3, 64, {"blind:depth=1": 4}) for _ in range(2))
    assert once == again
    assert once["games"] == 64
    assert sum(once["results"]["blind:depth=1"]) == 4
    assert [games for games, _, _ in once["curve"]] == [16, 48]


def test_finished_cells_are_not_run_again(tmp_path, monkeypatch):
    path = tmp_path / "cells.jsonl"
    runs = []
    results = {player: [3, 0, 1] for player in ablation.YARDSTICKS}

    def fake(settings, seed, games, yardsticks):
        runs.append(seed)
        return {"games": games, "results": results}

    monkeypatch.setattr(ablation, "run_cell", fake)
    ablation.run_study("climb", [1], ["as it is"], path)
    ablation.run_study("climb", [1, 2], ["as it is"], path)
    assert runs == [1, 2]
    assert "| as it is | 2 | 100 k | 0.750 ± 0.000 |" in ablation.table(measurement.read_cells(path), "climb")


def test_cells_of_a_variant_that_was_changed_since_do_not_count():
    cell = ablation.key_of("climb", "no elites") | {"seed": 1}
    assert ablation.cells_of([cell], "climb", "no elites") == [cell]
    assert ablation.cells_of([cell | {"set": ["elites=1"]}], "climb", "no elites") == []


def test_a_line_cut_off_is_no_finished_cell(tmp_path):
    path = tmp_path / "cells.jsonl"
    measurement.append_cell(path, {"a": 1})
    path.write_text(path.read_text() + '{"a": ', encoding="utf-8")
    assert measurement.read_cells(path) == [{"a": 1}]
    measurement.append_cell(path, {"a": 2})
    assert measurement.read_cells(path) == [{"a": 1}, {"a": 2}]
    assert measurement.read_cells(tmp_path / "none") == []


def test_results_are_counted_from_the_networks_side_in_both_colours():
    material = material_network()
    (counts,) = measurement.play_each(
        [material], decode(np.empty(0, np.uint8)), 2, num_games=8, purpose=PURPOSE
    )
    assert measurement.score_of(counts) > 0.8


def test_thirty_two_squares_are_the_count_of_material():
    (genome,) = valley.genomes_of("squares", 32, 1, 1)
    seen, material = decode(genome), material_network()
    assert np.array_equal(seen.source, material.source)
    assert np.array_equal(seen.weight, material.weight)


def test_a_larger_set_of_squares_holds_the_smaller():
    few, many = (decode(valley.genomes_of("squares", size, 1, 1)[0]).source for size in (4, 12))
    assert (len(few), len(many)) == (4, 12)
    assert set(few) <= set(many)


def test_a_valley_cell_keeps_the_result_of_every_network():
    key = {
        "family": "noise",
        "size": 1.0,
        "depth": 1,
        "perspective": "own",
        "seed": 1,
        "networks": 3,
        "games": 2,
    }
    cell = valley.play_cell(key)
    assert json.loads(json.dumps(cell)) == cell
    assert [sum(counts) for counts in cell["results"]] == [2, 2, 2]
    assert "| noise 1 | " in valley.table([cell], "own")


def test_figures_are_drawn_from_cells(tmp_path):
    from tools.studies import plateau_figures

    results = {player: [2, 1, 1] for player in ablation.YARDSTICKS}
    rest = {"seed": 1, "results": results, "curve": [[10, 0.5, 0.0]]}
    drawn_from = [("climb", "as it is"), ("climb", "ranking swiss"), ("climb", "no elites")]
    drawn_from.append(("refine", "as it is"))
    cells = [ablation.key_of(*names) | rest for names in drawn_from]
    valley_cell = {
        "family": "squares",
        "size": 1,
        "depth": 1,
        "perspective": "own",
        "results": [[1, 0, 1]] * 2,
    }
    line = {"generation": 0, "games": 9, "squares_seen": 3.0, "constant": 0.1, "ladder": LADDER}
    plateau_figures.draw_all(cells, [valley_cell], [line], tmp_path)
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert len(drawn) == 5
    assert "swiss" in drawn["plateau-ranking.svg"]
    assert "no elites" in drawn["plateau-ingredients.svg"]


def test_of_a_run_the_figure_keeps_what_it_needs(tmp_path):
    from tools.studies import plateau_figures

    settings = override(tiny_settings(), "ladder_every=1")
    with RunDirectory.create(tmp_path / "run", settings, 1) as run:
        for generation in evolve(settings, 1, generations=1):
            run.save(generation)
    for _ in range(2):
        plateau_figures.keep_history(tmp_path / "run", tmp_path / "kept.jsonl")
    kept = measurement.read_cells(tmp_path / "kept.jsonl")
    assert [line["generation"] for line in kept] == [0, 1]
    assert set(kept[0]["ladder"]) == set(LADDER)
