"""What a command prints: text for people, or one JSON object for scripts."""

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.cli.streams import for_terminal, results, write_out
from neche.errors import InputError
from neche.players.source import is_of_run
from neche.report.analysis import ending_words


def emit(options: argparse.Namespace, values: Mapping[str, Any], text: str) -> None:
    """Print `values` as one JSON object under `--json`, else `text`."""
    if options.json:
        can_write_all = (results().encoding or "utf-8").lower().startswith("utf")
        text = json.dumps(_finite(values), ensure_ascii=not can_write_all, allow_nan=False)
    write_out(text if text.endswith("\n") or not text else text + "\n")


def output_path(name: str | None, *, option: str = "--output", endings: Sequence[str] = ()) -> Path | None:
    """Return the path of a file to be written, None for none; a bad path is reported before any work is done.

    option: the option that messages name. endings: extensions of which the name must have one, if any; an
    empty one stands for none. InputError if there is no such directory, or the path is a directory, a file of
    a run, or has another extension.
    """
    if name is None:
        return None
    path = Path(name)
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no directory {path.parent}")
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a directory")
    if is_of_run(path):
        raise InputError(f"{path}: cannot be written: a run keeps a file of its own under this name")
    if endings and path.suffix.lower() not in endings:
        raise InputError(f"{option} {path}: its name must end in {' or '.join(filter(None, endings))}")
    return path


def worth(value: float) -> str:
    """Write the value of a position or move for people: in weight units, or as plies to a win or loss.

    >>> worth(0.25), worth(-1e12 + 4)
    ('value +0.2500', 'loses in 4 plies')
    """
    return ending_words(value) or f"value {value:+z.4f}"


def counted(number: int, what: str) -> str:
    """Write a number with its noun, singular or plural.

    >>> counted(1, "game"), counted(2, "game")
    ('1 game', '2 games')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def duration(seconds: float | None) -> str:
    """Write a time span for people.

    >>> duration(75), duration(4000), duration(200_000), duration(None)
    ('1:15', '1:06:40', '2 d 7 h', '…')
    """
    if seconds is None:
        return "…"
    whole = round(seconds)
    if whole >= 48 * 3600:
        return f"{whole // 86400} d {whole % 86400 // 3600} h"
    hours, rest = divmod(whole, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def is_live(console: Console) -> bool:
    """Return whether a view on a console can be redrawn in place: not in a file, nor under TERM=dumb."""
    return console.is_terminal and not console.is_dumb_terminal


def note(text: str) -> None:
    """Print one line for people on standard error, unbuffered; standard output is for results only."""
    print(for_terminal(text), file=sys.stderr, flush=True)


def remark(*said: str) -> None:
    """Print lines about the work, each as a `note` that begins with the name of the program."""
    for text in said:
        note(f"neche: {text}")


def _finite(value: Any) -> Any:
    # JSON has no infinity: an Elo difference after wins only becomes null.
    if isinstance(value, Mapping):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
