"""Game files that raise, break their contract or never end: one line in every command, and nothing lost."""

import io
import os
import subprocess
import sys

import pytest

from neche.cli.main import main
from neche.games.catalogue import FILES
from neche.games.draws import MAX_PLIES
from tests.games.test_trial import write_stones

AT_25 = "if position.left == 25:\n        raise ValueError('odd')"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return tmp_path_factory.mktemp("games")


@pytest.fixture(autouse=True)
def folder(files, monkeypatch):
    """One for all tests: of one name there is one file in a process."""
    monkeypatch.setenv(FILES, "")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return files


@pytest.mark.parametrize(
    "words",
    [
        ("perft",),
        ("playouts",),
        ("analyse",),
        ("phases", "random"),
        ("play", "--player", "random"),
        ("serve", "--port", 0),
        ("players",),
        ("match", "random", "blind"),
        ("round-robin", "random", "blind", "uct"),
        ("ladder", "random"),
        ("solve",),
    ],
    ids=lambda words: words[0],
)
def test_every_command_refuses_a_game_that_raises(words, terminal, folder):
    path = write_stones(folder, "breaks", "if position.left < 12:\n        raise ValueError('odd')")
    fault = terminal.fault(*words, "--game", path)
    assert fault.startswith(f"neche: error: {path}: at ")
    assert fault.endswith("line 11: ValueError: odd\n")


@pytest.mark.parametrize("words", [("evolve", "--run"), ("sweep", "--seeds", 2, "--output")])
def test_an_evolution_of_a_game_that_raises_does_not_begin(words, terminal, folder, tmp_path, monkeypatch):
    path = write_stones(folder, "breaks", "if position.left < 12:\n        raise ValueError('odd')")
    monkeypatch.setenv(FILES, str(path))
    fault = terminal.fault(*words, tmp_path / "new", "--recipe", "tournament-quick", "--set", "game=breaks")
    assert fault.endswith("line 11: ValueError: odd\n")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("import sys\nsys.exit(0)", "line 2: SystemExit: 0"),
        ("\n1 / 0", "line 2: ZeroDivisionError: division by zero"),
        ("GAME = 5", "what was found is not a game of this name: GAME is 5"),
    ],
)
def test_a_file_that_is_no_game_is_refused(text, fault, terminal, folder):
    path = folder / f"no_game_{len(text)}.py"
    path.write_text(text)
    assert fault in terminal.fault("perft", "--game", path)


@pytest.mark.parametrize(
    "words", [("perft", "--fen", "30,0"), ("analyse", "26,0", "--player", "blind:depth=4")]
)
def test_what_random_games_did_not_meet_is_a_line_too(words, capsys, folder):
    path = write_stones(folder, "rarely", AT_25)
    assert main([*words, "--game", str(path)]) == 2
    # before it may stand what is compiled
    *notes, fault = capsys.readouterr().err.splitlines()
    assert fault == f"neche: error: {path}, line 11: ValueError: odd"
    assert all(note.startswith("compiling ") for note in notes)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_hand_the_fault_on_and_results_are_kept(backend, terminal, folder):
    path, results = write_stones(folder, "sometimes", AT_25), folder / f"{backend}.jsonl"
    match = ("match", "random", "blind:depth=1", "--openings", 0, "--seed", 1, "--game", path, "--jobs", 2)
    words = (*match, "--backend", backend, "--games")
    terminal.text(*words, 4, "--results", results)
    kept = results.read_bytes()
    fault = terminal.fault(*words, 40, "--fen", "27,0")
    assert fault.endswith(f"{path}, line 11: ValueError: odd\n")
    assert results.read_bytes() == kept
    terminal.text(*words, 8, "--results", results)
    assert results.read_bytes().startswith(kept)


TINY = ("population=8", "genes=40", "ladder=[]", "final_games=0", "champion_candidates=0")


def test_a_fault_late_in_an_evolution_keeps_the_generations_before_it(tmp_path):
    fault = "if position.trail % 2999 == 17:\n        raise ValueError('odd')"
    path = write_stones(tmp_path, "late", fault)
    # What went before is part of a position, so that some are met after thousands of games only.
    text = path.read_text(encoding="utf-8").replace("    turn: Any", "    trail: Any\n    turn: Any")
    for before, after in (
        ("np.uint32(position.turn", "np.uint32(position.trail * 31 + moves[at] * position.left), {}"),
        ("np.uint32(0)), sides", "np.uint32(1), {}"),
    ):
        text = text.replace(before, after.format(before))
    path.write_text(text, encoding="utf-8")

    def neche(*words):
        command = [sys.executable, "-m", "neche", *map(str, words)]
        environment = {**os.environ, FILES: str(path)}
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)

    small = [word for setting in TINY for word in ("--set", setting)]
    evolve = (
        "evolve",
        "--recipe",
        "tournament-quick",
        "--game",
        "late",
        "--jobs",
        "1",
        "--run",
        "run",
        *small,
    )
    ended = neche(*evolve, "--generations", 60)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == f"neche: error: {path}, line 12: ValueError: odd"
    assert "Warning" not in ended.stderr
    kept = (tmp_path / "run" / "history.jsonl").read_bytes()
    assert kept.count(b"\n") > 1
    assert neche("verify", "run").returncode == 0
    path.write_text(text.replace("raise ValueError('odd')", "pass"), encoding="utf-8")
    gone_on = neche(*evolve, "--resume", "--generations", kept.count(b"\n") + 2)
    assert gone_on.returncode == 0, gone_on.stderr
    assert (tmp_path / "run" / "history.jsonl").read_bytes().startswith(kept)


def test_games_without_end_are_drawn(terminal, folder):
    path = write_stones(folder, "endlessly", successor="position.left ^ moves[at] & 1")
    values = terminal.json("match", "random", "blind:depth=1", "--game", path, "--games", 4, "--openings", 0)
    assert (values["wins"], values["draws"], values["losses"]) == (0, 4, 0)
    values = terminal.json("playouts", "--game", path, "--games", 10, "--jobs", 1)
    assert (values["draws"], values["mean_plies"]) == (10, MAX_PLIES)
    values = terminal.json("games", "--check", path, "--games", 3)
    assert values["outcomes"] == {"broken off": 3}
    assert "is_progress must be false" in terminal.text("games", "--check", path, "--games", 1)


def test_a_game_is_checked_by_random_games(terminal):
    text = terminal.text("games", "--check", "othello", "--games", 2)
    assert text.startswith("othello: 2 random games, ")
    assert "nothing wrong" in text
