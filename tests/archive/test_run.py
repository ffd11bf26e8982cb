import json
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from neche.archive.layout import RunLayout
from neche.archive.run import RunDirectory, is_in_use
from neche.errors import InputError
from neche.genome.fasta import read_fasta
from neche.players.source import read_source
from tests.archive.builders import (
    assert_same_generation,
    contents,
    continue_run,
    next_generation,
    small_settings,
    straight_generations,
    write_run,
)

ROOT = Path(__file__).resolve().parents[2]


def test_a_run_directory_holds_these_files_and_no_others(tmp_path):
    run = write_run(tmp_path / "run", total=8)
    assert list(contents(run)) == [
        "champion.fasta",
        "champions.fasta",
        "config.toml",
        "generations/000000.fasta",
        "generations/000003.fasta",
        "generations/000006.fasta",
        "generations/000007.fasta",
        "generations/config.toml",
        "history.jsonl",
    ]


def test_a_generation_comes_back_as_it_was_saved(tmp_path):
    write_run(tmp_path / "run", total=6)
    with RunDirectory.open(tmp_path / "run") as run:
        *_, last = straight_generations(6)
        assert_same_generation(run.last, last)
        assert_same_generation(run.resumption.generation, last)
        assert run.resumption.notices == ()
        assert (run.settings, run.seed) == (small_settings(), 5)


def test_headers_say_who_and_how_good(tmp_path):
    run = write_run(tmp_path / "run", total=8)
    first, *_ = read_fasta(run / "generations" / "000006.fasta")
    assert list(first.fields) == ["parents", "rank", "strength", "score", "games", "perspective"]
    assert first.fields["rank"] == "1"
    assert read_fasta(run / "generations" / "000000.fasta")[0].fields["parents"] == "-"


def test_the_history_has_one_json_object_a_generation(tmp_path):
    run = write_run(tmp_path / "run", total=5)
    lines = [json.loads(line) for line in (run / "history.jsonl").read_text().splitlines()]
    assert [line["generation"] for line in lines] == [0, 1, 2, 3, 4]
    assert lines[4]["moved_up_at"] == 4
    assert list(lines[0])[-2:] == ["sha256", "check"]


def test_every_measured_champion_is_recorded_once_when_it_is_first_measured(tmp_path):
    run = write_run(tmp_path / "run", total=8)
    led = [(record.id, record.fields["generation"]) for record in read_fasta(run / "champions.fasta")]
    assert led == [("g0-0000", "0"), ("g3-0000", "3"), ("g6-0000", "6")]


def test_a_leader_that_climbed_no_ladder_is_in_its_population_alone(tmp_path):
    with RunDirectory.create(tmp_path / "run", small_settings(), 5) as run:
        for generation in straight_generations(4):
            record = dict(generation.record)
            if generation.number > 0:
                del record["ladder"]
            run.save(replace(generation, record=record))
        assert [record.id for record in read_fasta(tmp_path / "run" / "champions.fasta")] == ["g0-0000"]
        assert read_source(str(run.path)).id == "g3-0000"
    with RunDirectory.open(tmp_path / "run") as run:
        assert run.resumption.notices == ()
        assert read_source(str(run.path)).id == "g3-0000"


def test_the_crowned_champion_carries_its_ladder_scores(tmp_path):
    with RunDirectory.create(tmp_path / "run", small_settings(), 5) as run:
        continue_run(run, 8)
        champion = read_source(str(run.path))
    assert champion.id == "g6-0000"
    assert champion.fields == {"generation": "7", "perspective": "own", "blind:depth4": "0.75"}
    assert read_source(str(tmp_path / "run")).id == "g6-0000"


def test_before_the_crowning_the_latest_to_come_to_lead_is_the_champion(tmp_path):
    with RunDirectory.create(tmp_path / "run", small_settings(), 5) as run:
        for generation in straight_generations(5):
            run.save(generation)
        assert read_source(str(run.path)).id == "g3-0000"


def test_the_newest_generation_is_led_by_an_elite_that_led_before(tmp_path):
    generations = list(straight_generations(3))
    with RunDirectory.create(tmp_path / "run", small_settings(), 5) as run:
        for number, leader in enumerate([0, 1, 0]):
            record = {**generations[number].record, "champion_id": generations[0].members[leader].id}
            generation = replace(generations[number], members=generations[0].members, record=record)
            run.save(generation)
        assert [record.id for record in read_fasta(tmp_path / "run" / "champions.fasta")] == [
            "g0-0000",
            "g0-0001",
        ]
        assert read_source(str(run.path)).id == "g0-0000"


def test_a_crowned_champion_is_out_of_date_when_a_newer_generation_is_finished(tmp_path):
    path = write_run(tmp_path / "run", total=3)
    assert read_source(str(path)).id == "g0-0000"
    with RunDirectory.open(path) as run:
        last = next_generation(run.last, run.seed)
        run.save(last)
        assert read_source(str(run.path)).id == last.members[0].id == "g3-0000"
    with (path / "history.jsonl").open("ab") as history:
        history.write(b'{"generation": 4, "champion_id": "g4')
    assert read_source(str(path)).id == "g3-0000"
    with RunDirectory.open(path) as run:
        continue_run(run, 4)
    assert read_fasta(path / "champion.fasta")[0].fields["generation"] == "3"
    assert read_source(str(path)).fields["blind:depth4"] == "0.75"


@given(stops=st.lists(st.integers(0, 9), max_size=4))
def test_stopping_and_resuming_gives_the_bytes_of_a_straight_run(tmp_path_factory, stops):
    folder = tmp_path_factory.mktemp("runs")
    straight = write_run(folder / "straight", total=9)
    stopped = write_run(folder / "stopped", total=1)
    for total in [*stops, 9]:
        with RunDirectory.open(stopped) as run:
            continue_run(run, max(total, 1))
    assert contents(stopped) == contents(straight)


def test_a_generation_out_of_turn_is_refused(tmp_path):
    with RunDirectory.create(tmp_path / "run", small_settings(), 5) as run:
        first, second, third = straight_generations(3)
        run.save(first)
        with pytest.raises(ValueError, match="generation 2 does not follow 0"):
            run.save(third)
        run.save(second)


def test_nothing_names_the_place_of_the_run(tmp_path):
    write_run(tmp_path / "one")
    write_run(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert not any(str(tmp_path).encode() in content for content in contents(tmp_path / "one").values())


def test_a_run_that_is_there_already_is_not_begun_again(tmp_path):
    run = write_run(tmp_path / "run", total=2)
    before = contents(run)
    with pytest.raises(InputError, match=r"run: holds a run already; resume it \(--resume, in Python resume"):
        RunDirectory.create(run, small_settings(), 5)
    assert contents(run) == before


def test_other_peoples_directories_are_left_alone(tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("hello")
    with pytest.raises(InputError, match=r"letters: exists and is not a run \(dear.txt is in it\)"):
        RunDirectory.create(tmp_path / "letters", small_settings(), 5)
    with pytest.raises(InputError, match=r"letters: nothing to resume, not a run directory \(config.toml"):
        RunDirectory.open(tmp_path / "letters")
    assert list(contents(tmp_path)) == ["letters/dear.txt"]


def test_a_file_in_place_of_the_directory_is_named(tmp_path):
    (tmp_path / "run").write_text("hello")
    with pytest.raises(InputError, match=r"run: a file, not a directory"):
        RunDirectory.create(tmp_path / "run", small_settings(), 5)
    with pytest.raises(InputError, match=r"run: a file, not a run directory"):
        RunDirectory.open(tmp_path / "run")
    with pytest.raises(InputError, match=r"run/below: cannot be created: Not a directory"):
        RunDirectory.create(tmp_path / "run" / "below", small_settings(), 5)


def test_there_is_nothing_to_resume_where_nothing_is(tmp_path):
    with pytest.raises(InputError, match="run: nothing to resume, there is no such run"):
        RunDirectory.open(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_directory_and_what_a_killed_start_left_can_become_a_run(tmp_path):
    straight = write_run(tmp_path / "straight", total=2)
    begun = tmp_path / "begun"
    (begun / "generations").mkdir(parents=True)
    (begun / ".lock").touch()
    (begun / ".config.toml.partial").write_text("format")
    write_run(begun, total=2)
    assert contents(begun) == contents(straight)


def test_a_reader_that_looks_at_the_lock_keeps_nobody_from_the_run(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    run = write_run(tmp_path / "run", total=2)
    lock = RunLayout(run).lock
    lock.touch()
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        assert not is_in_use(RunLayout(run)), "another reader is no process at work"
        monkeypatch.setattr("time.sleep", lambda seconds: fcntl.flock(file, fcntl.LOCK_UN))
        with RunDirectory.open(run):
            assert is_in_use(RunLayout(run))
    assert not is_in_use(RunLayout(run))


def test_a_lock_that_cannot_be_read_counts_as_held(tmp_path, monkeypatch):
    run = write_run(tmp_path / "run", total=2)
    RunLayout(run).lock.touch()
    monkeypatch.setattr("neche.archive.run.fcntl", None)
    assert is_in_use(RunLayout(run))
    RunLayout(run).lock.unlink()
    assert not is_in_use(RunLayout(run))
    RunLayout(run).lock.mkdir()
    assert is_in_use(RunLayout(run))


_HOLD = """
import sys, time
from neche.archive.run import RunDirectory
run = RunDirectory.open(sys.argv[1])
print("held", flush=True)
time.sleep(600)
"""


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path):
    run = write_run(tmp_path / "run", total=2)
    before = contents(run)
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(run)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="run: in use by another neche process"):
            RunDirectory.open(run)
        assert is_in_use(RunLayout(run))
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert contents(run) == {**before, ".lock": b""}
    assert not is_in_use(RunLayout(run))
    with RunDirectory.open(run) as opened:
        assert opened.resumption.notices == ()
    assert contents(run) == before


def test_two_at_once_in_one_process_are_refused_too(tmp_path):
    with RunDirectory.create(tmp_path / "run", small_settings(), 5):
        with pytest.raises(InputError, match="in use by another neche process"):
            RunDirectory.open(tmp_path / "run")
        with pytest.raises(InputError, match="holds a run already"):
            RunDirectory.create(tmp_path / "run", small_settings(), 5)
    RunDirectory.open(tmp_path / "run").close()


_EVOLVE = """
import sys
from neche.archive.run import RunDirectory
from tests.archive.builders import continue_run, small_settings
with RunDirectory.create(sys.argv[1], small_settings(), 5) as run:
    continue_run(run, 100_000)
"""


def test_a_run_killed_at_any_moment_goes_on_to_the_same_bytes(tmp_path):
    for moment in range(6):
        path = tmp_path / f"killed{moment}"
        process = subprocess.Popen([sys.executable, "-c", _EVOLVE, str(path)], cwd=ROOT)
        while not (path / "history.jsonl").exists():
            assert process.poll() is None
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.003 * moment)
        process.kill()
        process.wait()
        with RunDirectory.open(path) as run:
            last = run.last
            total = 1 if last is None else last.number + 2
            continue_run(run, total)
        assert contents(path) == contents(write_run(tmp_path / f"straight{moment}", total=total))


@pytest.mark.parametrize("name", ["config.toml", "history.jsonl"])
def test_a_run_of_which_files_are_removed_meanwhile_begins_no_new_history(tmp_path, name):
    with RunDirectory.open(write_run(tmp_path / "run", total=2)) as run:
        last = run.last
        (tmp_path / "run" / name).unlink()
        before = contents(tmp_path)
        with pytest.raises(InputError, match="run: its files were removed meanwhile"):
            run.save(next_generation(last, run.seed))
        assert contents(tmp_path) == before
