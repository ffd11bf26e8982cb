"""The study of what networks learn best from: its cells, and the page that shows them."""

from pathlib import Path

from neche.players.source import read_source
from tools.studies import prediction
from tools.studies.measurement import read_cells

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
