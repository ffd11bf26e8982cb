"""What long commands share on the terminal: progress, and what to do after an interruption."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)


@contextmanager
def progress_bar(
    options: argparse.Namespace, what: str = "games", *, shows_rate: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """Give a function that shows how many are done and in all, on standard error if that is a terminal."""
    if options.json or not sys.stderr.isatty():
        yield lambda done, total: None
        return

    columns: list[ProgressColumn] = [
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    ]
    if shows_rate:
        columns.append(TextColumn("{task.fields[rate]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None, rate="")

        def show(done: int, total: int) -> None:
            rate = f"{done / max(progress.tasks[0].elapsed or 0, 1e-9):,.0f}/s"
            progress.update(task, completed=done, total=total, rate=rate)

        yield show


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
