"""Where compiled work runs: in batches by joblib's workers, or on a device by its name.

Work that is lost with a killed worker is done again.
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
"""Environment variable that calls depend on: a worker may have started before it was set."""
# joblib warns of this when results are abandoned early, as on a full disk, after the error itself.
warnings.filterwarnings("ignore", r"\d+ tasks (have|which)", UserWarning, r"joblib\.parallel")
# It warns of this where neither psutil nor pgrep finds the children of a worker, as in slim containers.
warnings.filterwarnings("ignore", "Failed to kill subprocesses", UserWarning)


def _kill(worker: Any) -> None:
    """Kill a worker of joblib's that still runs."""
    if worker.poll() is None:
        os.kill(worker.pid, signal.SIGKILL)


if os.name == "posix":
    from joblib.externals.loky.backend.popen_loky_posix import Popen

    # After that warning joblib calls this method, which its class lacks: without it, Ctrl-C waits for ever.
    Popen.kill = _kill


@contextmanager
def unheard() -> Iterator[None]:
    """Block Ctrl-C in processes started within, from their first moment; this process gets it at the end."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker  # not needed on Windows

    resource_tracker.ensure_running()  # starting it unblocks the signals again, so it must run before
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def check_device(name: str) -> None:
    """Raise InputError if neche knows no such device; whether this machine has it is checked later."""
    check_type(name, str, "the name of a device")
    if name not in _DEVICES:
        # No suggestion: for gpu it would be cpu, the opposite of what is meant.
        raise InputError(f"unknown device {name!r} (known: {', '.join(_DEVICES)})")


def results_of(calls: Mapping[Key, Any]) -> Iterator[tuple[Key, Any]]:
    """Make `joblib.delayed` calls; yield each key with its result, in order, as soon as it is ready.

    Parallel as the caller has configured joblib (`joblib.parallel_config`); a single call is made in this
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
            # Backends such as multiprocessing and Ray's return all results of a call at once.
            made = _by_parts
        try:
            # A copy of the keys: calls are removed as their results come, so that a retry makes only the
            # rest.
            for key, result in zip(list(waiting), made(list(waiting.values())), strict=True):
                del waiting[key]
                yield key, result
            return
        except TerminatedWorkerError:
            # Results that a killed worker had not handed over are lost; its calls are made again. Only a
            # call that kills its own worker makes no progress.
            fruitless = 1 if len(waiting) < num_waiting else fruitless + 1
            if fruitless > _RETRIES:
                raise
        except pickle.PicklingError as fault:
            # The cause is the traceback of the sending thread; the reason is its last line but for the notes
            # with which Python 3.14 says where it was found.
            lines = str(fault.__cause__ or fault).strip(' "\n').splitlines()
            why = next(line for line in reversed(lines) if not line.startswith("when serializing "))
            raise InputError(f"cannot be sent to other processes: {why}; use threads instead") from fault


def writable(part: Any) -> Any:
    """Return a part of a call with arrays as compiled code expects: joblib passes large ones read-only."""
    return np.require(part, requirements=("W", "C")) if isinstance(part, np.ndarray) else part


def _by_parts(calls: list[Any]) -> Iterator[Any]:
    """Make a few calls per worker at a time, so that the first results come before all are ready."""
    size = _CALLS_A_WORKER * joblib.effective_n_jobs(None)
    # One pool for all parts.
    with joblib.Parallel(prefer="threads") as parallel:
        for begin in range(0, len(calls), size):
            yield from parallel(calls[begin : begin + size])


def _call(carried: str, function: Callable[..., Any], arguments: Any, options: Any) -> Any:
    """Make a call in a worker, with the environment variable as it is in the parent process."""
    os.environ[_CARRIED] = carried
    return function(*arguments, **options)


class PromptThreads(ThreadingBackend):  # type: ignore[misc]  # joblib is untyped
    """Threads for joblib that persist between calls and hand over each result as soon as it is ready.

    joblib's own thread backend polls for results every 10 ms and starts new threads at every call; a round of
    a ranking takes less time than that.

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
            except (RuntimeError, AttributeError):  # the second from Python, when it ends the started ones
                raise InputError(
                    f"{self._n_jobs} threads are more than the system allows: set --jobs lower"
                ) from None
        return self._threads

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], Any] | None = None) -> Any:
        """Hand a batch of tasks to the threads; None if they are being dropped."""
        try:
            return super().submit(func, callback)
        except InputError:
            raise
        except ValueError:  # "Pool not running", in the callback thread: nobody waits for the rest
            return None

    def retrieve_result(self, out: Any, timeout: float | None = None) -> Any:
        """Wait for the results of a batch of tasks; raise what a task raised."""
        return self.retrieve_result_callback(out.get(timeout))

    def terminate(self) -> None:
        """Leave the threads for the next call; they are daemons."""

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Drop the threads: those still at work finish their batch, and its results are ignored."""
        self.close()

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.terminate()
            self._threads = None
