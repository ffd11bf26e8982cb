"""The cost of sending games to other processes: bytes per game, and the overhead of a batch.

Usage: python tools/bench/shipping.py [--sizes 100,1000] [--backends loky,dask,ray] [--batches 200]
       [--scheduler ADDRESS] [--address ADDRESS]

For each population one level of its ranking, everybody against a pivot, is cut into batches and packed. The
batches then travel to two workers that do not play them, one joblib call after another, so the time measured
is the overhead. Without an address, Dask and Ray are started here, with two processes.
"""

import argparse
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import pairwise
from typing import Any

import joblib
import numpy as np

from neche.api.cluster import dask_workers, ray_workers
from neche.arena.playing import Contestants, GameBatch, Schedule, paired
from neche.compiled.batches import results_of
from neche.compiled.streams import stream, stream_keys
from neche.games.draws import TRAINING_DRAWS
from neche.genome.dna import random_genome
from neche.network.decode import decode_population

_GENES, _DEPTH, _OPENING_PLIES, _GAMES_A_BATCH = 200, 2, 4, 150


def level(count: int) -> tuple[Contestants, Schedule]:
    """Return a random population, and a level of a quickselect: two games of everybody against a pivot."""
    genomes = [random_genome(_GENES, stream(0, 0, "shipping: genome", index)) for index in range(count)]
    contestants = Contestants.of(decode_population(genomes, perspective="antisymmetric"), _DEPTH)
    keys = (
        stream_keys(0, 0, "shipping: opening", count - 1),
        stream_keys(0, 0, "shipping: game", 2 * count - 2),
    )
    order = stream(0, 0, "shipping: order").permutation(count)
    return contestants, paired(order[1:], np.full(count - 1, order[0]), keys[0], _OPENING_PLIES, keys[1])


def batches_of(contestants: Contestants, schedule: Schedule) -> list[GameBatch]:
    """Return the games as batches of 150, as they are cut for about ten workers."""
    ends = [*range(0, len(schedule.first), _GAMES_A_BATCH), len(schedule.first)]
    parts = [Schedule._make(column[begin:end] for column in schedule) for begin, end in pairwise(ends)]
    return [GameBatch(contestants, part, TRAINING_DRAWS) for part in parts]


@contextmanager
def two_workers(backend: str, options: argparse.Namespace) -> Iterator[None]:
    """Let two workers of a backend, or those of the cluster at an address, run parallel calls."""
    if backend == "dask":
        from distributed import LocalCluster

        size = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        local: Any = nullcontext(None) if options.scheduler else LocalCluster(**size)
        with local as cluster, dask_workers(options.scheduler or cluster.scheduler_address):
            yield
    elif backend == "ray":
        import ray

        if not options.address:
            ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
        with ray_workers(options.address or "auto"):
            yield
        ray.shutdown()
    else:
        with joblib.parallel_config(backend=backend, n_jobs=2):
            yield


def take(batch: GameBatch) -> int:
    """Receive a batch and do nothing with it."""
    return len(batch.schedule.first)


def overhead(batches: list[GameBatch], count: int) -> tuple[float, float, float]:
    """Return seconds and own CPU seconds per batch, over `count` batches, and seconds of a call of two."""

    def seconds(number: int) -> tuple[float, float]:
        calls = {index: joblib.delayed(take)(batches[index % len(batches)]) for index in range(number)}
        began, worked = time.perf_counter(), time.process_time()
        for _ in results_of(calls):
            pass
        return time.perf_counter() - began, time.process_time() - worked

    seconds(40)  # workers start and load the package
    elapsed, worked = seconds(count)
    return elapsed / count, worked / count, min(seconds(2)[0] for _ in range(5))


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default="100,1000")
    parser.add_argument("--backends", default="loky,dask,ray")
    parser.add_argument("--batches", type=int, default=200)
    parser.add_argument("--scheduler")
    parser.add_argument("--address")
    options = parser.parse_args()
    print("population  games  batches  bank, bytes  shipped a game, bytes  to pack a game, µs  to unpack, µs")
    for size in map(int, options.sizes.split(",")):
        contestants, schedule = level(size)
        batches, games = batches_of(contestants, schedule), len(schedule.first)
        began = time.process_time()
        sent = [pickle.dumps(batch) for batch in batches]
        packed = time.process_time()
        for data in sent:
            pickle.loads(data)
        ends = time.process_time()
        bank = contestants.packed.words.nbytes + contestants.packed.rows.nbytes
        costs = f"{sum(map(len, sent)) / games:22.0f} {1e6 * (packed - began) / games:19.1f}"
        print(
            f"{size:10} {games:6} {len(batches):8} {bank:12,} {costs} {1e6 * (ends - packed) / games:14.1f}"
        )
    print("backend     ms a batch   of this process, CPU ms   a call of two batches, ms")
    for backend in options.backends.split(","):
        with two_workers(backend, options):
            each, worked, whole = overhead(batches, options.batches)
        print(f"{backend:11} {1e3 * each:10.2f} {1e3 * worked:25.2f} {1e3 * whole:27.1f}")


if __name__ == "__main__":
    main()
