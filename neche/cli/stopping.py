"""When `neche evolve` stops before its last generation: a score reached, games played, CPU time spent.

Also the command that continues from there.
"""

import argparse
import shlex
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from neche.errors import InputError, suggestion
from neche.evolution.settings import Settings
from neche.games.catalogue import before_commands

LIMITS = {
    "score": "the champion's points a game against the last player of the ladder, when it is measured",
    "games": "games played for the ranking, in the whole run",
    "cpu": "seconds of CPU time of all threads, in this command alone",
}


def parse_limits(words: Sequence[str]) -> dict[str, float]:
    """Return the limits `KEY=NUMBER` of `--until`; InputError if one is unknown, there twice or out of range.

    >>> parse_limits(["score=0.9", "games=100000"])
    {'score': 0.9, 'games': 100000.0}
    """
    limits: dict[str, float] = {}
    for word in words:
        key, _, text = word.partition("=")
        if key not in LIMITS:
            raise InputError(f"--until {word}: unknown limit {key!r}{suggestion(key, LIMITS)}")
        if key in limits:
            raise InputError(f"--until {word}: {key} is given twice")
        most = 1.0 if key == "score" else 1e15
        try:
            limits[key] = float(text.encode("ascii"))
        except ValueError:
            raise InputError(f"--until {word}: {key} needs a number") from None
        if not 0.0 < limits[key] <= most:
            raise InputError(f"--until {word}: must be above 0 and at most {most:g}")
    return limits


def resume_command(options: argparse.Namespace, run: Path, settings: Settings) -> str:
    """Return the command that continues a run, given the options of the one that started it."""
    plugged = (word for file in options.plugin_files for word in ("--plugin", file))
    words = ["neche", "evolve", "--resume", "--run", str(run), *plugged]
    return before_commands({settings.games.game}) + shlex.join(words)


class Stopping:
    """Tracks the progress of a run, and says when a limit is reached."""

    def __init__(self, limits: Mapping[str, float], lines: Iterable[Mapping[str, Any]] = ()) -> None:
        """Start from the history of the existing generations."""
        self._limits = limits
        self._reached: dict[str, float] = {"games": 0}
        for line in lines:
            self.take(line)
        # CPU time counts from here, for this command alone
        self._begun = time.process_time()

    def take(self, record: Mapping[str, Any]) -> None:
        """Count a generation."""
        self._reached["games"] += record.get("games", 0)
        if scores := record.get("ladder"):
            self._reached["score"] = list(scores.values())[-1]

    def reason(self) -> str | None:
        """Return the limit that is reached, in words; None while there is none."""
        self._reached["cpu"] = time.process_time() - self._begun
        for key, limit in self._limits.items():
            if (reached := self._reached.get(key, 0.0)) >= limit:
                return f"{key} is {reached:.10g}, the limit {limit:.10g}"
        return None
