"""Kill an evolution at random moments, resume it, and compare its files with those of an undisturbed run.

Usage: python tools/checks/kill_and_resume.py [--kills 100] [--seed 1] [--jobs 2] [--backend threading]
       [--screened]

A chain is one run, killed (SIGKILL to it and its workers) and resumed until it ends. Then every file must
equal the undisturbed run's byte for byte, and no generation that was on disk at a kill may have been computed
again. Chains follow each other until enough kills have hit.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

# Takes seconds, yet has every kind of step: ladders, play-offs, moves up, pruning.
TINY_RUN = {
    "population": 12,
    "genes": 40,
    "ladder_every": 4,
    "ladder_games": 4,
    "champion_candidates": 3,
    "champion_games": 4,
    "final_candidates": 3,
    "final_games": 4,
    "move_up_every": 5,
    "move_up_members": 4,
    "move_up_score": 0.2,
    "keep_every": 7,
    "keep_last": 3,
}

# Added with --screened: blocks of samples of several champions, members that learn, deeper labels midway.
TINY_SCREENED_RUN = {
    "fitness": "screened",
    "topology": "auto-3-1",
    "perspective": "mover",
    "depth": 1,
    "sample_games": 40,
    "first_games": 100,
    "sample_depth": 1,
    "label_depth": 2,
    "last_label_depth": 3,
    "label_deeper_after": 9,
    "replay": 4,
    "batches": 30,
    "batch": 100,
    "pairs": 8,
    "rate": 0.01,
}


class Timing(NamedTuple):
    """Seconds that an undisturbed run takes: until its directory exists, and in total."""

    startup: float
    total: float


class Chain(NamedTuple):
    """What happened to one killed and resumed run."""

    num_kills: int
    fault: str | None


def command(directory: Path, options: argparse.Namespace, *, resume: bool) -> list[str]:
    """Compose the command that starts or resumes the run in a directory."""
    words = [sys.executable, "-m", "neche", "evolve", "--json", "--run", str(directory)]
    words += ["--jobs", str(options.jobs), "--backend", options.backend]
    words += ["--generations", str(options.generations)]
    if resume:
        return [*words, "--resume"]
    words += ["--recipe", options.recipe, "--seed", str(options.seed)]
    tiny = TINY_RUN | (TINY_SCREENED_RUN if options.screened else {})
    return [*words, *(word for key, value in tiny.items() for word in ("--set", f"{key}={value}"))]


def digest(path: Path) -> str:
    """Digest one file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def started(words: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Start a command in its own process group, so that its workers die with it.

    No process is left behind, whatever ends this one except SIGKILL.
    """
    process = subprocess.Popen(
        words, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def end_cleanly() -> None:
    """Let SIGTERM end this process like an exception, so that processes and files are cleaned up."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def contents(directory: Path) -> dict[str, str]:
    """Digest every file of a run directory except its lock."""
    return {
        str(path.relative_to(directory)): digest(path)
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def has_begun(directory: Path) -> bool:
    """Return whether a run has written its first file; reads names only, as the run may be writing."""
    return directory.is_dir() and any(path.name != ".lock" for path in directory.iterdir())


def straight_run(directory: Path, words: list[str]) -> Timing:
    """Run undisturbed; return how long it took. The start ends when the directory has files."""
    began = time.perf_counter()
    startup = None
    with started(words) as process:
        while process.poll() is None:
            if startup is None and has_begun(directory):
                startup = time.perf_counter() - began
            time.sleep(0.01)
        if process.returncode:
            sys.exit(f"the straight run failed: {process.communicate()[1]}")
    total = time.perf_counter() - began
    return Timing(startup or total, total)


def killed_run(directory: Path, words: Callable[[], list[str]], timing: Timing, rng: random.Random) -> Chain:
    """Kill a command and repeat it until it ends by itself. words: returns the next command."""
    num_kills = 0
    generations: dict[Path, int] = {}
    while True:
        # Longer with every kill, so that a machine busier than at first still makes progress.
        longest = timing.total * (1 + 0.1 * num_kills)
        with started(words()) as process:
            try:
                _, complaint = process.communicate(timeout=rng.uniform(0.5 * timing.startup, longest))
            except subprocess.TimeoutExpired:
                complaint = None
        if complaint is None:
            num_kills += 1
            generations |= written_at(directory)
            continue
        if process.returncode:
            return Chain(num_kills, f"exit code {process.returncode} after {num_kills} kills: {complaint}")
        again = [
            path.name
            for path, moment in written_at(directory).items()
            if generations.get(path, moment) != moment
        ]
        return Chain(num_kills, f"computed again: {', '.join(again)}" if again else None)


def written_at(directory: Path) -> dict[Path, int]:
    """Return when each finished generation of the history was written, in nanoseconds."""
    history = directory / "history.jsonl"
    lines = history.read_bytes().splitlines(keepends=True) if history.exists() else []
    numbers = [json.loads(line)["generation"] for line in lines if line.endswith(b"\n")]
    paths = [directory / "generations" / f"{number:06}.fasta" for number in numbers]
    return {path: path.stat().st_mtime_ns for path in paths if path.exists()}


def differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    """Name the files that differ, are missing or are surplus."""
    return [
        f"{name}: {'missing' if name not in found else 'too many' if name not in expected else 'differs'}"
        for name in sorted(expected.keys() | found.keys())
        if expected.get(name) != found.get(name)
    ]


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Kill an evolution at random moments, resume, compare.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the run and of the moments")
    parser.add_argument("--generations", type=int, default=24, help="number of the last one")
    parser.add_argument("--recipe", default="tournament")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--backend", default="threading", choices=["threading", "loky"])
    parser.add_argument("--screened", action="store_true", help="members learn to predict own games")
    return parser.parse_args()


def main() -> int:
    """Kill until enough; return 1 and keep the directories at the first difference."""
    options = parse_options()
    end_cleanly()

    def words(directory: Path) -> list[str]:
        return command(directory, options, resume=(directory / "config.toml").exists())

    faults = kill_until(options.kills, words, random.Random(options.seed))
    return 1 if faults else 0


def kill_until(kills: int, words: Callable[[Path], list[str]], rng: random.Random) -> list[str]:
    """Kill and compare until enough kills have hit, and print it; return the faults of the first bad chain.

    words: returns the command for a directory, which may exist or not.
    """
    work = Path(tempfile.mkdtemp(prefix="neche-kills-"))
    straight_run(work / "warm-up", words(work / "warm-up"))
    timing = straight_run(work / "straight", words(work / "straight"))
    expected = contents(work / "straight")
    print(
        f"straight run: {timing.total:.1f} s, of which {timing.startup:.1f} s to start; {len(expected)} files"
    )
    num_kills = num_chains = 0
    while num_kills < kills:
        directory = work / f"chain-{num_chains:03}"
        chain = killed_run(directory, partial(words, directory), timing, rng)
        num_kills, num_chains = num_kills + chain.num_kills, num_chains + 1
        faults = [chain.fault] if chain.fault else differences(expected, contents(directory))
        if faults:
            print(f"chain {num_chains}: " + "; ".join(faults), f"(kept in {work})")
            return faults
        print(f"{num_kills} kills in {num_chains} chains: all bytes as in the straight run", flush=True)
    shutil.rmtree(work)
    return []


if __name__ == "__main__":
    sys.exit(main())
