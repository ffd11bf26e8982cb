"""A run as it goes on, for a page that looks again every few seconds. It only reads."""

import threading
import time
from pathlib import Path
from typing import Any

from neche.archive.layout import Layout
from neche.archive.reading import History, read_config, read_history
from neche.errors import InputError
from neche.games.catalogue import Game, game
from neche.players.source import network_of, read_source
from neche.web.lighting import lit_network

MOST_LINES = 5000
"""Generations sent at once; of a longer run every second, third … one."""
_FIGURES = (
    "generation",
    "depth",
    "games",
    "live_synapses",
    "squares_seen",
    "hidden_neurons",
    "distance",
    "wired_distance",
    "draws",
    "best_score",
    "ladder",
)
_RATED = 12
"""Newest populations by whose times the rate is measured."""


class Watch:
    """The eye on one run directory; what it has read it keeps until the run's files change."""

    def __init__(self, run: Path) -> None:
        self._layout = Layout(run)
        self._lock = threading.Lock()
        self._mark: tuple[int, int] | None = None
        self._history = History((), ())
        config = read_config(run)
        self.settings, self.seed = config.settings, config.seed

    @property
    def run(self) -> Path:
        """The run directory."""
        return self._layout.root

    @property
    def game(self) -> Game:
        """What the run plays."""
        return game(self.settings.games.game)

    def news(self, after: int) -> dict[str, Any]:
        """Return what the run has come to, and its figures after generation `after`; −1 for all.

        Raises:
            InputError: the run cannot be read now.
        """
        history = self._read()
        lines = [line for line in history.lines if line["generation"] > after]
        step = -(-len(lines) // MOST_LINES) or 1
        newest = history.lines[-1] if history.lines else None
        ladder = next((line for line in reversed(history.lines) if line.get("ladder")), None)
        measured_at = None if ladder is None else {"generation": ladder["generation"], **ladder["ladder"]}
        return {
            "run": self.run.name,
            "game": self.game.name,
            "seed": self.seed,
            "members": self.settings.members.population,
            "generation": None if newest is None else newest["generation"],
            "of": self.settings.run.generations,
            "champion": None if newest is None else newest.get("champion_id"),
            "depth": None if newest is None else newest.get("depth"),
            "ladder": measured_at,
            "warnings": [] if newest is None else list(newest.get("warnings", [])),
            "notices": list(history.notices)[:5],
            **self._pace(),
            "lines": [_figures(line) for line in [*lines[:-1:step], *lines[-1:]]],
        }

    def champion(self) -> dict[str, Any]:
        """Return the champion's network at the start of a game.

        Raises:
            InputError: there is no champion yet.
        """
        record, rules = read_source(str(self.run)), self.game
        start = rules.start()
        lit = lit_network(network_of(record), rules, start, int(start.turn))
        return {"id": record.id, **lit}

    def _read(self) -> History:
        path = self._layout.history
        with self._lock:
            try:
                facts = path.stat()
            except FileNotFoundError:
                return self._history
            mark = facts.st_mtime_ns, facts.st_size
            if mark != self._mark:
                self._history = read_history(self.run)
                self._mark = mark
            return self._history

    def _pace(self) -> dict[str, Any]:
        """Return generations a minute, and seconds since the last one: by the times of files."""
        numbers = self._layout.population_numbers()
        recent = [number for number in numbers[-_RATED:] if number > numbers[-1] - _RATED]
        try:
            times = {number: self._layout.population(number).stat().st_mtime for number in recent}
        except FileNotFoundError:  # tidied away at this moment
            return {"perMinute": None, "idle": None}
        if not times:
            return {"perMinute": None, "idle": None}
        first, last = min(times), max(times)
        seconds = times[last] - times[first]
        rate = round(60 * (last - first) / seconds, 2) if seconds > 0 else None
        return {"perMinute": rate, "idle": round(max(0.0, time.time() - times[last]), 1)}


def _figures(line: dict[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in _FIGURES if name in line}


def watch_of(run: Path) -> Watch:
    """Return the eye on a run.

    Raises:
        InputError: there is no run.
    """
    if not Layout(run).config.is_file():
        raise InputError(f"{run}: no run is there")
    return Watch(run)
