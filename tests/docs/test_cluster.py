"""The page about clusters: its commands and its Python run here, on clusters of two processes."""

import shlex
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from neche.cli.main import main
from tests.api.clusters import CLUSTERS, OPTION
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "run-on-a-cluster.md"
TINY = ("generations=1", "population=8", "elites=2", "genes=40", "ladder=[]", "ladder_games=4")

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


def block(note):
    (found,) = (block for block in blocks(PAGE) if block.note == note)
    return found


def words_of(note):
    """Return the commands of a block, the last of neche: one that is small here."""
    *others, command = (shlex.split(line) for line in block(note).text.splitlines())
    assert command[0] == "neche"
    return others, [*command[1:], "--json", *(word for item in TINY for word in ("--set", item))]


def test_the_commands_for_dask_run(tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="Dask is not installed: pip install -e '.[dask]'")
    monkeypatch.chdir(tmp_path)
    (scheduler, worker), command = words_of("test-dask")
    with ExitStack() as stack:
        # A port of their own, since the usual one may be taken.
        for words in ([*scheduler, "--port", "0"], [*worker, "--no-dashboard"]):
            assert words[0] == "dask"
            process = stack.enter_context(subprocess.Popen([sys.executable, "-m", *words]))
            stack.callback(process.terminate)
            while not (tmp_path / "scheduler.json").exists():
                assert process.poll() is None
                time.sleep(0.1)
        assert main(command) == 0
    assert (tmp_path / "runs" / "far" / "champion.fasta").exists()


def test_the_command_for_ray_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (start,), command = words_of("test-ray")
    assert start[:2] == ["ray", "start"]
    with CLUSTERS["ray"]() as address:
        # `ray stop` would end every Ray of the machine, so it is started from here.
        at = command.index(OPTION["ray"]) + 1
        assert main([*command[:at], address, *command[at + 1 :]]) == 0
    assert (tmp_path / "runs" / "far" / "champion.fasta").exists()


def test_the_python_for_dask_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("distributed", reason="Dask is not installed: pip install -e '.[dask]'")
    monkeypatch.chdir(tmp_path)
    exec(compile(block("test-python").text, str(PAGE), "exec"), {"__name__": "page"})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["0", "1"]
