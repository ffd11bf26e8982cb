import json
from pathlib import Path

from neche.cli.main import main
from tests.archive.builders import write_run


def test_an_intact_run_and_a_damaged_one(terminal, tmp_path, capsys):
    run = write_run(tmp_path / "run")
    assert "every file is intact" in terminal.text("verify", run)
    population = run / "generations" / "000003.fasta"
    population.write_bytes(population.read_bytes()[:-2])
    assert main(["verify", str(run), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert "000003.fasta: damaged" in told["faults"][0]
    (run / "config.toml").unlink()
    assert main(["verify", str(run), "--repair"]) == 1
    assert "mended: " in capsys.readouterr().out
    assert (run / "config.toml").exists()


def test_a_configuration_without_a_copy_is_told_and_is_no_damage(terminal, tmp_path):
    run = write_run(tmp_path / "run")
    terminal.text("verify", run)
    assert terminal.notes == ""
    copy = run / "generations" / "config.toml"
    copy.unlink()
    assert "every file is intact" in terminal.text("verify", run)
    assert terminal.notes == f"neche: {run}: config.toml has no copy in generations/: --repair writes one\n"
    terminal.text("verify", run, "--repair")
    assert copy.read_bytes() == (run / "config.toml").read_bytes()
    terminal.text("verify", run)
    assert terminal.notes == ""


def test_what_is_no_run_is_one_line(terminal, tmp_path):
    assert "neither a run nor a directory of runs" in terminal.fault("verify", tmp_path)


def test_a_directory_stands_for_the_runs_in_it_and_in_directories_in_it(terminal, tmp_path, capsys):
    whole, damaged, inner = (write_run(tmp_path / "runs" / name) for name in ("a", "b", "sweep/seed-0"))
    assert terminal.json("verify", whole, tmp_path / "runs" / "sweep")["runs"] == [
        {"run": str(run), "faults": [], "mended": []} for run in (whole, inner)
    ]
    (damaged / "generations" / "000003.fasta").unlink()
    (damaged / "config.toml").unlink()
    assert main(["verify", str(tmp_path / "runs")]) == 1
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{whole}: every file is intact")
    assert second.startswith(f"{damaged}: 2 faults, such as {damaged}/config.toml: ")
    assert third.startswith(f"{inner}: every file is intact")


def test_one_of_several_that_cannot_be_looked_at_costs_the_others_nothing(tmp_path, capsys):
    gone, whole = (write_run(tmp_path / name) for name in ("a", "b"))
    for copy in (gone / "config.toml", gone / "generations" / "config.toml"):
        copy.unlink()
    assert main(["verify", str(tmp_path), "--repair"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{gone}: 1 fault, such as {gone}: no run is there (config.toml is missing)"
    assert second.startswith(f"{whole}: every file is intact")


def test_the_copy_of_its_configuration_is_no_run_within_a_run(tmp_path, capsys):
    run = write_run(tmp_path / "runs" / "a")
    (run / "config.toml").unlink()
    (run / "history.jsonl").unlink()
    before = sorted(run.rglob("*"))
    assert main(["verify", str(tmp_path / "runs")]) == 1
    assert capsys.readouterr().out.startswith(f"{run}: 2 faults, such as {run}/config.toml: ")
    assert main(["verify", str(tmp_path / "runs"), "--repair"]) == 1
    assert {*run.rglob("*")} - {*before} <= {run / "config.toml", run / ".lock"}


def test_what_may_not_be_looked_into_is_a_fault_and_costs_the_others_nothing(tmp_path, capsys, monkeypatch):
    whole, locked = write_run(tmp_path / "a"), tmp_path / "locked"
    locked.mkdir()
    exists = Path.exists

    def asked(path):
        if locked in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr(Path, "exists", asked)
    assert main(["verify", str(tmp_path)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{whole}: every file is intact")
    assert second == f"{locked}: 1 fault, such as {locked}/config.toml: Permission denied"


def test_nothing_is_called_mended_that_is_not(tmp_path, capsys):
    run = write_run(tmp_path / "run")
    (run / "champion.fasta").write_text("no champion")
    assert main(["verify", str(run), "--repair"]) == 1
    (fault,) = capsys.readouterr().out.splitlines()
    assert fault.startswith(f"{run}/champion.fasta: ")


def test_a_fault_of_the_system_that_names_no_file_is_told_without_one(tmp_path, capsys, monkeypatch):
    write_run(tmp_path / "a")
    write_run(tmp_path / "b")

    def refuse(run):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("neche.cli.verify.verify", refuse)
    assert main(["verify", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[0] == f"{tmp_path}/a: 1 fault, such as Cannot allocate memory"


def test_a_champion_that_is_to_be_crowned_again_is_named_with_the_command(terminal, tmp_path, capsys):
    run, champion = write_run(tmp_path / "run"), tmp_path / "run" / "champion.fasta"
    champion.write_text("")
    assert main(["verify", str(run), "--repair"]) == 1
    told = capsys.readouterr()
    assert told.out == f"{champion}: empty file, expected FASTA\n"
    again = f"evolve --resume --run {run} --generations 7"
    assert told.err == f"neche: {run}: its champion is crowned again by neche {again}\n"
    terminal.text(*again.split())
    assert champion.read_text().startswith(">g")
    assert main(["verify", str(run)]) == 0
