import json
from typing import Any

import pytest

from neche.cli.stopping import Stopping, parse_limits
from neche.errors import InputError
from tests.archive.builders import contents


def test_limits_are_counted_over_the_history_and_each_says_why():
    lines: list[dict[str, Any]] = [
        {"games": 40, "ladder": {"blind:depth=4": 0.9, "material:depth=4": 0.2}},
        {"games": 40},
        {},
    ]
    assert Stopping({}, lines).reason() is None
    assert Stopping({"games": 81, "score": 0.5}, lines).reason() is None
    assert Stopping({"games": 80}, lines).reason() == "games is 80, the limit 80"
    stopping = Stopping({"score": 0.5, "games": 1e6}, lines)
    stopping.take({"games": 40, "ladder": {"blind:depth=4": 0.9, "material:depth=4": 0.75}})
    assert stopping.reason() == "score is 0.75, the limit 0.5"
    assert str(Stopping({"cpu": 1e-9}).reason()).startswith("cpu is ")


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("gmes=5", "unknown limit 'gmes' .did you mean games"),
        ("games", "games needs a number"),
        ("games=many", "games needs a number"),
        ("games=nan", "must be above 0"),
        ("cpu=-1", "must be above 0"),
        ("score=1.5", "must be above 0 and at most 1"),
    ],
)
def test_bad_limits_are_refused(word, fault):
    with pytest.raises(InputError, match=fault):
        parse_limits([word])
    with pytest.raises(InputError, match="given twice"):
        parse_limits(["games=1", "games=2"])


def test_a_run_stops_when_its_games_are_played_and_a_larger_limit_goes_on(terminal, tmp_path):
    straight = terminal.evolve(tmp_path / "straight", generations=3)
    assert straight["stopped"] is None
    run = tmp_path / "run"
    first = terminal.evolve(run, "--until", "games=1", generations=3)
    assert first["generation"] == 0
    games = sum(json.loads(line)["games"] for line in (run / "history.jsonl").read_text().splitlines())
    assert first["stopped"] == f"games is {games}, the limit 1"
    assert (
        f"stopped after generation 0: games is {games}, the limit 1; raise the limit to continue"
        in terminal.notes
    )
    resume = ("evolve", "--resume", "--run", run, "--generations", 3)
    assert terminal.json(*resume, "--until", "games=1")["generation"] == 0
    assert terminal.json(*resume, "--until", f"games={games + 1}")["generation"] == 1
    assert terminal.json(*resume, "--until", "cpu=1e9", "--until", "games=1e9")["generation"] == 3
    assert contents(run) == contents(tmp_path / "straight")
    assert terminal.json(*resume, "--until", "score=0.0001", "--generations", 9)["generation"] <= 9
    assert "unknown limit" in terminal.fault(*resume, "--until", "time=3")


def test_a_run_begun_with_another_goes_on_by_the_same_command_alone(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal.evolve("runs/old", generations=1)
    command = ("evolve", "--from", "runs/old", "--seed", 4)
    begun = terminal.json(*command, "--generations", 1)
    assert (begun["run"], begun["generation"]) == ("runs/from-old-seed-4", 1)
    assert "generation 0 have not played yet; they play first" in terminal.notes
    assert terminal.json(*command, "--generations", 2)["generation"] == 2
    terminal.json("evolve", "--resume", "--run", "runs/old", "--generations", 2)
    fault = terminal.fault(*command, "--generations", 3)
    assert "--from runs/old: runs/from-old-seed-4 began with other members; --resume --run" in fault
    resumed = terminal.json("evolve", "--resume", "--run", begun["run"], "--generations", 3)
    assert resumed["generation"] == 3
    assert "no such run directory" in terminal.fault("evolve", "--from", "runs/nothing")
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["from-old-seed-4", "old"]


def test_a_score_that_is_never_measured_is_told_of(terminal, tmp_path):
    words = ("--until", "score=0.9", "--until", "games=1")
    terminal.evolve(tmp_path / "run", *words, "--set", "ladder=[]", generations=3)
    assert "--until score: the ladder has no player" in terminal.notes
    terminal.evolve(tmp_path / "other", *words, generations=3)
    assert "--until score" not in terminal.notes
