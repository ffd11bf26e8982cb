"""Running the command line inside the test process."""

import json

import pytest

from neche.cli.main import main


class Terminal:
    """Runs `neche WORDS` and checks what every command promises."""

    def __init__(self, capsys):
        self._capsys = capsys

    def text(self, *words):
        """Return what a good command prints."""
        assert main([str(word) for word in words]) == 0
        return self._capsys.readouterr().out

    def json(self, *words):
        """Return the one JSON object that a good command prints with --json."""
        return json.loads(self.text(*words, "--json"))

    def fault(self, *words):
        """Return the one line of a bad command, which prints nothing else."""
        assert main([str(word) for word in words]) == 2
        captured = self._capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("neche: error: ")
        assert captured.err.count("\n") == 1
        return captured.err


@pytest.fixture
def terminal(capsys):
    return Terminal(capsys)
