"""`neche watch` at the end of a run: with the command that is at work on it, or after one was killed."""

import dataclasses
import shutil

import pytest

from neche.archive.run import RunDirectory
from neche.cli.main import main
from neche.cli.watch import read_state
from neche.evolution.recipes import load_recipe


def test_it_ends_with_the_command_at_work_and_says_of_an_ended_run_that_it_waits(
    terminal, run, tmp_path, monkeypatch
):
    path = tmp_path / "run"
    shutil.copytree(run, path)
    slept: list[float] = []

    def go_on(seconds):
        slept.append(seconds)
        with RunDirectory.open(path) as opened:
            last = opened.last
            assert last is not None
            if last.number == 3:
                opened.save(dataclasses.replace(last, number=4, record={**last.record, "generation": 4}))
            else:
                opened.crown(last.members[0], generation=4, scores={})

    monkeypatch.setattr("neche.cli.watch.time.sleep", go_on)
    lines = terminal.text("watch", path).splitlines()
    assert [line.split()[1] for line in lines] == ["3/300", "4/300"]
    assert len(slept) == 2
    assert terminal.notes == f"neche: {path}: ended at generation 3; waiting for it to be continued\n"


def test_a_run_that_a_command_continues_is_not_called_ended(terminal, run, tmp_path, monkeypatch):
    path = tmp_path / "run"
    shutil.copytree(run, path)
    with RunDirectory.open(path) as opened:
        last = opened.last
        assert last is not None
        later = dataclasses.replace(last, number=4, record={**last.record, "generation": 4})
        steps = iter(
            [lambda: opened.save(later), lambda: opened.crown(last.members[0], generation=4, scores={})]
        )
        monkeypatch.setattr("neche.cli.watch.time.sleep", lambda seconds: next(steps)())
        lines = terminal.text("watch", path).splitlines()
    assert [line.split()[1] for line in lines] == ["3/300", "4/300"]
    assert terminal.notes == ""


def test_of_a_killed_command_it_says_once_that_the_run_ended(terminal, run, tmp_path, monkeypatch):
    pytest.importorskip("fcntl")
    path = shutil.copytree(run, tmp_path / "run")
    opened = RunDirectory.open(path)
    last = opened.last
    assert last is not None

    def kill():
        opened.close()
        (path / ".lock").touch()

    def save(directory, number):
        record = {**last.record, "generation": number}
        directory.save(dataclasses.replace(last, number=number, record=record))

    def go_on():
        with RunDirectory.open(path) as continued:
            save(continued, 5)
            continued.crown(last.members[0], generation=5, scores={})

    steps = iter([lambda: save(opened, 4), kill, lambda: None, go_on])
    monkeypatch.setattr("neche.cli.watch.time.sleep", lambda seconds: next(steps)())
    lines = terminal.text("watch", path).splitlines()
    assert [line.split()[1] for line in lines] == ["3/300", "4/300", "5/300"]
    assert terminal.notes == f"neche: {path}: ended at generation 4; waiting for it to be continued\n"


@pytest.mark.parametrize("is_crowned", [False, True])
def test_a_run_that_goes_beyond_its_settings_is_watched_until_the_command_ends(
    terminal, run, tmp_path, monkeypatch, is_crowned
):
    path = shutil.copytree(run, tmp_path / "run")
    opened = RunDirectory.open(path)
    last = opened.last
    assert last is not None
    later = dataclasses.replace(last, number=4, record={**last.record, "generation": 4})
    steps = [lambda: opened.save(later), opened.close]
    if is_crowned:
        steps.insert(1, lambda: opened.crown(last.members[0], generation=4, scores={}))
    monkeypatch.setattr("neche.cli.watch.time.sleep", lambda seconds: steps.pop(0)())
    monkeypatch.setattr("neche.cli.watch.read_state", lambda *given: read_state(*given)._replace(target=3))
    lines = terminal.text("watch", path).splitlines()
    opened.close()
    assert [line.split()[1] for line in lines] == ["3/3", "4/3"]


def test_of_a_command_killed_before_its_first_generation_it_says_so(tmp_path, monkeypatch, capsys):
    pytest.importorskip("fcntl")
    path = tmp_path / "run"
    RunDirectory.create(path, load_recipe("tournament-quick"), 1).close()
    (path / ".lock").touch()

    def leave(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr("neche.cli.watch.time.sleep", leave)
    assert main(["watch", str(path)]) == 130
    waits = "ended before its first generation; waiting for it to be continued"
    assert f"neche: {path}: {waits}\n" in capsys.readouterr().err
