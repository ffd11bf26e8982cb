"""`neche report`: a page for every kind of run, one line for anything else."""

import json
import xml.etree.ElementTree as ET

import pytest

from neche.genome.dna import decode
from tests.report.runs import made_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made_run(tmp_path_factory.mktemp("runs") / "made")


def test_a_page_and_its_pictures_are_written(terminal, run, tmp_path):
    page, folder = tmp_path / "page.html", tmp_path / "figures"
    values = terminal.json("report", run, "--output", page, "--games", 2, "--figures", folder, "--png")
    assert values["output"] == str(page)
    assert values["bytes"] == page.stat().st_size
    assert values["generations"] == 5
    assert values["champion_id"] == "g4-0000"
    assert values["games"] == 2
    names = {path.name for path in folder.iterdir()}
    assert names == {path.rpartition("/")[2] for path in values["figures"]}
    assert names >= {
        "ladder.svg",
        "ladder.png",
        "network.svg",
        "man-values.svg",
        "king-values.svg",
        "lineage.svg",
    }
    for path in folder.glob("*.svg"):
        assert ET.fromstring(path.read_text("utf-8")).tag.endswith("svg")
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.glob("*.png"))
    again = tmp_path / "again.html"
    terminal.json("report", run, "--output", again, "--games", 2, "--jobs", 1)
    assert again.read_bytes() == page.read_bytes()


def test_the_page_is_called_as_the_run_is(terminal, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert terminal.text("report", run, "--games", 0).startswith("made.html: ")
    assert (tmp_path / "made.html").exists()


def test_a_page_takes_no_place_of_a_file_of_the_run(terminal, run):
    history = (run / "history.jsonl").read_bytes()
    fault = terminal.fault("report", run, "--games", 0, "--output", run / "history.jsonl")
    assert fault.endswith("history.jsonl: cannot be written: a run keeps a file of its own under this name\n")
    assert (run / "history.jsonl").read_bytes() == history
    terminal.text("report", run, "--games", 0, "--output", run / "page.html")
    (run / "page.html").unlink()


def test_an_imported_run_has_a_page(terminal, tmp_path, run):
    from neche.genome.fasta import read_fasta

    genomes = [decode(record.genome) for record in read_fasta(run / "generations" / "000004.fasta")]
    folder = tmp_path / "nechedbg"
    folder.mkdir()
    (folder / "7_nets.txt").write_text("\n".join(genomes))
    (folder / "best_networks.txt").write_text("\n".join(genomes[:2]))
    terminal.json("import", "nechedbg", folder, "--run", tmp_path / "imported")
    page = tmp_path / "page.html"
    assert terminal.json("report", tmp_path / "imported", "--output", page)["champion_id"] == "best-0001"
    assert "imported from the original program" in page.read_text("utf-8")
    (folder / "best_networks.txt").unlink()
    terminal.json("import", "nechedbg", folder, "--run", tmp_path / "young")
    assert terminal.json("report", tmp_path / "young", "--output", page)["champion_id"] is None


def test_what_is_no_run_is_named_in_one_line(terminal, tmp_path, run):
    assert "no such run directory" in terminal.fault("report", tmp_path / "nothing")
    assert "config.toml" in terminal.fault("report", tmp_path)
    assert "no such run directory" in terminal.fault("report", run / "champion.fasta")
    assert "is a directory" in terminal.fault("report", run, "--output", tmp_path)
    assert "there is no directory" in terminal.fault("report", run, "--output", tmp_path / "a" / "b.html")
    assert "--figures" in terminal.fault("report", run, "--png")
    fault = terminal.fault("report", run, "--output", tmp_path / "page.pdf")
    assert fault == f"neche: error: --output {tmp_path / 'page.pdf'}: its name must end in .html or .htm\n"
    assert "whole number" in terminal.fault("report", run, "--games", "many")


def test_the_values_are_json(terminal, run, tmp_path):
    text = terminal.text("report", run, "--games", 0, "--output", tmp_path / "p.html", "--json")
    assert json.loads(text)["figures"] == []
