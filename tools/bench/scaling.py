"""How ranking grows with the population, and how well two workers share it.

Usage: python tools/bench/scaling.py [--seed 0] [--depth 1] [--sizes 50,100,…,4000] [--jobs 2] [--repeats 3]

The first table ranks a random population of each size by one full quicksort and by the default scheme, and
prints games per member. With n log n growth, games / (n ln n) stays constant for the quicksort. The second
ranks one generation of the recipe `original` with 1 worker and with several, in turn, and prints the ratio.
"""

import argparse
import math
import statistics
import time

import joblib

from neche.compiled.batches import PromptThreads
from neche.evolution.evolve import evolve
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import Settings


def ranked_in(settings: Settings, seed: int, jobs: int) -> tuple[int, float]:
    """Rank the random population; return games and seconds."""
    threads = PromptThreads()
    with joblib.parallel_config(backend=threads, n_jobs=jobs):
        began = time.perf_counter()
        (generation,) = evolve(settings, seed, generations=0)
        seconds = time.perf_counter() - began
    threads.close()
    return int(generation.record["games"]), seconds


def measured(recipe: str, *assignments: str) -> Settings:
    """Return a recipe without ladder and play-off, with some keys replaced."""
    settings = load_recipe(recipe)
    for assignment in ("ladder_games=0", "champion_candidates=0", *assignments):
        settings = override(settings, assignment)
    return settings


def print_growth(options: argparse.Namespace) -> None:
    """Print games and seconds by population size."""
    print("      n | quicksort games  games/(n ln n)        s | descent games  games/n        s")
    for size in (int(word) for word in options.sizes.split(",")):
        words = (f"population={size}", f"depth={options.depth}", "next_depths=[]")
        full, full_seconds = ranked_in(measured("tournament", "ranking=quicksort", *words), options.seed, 1)
        short, short_seconds = ranked_in(measured("tournament", *words), options.seed, 1)
        growth = full / (size * math.log(size))
        print(
            f"{size:7} | {full:15} {growth:15.2f} {full_seconds:8.2f}"
            f" | {short:13} {short / size:8.1f} {short_seconds:8.2f}"
        )


def print_sharing(options: argparse.Namespace) -> None:
    """Print how much faster several workers rank than one."""
    settings = measured("original")
    ratios = []
    for _ in range(options.repeats):
        games, alone = ranked_in(settings, options.seed, 1)
        _, shared = ranked_in(settings, options.seed, options.jobs)
        ratios.append(alone / shared)
        print(f"{games} games at depth 6: 1 worker {alone:.2f} s, {options.jobs} workers {shared:.2f} s")
    speed_up = statistics.median(ratios)
    print(f"{speed_up:.2f} times as fast, efficiency {speed_up / options.jobs:.0%}")


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--sizes", default="50,100,200,400,1000,2000,4000")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print_growth(options)
    print_sharing(options)


if __name__ == "__main__":
    main()
