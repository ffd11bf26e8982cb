import pytest

from neche.genome.dna import decode
from neche.genome.fasta import read_fasta

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


def test_the_run_is_named_after_the_folder_by_default(terminal, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "go on with: neche evolve --resume --run runs/nechedbg" in terminal.text(
        "import", "nechedbg", folder
    )


def test_bad_folders_name_the_fault(terminal, folder, tmp_path):
    assert f"{tmp_path / 'none'}: no such folder" in terminal.fault("import", "nechedbg", tmp_path / "none")
    (folder / "7_nets.txt").write_text("AAAX" * 4)
    fault = terminal.fault("import", "nechedbg", folder, "--run", tmp_path / "run")
    assert f"{folder / '7_nets.txt'}: line 1: " in fault
    assert not (tmp_path / "run").exists()
