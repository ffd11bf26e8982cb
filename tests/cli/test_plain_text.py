"""Terminals and files that cannot write every character, or cannot be redrawn."""

import io
import os
import re
import sys

import pytest
from rich.console import Console

from neche.cli.evolve_display import Display, write_line
from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.main import main
from tests.cli.test_evolve_display import after_events
from tests.report.runs import made_run

WATCHED = ("watch", "runs/reference", "--once")


@pytest.fixture
def written(monkeypatch):
    """Run a command whose streams have an encoding; return the text and the notes that come out."""

    def run(encoding, *words):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2)]
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", streams[0])
            patched.setattr(sys, "stderr", streams[1])
            code = main([str(word) for word in words])
        for stream in streams:
            stream.flush()
        return code, *(stream.buffer.getvalue().decode(encoding) for stream in streams)

    return run


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
@pytest.mark.parametrize(
    "words",
    [
        WATCHED,
        ("--help",),
        ("analyse", "--player", "material:depth=2"),
        ("analyse", "--player", "uct:playouts=50", "--seed", 1),
        ("match", "random", "blind:depth=1", "--games", 2, "--jobs", 1),
        ("ladder", "random", "--rungs", "random", "--games", 2, "--jobs", 1),
        ("export", "AAATTTGAAGCTACAA", "--all"),
    ],
    ids=lambda words: " ".join(map(str, words[:2])),
)
def test_every_character_can_be_written_anywhere(written, encoding, words):
    code, text, _ = written(encoding, *words)
    assert code == 0
    assert text.strip()
    whole = written("utf-8", *words)[1]
    assert len(text.splitlines()) == len(whole.splitlines())


def test_bars_are_drawn_in_ascii_where_nothing_else_can_be_written(written):
    _, text, _ = written("ascii", *WATCHED)
    found = re.search(r"live synapses +\S+ +(\S+)", text)
    assert found
    bars = found[1]
    assert len(bars) == 22
    assert set(bars) <= set("_.-=+*%#")
    assert bars.endswith(("#", "%"))
    assert "?" not in text


def test_a_file_name_that_cannot_be_written_is_named_all_the_same(written, tmp_path):
    for name in ("zoë→.fasta", "odd\udcff.fasta"):
        code, text, notes = written("ascii", "export", tmp_path / name)
        assert (code, text) == (2, "")
        assert notes.startswith("neche: error: no such run directory")


def test_json_keeps_every_character(written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, text, _ = written("ascii", "export", "AAATTTGAAGCTACAA", "--output", "zoë→.dot", "--json")
    assert code == 0
    assert '"zo\\u00eb\\u2192.dot"' in text


def test_a_terminal_that_cannot_be_redrawn_gets_lines(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    out = io.StringIO()
    progress: EvolutionProgress = after_events()
    with Display(progress, Console(file=out, force_terminal=True), clock=lambda: 9.0) as display:
        display.confirm()
        assert out.getvalue().splitlines()[0] == write_line(progress)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("match {run}:depth=1 random --games 2 --pdn", "games.pdn"),
        ("ladder {run}:depth=1 --rungs random --games 2 --output", "ladder.svg"),
        ("compare {run} {run}-2 --output", "runs.html"),
        ("compare {run} {run}-2 --output", "runs.csv"),
        ("gallery {run} --output", "all.html"),
    ],
)
def test_files_are_written_about_a_run_whose_name_is_no_text(
    terminal, tmp_path, monkeypatch, command, target
):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"l\xe4uf")
    made_run(tmp_path / name)
    made_run(tmp_path / f"{name}-2", seed=2)
    terminal.text(*command.format(run=name).split(), target)
    assert re.search(r"l\S{1,6}uf", (tmp_path / target).read_text(encoding="utf-8"))
