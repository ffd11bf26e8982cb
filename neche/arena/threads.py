"""Threads for joblib that hand a result over the moment it is there.

joblib's own thread backend looks for results every 10 ms and starts its threads anew at every call; a level
of a ranking takes less. Measured figures: docs/performance.md.
"""

from multiprocessing.pool import ThreadPool
from typing import Any

from joblib.parallel import ThreadingBackend


class PromptThreads(ThreadingBackend):  # type: ignore[misc]  # joblib is untyped
    """Keeps its threads between calls and waits for results instead of polling.

    Use: `joblib.parallel_config(backend=PromptThreads(), n_jobs=2)`.
    """

    # Without callbacks, joblib waits for the result itself.
    supports_retrieve_callback = False
    supports_return_generator = True
    _threads: ThreadPool | None = None
    _num_threads = 0

    def _get_pool(self) -> ThreadPool:
        if self._threads is None or self._num_threads != self._n_jobs:
            self.close()
            self._threads, self._num_threads = ThreadPool(self._n_jobs), self._n_jobs
        return self._threads

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
