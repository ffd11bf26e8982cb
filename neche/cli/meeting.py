"""What long commands share on the terminal: progress, and what to do after an interruption."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(options: argparse.Namespace, what: str = "games") -> Iterator[Callable[[int, int], None]]:
    """Give a function that shows how many are done and in all, on standard error if that is a terminal."""
    if options.json or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def keep_hint(options: argparse.Namespace) -> Iterator[None]:
    """Say after Ctrl-C what was kept and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        if options.results is None:
            raise KeyboardInterrupt("nothing was kept; --results FILE keeps what is finished") from None
        hint = f"finished pairs are kept in {options.results}; the same command goes on from there"
        raise KeyboardInterrupt(hint) from None
