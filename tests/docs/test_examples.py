"""The examples of the documentation run: the tutorial's commands, and the Python of the how-to pages."""

import io
import json
import shlex
import shutil
import sys

import msgspec
import pytest

from neche.archive.generation_line import GenerationLine
from neche.cli.main import main
from neche.games.catalogue import FILES
from tests.docs.pages import PAGES, ROOT, blocks

TUTORIAL = ROOT / "docs" / "tutorial" / "first-champion.md"
# The Python of the last needs clusters: see tests/docs/test_cluster.py.
WITHOUT_PYTHON = {"play-in-the-browser", "run-on-a-cluster"}
HOW_TO = [page for page in PAGES if page.parent.name == "how-to" and page.stem not in WITHOUT_PYTHON]
TINY = (
    *("population=5", "genes=99", "ladder_games=4", "champion_candidates=0", "final_candidates=0"),
    *("sample_games=20", "first_games=20", "batches=2"),
)


def test_the_commands_of_the_tutorial_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    """A comment before a block adds options that make it small, names a program it needs, or types for it."""
    monkeypatch.chdir(tmp_path)
    output, num_commands = "", 0
    for block in blocks(TUTORIAL):
        kind, _, detail = block.note.partition(": ")
        if block.language == "sh":
            if kind == "test-says":
                monkeypatch.setattr("sys.stdin", io.StringIO(detail.replace(" / ", "\n") + "\n"))
            can_run = kind != "test-needs" or shutil.which(detail) is not None
            for line in block.text.splitlines():
                program, *words = shlex.split(line)
                assert program == "neche"
                code = main([*words, *(shlex.split(detail) if kind == "test" else [])])
                captured = capsys.readouterr()
                assert code == (0 if can_run else 2), (words, captured.err)
                output, num_commands = captured.out, num_commands + 1
        elif kind == "test-output":
            assert output == block.text
    assert num_commands >= 10
    assert (tmp_path / "runs" / "tournament" / "champion.fasta").exists()


@pytest.mark.slow
def test_the_five_minutes_of_the_tutorial_give_the_figures_that_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command, shown = (block.text for block in blocks(TUTORIAL)[:2])
    assert command == "neche evolve --recipe quick\n"
    assert main(shlex.split(command)[1:]) == 0
    printed = capsys.readouterr().out
    champion, *scores = shown.splitlines()
    assert champion.partition(" (")[0] in printed
    assert "\n".join(scores) in printed


@pytest.mark.parametrize("page", HOW_TO, ids=[page.stem for page in HOW_TO])
def test_the_python_of_a_how_to_page_runs(page, tmp_path, monkeypatch, capsys):
    """The blocks of a page share their names; where they read a run, a small one is there.

    A block that is a file, as the comment before it says, is written to that file.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FILES, "")
    settings = [word for item in TINY for word in ("--set", item)]
    assert main(["evolve", "--run", "runs/default", "--generations", "2", "--seed", "1", *settings]) == 0
    names = {"__name__": page.stem}
    code = [block for block in blocks(page) if block.language == "python"]
    assert code
    for block in code:
        kind, _, name = block.note.partition(": ")
        if kind == "file":
            (tmp_path / name).write_text(block.text, encoding="utf-8")
        else:
            exec(compile(block.text, str(page), "exec"), names)
    sys.modules.pop("parts", None)  # of the page on plug-ins, which has a test of its own
    capsys.readouterr()


def test_every_key_of_a_run_is_explained_and_has_a_type(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    settings = [word for item in (*TINY, "move_up_every=1", "elites=1") for word in ("--set", item)]
    for recipe in ("default", "tournament"):
        assert main(["evolve", "--recipe", recipe, "--generations", "2", *settings]) == 0
    capsys.readouterr()
    runs = tmp_path / "runs"
    lines = [line for file in runs.rglob("history.jsonl") for line in file.read_text().splitlines()]
    texts = [file.read_text() for file in runs.rglob("*.fasta")]
    headers = [line for text in texts for line in text.splitlines() if "=" in line]
    keys = {key for line in lines for key in json.loads(line)}
    typed = {field.encode_name for field in msgspec.structs.fields(GenerationLine)}
    assert keys - typed == {"check"}, "a figure needs its type in GenerationLine"
    keys |= {word.partition("=")[0] for header in headers for word in header.split(" ")[1:]}
    page = (ROOT / "docs" / "how-to" / "read-a-run-directory.md").read_text(encoding="utf-8")
    assert sorted(key for key in keys if f"`{key}`" not in page and ":" not in key) == []
