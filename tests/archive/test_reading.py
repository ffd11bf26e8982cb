import os
import re

import pytest

from neche.archive.reading import newest_run, read_config, read_generation, read_history
from neche.archive.run import RunDirectory
from neche.errors import InputError
from tests.archive.builders import (
    assert_same_generation,
    contents,
    small_settings,
    straight_generations,
    write_run,
)


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path / "run", total=8)


def test_a_run_can_be_read_while_a_process_works_on_it(run):
    with RunDirectory.open(run):
        before = contents(run)
        assert read_config(run).settings == small_settings()
        assert [line["generation"] for line in read_history(run).lines] == list(range(8))
        assert_same_generation(read_generation(run, 3), list(straight_generations(4))[3])
        assert contents(run) == before


def test_damaged_lines_of_the_history_are_left_out_and_named(run):
    content = (run / "history.jsonl").read_bytes()
    (run / "history.jsonl").write_bytes(content.replace(b'"generation": 2', b'"generation": 9'))
    lines, notices = read_history(run)
    assert [line["generation"] for line in lines] == [0, 1, 3, 4, 5, 6, 7]
    assert notices == (f"{run / 'history.jsonl'}: line 3 is damaged",)


def test_a_line_that_is_being_written_is_not_read_yet(run):
    with (run / "history.jsonl").open("ab") as file:
        file.write(b'{"generation": 8, "de')
    assert len(read_history(run).lines) == 8
    assert read_history(run).notices == ()


def test_zeros_at_the_end_of_the_history_are_no_line_that_is_being_written(run):
    content = (run / "history.jsonl").read_bytes()
    (run / "history.jsonl").write_bytes(content[:-40] + bytes(40))
    assert len(read_history(run).lines) == 7
    assert read_history(run).notices == (f"{run / 'history.jsonl'}: line 8 is damaged",)


def test_a_generation_that_is_gone_or_damaged_is_named(run):
    with pytest.raises(InputError, match="run: no generation 8 in its history"):
        read_generation(run, 8)
    with pytest.raises(InputError, match=r"000001.fasta: cannot be read: No such file"):
        read_generation(run, 1)
    path = run / "generations" / "000003.fasta"
    path.write_bytes(path.read_bytes().lower())
    with pytest.raises(InputError, match=r"000003.fasta: damaged: its checksum differs"):
        read_generation(run, 3)


def test_the_newest_run_is_the_one_that_last_finished_a_generation(tmp_path):
    for time, name in [(30, "b"), (40, "a"), (20, "c")]:
        write_run(tmp_path / name, total=1)
        os.utime(tmp_path / name / "history.jsonl", (time, time))
    (tmp_path / "notes.txt").touch()
    (tmp_path / "not-a-run").mkdir()
    assert newest_run(tmp_path) == tmp_path / "a"


def test_a_run_without_a_generation_counts_from_its_beginning(tmp_path):
    write_run(tmp_path / "old", total=1)
    os.utime(tmp_path / "old" / "history.jsonl", (20, 20))
    RunDirectory.create(tmp_path / "new", small_settings(), 1).close()
    assert newest_run(tmp_path) == tmp_path / "new"


def test_where_no_run_is_nothing_can_be_resumed(tmp_path):
    with pytest.raises(InputError, match="runs: no run is there"):
        newest_run(tmp_path / "runs")


def test_runs_that_may_not_be_listed_are_not_said_to_be_missing(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(PermissionError):
        newest_run(tmp_path)


def test_a_run_in_a_closed_directory_is_not_said_to_be_missing(tmp_path, monkeypatch):
    def refuse(path, **_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(InputError, match="closed: cannot be read: Permission denied"):
        read_config(tmp_path / "closed")


def test_a_directory_without_a_run_is_named(tmp_path):
    (tmp_path / "runs").mkdir()
    with pytest.raises(InputError, match=r"runs: no run is there \(config.toml is missing\)"):
        read_config(tmp_path / "runs")


def test_of_a_directory_of_runs_the_runs_are_named(tmp_path):
    runs = [write_run(tmp_path / name) for name in "abcdef"]
    named = ", ".join(map(str, runs[:5]))
    said = f"{tmp_path}: no run is there (config.toml is missing; in it are {named}, …)"
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        read_config(tmp_path)


def test_a_run_without_its_configuration_is_told_what_restores_it(tmp_path):
    run = write_run(tmp_path / "run")
    (run / "config.toml").unlink()
    said = f"config.toml is missing; neche verify {run} --repair restores it"
    for use in (read_config, RunDirectory.open, lambda path: RunDirectory.create(path, small_settings(), 5)):
        with pytest.raises(InputError, match=re.escape(said)):
            use(run)
    (run / "generations" / "config.toml").unlink()
    with pytest.raises(InputError, match=r"no run is there \(config.toml is missing\)$"):
        read_config(run)
