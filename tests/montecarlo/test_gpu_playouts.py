"""The script for machines with a GPU, run without one, in the simulator."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tools.bench.gpu_playouts", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_one_command_checks_measures_and_writes_everything(tmp_path):
    few = ("--seconds", "0.2", "--positions", "4", "--games", "5", "--most", "20")
    answer = run(str(tmp_path / "report"), *few, NUMBA_ENABLE_CUDASIM="1")
    assert answer.returncode == 0, answer.stderr
    report = json.loads((tmp_path / "report" / "gpu-playouts.json").read_text())
    assert report["correct"]
    assert len(report["same"]) == 7
    assert all(report["same"].values())
    assert report["sustained"]["games"] > 0
    assert len(report["threads"]) == 8
    text = (tmp_path / "report" / "gpu-playouts.md").read_text()
    assert text in answer.stdout
    for head in ("# Playouts of checkers on simulator", "## Correctness", "## Rate", "## Many positions"):
        assert head in text


def test_without_a_gpu_the_script_says_so_in_one_line(tmp_path):
    answer = run(str(tmp_path / "report"), NUMBA_ENABLE_CUDASIM="0", CUDA_VISIBLE_DEVICES="-1")
    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    assert not (tmp_path / "report").exists()
