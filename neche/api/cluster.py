"""Dask and Ray clusters as joblib workers, on one machine or many.

    with dask_workers("tcp://head:8786"):
        for generation in neche.evolve("tournament", run="runs/far"):
            ...

joblib's own context, `joblib.parallel_config(backend="dask")`, works too. The contexts here first check that
the cluster answers and that its workers run the same neche, and give up calls that kill every worker.
"""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import joblib
from joblib.parallel import ParallelBackendBase

from neche.compiled.cache import source_digest
from neche.errors import InputError
from neche.version import __version__

_ANSWER_SECONDS, _WORKER_SECONDS = 10, 60
"""Time limits: for an address to answer, and for a cluster that grows on demand to start a first worker."""
_FEWEST_JOBS = 2
_RESUMED = "finished work that the command stores is kept; repeat the command to continue"


@contextmanager
def dask_workers(address: str, num_jobs: int = -1) -> Iterator[None]:
    """Let the workers of a Dask scheduler run every parallel call made inside.

    address: such as `tcp://head:8786`, or a scheduler file, whose name ends in .json. num_jobs: batches in
    flight at the same time, as joblib counts; −1: as many as the cluster has threads.

    Raises:
        InputError: Dask is missing, no scheduler answers, no worker comes, or workers run another neche.
    """
    distributed = _package("distributed", "dask")
    where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
    try:
        client = distributed.Client(**where, timeout=_ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as fault:
        raise InputError(f"Dask scheduler {address}: {fault}") from None
    with client:
        try:
            first = client.submit(neche_here, pure=False).result(timeout=_WORKER_SECONDS)
            found = {first, *client.run(neche_here).values()}
        except ImportError as fault:
            raise InputError(f"Dask scheduler {address}: workers without neche: {fault}") from None
        except TimeoutError:
            raise InputError(f"Dask scheduler {address}: no worker within {_WORKER_SECONDS} s") from None
        lost = (distributed.KilledWorker, CancelledError, distributed.client.FutureCancelledError)
        tasks = ClusterTasks(
            lambda calls: client.submit(_made, calls, pure=False), lambda: sum(client.ncores().values())
        )
        with _at_work(f"Dask scheduler {address}", found, tasks, num_jobs, lost):
            yield


@contextmanager
def ray_workers(address: str, num_jobs: int = -1) -> Iterator[None]:
    """Let the workers of a Ray cluster run every parallel call made inside; keep an existing connection open.

    address: `HOST:6379` on a machine of the cluster, `ray://HOST:10001` from outside, or `auto`. num_jobs:
    batches in flight at the same time; −1: as many as the cluster has CPUs.

    Raises:
        InputError: Ray is missing, no cluster answers, no worker comes, or workers run another neche.
    """
    ray = _package("ray", "ray")
    was_there = ray.is_initialized()
    if was_there and address not in ("auto", there := ray.get_runtime_context().gcs_address):
        raise InputError(f"Ray at {address}: this process is already connected to the Ray at {there}")
    try:
        try:
            if not was_there:
                _require_answer(address)
                ray.init(address=address, logging_level="ERROR", log_to_driver=False)
            found = {ray.get(ray.remote(neche_here).remote(), timeout=_WORKER_SECONDS)}
        except ray.exceptions.GetTimeoutError:
            raise InputError(f"Ray at {address}: no worker within {_WORKER_SECONDS} s") from None
        except (ImportError, ray.exceptions.RayTaskError) as fault:
            raise InputError(f"Ray at {address}: workers without neche: {fault.__cause__ or fault}") from None
        except (ConnectionError, ValueError) as fault:
            if isinstance(fault, InputError):
                raise
            raise InputError(f"Ray at {address}: {fault}") from None
        lost = (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.RaySystemError,
            ray.exceptions.ObjectLostError,
            ConnectionError,
        )
        remote = ray.remote(_made)
        tasks = ClusterTasks(
            lambda calls: remote.remote(calls).future(), lambda: int(ray.cluster_resources().get("CPU", 0))
        )
        with _at_work(f"Ray at {address}", found, tasks, num_jobs, lost):
            yield
    finally:
        if not was_there:
            ray.shutdown()


class ClusterTasks(ParallelBackendBase):  # type: ignore[misc]  # joblib is untyped
    """A joblib backend for a cluster: every batch of calls is a task, whose future reports when it is done.

    The backends of joblib and Ray wait for ever for a task that was given up, or restart their workers at
    every call. The cluster repeats a task whose worker is killed, three times at most.

    send: takes a callable, returns the future of its result. count: returns the number of CPUs.
    """

    supports_retrieve_callback = True
    default_n_jobs = -1

    def __init__(self, send: Callable[[Any], Any], count: Callable[[], int], **options: Any) -> None:
        super().__init__(**options)
        self._send, self._count = send, count

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        """Return how many batches are in flight at once."""
        # With a single one joblib would not use the cluster.
        return max(_FEWEST_JOBS, self._count() if n_jobs in (None, -1) else n_jobs or 0)

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], Any] | None = None) -> Any:
        """Send a batch of calls; return its future."""
        future = self._send(func)
        if callback is not None:
            future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        """Return the results of a batch; raise the exception that a call raised."""
        return out.result()


def neche_here() -> str:
    """Return which neche this process runs: its version, and a digest of the source that is compiled."""
    return f"{__version__} ({source_digest()})"


def _made(calls: Callable[[], Any]) -> Any:
    return calls()


def _package(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InputError(f"{extra} needs the package {name}: pip install 'neche[{extra}]'") from None


def _require_answer(address: str) -> None:
    """Check that the address answers; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), _ANSWER_SECONDS).close()
        except (OSError, OverflowError) as fault:
            raise InputError(f"Ray at {address}: {fault}") from None


@contextmanager
def _at_work(
    cluster: str, found: set[str], tasks: ClusterTasks, num_jobs: int, lost: tuple[type[BaseException], ...]
) -> Iterator[None]:
    """Let a cluster run every parallel call made inside; report the loss of the cluster in one line.

    found: the versions of neche its workers run; another might play other games. lost: exceptions raised when
    the whole cluster is lost; single workers are replaced silently.
    """
    if others := found - {here := neche_here()}:
        raise InputError(f"{cluster}: workers run neche {', '.join(sorted(others))}, here is {here}")
    try:
        with joblib.parallel_config(backend=tasks, n_jobs=num_jobs):
            yield
    except lost as fault:
        raise InputError(f"{cluster}: lost ({fault}); {_RESUMED}") from fault
