"""Clusters of two processes on this machine, used for parallel calls like any other workers."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import pytest

from neche.api.cluster import dask_workers, ray_workers
from neche.arena import benchmark, playing


@contextmanager
def dask_cluster() -> Iterator[str]:
    """Start a scheduler and two workers; yield the address."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install -e '.[dask]'")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        yield cluster.scheduler_address


@contextmanager
def ray_cluster() -> Iterator[str]:
    """Start a Ray cluster of two workers that includes this process; yield the address."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install -e '.[ray]'")
    context = ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    try:
        yield context.address_info["gcs_address"]
    finally:
        ray.shutdown()


CLUSTERS = {"dask": dask_cluster, "ray": ray_cluster}
OPTION = {"dask": "--scheduler", "ray": "--address"}
WORKERS = {"dask": dask_workers, "ray": ray_workers}


@contextmanager
def sharing(backend: str, address: str) -> Iterator[None]:
    """Let two workers of a backend run parallel calls."""
    if backend in WORKERS:
        with WORKERS[backend](address):
            yield
    else:
        with joblib.parallel_config(backend=backend, n_jobs=2):
            yield


def words_for(backend: str, address: str) -> list[str]:
    """Return the options that let a command distribute its work to two workers of a backend."""
    if backend in OPTION:
        return ["--backend", backend, OPTION[backend], address]
    return ["--backend", backend, "--jobs", "2"]


def cut_small(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Cut games into many batches, so that every call has some; return a list that gets an item per batch."""
    sent: list[int] = []
    original = playing.GameBatch.__reduce__

    def counted(batch: playing.GameBatch) -> tuple[Any, ...]:
        sent.append(len(batch.schedule.first))
        return original(batch)

    monkeypatch.setattr(playing.GameBatch, "__reduce__", counted)
    monkeypatch.setattr(playing, "_SHORT_BATCH", 1e-5)
    monkeypatch.setattr(playing, "_HAND_OVER_SECONDS", 1e-9)
    return sent


def deadly(flag: Path, parent: int) -> Callable[[playing.GameBatch], playing.GameResults]:
    """Return a function that plays a batch, but kills the first process other than the parent to call it."""

    def play(batch: playing.GameBatch) -> playing.GameResults:
        if os.getpid() != parent:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        # The original by another way: this stands in its place where it is sent from.
        results: playing.GameResults = benchmark.__dict__["play_batch"](batch)
        return results

    return play
