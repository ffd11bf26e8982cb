"""The page on plug-ins shows what running it gives, and its commands run."""

import shlex
import sys

import pytest

from neche.cli.main import main
from tests.docs.pages import ROOT, blocks
from tools.checks.notebook import executed

PAGE = ROOT / "docs" / "how-to" / "plug-in.md"
LONGEST_FUNCTION = 30


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (parts,) = (block.text for block in blocks(PAGE) if block.note == "file: parts.py")
    (tmp_path / "parts.py").write_text(parts, encoding="utf-8")
    yield tmp_path
    sys.modules.pop("parts", None)


def test_what_the_page_shows_is_what_running_it_gives():
    text = PAGE.read_text(encoding="utf-8")
    assert executed(text)[0] == text


def test_the_commands_of_the_page_run(capsys):
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines()]
    assert len(lines) == 4
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "neche"
        assert main(words) == 0, capsys.readouterr().err


def test_no_function_of_the_page_is_long(folder):
    functions = (folder / "parts.py").read_text(encoding="utf-8").split("\n\n\n")
    assert all(len(function.splitlines()) <= LONGEST_FUNCTION for function in functions)
