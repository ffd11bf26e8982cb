import csv
import json
import os
import re
import signal
import subprocess
import sys

import pytest

from tests.archive.builders import contents
from tests.cli.conftest import TINY_RUN
from tests.cli.interrupts import hear_interrupts

TINY = [word for key, value in TINY_RUN.items() for word in ("--set", f"{key}={value}")]


def test_runs_are_told_as_they_end_and_stand_in_a_table(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = (
        "sweep",
        "--recipe",
        "tournament",
        "--seeds",
        2,
        "--seed",
        5,
        "--jobs",
        1,
        "--generations",
        1,
        *TINY,
    )
    text = terminal.text(*command)
    assert text.startswith("runs/sweep-tournament: 2 runs, ")
    # On a cold cache it is said what is compiled.
    told = [line for line in terminal.notes.splitlines() if not re.search("^compiling |: warning: ", line)]
    assert told == [
        "neche: runs/sweep-tournament: 2 runs, 0 finished already",
        "neche: runs/sweep-tournament/seed-5: generation 1 (1 of 2 runs)",
        "neche: runs/sweep-tournament/seed-6: generation 1 (2 of 2 runs)",
    ]
    text = (tmp_path / "runs" / "sweep-tournament" / "table.csv").read_text()
    table = list(csv.DictReader(text.splitlines()))
    assert [(row["run"], row["seed"], row["generation"]) for row in table] == [
        ("seed-5", "5", "1"),
        ("seed-6", "6", "1"),
    ]
    before = contents(tmp_path)
    again = terminal.json(*command, "--resume")
    assert terminal.notes == "neche: runs/sweep-tournament: 2 runs, 2 finished already\n"
    assert contents(tmp_path) == before
    assert [row["champion"] for row in again["runs"]] == [row["champion"] for row in table]


def test_what_holds_of_all_runs_of_a_sweep_is_said_once(terminal, tmp_path):
    learning = {"fitness": "prediction", "genes": 849, "elites": 1, "first_games": 10, "sample_games": 2}
    learning |= {"batches": 1, "rate_falls_after": "4,5"}
    words = [word for key, value in (TINY_RUN | learning).items() for word in ("--set", f"{key}={value}")]
    command = ("sweep", "--recipe", "tournament", "--output", tmp_path / "runs", "--seeds", 2)
    terminal.text(*command, *words, "--jobs", 1, "--generations", 1)
    assert terminal.notes.count("the learning rate has not fallen by then: rate_falls_after = 4;") == 1
    assert terminal.notes.count("the learning rate has not fallen by then: rate_falls_after = 5;") == 1


def test_the_first_warning_of_each_kind_is_told_of_a_run_that_ends(terminal, tmp_path):
    output = tmp_path / "runs"
    words = ("--output", output, "--seeds", 1, "--jobs", 1, "--generations", 2)
    # Networks of a single gene see next to nothing.
    blind = [word.replace("genes=20", "genes=1") for word in TINY]
    terminal.text("sweep", "--recipe", "tournament", *words, *blind)
    lines = (output / "seed-0" / "history.jsonl").read_text().splitlines()
    warned = [json.loads(line).get("warnings", []) for line in lines]
    assert [text.partition(":")[0] for text in warned[0]] == ["blind collapse"]
    assert any(text.startswith("blind collapse") for text in warned[1])
    told = f"neche: {output / 'seed-0'}: warning: generation 0: {warned[0][0]}"
    assert told in terminal.notes.splitlines()
    assert terminal.notes.count("warning: ") == len({text[:9] for texts in warned for text in texts})


def test_bad_words_are_refused_before_anything_is_begun(terminal, tmp_path):
    output = ("--output", tmp_path / "runs")
    assert "unknown setting 'elits'" in terminal.fault("sweep", *output, "--set", "elits=1,2")
    assert "expected KEY=VALUE" in terminal.fault("sweep", *output, "--set", "elites=1,,2")
    assert "--seeds: 0 is out of range" in terminal.fault("sweep", *output, "--seeds", "0")
    assert "there are not 2 seeds" in terminal.fault(
        "sweep", *output, "--seeds", "2", "--seed", str(2**63 - 1)
    )
    assert "unknown game 'chess'" in terminal.fault("sweep", *output, "--game", "chess")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("ending", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_a_sweep_ended_from_outside_goes_on_to_the_bytes_of_runs_alone(ending, terminal, tmp_path):
    def command(generations):
        words = ("sweep", "--recipe", "tournament", "--output", tmp_path / "all", "--seeds", 3, *TINY)
        return [str(word) for word in (*words, "--generations", generations)]

    short, program = command(0), [sys.executable, "-m", "neche"]
    terminal.text(*short, "--jobs", 1)
    # Its first run ends in no time, the others would take for ever: by then the workers are at work.
    history = tmp_path / "all" / "seed-0" / "history.jsonl"
    with subprocess.Popen(
        [*program, *command(900_000), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_interrupts,
        env={**os.environ, "PATH": str(tmp_path)},  # as where there is no pgrep
    ) as process:
        assert process.stdout is not None
        while len(history.read_text().splitlines()) < 3:
            assert process.poll() is None
        process.send_signal(ending)
        # The workers hold this stream too: it ends when the last of them has gone.
        said, complaint = process.communicate()
        assert process.returncode == (130 if ending == signal.SIGINT else -ending)
    assert said == ""
    assert "Traceback" not in complaint
    if ending == signal.SIGINT:
        assert complaint.splitlines()[-1] == (
            f"neche: interrupted: all finished generations are kept in {tmp_path / 'all'};"
            " the same command continues"
        )
    histories = [file.read_text().splitlines() for file in tmp_path.rglob("history.jsonl")]
    last = max(json.loads(line)["generation"] for lines in histories for line in lines)
    values = terminal.json(*command(last + 1), "--jobs", 1)
    assert {row["generation"] for row in values["runs"]} == {last + 1}
    terminal.evolve(tmp_path / "alone", "--seed", 1, generations=last + 1)
    assert contents(tmp_path / "alone") == contents(tmp_path / "all" / "seed-1")


def test_a_damaged_run_is_not_called_finished(terminal, tmp_path):
    output, words = tmp_path / "runs", ("--seeds", 2, "--generations", 1, "--jobs", 1, *TINY)
    command = ("sweep", "--recipe", "tournament", "--output", output, *words)
    terminal.json(*command)
    before = contents(output)
    population = output / "seed-1" / "generations" / "000001.fasta"
    population.write_bytes(population.read_bytes()[:-2])
    terminal.json(*command)
    first, damaged, *_, last = terminal.notes.splitlines()
    assert first == f"neche: {output}: 2 runs, 1 finished already"
    assert damaged.startswith(f"neche: {population}: damaged")
    assert last == f"neche: {output / 'seed-1'}: generation 1 (2 of 2 runs)"
    assert contents(output) == before
