import json

from neche.cli.main import main
from tests.archive.builders import write_run


def test_an_intact_run_and_a_damaged_one(terminal, tmp_path, capsys):
    run = write_run(tmp_path / "run")
    assert "every file is what was written" in terminal.text("verify", run)
    population = run / "generations" / "000003.fasta"
    population.write_bytes(population.read_bytes()[:-2])
    assert main(["verify", str(run), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert "000003.fasta: damaged" in told["faults"][0]
    (run / "config.toml").unlink()
    assert main(["verify", str(run), "--repair"]) == 1
    assert "mended: " in capsys.readouterr().out
    assert (run / "config.toml").exists()


def test_what_is_no_run_is_one_line(terminal, tmp_path):
    assert "no run is there" in terminal.fault("verify", tmp_path)
