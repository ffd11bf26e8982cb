import json
import sys
from pathlib import Path

import pytest

from neche.genome.dna import encode
from neche.genome.fasta import Record, format_record, read_fasta
from neche.network.topology import ORIGINAL
from neche.players.source import network_of

FULL = "AAATTTGAAGCTACAA"
SILENT = "CGATGGTAGTCGGATC"


@pytest.fixture
def population(tmp_path):
    path = tmp_path / "population.fasta"
    records = [
        Record("best", encode(FULL + SILENT), {"perspective": "antisymmetric"}),
        Record("b", encode(FULL)),
    ]
    path.write_text("".join(map(format_record, records)))
    return path


def test_dot_leaves_dead_synapses_out_unless_asked(terminal):
    assert "n24 -> n58" not in terminal.text("export", FULL + SILENT)
    assert "n24 -> n58" in terminal.text("export", FULL + SILENT, "--all")


@pytest.mark.parametrize("form", ["json", "fasta", "onnx"])
def test_all_is_refused_where_nothing_is_drawn(form, terminal, tmp_path):
    output = tmp_path / f"one.{form}"
    assert "--all" in terminal.fault("export", FULL, "--all", "--output", output)
    assert not output.exists()


def test_json_holds_the_dna_and_the_perspective(terminal, population):
    document = json.loads(terminal.text("export", population, "--format", "json"))
    assert (document["id"], document["perspective"]) == ("best", "antisymmetric")
    assert document["dna"] == FULL + SILENT


def test_any_record_is_chosen_by_its_id(terminal, population):
    assert terminal.text("export", population, "--id", "b", "--format", "fasta").startswith(">b ")
    assert "no record 'c'" in terminal.fault("export", population, "--id", "c")


def test_fasta_keeps_the_perspective_that_was_chosen(terminal, population, tmp_path):
    output = tmp_path / "one.fasta"
    terminal.text("export", population, "--perspective", "own", "--output", output)
    (record,) = read_fasta(output)
    assert (record.id, record.fields["perspective"]) == ("best", "own")


def test_fasta_keeps_the_topology_that_was_chosen(terminal, tmp_path):
    small, output = tmp_path / "small.fasta", tmp_path / "one.fasta"
    small.write_text(format_record(Record("a", encode(FULL), {"topology": "32-7-10-4-1"})))
    terminal.text("export", small, "--topology", ORIGINAL.words, "--output", output)
    (record,) = read_fasta(output)
    assert network_of(record).topology == ORIGINAL


def test_the_ending_of_the_output_names_the_format(terminal, tmp_path):
    terminal.text("export", FULL, "--output", tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())["dna"] == FULL
    assert "did you mean json?" in terminal.fault("export", FULL, "--output", tmp_path / "a.jsn")
    assert "choose one with --format" in terminal.fault("export", FULL, "--output", tmp_path / "a")


def test_onnx_is_written_to_a_file_only(terminal, tmp_path):
    assert "--output FILE" in terminal.fault("export", FULL, "--format", "onnx")
    values = terminal.json("export", FULL, "--output", tmp_path / "a.onnx")
    assert values["bytes"] == (tmp_path / "a.onnx").stat().st_size > 0


def test_the_json_object_holds_the_text_when_there_is_no_file(terminal):
    assert terminal.json("export", FULL)["text"] == terminal.text("export", FULL)


def test_without_graphviz_a_picture_is_refused_with_a_hint(terminal, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "install graphviz, or choose the format dot" in terminal.fault("export", FULL, "--format", "svg")


def test_pictures_come_from_the_graphviz_program(terminal, monkeypatch, tmp_path):
    stand_in = tmp_path / "dot"
    stand_in.write_text(f"#!{sys.executable}\nimport sys; print(sys.argv[1], len(sys.stdin.read()))\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    length = len(terminal.text("export", FULL))
    assert terminal.text("export", FULL, "--format", "svg") == f"-Tsvg {length}\n"
    terminal.text("export", FULL, "--output", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_text() == f"-Tpng {length}\n"


def test_an_output_that_cannot_be_written_is_named(terminal, tmp_path):
    wrong = tmp_path / "nowhere" / "a.dot"
    assert f"{wrong}: cannot be written" in terminal.fault("export", FULL, "--output", wrong)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("AAATTTGAAGCTACAX", "'X' at position 16 "),
        (FULL + "A", "16"),
        ("nowhere", "no such run directory, FASTA file or shipped champion: nowhere"),
    ],
)
def test_bad_sources_are_named(source, fault, terminal):
    assert fault in terminal.fault("export", source)


def test_a_fasta_file_cut_off_inside_a_record_is_named(terminal, population):
    population.write_bytes(population.read_bytes()[:-5])
    assert f"{population}: record b" in terminal.fault("export", population)


@pytest.mark.parametrize(
    "name", ["champion.fasta", "champions.fasta", "generations/000001.fasta", "emigrants/000001.fasta"]
)
def test_an_export_takes_no_place_of_a_file_of_a_run(name, terminal, tmp_path, monkeypatch):
    run, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    for folder in (run, elsewhere):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("kept")
    (run / "config.toml").touch()
    monkeypatch.chdir((run / name).parent)
    fault = terminal.fault("export", FULL, "--format", "fasta", "--output", Path(name).name)
    assert "a run keeps a file of its own under this name" in fault
    assert (run / name).read_text() == "kept"
    terminal.text("export", FULL, "--output", run / "other.fasta")
    terminal.text("export", FULL, "--output", elsewhere / name)
    assert len([*read_fasta(elsewhere / name)]) == 1
