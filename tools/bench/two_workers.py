"""Compare the gain of a second worker in one run with the gain of two separate runs on this machine.

Usage: python tools/bench/two_workers.py [--recipe default] [--generations 8] [--workers 2] [--rounds 3]
       [--seed 1] [--set KEY=VALUE …]

Each round times, one after another: one run with one worker, one run with several, and as many separate runs
in parallel, with one worker each. Separate runs show the gain possible on this machine, whose cores may share
units, caches and clock; so the share of that gain which one run reaches depends on neche alone. Prints the
median over rounds, and the efficiency with 64 cores by Amdahl's law.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def seconds_of(runs: int, workers: int, arguments: list[str]) -> float:
    """Return the seconds until `runs` runs started together, with `workers` workers each, have ended."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "neche", "evolve", "--jobs", str(workers), "--json", *arguments]
        began = time.perf_counter()
        # The same run each time, as other seeds play other games and take another time.
        started = [
            subprocess.Popen(
                [*command, "--run", str(Path(folder) / f"run-{number}")],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for number in range(runs)
        ]
        codes = [process.wait() for process in started]
        spent = time.perf_counter() - began
    if any(codes):
        raise SystemExit(f"{' '.join(command)}: exit codes {codes}")
    return spent


def serial_share(speed_up: float, workers: int) -> float:
    """Return the serial share s of the time: 1 / speed_up = s + (1 − s) / workers (Amdahl)."""
    return max(0.0, (workers / speed_up - 1) / (workers - 1))


def main() -> None:
    """Measure in turn, print each round and the medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recipe", default="default")
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    arguments = ["--recipe", options.recipe, "--seed", str(options.seed)]
    arguments += ["--generations", str(options.generations)]
    arguments += [word for setting in options.set for word in ("--set", setting)]
    workers = options.workers
    seconds_of(1, workers, arguments)  # compiles whatever is not compiled yet
    found = []
    for number in range(options.rounds):
        alone = seconds_of(1, 1, arguments)
        shared = seconds_of(1, workers, arguments)
        beside = seconds_of(workers, 1, arguments)
        found.append((alone, alone / shared, workers * alone / beside))
        print(
            f"round {number + 1}: 1 worker {alone:.1f} s, {workers} workers {shared:.1f} s,"
            f" {workers} runs side by side {beside:.1f} s",
            flush=True,
        )
    alone, own, whole = (statistics.median(column) for column in zip(*found, strict=True))
    # A gain that the machine itself does not allow is not counted as serial.
    share = serial_share(min(1.0, own / whole) * workers, workers)
    print(f"{workers} workers: {own:.2f} times as fast; {workers} runs: {whole:.2f} times one's throughput")
    print(f"share of that gain: {own / whole:.1%}; with 64 cores {1 / (share + (1 - share) / 64):.1f} times")


if __name__ == "__main__":
    main()
