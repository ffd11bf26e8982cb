"""Commands suggested at the end: a shell accepts them as printed, whatever the directory's name."""

import os
import shlex
import subprocess
import sys

import pytest

from neche.cli import evolve, islands, sweep
from neche.games.catalogue import FILES
from tests.games.toys.loading import TICTACTOE

PLACE = "runs/my run"
ENDED = {"run": PLACE, "champion_id": "g1-1", "generation": 3, "seconds": 1.0, "ladder": {}, "stopped": None}


@pytest.mark.parametrize(
    "words",
    [
        evolve._closing_words(ENDED, "checkers", ""),
        sweep._closing_words({"directory": PLACE, "table": "table.csv", "runs": [], "seconds": 1.0}, "neche"),
        islands._closing_words(
            {
                "run": PLACE,
                "champions": [{"champion_id": "g1-1", "run": "x", "elo": 1, "elo_error": 2}],
                "seconds": 1.0,
            },
            "neche",
        ),
    ],
    ids=["evolve", "sweep", "islands"],
)
def test_a_directory_with_a_space_is_quoted_in_what_comes_next(words):
    commands = words.partition("What next")[2]
    assert PLACE in commands
    assert commands.count(f"'{PLACE}'") == commands.count(PLACE)


def test_a_run_that_stopped_early_goes_on_to_its_own_last_generation():
    resume = "neche evolve --resume --run x"
    assert evolve._closing_words(ENDED, "checkers", resume).endswith(f"  {resume} --generations 6")
    stopped = {**ENDED, "stopped": "games is 2000, the limit 2000"}
    assert evolve._closing_words(stopped, "checkers", resume).endswith(f"  {resume}")


def test_the_commands_that_follow_a_run_of_a_game_in_a_file_name_the_file(terminal, tmp_path, monkeypatch):
    monkeypatch.setenv(FILES, "")
    monkeypatch.chdir(tmp_path)
    keys = ("population=8", "genes=20", "opening_plies=[0,2]", "ladder_games=0", "final_games=0")
    words = [
        "--recipe",
        "tournament",
        "--game",
        TICTACTOE,
        *(word for key in keys for word in ("--set", key)),
    ]
    said = terminal.text("evolve", *words, "--run", "own", "--generations", 0).partition("What next:")[2]
    said += terminal.text("sweep", *words, "--seeds", 1, "--output", "all", "--generations", 0)
    commands = [shlex.split(line) for line in said.splitlines() if " neche " in line]
    assert [command[:3] for command in commands] == [
        [f"{FILES}={TICTACTOE}", "neche", name] for name in ("play", "match", "report", "evolve", "compare")
    ]
    environment = os.environ | {FILES: commands[3][0].partition("=")[2]}
    resume = [sys.executable, "-m", "neche", *commands[3][2:]]
    subprocess.run(resume, env=environment, check=True, capture_output=True)
    assert len((tmp_path / "own" / "history.jsonl").read_text().splitlines()) == 2
