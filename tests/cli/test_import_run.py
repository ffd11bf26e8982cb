import json

import pytest

from neche.archive.reading import read_config, read_generation
from neche.evolution.evolve import ranked
from neche.evolution.population import first_members
from neche.evolution.settings import MemberSettings
from neche.genome.dna import decode
from neche.genome.fasta import read_fasta
from tests.archive.builders import contents

GENOMES = ["AAATTTGAAGCTACAA" * 2, "CGATGGTAGTCGGATCAAATTTGAAGCTACAA"]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "nechedbg"
    folder.mkdir()
    (folder / "7_nets.txt").write_text("\n".join(GENOMES) + "\n")
    (folder / "best_networks.txt").write_text(GENOMES[1] + "\n")
    return folder


def test_the_newest_population_becomes_a_run_that_goes_on(terminal, folder, tmp_path):
    run = tmp_path / "run"
    values = terminal.json("import", "nechedbg", folder, "--run", run)
    assert (values["generation"], values["num_members"], values["num_champions"]) == (7, 2, 1)
    members = read_fasta(run / "generations" / "000007.fasta")
    assert [decode(member.genome) for member in members] == GENOMES
    assert terminal.text("export", run, "--format", "json").count(GENOMES[1]) == 1


@pytest.fixture
def population(folder):
    """Put networks that can play into the folder: generation 8."""
    members = first_members(MemberSettings(population=6, genes=20), 3)
    (folder / "8_nets.txt").write_text("".join(f"{decode(member.genome)}\n" for member in members))
    (folder / "best_networks.txt").unlink()
    return folder


def test_an_import_plays_before_it_breeds(terminal, population, tmp_path):
    run = tmp_path / "run"
    terminal.json("import", "nechedbg", population, "--run", run, "--seed", 2)
    before = contents(run)
    text = terminal.text("evolve", "--resume", "--run", run, "--generations", 9)
    assert "the members of generation 8 have not played yet; they play first" in terminal.notes
    assert "None" not in text + terminal.notes
    assert contents(run)["generations/000008.fasta"] == before["generations/000008.fasta"]
    lines = [json.loads(line) for line in (run / "history.jsonl").read_text().splitlines()]
    assert [(line["generation"], line["games"] > 0) for line in lines] == [(8, False), (9, True)]
    parents = {member.fields["parents"] for member in read_fasta(run / "generations" / "000009.fasta")}
    assert {identifier[:3] for couple in parents for identifier in couple.split(",")} == {"g8-"}


def test_an_import_goes_on_to_the_same_bytes_however_often_it_is_stopped(terminal, population, tmp_path):
    for name, stops in (("straight", [11]), ("stopped", [8, 9, 10, 11])):
        terminal.json("import", "nechedbg", population, "--run", tmp_path / name)
        for number in stops:
            terminal.json("evolve", "--resume", "--run", tmp_path / name, "--generations", number)
    assert contents(tmp_path / "stopped") == contents(tmp_path / "straight")


def test_the_champion_of_an_import_that_goes_no_further_is_the_best_of_its_games(
    terminal, population, tmp_path
):
    run = tmp_path / "run"
    terminal.json("import", "nechedbg", population, "--run", run)
    values = terminal.json("evolve", "--resume", "--run", run, "--generations", 8)
    imported = read_generation(run, 8)
    best = ranked(read_config(run).settings, 0, imported).members[0]
    assert values["champion_id"] == best.id != imported.members[0].id


def test_the_run_is_named_after_the_folder_by_default(terminal, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "continue with: neche evolve --resume --run runs/nechedbg" in terminal.text(
        "import", "nechedbg", folder
    )
    text = terminal.text("import", "nechedbg", folder, "--run", "runs/of a friend")
    assert "neche evolve --resume --run 'runs/of a friend'\n" in text


def test_bad_folders_name_the_fault(terminal, folder, tmp_path):
    assert f"{tmp_path / 'none'}: no such folder" in terminal.fault("import", "nechedbg", tmp_path / "none")
    (folder / "7_nets.txt").write_text("AAAX" * 4)
    fault = terminal.fault("import", "nechedbg", folder, "--run", tmp_path / "run")
    assert f"{folder / '7_nets.txt'}: line 1: " in fault
    assert not (tmp_path / "run").exists()
