"""Where compiled work is done: in joblib's workers, in batches, or on a device by its name.

What a killed worker took along is done again.
"""

import os
import pickle
import signal
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.pool import ThreadPool
from typing import Any, TypeVar

import joblib
import numpy as np
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import ThreadingBackend

from neche.errors import InputError, check_type

Key = TypeVar("Key", bound=Hashable)

_DEVICES = ("cpu", "cuda")
_RETRIES = 2
_CALLS_A_WORKER = 4
_CARRIED = "NECHE_GAMES"
"""Environment variable that calls depend on: workers may be older than its value."""
# Said where results are left early, as on a full disk, after the fault itself.
warnings.filterwarnings("ignore", r"\d+ tasks (have|which)", UserWarning, r"joblib\.parallel")


@contextmanager
def unheard() -> Iterator[None]:
    """Block Ctrl-C in processes that begin, from their first moment on; this one gets it at the end."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker  # which Windows has no use for

    resource_tracker.ensure_running()  # where it begins, it lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def check_device(name: str) -> None:
    """Raise InputError if neche knows no such device; whether this machine has it shows later."""
    check_type(name, str, "the name of a device")
    if name not in _DEVICES:
        # No suggestion: cpu is near to gpu, and the opposite of what is meant.
        raise InputError(f"unknown device {name!r} (known: {', '.join(_DEVICES)})")


def results_of(calls: Mapping[Key, Any]) -> Iterator[tuple[Key, Any]]:
    """Make `joblib.delayed` calls; yield each key with its result, in order, as soon as it is there.

    Parallel as joblib is configured around this (`joblib.parallel_config`); a single call is made in this
    thread. Results must not depend on how often a call is made.
    """
    if len(calls) == 1:
        ((key, (function, arguments, options)),) = calls.items()
        yield key, function(*arguments, **options)
        return
    # Read when the calls are made, since a worker may have started before the variable was set.
    carried = os.environ.get(_CARRIED)
    waiting = {
        key: call if carried is None else joblib.delayed(_call)(carried, *call) for key, call in calls.items()
    }
    fruitless = 0
    while True:
        num_waiting = len(waiting)
        made: Callable[[list[Any]], Iterable[Any]]
        # Threads suit compiled code that releases the GIL: a hint, which any configured backend overrides.
        try:
            made = joblib.Parallel(prefer="threads", return_as="generator")
        except ValueError:
            # Such as multiprocessing, and the one that Ray brings: all results of a call come at once.
            made = _by_parts
        try:
            # A copy of the keys: calls are struck off as their results come, so that a retry makes the rest
            # only.
            for key, result in zip(list(waiting), made(list(waiting.values())), strict=True):
                del waiting[key]
                yield key, result
            return
        except TerminatedWorkerError:
            # A killed worker takes the results not yet handed over with it; its calls are made again.
            # Only a call that kills its own worker gets no further.
            fruitless = 1 if len(waiting) < num_waiting else fruitless + 1
            if fruitless > _RETRIES:
                raise
        except pickle.PicklingError as fault:
            # The cause is the traceback of the thread that sends, its last line before the quotes.
            why = str(fault.__cause__ or fault).strip(' "\n').rpartition("\n")[2]
            raise InputError(f"cannot be sent to other processes: {why}; threads need not send") from fault


def writable(part: Any) -> Any:
    """Return a part of a call, its arrays as compiled code knows them: joblib hands large ones read-only."""
    return np.require(part, requirements=("W", "C")) if isinstance(part, np.ndarray) else part


def _by_parts(calls: list[Any]) -> Iterator[Any]:
    """Make calls a few for each worker at a time, so that results come before all are there."""
    size = _CALLS_A_WORKER * joblib.effective_n_jobs(None)
    # One pool for all parts.
    with joblib.Parallel(prefer="threads") as parallel:
        for begin in range(0, len(calls), size):
            yield from parallel(calls[begin : begin + size])


def _call(carried: str, function: Callable[..., Any], arguments: Any, options: Any) -> Any:
    """Make a call in a worker that knows what this process knows."""
    os.environ[_CARRIED] = carried
    return function(*arguments, **options)


class PromptThreads(ThreadingBackend):  # type: ignore[misc]  # joblib is untyped
    """Threads for joblib that stay between calls and hand a result over the moment it is there.

    joblib's own thread backend looks for results every 10 ms and starts its threads anew at every call; a
    round of a ranking takes less.

    Use: `joblib.parallel_config(backend=PromptThreads(), n_jobs=2)`.
    """

    # Without callbacks, joblib waits for the result itself.
    supports_retrieve_callback = False
    supports_return_generator = True
    _threads: ThreadPool | None = None
    _num_threads = 0

    def _get_pool(self) -> ThreadPool:
        # Kept between calls: for 4 tasks of 2 ms, 4.5 ms instead of 11.5 (docs/performance.md).
        if self._threads is None or self._num_threads != self._n_jobs:
            self.close()
            try:
                self._threads, self._num_threads = ThreadPool(self._n_jobs), self._n_jobs
            except (RuntimeError, AttributeError):  # the second from Python, as it ends those that began
                raise InputError(
                    f"{self._n_jobs} threads are more than the system gives: --jobs takes fewer"
                ) from None
        return self._threads

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], Any] | None = None) -> Any:
        """Hand a batch of tasks to the threads; None where they were dropped at this moment."""
        try:
            return super().submit(func, callback)
        except InputError:
            raise
        except ValueError:  # "Pool not running", in the thread of callbacks: nobody waits for the rest
            return None

    def retrieve_result(self, out: Any, timeout: float | None = None) -> Any:
        """Wait for the results of a batch of tasks; raise what a task raised."""
        return self.retrieve_result_callback(out.get(timeout))

    def terminate(self) -> None:
        """Leave the threads for the next call; they are daemons."""

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Drop the threads: those still at work finish their batch unheard."""
        self.close()

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.terminate()
            self._threads = None
