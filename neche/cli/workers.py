"""Who computes: joblib's workers, and a thread for a single long call, so that Ctrl-C is always heard."""

import argparse
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from neche.cli.output import note

Result = TypeVar("Result")

_COMPILE_SECONDS = 20


@contextmanager
def workers(options: argparse.Namespace) -> Iterator[None]:
    """Let `--backend` and `--jobs` hold for every parallel call inside: the only place that tells joblib."""
    import joblib

    with joblib.parallel_config(backend=options.backend, n_jobs=options.jobs or -1):
        yield


def announce_compilation(entry_point: str) -> None:
    """Say so when the compiled function that a command needs is not on disk yet."""
    from neche.compiled.cache import is_warm

    if not is_warm(entry_point):
        note(f"compiling the engine, once: about {_COMPILE_SECONDS} s")


def interruptible(call: Callable[[], Result]) -> Result:
    """Return what `call` returns. It runs in a thread, for compiled code would hold back Ctrl-C."""
    results: list[Result] = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if faults:
        raise faults[0]
    return results[0]
