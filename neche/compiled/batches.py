"""Batches of compiled work in joblib's workers; what a killed worker took along is done again."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, TypeVar

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

Key = TypeVar("Key", bound=Hashable)

_RETRIES = 2


def results_of(calls: Mapping[Key, Any]) -> Iterator[tuple[Key, Any]]:
    """Make `joblib.delayed` calls; yield each key with its result, in order, as soon as it is there.

    Parallel as joblib is configured around this (`joblib.parallel_config`); a single call is made in this
    thread. Results must not depend on how often a call is made.
    """
    if len(calls) == 1:
        ((key, (function, arguments, options)),) = calls.items()
        yield key, function(*arguments, **options)
        return
    waiting = dict(calls)
    for attempt in range(_RETRIES + 1):
        # Threads suit compiled code that releases the GIL: a hint, which any configured backend overrides.
        parallel = joblib.Parallel(prefer="threads", return_as="generator")
        try:
            for key, result in zip(list(waiting), parallel(list(waiting.values())), strict=True):
                del waiting[key]
                yield key, result
            return
        except TerminatedWorkerError:
            # A killed worker takes the results not yet handed over with it; its calls are made again.
            if attempt == _RETRIES:
                raise
