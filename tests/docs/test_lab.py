"""The pages of the lab run, with small numbers, and their tables are what the tool prints."""

import json
import shlex
import sys
from textwrap import indent
from typing import Any

import pytest

from neche.arena.match import MatchReport, tally
from neche.arena.results import PairResult
from neche.cli.main import main
from neche.errors import InputError
from neche.games.catalogue import game
from tests.docs.pages import ROOT, blocks
from tools.studies import lab

PAGES = {name: ROOT / "docs" / "tutorial" / f"lab-for-{name}.md" for name in ("teachers", "students")}


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_and_the_python_of_the_lab_run(name, tmp_path, monkeypatch, capsys):
    """A comment before a block adds options that make it small, or says which file it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names = {"__name__": name}
    counts = dict.fromkeys(("sh", "python"), 0)
    for block in blocks(PAGES[name]):
        kind, _, detail = block.note.partition(": ")
        if kind == "file":
            (tmp_path / detail).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.text, str(PAGES[name]), "exec"), names)
        elif block.language == "sh":
            for line in block.text.splitlines():
                program, *words = shlex.split(line)
                assert program == "neche"
                assert main([*words, *(shlex.split(detail) if kind == "test" else [])]) == 0, words
        counts[block.language] = counts.get(block.language, 0) + 1
    capsys.readouterr()
    sys.modules.pop("referee", None)
    assert min(counts["sh"], counts["python"]) >= 2


def test_an_engine_that_has_ended_is_reported_as_such():
    (shown,) = (block.text for block in blocks(PAGES["students"]) if block.note == "file: referee.py")
    names: dict[str, Any] = {}
    exec(shown, names)
    engine = names["Program"]("mine", sys.executable, "-c", "pass").new_game(game("brazilian"))
    engine.process.wait()
    with pytest.raises(InputError, match="nothing: the engine has ended"):
        engine.analyse(game("brazilian").start())


def test_the_board_of_the_sample_position_is_that_of_its_fen():
    brazilian = game("brazilian")
    board = brazilian.diagram(brazilian.parse_fen("W:W12,23,27,29,30,31:B1,3,4,8,22")).upper()
    assert indent(board, "    ") in PAGES["teachers"].read_text(encoding="utf-8")


def test_the_figures_of_the_sample_position_are_those_shown():
    text = PAGES["teachers"].read_text(encoding="utf-8")
    assert "\n".join(lab.position_table(lab.Sizes(0, 0))) in text


def results_of_commands(capsys, command, rows):
    """Run the teachers' commands of a kind; yield the first cell of the row of each, and its results."""
    lines = PAGES["teachers"].read_text(encoding="utf-8").splitlines()
    for line, row in zip((line for line in lines if line.startswith(command)), rows, strict=True):
        assert main([*shlex.split(line)[1:], "--json"]) == 0
        yield row, json.loads(capsys.readouterr().out)


def test_the_random_games_of_the_page_are_those_of_its_commands(capsys):
    text = PAGES["teachers"].read_text(encoding="utf-8")
    for name, found in results_of_commands(capsys, "neche playouts ", ("start", "the lab's position")):
        score = (found["first_wins"] + found["draws"] / 2) / found["count"]
        drawn, plies = found["draws"] / found["count"], found["mean_plies"]
        assert f"| {name} | {found['count']:,} | {score:.4f} | {drawn:.3f} | {plies:.1f} |" in text


@pytest.mark.slow
def test_the_matches_of_the_page_are_those_of_its_commands(capsys):
    text = PAGES["teachers"].read_text(encoding="utf-8")
    for row, found in results_of_commands(capsys, "neche match ", ("1", "`uct:playouts=1000,leaf=4`")):
        cells = " | ".join(str(found[key]) for key in ("wins", "draws", "losses"))
        assert f"| {row} | {cells} | {found['score']:.3f} |" in text


@pytest.mark.parametrize("name", [name for name in lab.TABLES if name != "position"])
def test_every_table_of_the_tool_is_made_and_shown_with_its_heading(name, monkeypatch):
    small = {
        "BASELINES": ("random", "material:depth=1", "uct:playouts=20"),
        "HANDICAPS": (0, 4),
        "HANDICAPPED": "uct:playouts=20",
        "VARIATIONS": ("uct:playouts=20", "uct:playouts=20,leaf=2"),
        "THINKERS": ("uct:playouts=20",),
    }
    for constant, value in small.items():
        monkeypatch.setattr(lab, constant, value)
    monkeypatch.setattr(lab, "RIVAL", "material:depth=1")
    monkeypatch.setattr(lab, "EQUALS", ("random", "uct:playouts=20"))
    lines = lab.TABLES[name](lab.Sizes(2, 1))
    assert len({line.count("|") for line in lines}) == 1
    heading = lines[0].split("|")[1].split("`")[0].strip()
    assert f"| {heading}" in PAGES["teachers"].read_text(encoding="utf-8")


def test_openings_that_decide_both_games_of_a_pair_count_once(monkeypatch):
    # 100 openings, each won twice by the same colour, are 100 coins: 0.5 ± 1.96 · 0.5 / √100
    pairs = [PairResult(number, (side, -side), (9, 9)) for number, side in enumerate([1, -1] * 50)]
    report = MatchReport("a", "a", *tally(pairs), None, tuple(pairs))
    monkeypatch.setattr(lab, "play_match", lambda event, games: report)
    assert lab.sides_table(lab.Sizes(50, 1))[2].endswith("| 100 | 0 | 100 | 0.500 ± 0.098 |")


def test_a_handicap_takes_the_men_of_one_player_on_both_sides():
    assert lab.handicap(1) == (
        "W:W21,22,23,24,25,26,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12",
    )


def test_an_unknown_table_is_refused_before_any_is_made(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["lab.py", "nonsense"])
    with pytest.raises(SystemExit) as ended:
        lab.main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert "unknown table 'nonsense' (known: position, " in said.err


def test_every_key_of_a_match_and_of_the_phases_is_explained(capsys):
    words = ("random", "--game", "brazilian", "--seed", "1", "--json")
    assert main(["match", "random", *words, "--games", "4"]) == 0
    match = json.loads(capsys.readouterr().out)
    page = (ROOT / "docs" / "how-to" / "measure-a-player.md").read_text(encoding="utf-8")
    assert [key for key in match if f"`{key}`" not in page] == []
    for player in ("uct:playouts=20", "material:depth=1"):
        assert main(["phases", player, "--guide", "random", "--positions", "1", *words[1:]]) == 0
        means = json.loads(capsys.readouterr().out)["phases"][0]["means"]
        text = PAGES["teachers"].read_text(encoding="utf-8")
        assert [key for key in means if f"`{key}`" not in text] == []
