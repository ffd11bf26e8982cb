"""Run all fuzzers, kills and damages side by side for some time, and print what was tried and what failed.

Usage: python tools/campaign.py [--minutes 10] [--seed 0] [--jobs 2] [--area cache …]

Each area is a tool of its own, run again and again with another seed until the time is over; what a batch
that failed has said is kept in `--keep`. Ends with status 1 if any failed.
"""

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# area: (tool, option that says how many cases, cases in a batch)
AREAS = {
    "records": ("tools/fuzz/records.py", "--cases", 300),
    "protocols": ("tools/fuzz/protocols.py", "--cases", 300),
    "networks": ("tools/fuzz/networks.py", "--cases", 300),
    "pages": ("tools/fuzz/pages.py", "--cases", 500),
    "cache": ("tools/fuzz/cache.py", "--cases", 5),
    "kills": ("tools/checks/kill_and_resume.py", "--kills", 5),
}
_LONGEST_BATCH = 1800.0
"""Seconds, after which a batch counts as failed: something waits for ever."""


@dataclass
class Score:
    """What came of one area. faults: the ends of what failed batches have said."""

    batches: int = 0
    cases: int = 0
    faults: list[str] = field(default_factory=list)


def run_batch(area: str, seed: int, score: Score, root: Path = ROOT) -> None:
    """Run one batch of an area and note what came of it."""
    tool, option, cases = AREAS[area]
    command = [sys.executable, tool, option, str(cases), "--seed", str(seed)]
    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=False, timeout=_LONGEST_BATCH
        )
        said, code = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        said, code = "no end", 1
    score.batches, score.cases = score.batches + 1, score.cases + cases
    if code:
        score.faults.append(f"seed {seed}: {said}")


def table(scores: dict[str, Score]) -> list[str]:
    """Return the lines of the table: area, batches, cases tried, batches failed."""
    head = f"{'area':12}{'batches':>9}{'cases':>9}{'failed':>9}"
    rows = [
        f"{area:12}{score.batches:9}{score.cases:9}{len(score.faults):9}" for area, score in scores.items()
    ]
    return [head, *rows]


def main() -> int:
    """Run until the time is over; return 1 if any batch failed."""
    parser = argparse.ArgumentParser(description="Run all fuzzers, kills and damages side by side.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="batches at once")
    parser.add_argument("--area", choices=tuple(AREAS), nargs="+", default=list(AREAS))
    parser.add_argument("--keep", type=Path, default=Path("campaign"), help="where faults go")
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    scores = {area: Score() for area in options.area}

    def work(number: int) -> None:
        # Every worker goes round the areas, each from another one on, so that all get their share.
        areas, seed = list(scores), options.seed * 1_000_000 + number
        at = number
        while time.monotonic() < until:
            run_batch(areas[at % len(areas)], seed, scores[areas[at % len(areas)]])
            at, seed = at + 1, seed + options.jobs

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, range(options.jobs)))
    print(*table(scores), sep="\n")
    for area, score in scores.items():
        if score.faults:
            options.keep.mkdir(exist_ok=True)
            (options.keep / f"{area}.txt").write_text("\n\n".join(score.faults), encoding="utf-8")
    return 1 if any(score.faults for score in scores.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
