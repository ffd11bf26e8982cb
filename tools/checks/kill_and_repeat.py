"""Kill the commands other than `evolve` that keep state at random moments, repeat them, and compare.

Usage: python tools/checks/kill_and_repeat.py [--kills 100] [--seed 1] [--command dataset]

A chain is one command, killed (SIGKILL to it and its workers) and repeated until it ends. Then every file
must equal that of an uninterrupted command byte for byte. The commands share the kills; if there are fewer
kills than commands, the seed draws the commands. `kill_and_resume.py` does the same for `neche evolve`.
"""

import argparse
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.checks.kill_and_resume import TINY_RUN, end_cleanly, kill_until

_TINY = [word for key, value in TINY_RUN.items() for word in ("--set", f"{key}={value}")]
_PLAYERS = ("material:depth=2", "blind:depth=2", "random")


def _sweep(directory: Path) -> list[str]:
    words = ["--recipe", "tournament", "--output", str(directory), "--seeds", "2", "--generations", "8"]
    return ["sweep", *words, *_TINY]


def _dataset(directory: Path) -> list[str]:
    return ["dataset", str(directory), "--games", "4000", "--shard-games", "200", "--moves", "mixed"]


def _solve(directory: Path) -> list[str]:
    return ["solve", "--pieces", "3", "--distance", "--output", str(directory)]


def _with_results(words: list[str], directory: Path) -> list[str]:
    directory.mkdir(parents=True, exist_ok=True)
    return [*words, "--results", str(directory / "results.jsonl")]


COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "sweep": _sweep,
    "dataset": _dataset,
    "solve": _solve,
    "match": partial(_with_results, ["match", *_PLAYERS[:2], "--games", "400"]),
    "round-robin": partial(_with_results, ["round-robin", *_PLAYERS, "--games", "120"]),
    "ladder": partial(
        _with_results, ["ladder", "material:depth=2", "--games", "100", "--rungs", *_PLAYERS[1:]]
    ),
}
"""Arguments of each command, for some seconds of work in a directory."""


def command(name: str, jobs: int, directory: Path) -> list[str]:
    """Compose a command that keeps its state in a directory."""
    return [sys.executable, "-m", "neche", *COMMANDS[name](directory), "--json", "--jobs", str(jobs)]


def main() -> int:
    """Kill until enough; return 1 and keep the directories at the first difference."""
    parser = argparse.ArgumentParser(description="Kill commands at random moments, repeat them, compare.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the commands and of the moments")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--command", choices=COMMANDS, nargs="+", default=list(COMMANDS))
    options = parser.parse_args()
    end_cleanly()
    rng = random.Random(options.seed)
    chosen = rng.sample(options.command, min(len(options.command), max(1, options.kills // 5)))
    for name in chosen:
        print(f"{name}:", flush=True)
        if kill_until(-(-options.kills // len(chosen)), partial(command, name, options.jobs), rng):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
