"""Take streams, disk space or time away from commands, and check that each ends cleanly.

Usage: python tools/fuzz/streams.py [--cases 100] [--seed 0] [--command evolve]

A case is a command whose standard streams are closed, full, in another encoding, or a pipe without a reader;
whose files may not grow (or, for root, whose disk is a small tmpfs); or that gets SIGTERM, SIGHUP or SIGINT
at a random moment. It must end with a matching exit code and at most a few lines, no traceback; and when the
same command is repeated undisturbed, its files must become those of a command that was never disturbed. The
first failure ends the tool with exit status 1 and is shown. POSIX only.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.checks.kill_and_resume import ROOT, TINY_RUN, contents, differences, digest, end_cleanly

_SETTINGS = [word for key, value in TINY_RUN.items() for word in ("--set", f"{key}={value}")]
_EVOLVE = ["evolve", "--recipe", "tournament", "--run", "kept", "--generations", "12", "--jobs", "1"]
_DATASET = ["dataset", "kept", "--games", "2000", "--shard-games", "100", "--moves", "mixed", "--jobs", "1"]
KEEPING = {
    "evolve": [*_EVOLVE, "--resume", *_SETTINGS],
    "dataset": _DATASET,
    "match": ["match", "material", "random", "--games", "200", "--results", "kept", "--jobs", "1"],
    "solve": ["solve", "--pieces", "2", "--output", "kept", "--jobs", "1"],
}
"""Commands that keep their state as `kept`; with JSON they print nothing else."""
PASSING = {
    "perft": ["perft", "--depth", "8"],
    "playouts": ["playouts", "--count", "100000", "--jobs", "1"],
    "export": ["export", "AAATTTGAAGCTACAA"],
    "players": ["players"],
    "settings": ["settings", "--json"],
    "analyse": ["analyse", "B:W18,22:B6,K10", "--player", "uct:playouts=20000"],
    "play": ["play", "--player", "random"],
    "hub": ["hub"],
    "convert": ["convert", "-", "-", "--from", "pdn", "--to", "pdn"],
}
COMMANDS = KEEPING | PASSING
STREAMS = ("open", "closed", "full", "gone", "ascii", "cp1252")
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
MOST_LINES = 20
_TALK = {
    "play": b"hint\n11-15\nquit\n",
    "hub": b"hub\ninit\nping\nquit\n",
    "convert": b"1. 11-15 23-19 *\n" * 300,
}
_LONGEST = 300.0
"""Seconds after which a command is taken to wait for ever."""


class Case(NamedTuple):
    """The disturbance of a command. room: most bytes of one file; disk: most bytes of all files."""

    command: str
    stdout: str = "open"
    stderr: str = "open"
    signal: int | None = None
    moment: float = 0.0
    room: int | None = None
    disk: int | None = None
    as_json: bool = False

    @property
    def good(self) -> set[int]:
        """The acceptable exit codes."""
        codes = {0}
        if "gone" in (self.stdout, self.stderr):
            codes.add(141)
        if self.stdout in ("full", "gone") or (self.room, self.disk) != (None, None):
            codes.add(2)
        if self.signal is not None:
            # It may arrive when all is done and Python is about to exit, with its default effect.
            codes |= {128 + self.signal, -self.signal}
        return codes


def drawn(draw: random.Random, commands: list[str], *, has_disks: bool) -> Case:
    """Draw a case."""
    case = Case(draw.choice(commands), as_json=draw.random() < 0.3)
    what = draw.choice(("streams", "signal", "room"))
    if what == "streams" or draw.random() < 0.2:
        case = case._replace(stdout=draw.choice(STREAMS), stderr=draw.choice(STREAMS))
    if what == "signal":
        case = case._replace(signal=int(draw.choice(SIGNALS)), moment=draw.random() ** 2)
    if what == "room":
        size = draw.choice((0, 1, 512, 4096, 10_000, 40_000, 100_000))
        is_disk = has_disks and draw.random() < 0.5
        case = case._replace(disk=size) if is_disk else case._replace(room=size)
    return case


@contextmanager
def _stream(kind: str) -> Iterator[int]:
    """Yield a descriptor to write to."""
    if kind == "full":
        with open("/dev/full", "wb") as file:
            yield file.fileno()
    elif kind == "gone":
        reader, number = os.pipe()
        os.close(reader)
        yield number
        os.close(number)
    else:
        with tempfile.TemporaryFile() as file:
            yield file.fileno()


def _prepared(case: Case) -> Callable[[], None]:
    """Return a function that a process calls before it becomes the command."""

    def prepare() -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        for stream, kind in ((1, case.stdout), (2, case.stderr)):
            if kind == "closed":
                os.close(stream)
        if case.room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (case.room, case.room))

    return prepare


def run(case: Case, seconds: float) -> tuple[int, str]:
    """Run the command in the current directory; return its exit code and standard error.

    seconds: time that it takes undisturbed.
    """
    words = [sys.executable, "-m", "neche", *COMMANDS[case.command], *(["--json"] if case.as_json else [])]
    if case.as_json and case.command in ("hub", "play", "convert"):
        words.remove("--json")
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    if encodings := [kind for kind in (case.stdout, case.stderr) if kind in ("ascii", "cp1252")]:
        variables |= {"PYTHONIOENCODING": encodings[0], "PYTHONUTF8": "0"}
    with _stream(case.stdout) as out, _stream(case.stderr) as err, tempfile.TemporaryFile() as talk:
        talk.write(_TALK.get(case.command, b""))
        talk.seek(0)
        process = subprocess.Popen(
            words,
            stdin=talk,
            stdout=out,
            stderr=err,
            env=variables,
            preexec_fn=_prepared(case),
            start_new_session=True,
        )
        try:
            if case.signal is not None and _hears(process):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(case.moment * seconds)
                process.send_signal(case.signal)
            code = process.wait(_LONGEST)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        told = b"" if case.stderr in ("full", "gone") else os.pread(err, 1 << 20, 0)
    return code, told.decode(errors="replace")


def _hears(process: subprocess.Popen[bytes]) -> bool:
    """Wait until a process handles SIGTERM, as neche does at once; return False if it ended."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        with suppress(OSError):
            caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt"))
            if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
                return True
        time.sleep(0.01)
    return False


def fault_of(case: Case, code: int, told: str) -> str:
    """Return what is wrong with the end of a command, empty if nothing is."""
    lines = told.splitlines()
    is_wordy = len(lines) > MOST_LINES or "Traceback" in told or "Exception ignored" in told
    if code not in case.good or is_wordy:
        return f"{case}: exit code {code}, {len(lines)} lines\n{told[-3000:]}"
    if code == 2 and (case.stderr, case.room) == ("open", None) and "neche: error:" not in told:
        return f"{case}: exit code 2 without a fault\n{told[-3000:]}"
    return ""


class Straight(NamedTuple):
    """Time and files of an undisturbed command."""

    seconds: float
    files: dict[str, str]


def straight(command: str) -> Straight:
    """Run a command undisturbed, in its own directory below the current one.

    Raises:
        RuntimeError: it fails.
    """
    with _folder():
        began = time.perf_counter()
        if fault := fault_of(Case(command), *run(Case(command), 0.0)):
            raise RuntimeError(fault)
        return Straight(time.perf_counter() - began, _kept())


def _kept() -> dict[str, str]:
    path = Path("kept")
    return contents(path) if path.is_dir() else {"kept": digest(path)} if path.exists() else {}


@contextmanager
def _folder(disk: int | None = None) -> Iterator[None]:
    """Change to a new directory, on a disk of this many bytes if given, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(dir=Path.cwd()))
    if disk is not None:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={max(disk, 4096)}", "tmpfs", folder], check=True)
    try:
        with chdir(folder):
            yield
    finally:
        if disk is not None:
            subprocess.run(["umount", "-l", folder], check=True)
        shutil.rmtree(folder)


def try_case(case: Case, whole: Straight) -> str:
    """Run a case, and the command once more; return what is wrong, empty if nothing is."""
    with _folder(case.disk):
        if fault := fault_of(case, *run(case, whole.seconds)):
            return fault
        if case.command in PASSING:
            return ""
        kept = Path.cwd().parent / "again"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for path in Path.cwd().glob("kept*"):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, kept / path.name)
    return _again(case, kept, whole)


def _again(case: Case, folder: Path, whole: Straight) -> str:
    """Repeat the command of a case undisturbed, and compare."""
    with chdir(folder):
        if fault := fault_of(Case(case.command), *run(Case(case.command), 0.0)):
            return f"after {case}, again: {fault}"
        found = differences(whole.files, _kept())
        return f"after {case}: {'; '.join(found)}" if found else ""


def can_mount() -> bool:
    """Return whether a small disk can be mounted here."""
    try:
        with _folder(1 << 16):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def main() -> int:
    """Try the cases; return 1 at the first that ends badly."""
    parser = argparse.ArgumentParser(description="Take streams, disk space and time away from commands.")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--command", choices=tuple(COMMANDS), nargs="+", default=list(COMMANDS))
    options = parser.parse_args()
    end_cleanly()
    began, wholes = time.perf_counter(), dict[str, Straight]()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        if not (has_disks := os.geteuid() == 0 and can_mount()):
            print("skipped: a full disk (nothing may be mounted here)")
        for number in range(options.cases):
            draw = random.Random(f"{options.seed} {number}")
            case = drawn(draw, options.command, has_disks=has_disks)
            if case.command not in wholes:
                wholes[case.command] = straight(case.command)
            if fault := try_case(case, wholes[case.command]):
                print(f"seed {options.seed}, case {number}: {fault}")
                return 1
    print(f"{options.cases} commands, all ended well, {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
