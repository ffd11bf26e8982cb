"""Calls that joblib's workers make, as it is configured; a killed worker costs a retry, never the run."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

Key = TypeVar("Key")

_RETRIES = 2


def results_of(calls: Mapping[Key, Any]) -> Iterator[tuple[Key, Any]]:
    """Make `joblib.delayed` calls; yield each key with its result, in order, as soon as it is there.

    Results must not depend on how often a call is made.
    """
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
