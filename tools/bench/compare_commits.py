"""Compare the speed of two commits fairly: `neche bench` of each in turn, pinned to one core.

Usage: python tools/bench/compare_commits.py OLD [NEW] [--workload search] [--rounds 7] [--core 0]

Each commit is checked out into its own temporary worktree and compiles into its own cache. The two take
turns, alternating which goes first, so that a machine that slows down slows both. Different node counts mean
that the commits do not do the same work: their rates then compare speed only.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
Rates = dict[str, float]


@contextmanager
def worktree(commit: str, directory: Path) -> Iterator[Path]:
    """Check out a commit for the duration of the block."""
    subprocess.run(
        ["git", "-C", str(ROOT), "worktree", "add", "--detach", "-f", str(directory), commit], check=True
    )
    try:
        yield directory
    finally:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(directory)], check=True)


def bench(directory: Path, workload: str) -> dict[str, Any]:
    """Run one workload of one commit; return what it prints as JSON."""
    environment = os.environ | {"PYTHONPATH": str(directory), "NECHE_CACHE_DIR": str(directory / ".cache")}
    answer = subprocess.run(
        [sys.executable, "-m", "neche", "bench", workload, "--json"],
        cwd=directory,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


def rates_in(result: dict[str, Any], prefix: str = "") -> Rates:
    """Find every rate at any depth.

    >>> rates_in({"nodes": 5, "search": {"nodes_per_second": 2.5}})
    {'search.nodes_per_second': 2.5}
    """
    rates: Rates = {}
    for key, value in result.items():
        if isinstance(value, dict):
            rates |= rates_in(value, f"{prefix}{key}.")
        elif key.endswith("per_second") and isinstance(value, int | float):
            rates[prefix + key] = float(value)
    return rates


def signature(result: dict[str, Any]) -> dict[str, Any]:
    """Pick the counts that must not change, at any depth."""
    counts = {key: value for key, value in result.items() if key == "nodes"}
    inner = {key: signature(value) for key, value in result.items() if isinstance(value, dict)}
    return counts | {key: value for key, value in inner.items() if value}


def table(old: list[Rates], new: list[Rates]) -> list[str]:
    """Write one line per rate: both medians, and the ratio of new to old in each round."""
    lines = []
    for key in sorted(old[0].keys() & new[0].keys()):
        ratios = [after[key] / before[key] for before, after in zip(old, new, strict=True)]
        medians = [statistics.median(rates[key] for rates in side) for side in (old, new)]
        lines.append(
            f"{key:32} {medians[0]:14,.0f} → {medians[1]:14,.0f}   × {statistics.median(ratios):.3f}"
            f"   (rounds {min(ratios):.3f} … {max(ratios):.3f})"
        )
    return lines


def main() -> int:
    """Measure and print; the exit code says only whether both could be measured."""
    parser = argparse.ArgumentParser(description="Compare the speed of two commits.")
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--workload", default="search")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--core", type=int, default=0)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {options.core})
    with (
        tempfile.TemporaryDirectory(prefix="neche-compare-") as work,
        worktree(options.old, Path(work) / "old") as old,
        worktree(options.new, Path(work) / "new") as new,
    ):
        signatures = [signature(bench(commit, options.workload)) for commit in (old, new)]
        print(
            f"nodes: {signatures[0]}"
            + ("" if signatures[0] == signatures[1] else f" → {signatures[1]}: DIFFERENT WORK")
        )
        rates: dict[Path, list[Rates]] = {old: [], new: []}
        for index in range(options.rounds):
            for commit in (old, new) if index % 2 == 0 else (new, old):
                rates[commit].append(rates_in(bench(commit, options.workload)))
            print(f"round {index + 1} of {options.rounds}", file=sys.stderr)
    print("\n".join(table(rates[old], rates[new])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
