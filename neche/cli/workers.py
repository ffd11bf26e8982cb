"""Who computes: joblib's workers, and a thread for a single long call, so that Ctrl-C is always heard."""

import argparse
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from neche.cli.output import note

Result = TypeVar("Result")

# part: (the compiled function that is finished last, seconds to compile it on a slow core)
PARTS = {"rules": ("_count", 4), "search": ("search_root", 20), "games": ("play_range", 25)}


@contextmanager
def workers(options: argparse.Namespace) -> Iterator[None]:
    """Let `--backend` and `--jobs` hold for every parallel call inside: the only place that tells joblib."""
    import joblib

    with joblib.parallel_config(backend=options.backend, n_jobs=options.jobs or -1):
        yield


def announce_compilation(part: str) -> None:
    """Say so when a part of the compiled code that a command needs is not on disk yet."""
    from neche.compiled.cache import is_warm

    entry_point, seconds = PARTS[part]
    if not is_warm(entry_point):
        note(f"compiling the {part}, once: about {seconds} s")


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
