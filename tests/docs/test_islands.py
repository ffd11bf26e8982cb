"""Islands as in the documentation: task by task, as Slurm would start them, and in turns."""

import shlex
import subprocess
import sys

from neche.cli.main import main
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "run-on-a-cluster.md"
TURNS = ROOT / "docs" / "how-to" / "evolve-on-islands.md"
TINY = ("islands=2", "migrate_every=1", "population=8", "elites=2", "genes=40", "ladder=[]", "final_games=4")


def test_the_tasks_of_an_array_are_islands_whose_champions_meet(tmp_path, monkeypatch):
    (text,) = (block.text for block in blocks(PAGE) if block.note == "test-islands")
    submit, meet = (shlex.split(line) for line in text.replace("\\\n", " ").splitlines())
    task, last = submit[-1], ["--generations", "2"]
    num_tasks = 1 + int(submit[submit.index("--array") + 1].removeprefix("0-"))
    assert f"islands={num_tasks}" in task.split()
    tiny = [word for item in TINY for word in ("--set", item)]
    monkeypatch.chdir(tmp_path)
    started = []
    for number in ("1", "0"):
        words = shlex.split(task.replace("$SLURM_ARRAY_TASK_ID", number))
        assert words[0] == "neche"
        words = [sys.executable, "-m", *words, *tiny, *last]
        started.append(subprocess.Popen(words, stdout=subprocess.DEVNULL))
    assert [process.wait() for process in started] == [0, 0]
    assert main([*meet[1:], *last, "--jobs", "1"]) == 0
    run = tmp_path / "runs" / "isles"
    crowned = (run / "champion.fasta").read_bytes()
    assert crowned in [(run / f"island-{number}" / "champion.fasta").read_bytes() for number in (0, 1)]


def test_islands_in_turns_all_come_to_a_champion(tmp_path, monkeypatch):
    (example,) = (block.text for block in blocks(TURNS) if block.language == "python")
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    for number in (0, 1):
        assert (tmp_path / "runs" / "two" / f"island-{number}" / "champion.fasta").exists()
