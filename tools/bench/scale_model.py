"""Predict generations per hour by cores and population: a model with constants measured here.

Usage: taskset -c 1 python tools/bench/scale_model.py [--sizes 100,1000,10000] [--depth 2] [--seed 1]
       [--hand-over 0.005] [--run 10000,100000]

Runs of the recipe `tournament` with one worker (`serial_share.py`) give CPU seconds per game, and for each
other part of a generation, as a + b·n. The levels of a ranking, which wait for each other, come from ranking
simulated players of known strength. A generation of n members on W workers takes

    besides    a + b·n, on the head alone
    games      their seconds / W
    waiting    of workers in levels that have fewer batches than there are workers
    handing    batches · h, one after another; 0 for threads of one machine

Batches are cut as `arena.playing` cuts them. --hand-over: h, the head's seconds per batch, see `shipping.py`.
--run: also evolve one generation of that many members, and print time, memory and disk.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.arena import playing
from neche.evolution.ranking import planned_games, play_quickselects
from neche.evolution.recipes import load_recipe
from neche.evolution.reproduction import parent_cut
from neche.evolution.settings import Settings
from tools.bench.serial_share import PARALLEL, measure

POPULATIONS = tuple(10**power for power in range(2, 7))
WORKERS = (1, 2, 8, 64, 1_000, 10_000)
MACHINE_CORES = 64
"""More workers than these are taken to be processes on several machines."""
_LEAD = 1.0
"""Standard deviation of the strengths, log-odds, of the members that the levels are counted with."""


class Part(NamedTuple):
    """CPU seconds per generation that the head spends on one part: fixed + each · n."""

    fixed: float
    each: float

    def seconds(self, population: int) -> float:
        """Return the seconds at a population."""
        return self.fixed + self.each * population


class Constants(NamedTuple):
    """Costs on a machine. game: seconds per game; parts: besides games; hand_over: seconds per batch."""

    game: float
    parts: dict[str, Part]
    hand_over: float


def settings_for(population: int) -> Settings:
    """Return the recipe that is measured, for a population."""
    settings = load_recipe("tournament")
    # Used for more members than a run may have, as the model extrapolates.
    return replace(settings, members=replace(settings.members, population=population))


def levels_of(population: int, seed: int) -> list[int]:
    """Return the games of each level of a ranking between members of known strengths."""
    rng, sizes = np.random.default_rng(seed), list[int]()
    settings = settings_for(population)
    strengths = rng.normal(0.0, _LEAD, population)

    def compare(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        sizes.append(2 * len(a))
        chance = 1.0 / (1.0 + np.exp(strengths[b] - strengths[a]))
        balances: np.ndarray = 2 * rng.binomial(2, chance) - 2
        return balances

    play_quickselects(population, parent_cut(settings), planned_games(settings) // 2, compare, rng)
    return sizes


def num_batches(games: int, game_seconds: float, workers: int, hand_over: float) -> int:
    """Return into how many batches `arena.playing` cuts a level."""
    clock = games * game_seconds
    short = max(playing._SHORT_BATCH, math.sqrt(clock * hand_over))
    wanted = min(clock / short, playing._BATCHES_A_WORKER * workers if workers > 1 else 1)
    return max(1, min(games, int(max(wanted, clock / playing._LONG_BATCH))))


def model(population: int, workers: int, levels: list[int], constants: Constants) -> dict[str, float]:
    """Return the seconds of a generation by cause."""
    hand_over = constants.hand_over if workers > MACHINE_CORES else 0.0
    besides = sum(part.seconds(population) for part in constants.parts.values())
    spent = {"besides": besides, "games": 0.0, "waiting": 0.0, "handing": 0.0}
    for games in levels:
        clock = games * constants.game
        batches = num_batches(games, constants.game, workers, hand_over)
        spent["games"] += clock / workers
        spent["waiting"] += clock / min(workers, batches) - clock / workers
        spent["handing"] += batches * hand_over
    return spent


def fit(seconds: dict[int, float]) -> Part:
    """Return the part that fits these seconds by population best, by relative error."""
    sizes = np.array(list(seconds), np.float64)
    found = np.maximum(np.array(list(seconds.values())), 1e-9)
    columns = np.stack([1.0 / found, sizes / found], axis=1)
    fixed, each = np.linalg.lstsq(columns, np.ones(len(sizes)), rcond=None)[0].tolist()
    # A part that grows faster than n must not get a negative constant.
    return Part(fixed, each) if min(fixed, each) >= 0 else Part(0.0, float((found / sizes).max()))


def constants_here(sizes: list[int], depth: int, seed: int, hand_over: float) -> Constants:
    """Measure the constants, in one run of each size."""
    games, parts = list[float](), dict[str, dict[int, float]]()
    for size in sizes:
        generations = max(2, 3_000 // size)
        keys = {"population": size, "depth": depth, "next_depths": "[]", "final_candidates": 0}
        words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
        with tempfile.TemporaryDirectory() as folder:
            named = ["--recipe", "tournament", "--seed", str(seed), "--generations", str(generations + 1)]
            share = measure([*named, *words, "--run", str(Path(folder) / "run")], 1)
        for part, seconds in share.parts.items():
            if part in PARALLEL.values():
                games.append(seconds / share.generations / planned_games(settings_for(size)))
            else:
                parts.setdefault(part, {})[size] = seconds / share.generations
    return Constants(float(np.median(games)), {part: fit(found) for part, found in parts.items()}, hand_over)


def print_model(constants: Constants, seed: int) -> None:
    """Print generations per hour, and the largest part of a generation."""
    print(f"\na game {1e6 * constants.game:.0f} µs; besides games, ms a generation of n members:")
    for name, part in sorted(constants.parts.items(), key=lambda item: -item[1].seconds(1000)):
        print(f"  {name:14} {1e3 * part.fixed:8.3f} + {1e3 * part.each:.5f} n")
    print("\ngenerations an hour, and where most of the time goes\n")
    print("| n | " + " | ".join(f"{count:,} workers".replace(",", " ") for count in WORKERS) + " |")
    print("|---" * (len(WORKERS) + 1) + "|")
    for population in POPULATIONS:
        levels, cells = levels_of(population, seed), list[str]()
        for workers in WORKERS:
            spent = model(population, workers, levels, constants)
            cause = max(spent, key=lambda one: spent[one])
            cells.append(f"{_rounded(3600 / sum(spent.values()))} {cause}")
        print(f"| {population:,} | ".replace(",", " ") + " | ".join(cells) + " |")


def _rounded(number: float) -> str:
    """Return a number with two significant digits."""
    digits = 1 - math.floor(math.log10(number))
    return f"{round(number, digits):,.{max(0, digits)}f}".replace(",", " ")


def run_one(population: int, depth: int, seed: int, tell: Callable[[str], None]) -> None:
    """Evolve one generation after the random one, and print its time, memory and disk."""
    keys = {"population": population, "depth": depth, "next_depths": "[]", "final_candidates": 0}
    keys |= {"champion_candidates": 0, "ladder_games": 0, "keep_last": 1, "keep_every": 1000}
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        command = [sys.executable, "-m", "neche", "evolve", "--recipe", "tournament", "--seed", str(seed)]
        command += ["--generations", "1", "--jobs", "1", "--json", "--run", str(run), *words]
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        if status:
            raise SystemExit(f"{' '.join(command)}: status {status}")
        disk = sum(path.stat().st_size for path in run.rglob("*") if path.is_file())
    tell(
        f"{population} members, generations 0 and 1 at depth {depth}: {seconds:.0f} s,"
        f" {used.ru_maxrss / 1024:.0f} MB of memory, {disk / 1e6:.1f} MB on disk"
    )


def main() -> None:
    """Measure, and print the model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hand-over", type=float, default=playing._HAND_OVER_SECONDS)
    parser.add_argument("--run", default="")
    options = parser.parse_args()
    sizes = [int(word) for word in options.sizes.split(",")]
    print_model(constants_here(sizes, options.depth, options.seed, options.hand_over), options.seed)
    for word in filter(None, options.run.split(",")):
        run_one(int(word), options.depth, options.seed, print)


if __name__ == "__main__":
    main()
