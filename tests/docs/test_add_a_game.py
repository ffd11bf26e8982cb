"""The page on adding a game shows the toy of the tests, and its commands play it."""

import io
import shlex
import shutil
import sys

from neche.cli.main import main
from neche.games.catalogue import FILES
from tests.docs.pages import ROOT, blocks
from tests.games.toys.loading import TICTACTOE

PAGE = ROOT / "docs" / "how-to" / "add-a-game.md"


def test_the_game_on_the_page_is_the_toy_that_is_tested():
    (shown,) = (block.text for block in blocks(PAGE) if block.note == "file: tictactoe.py")
    with open(TICTACTOE, encoding="utf-8") as file:
        assert shown == file.read()


def test_the_commands_of_the_page_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FILES, "")
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\na1\nquit\n"))
    shutil.copy(TICTACTOE, tmp_path)
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines()]
    assert len(lines) >= 6
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "neche"
        assert main(words) == 0, capsys.readouterr().err
