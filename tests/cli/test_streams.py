"""Closed, full and vanished streams, and signals: silence or one line, and the right exit code."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from neche.archive.checkpoint import read_generation_line
from neche.cli.streams import for_terminal
from neche.errors import InputError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams and signals as POSIX has them")

EXPORT = f"{sys.executable} -m neche export AAATTTGAAGCTACAA"
HELP = f"{sys.executable} -m neche --help"
UNKNOWN = f"{sys.executable} -m neche exprot"
CONVERT = (
    f"printf '11-15 23-19 * %.0s' {{1..3000}} >g.pdn; {sys.executable} -m neche convert g.pdn - --to pdn"
)
QUICK = "--recipe tournament-quick --generations 400 --set population=12 --set ladder_every=500"


def shell(command, tmp_path):
    # with it Python writes at once, and nothing is left at exit that could not be written
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=usual,
        timeout=300,
    )


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        (f"{EXPORT} >&-", 0, ""),
        (f"{EXPORT} 2>&- >/dev/null", 0, ""),
        (f"{EXPORT} <&- >&- 2>&-", 0, ""),
        (
            f"{EXPORT} >/dev/full",
            2,
            "neche: error: standard output: cannot be written: No space left on device\n",
        ),
        (f"{EXPORT} >/dev/full 2>/dev/full", 2, ""),
        (
            f"{CONVERT} >/dev/full",
            2,
            "neche: error: standard output: cannot be written: No space left on device\n",
        ),
        (f"{CONVERT} | head -1 >/dev/null; exit ${{PIPESTATUS[0]}}", 141, ""),
        (
            f"{HELP} >/dev/full",
            2,
            "neche: error: standard output: cannot be written: No space left on device\n",
        ),
        (f"{HELP} >&-", 0, ""),
        (f"{UNKNOWN} 2>/dev/full", 2, ""),
        (f"{UNKNOWN} 2>&-", 2, ""),
        (f"{UNKNOWN} 2>&- >&-", 2, ""),
    ],
)
def test_streams_that_are_closed_or_full(command, code, told, tmp_path):
    done = shell(command, tmp_path)
    assert (done.returncode, done.stderr) == (code, told)


def test_a_closed_stream_does_not_become_a_file_that_is_written(tmp_path):
    done = shell(f"{EXPORT} --output n.dot --json >&-", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "n.dot").read_text(encoding="utf-8").rstrip().endswith("}")


def test_an_engine_goes_on_where_its_log_has_no_room(tmp_path):
    done = shell(f"printf 'hub\\nquit\\n' | {sys.executable} -m neche hub --log /dev/full", tmp_path)
    assert done.stdout.startswith("id name=neche")
    assert done.stdout.endswith("\nwait\n")
    assert (done.returncode, done.stderr) == (2, "neche: error: No space left on device\n")


def test_what_a_person_types_need_not_be_text(tmp_path):
    """Where the locale is UTF-8, Python reads nothing else from standard input."""
    play = f"PYTHONIOENCODING=utf-8:strict {sys.executable} -m neche play --player random --seed 1"
    done = shell(f"printf '\\xff\\nmoves\\n' | {play}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "your move: no square '\N{REPLACEMENT CHARACTER}'\n" in done.stdout
    assert "your move: 11-16  10-15" in done.stdout


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Compile what an evolution needs, so that what follows is in the middle of one soon."""
    shell(
        f"{sys.executable} -m neche evolve {QUICK} --generations 1 --run warm",
        tmp_path_factory.mktemp("warm"),
    )


def test_an_evolution_whose_reader_goes_away_ends_with_141_and_can_go_on(warm, tmp_path):
    line = f"{sys.executable} -m neche evolve {QUICK} --run r"
    done = shell(f"{line} | head -1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    again = shell(f"{sys.executable} -m neche evolve --resume --run r --generations 1 --json", tmp_path)
    assert again.returncode == 0


def test_an_evolution_lives_on_without_anybody_to_hear_it(warm, tmp_path):
    line = f"{sys.executable} -m neche evolve {QUICK} --generations 3 --run r --json >/dev/null 2>/dev/full"
    assert shell(line, tmp_path).returncode == 0
    assert len((tmp_path / "r" / "history.jsonl").read_text().splitlines()) == 4


def heed_hangups():
    """Undo what nohup did, where these tests themselves were begun by it."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_end_an_evolution_like_ctrl_c(warm, number, code, tmp_path):
    command = [sys.executable, "-m", "neche", "evolve", *QUICK.split(), "--run", "r"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_hangups,
    ) as run:
        while run.poll() is None and not (tmp_path / "r" / "history.jsonl").exists():
            time.sleep(0.05)
        run.send_signal(number)
        _, told = run.communicate(timeout=120)
    assert run.returncode == code, told
    assert "continue with: neche evolve --resume" in told
    assert "Traceback" not in told
    assert not (tmp_path / "r" / ".lock").exists()


def ignore_hangups():
    """Do what nohup does, which itself fails where there is nothing to write to."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def test_a_terminal_that_is_gone_does_not_end_the_work(warm, tmp_path):
    import pty

    master, slave = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "neche",
        "evolve",
        *QUICK.split(),
        "--generations",
        "5",
        "--run",
        "r",
    ]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=slave, stdout=slave, stderr=slave, preexec_fn=ignore_hangups
    ) as run:
        os.close(slave)
        os.close(master)
        assert run.wait(timeout=300) == 0
    assert len((tmp_path / "r" / "history.jsonl").read_text().splitlines()) == 6


def test_a_terminal_gets_no_control_characters():
    assert for_terminal("\x1b]0;PWNED\x07 \x1b[31mred\x1b[0m\x1b[2J") == (
        "\\x1b]0;PWNED\\x07 \x1b[31mred\x1b[0m\\x1b[2J"
    )
    assert for_terminal("all\tof\nthis – stays") == "all\tof\nthis – stays"


@pytest.mark.parametrize("text", ["\x1b]0;PWNED\x07", "a\nb", "\x9b2J"])
def test_a_history_brings_none_along(text):
    line = b'{"generation": 0, "champion_id": %s, "depth": 1, "moved_up_at": null, "sha256": "%s", '
    line += b'"warnings": [%s]}'
    escaped = json.dumps(text).encode()
    assert read_generation_line(line % (b'"g0-0000"', b"0" * 64, b'"fine"'))
    with pytest.raises(InputError):
        read_generation_line(line % (b'"g0-0000"', b"0" * 64, escaped))
    with pytest.raises(InputError):
        read_generation_line(line % (escaped, b"0" * 64, b'"fine"'))
