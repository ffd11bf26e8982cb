"""Run all fuzzers, kill tests and damage tests in parallel for some time; print what was tried and failed.

Usage: python tools/campaign.py [--minutes 10] [--seed 20261122] [--jobs 2] [--area cache …] [--keep campaign]

Each area is a tool, run repeatedly with other seeds until the time is up; the output of failed batches is
kept in `--keep`. Batches that run on for longer are ended and not counted. The default seed is the date in
UTC. Exit status 1 if any batch failed.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Area(NamedTuple):
    """What one area tries. cases: per batch, of each of `kinds` sorts; about 15 seconds of work."""

    words: str
    cases: int
    unit: str
    kinds: int = 1


AREAS = {
    "evolve": Area("tools/checks/kill_and_resume.py --jobs 1 --kills", 5, "kills"),
    "screened": Area("tools/checks/kill_and_resume.py --jobs 1 --screened --kills", 2, "kills"),
    "keepers": Area("tools/checks/kill_and_repeat.py --jobs 1 --kills", 3, "kills"),
    "settings": Area("tools/fuzz/settings.py --cases", 2, "settings"),
    "files": Area("tools/fuzz/files.py --cases", 10, "damaged states", 4),
    "cache": Area("tools/fuzz/cache.py --cases", 1, "damaged caches"),
    "compiled": Area("tools/fuzz/compiled.py --cases", 2, "compiled sets"),
    "streams": Area("tools/fuzz/streams.py --cases", 4, "commands"),
    "records": Area("tools/fuzz/records.py --cases", 2000, "inputs", 4),
    "networks": Area("tools/fuzz/networks.py --cases", 500, "inputs", 3),
    "protocols": Area("tools/fuzz/protocols.py --cases", 2000, "inputs", 3),
    "pages": Area("tools/fuzz/pages.py --cases", 1000, "requests"),
    "rules": Area("tools/checks/compare_rules.py --positions", 4000, "positions"),
    "search": Area("tools/checks/compare_search.py --positions", 16, "searches"),
}
_LONGEST_BATCH = 1800.0
"""Seconds after which a batch counts as failed, as something waits for ever."""
_GRACE = 45.0
"""Seconds that a batch may run on when the time is up."""


@dataclass
class Score:
    """The results of one area. tried: in its unit. faults: the output of failed batches."""

    batches: int = 0
    tried: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


def run_batch(area: Area, seed: int, score: Score, until: float, root: Path = ROOT) -> None:
    """Run one batch of an area and record its result.

    until: when it is ended and not counted, on the clock of `time.monotonic`.
    """
    command = [sys.executable, *area.words.split(), str(area.cases), "--seed", str(seed)]
    began = time.monotonic()
    left = min(_LONGEST_BATCH, until - began)
    with tempfile.TemporaryDirectory(prefix="neche-campaign-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            command,
            cwd=root,
            env={**os.environ, "TMPDIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            said, code = process.communicate(timeout=left)[0], process.returncode
        except subprocess.TimeoutExpired:
            _end(process)
            if left < _LONGEST_BATCH:
                return
            said, code = "no end", 1
    score.batches, score.tried = score.batches + 1, score.tried + area.cases * area.kinds
    score.seconds += time.monotonic() - began
    if code:
        score.faults.append(f"seed {seed}: {said}")


def _end(process: subprocess.Popen[str]) -> None:
    """End a tool and everything it started, first with a signal that lets it clean up."""
    for number, patience in ((signal.SIGTERM, 5.0), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=patience)
            return


def table(scores: dict[str, Score], areas: dict[str, Area]) -> Iterable[str]:
    """Yield the lines of the table: what was tried, how many, in how many batches, how many failed."""
    yield f"{'area':12}{'tried':>10} {'':15}{'batches':>9}{'seconds':>9}{'failed':>8}"
    for name, score in scores.items():
        tried = f"{name:12}{score.tried:10} {areas[name].unit:15}{score.batches:9}"
        yield f"{tried}{score.seconds:9.0f}{len(score.faults):8}"


def seed_of_the_day() -> int:
    """Return the date in UTC as a number, such as 20261122."""
    return int(datetime.now(UTC).strftime("%Y%m%d"))


def main() -> int:
    """Run until the time is up; return 1 if any batch failed."""
    parser = argparse.ArgumentParser(description="Run all fuzzers, kill tests and damage tests.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=seed_of_the_day(), help="default: the date in UTC")
    parser.add_argument("--jobs", type=int, default=2, help="batches at once")
    parser.add_argument("--area", choices=tuple(AREAS), nargs="+", default=list(AREAS))
    parser.add_argument("--keep", type=Path, default=Path("campaign"), help="where faults go")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.minutes:g} minutes, {options.jobs} batches at once", flush=True)
    scores = campaign(options.area, options.seed, 60 * options.minutes, options.jobs)
    print(*table(scores, AREAS), sep="\n")
    for name, score in scores.items():
        if score.faults:
            options.keep.mkdir(exist_ok=True)
            (options.keep / f"{name}.txt").write_text("\n\n".join(score.faults), encoding="utf-8")
            print(f"{name}:", *(fault[-2000:] for fault in score.faults[:3]), sep="\n")
    return 1 if any(score.faults for score in scores.values()) else 0


def campaign(names: list[str], seed: int, seconds: float, jobs: int) -> dict[str, Score]:
    """Run batches for that long; return the results of each area."""
    until = time.monotonic() + seconds
    scores = {name: Score() for name in names}

    def work(number: int) -> None:
        # Every worker cycles through the areas from another start, so that all areas get their share.
        at, own_seed = number * len(names) // jobs, seed * 1_000_000 + number
        while time.monotonic() < until:
            name = names[at % len(names)]
            run_batch(AREAS[name], own_seed, scores[name], until + _GRACE)
            at, own_seed = at + 1, own_seed + jobs

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return scores


if __name__ == "__main__":
    sys.exit(main())
