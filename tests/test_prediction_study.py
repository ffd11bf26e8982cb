"""The study of what networks learn best from: its cells, and the page that shows them."""

from pathlib import Path

import numpy as np

from neche.archive.run import RunDirectory
from neche.evolution.evolve import evolve
from neche.players.source import read_source
from neche.prediction.judging import Samples
from tests.evolution.builders import tiny_settings
from tools.studies import niches, prediction
from tools.studies.measurement import read_cells
from tools.studies.plateau_figures import plotting

PAGE = Path(__file__).resolve().parents[1] / "docs" / "studies" / "prediction.md"
GAMES = 10_000


def test_the_page_has_the_table_of_the_committed_cells():
    cells = read_cells(prediction.DATA)
    assert {cell["variant"] for cell in cells} == set(prediction.VARIANTS)
    assert prediction.table(cells, GAMES) in PAGE.read_text(encoding="utf-8")


def test_every_variant_but_the_base_changes_one_thing():
    for name, variant in prediction.VARIANTS.items():
        changed = [
            key for key in variant._fields if getattr(variant, key) != getattr(prediction.AS_IT_IS, key)
        ]
        # networks of genes need a perspective of their own
        assert len(set(changed) - {"perspective"}) == (name != "as it is"), name


def test_a_cell_leaves_its_network_and_counts_its_games(tmp_path, monkeypatch):
    monkeypatch.setattr(prediction, "_MATCH_GAMES", 2)
    variant = prediction.AS_IT_IS._replace(topology="128-2-1", label_depth=1, play_depth=1, batches=8)
    cell = prediction.run_cell(variant, 20, 1, tmp_path / "network.fasta")
    assert read_source(str(tmp_path / "network.fasta")).fields["topology"] == "128-2-1"
    assert [sum(counts) for counts in cell["results"].values()] == [2] * len(prediction.MATCHES)
    assert 0 <= cell["draws"] <= 1
    assert cell["samples"] > 20
    assert cell == prediction.run_cell(variant, 20, 1, tmp_path / "again.fasta")


def test_figures_are_drawn_from_cells_and_from_runs(tmp_path):
    from tools.studies import prediction_figures as figures

    ladder = 'ladder=["material:depth=4", "champion-1:depth=4"]'
    settings = tiny_settings("ladder_every=1", ladder, "ladder_games=2")
    with RunDirectory.create(tmp_path / "run", settings, 7) as run:
        for generation in evolve(settings, 7, generations=1):
            run.save(generation)
    for _ in range(2):
        figures.keep_curves([f"tiny={tmp_path / 'run'}"], tmp_path / "curves.jsonl")
    (curve,) = read_cells(tmp_path / "curves.jsonl")
    assert (curve["recipe"], curve["seed"], curve["generations"]) == ("tiny", 7, [0, 1])
    assert len(curve["material"]) == len(curve["champion-1"]) == 2
    plot = plotting()
    figures.draw_curves(plot, [curve], tmp_path / "curves.svg")
    figures.draw_variants(plot, read_cells(prediction.DATA), GAMES, tmp_path / "variants.svg")
    assert "tiny" in (tmp_path / "curves.svg").read_text()
    assert all(name in (tmp_path / "variants.svg").read_text() for name in prediction.VARIANTS)


def test_what_hidden_neurons_say_is_their_sum_where_it_is_positive():
    # each row: the weight to the output, a constant, the weights of two sensors
    neurons = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.5, 1.0, -2.0], [9.0, 1.0, 2.0, -4.0], [1.0, -1.0, 0.5, 0.5]]
    excited = np.array([[0, 0], [0, 1], [1, 0], [0, 0]], dtype=np.uint8)
    samples = Samples(excited, np.array([1, 2, 1, 0], dtype=np.uint8), np.zeros(4, dtype=np.float32))
    said = niches.said_by(np.array(neurons, dtype=np.float32), samples)
    assert said.tolist() == [[1.5, 3.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.5, 1.0, 0.0]]
