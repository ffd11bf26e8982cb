"""Batches of compiled work, handed to joblib's workers; one that a killed worker took along is done again."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

Batch = TypeVar("Batch")
Result = TypeVar("Result")

_RETRIES = 2


def run_batches(
    work: Callable[..., Result], batches: Sequence[Batch], *arguments: Any
) -> Iterator[tuple[Batch, Result]]:
    """Yield each batch with `work(batch, *arguments)`, in order, as soon as it is there.

    Parallel as joblib is configured around this call (`joblib.parallel_config`); a single batch is done in
    this thread. `work` is a pure function, for it may be called twice.
    """
    if len(batches) <= 1:
        for batch in batches:
            yield batch, work(batch, *arguments)
        return
    done = 0
    for attempt in range(_RETRIES + 1):
        # Threads suit work that releases the GIL; a hint only, which any configured backend overrides.
        parallel = joblib.Parallel(prefer="threads", return_as="generator")
        tasks = batches[done:]
        try:
            results = parallel(joblib.delayed(work)(batch, *arguments) for batch in tasks)
            for batch, result in zip(tasks, results, strict=True):
                done += 1
                yield batch, result
            return
        except TerminatedWorkerError:
            # A killed worker takes the results not yet handed over with it.
            if attempt == _RETRIES:
                raise
