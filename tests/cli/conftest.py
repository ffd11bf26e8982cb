"""Running the command line inside the test process."""

import json
from typing import Any

import pytest

from neche.cli.main import main

TINY_RUN = {
    "population": 8,
    "genes": 20,
    "ladder_every": 2,
    "ladder_games": 4,
    "champion_candidates": 2,
    "champion_games": 4,
    "final_candidates": 2,
    "final_games": 4,
    "keep_every": 100,
    "keep_last": 2,
}


def _said(err):
    """Return the lines of standard error but those on compiling, which any test may be the first to meet."""
    return [line for line in err.splitlines(keepends=True) if not line.startswith("compiling the ")]


class Terminal:
    """Runs `neche WORDS` and checks what every command promises."""

    def __init__(self, capsys):
        self._capsys = capsys
        self.notes = ""

    def text(self, *words):
        """Return what a good command prints; `notes` holds what it says on standard error."""
        assert main([str(word) for word in words]) == 0
        captured = self._capsys.readouterr()
        self.notes = "".join(_said(captured.err))
        return captured.out

    def json(self, *words):
        """Return the one JSON object that a good command prints with --json."""
        return json.loads(self.text(*words, "--json"))

    def fault(self, *words, num_notes=0):
        """Return the one line of a bad command, which prints nothing else but that many notes before."""
        assert main([str(word) for word in words]) == 2
        captured = self._capsys.readouterr()
        assert captured.out == ""
        *notes, complaint = _said(captured.err)
        assert complaint.startswith("neche: error: ")
        assert complaint.endswith("\n")
        assert len(notes) == num_notes
        return complaint

    def evolve(self, directory, *words, generations=3):
        """Begin a tiny run."""
        settings = [word for key, value in TINY_RUN.items() for word in ("--set", f"{key}={value}")]
        beginning = ("evolve", "--recipe", "tournament", "--run", directory, "--generations", generations)
        return self.json(*beginning, *settings, *words)


@pytest.fixture
def terminal(capsys):
    return Terminal(capsys)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A run of four generations, to be read or copied."""
    import neche

    path = tmp_path_factory.mktemp("watch") / "run"
    tiny: dict[str, Any] = {
        "population": 6,
        "genes": 40,
        "champion_candidates": 0,
        "final_candidates": 0,
        "ladder_games": 2,
    }
    evolution = neche.evolve("tournament-quick", seed=4, generations=3, run=path, ladder_every=1, **tiny)
    assert len(list(evolution)) == 4
    return path
