"""The state of a run for a page that polls it every few seconds; the run is only read."""

import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from neche.archive.layout import RunLayout
from neche.archive.reading import History, read_config, read_history
from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.source import network_of, read_source
from neche.web.activations import activations_of, telling_position

MOST_LINES = 5000
"""Most generations sent at once; of a longer run every second, third … one."""
_FIGURES = (
    "generation",
    "depth",
    "games",
    "prediction_error",
    "best_prediction_error",
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
"""The rate is measured over this many of the newest populations."""


class RunWatch:
    """Reads one run directory, and again only when the run's files have changed.

    run: the directory. game: what the run plays.

    Raises:
        InputError: there is no run.
    """

    def __init__(self, run: Path) -> None:
        self._layout = RunLayout(run)
        if not self._layout.config.is_file():
            raise InputError(f"{run}: no run is there")
        self._lock = threading.Lock()
        self._mark: tuple[int, int] | None = None
        self._history = History((), ())
        self.run, self._config = run, read_config(run)
        self.game = game(self._config.settings.games.game)

    def news(self, after: int) -> dict[str, Any]:
        """Return the state of the run and its figures after generation `after`; −1 for all.

        Raises:
            InputError: the run cannot be read now.
        """
        history = self._read()
        lines = [line for line in history.lines if line["generation"] > after]
        # A long run is thinned out evenly; the newest line is always sent.
        step = -(-len(lines) // MOST_LINES) or 1
        newest: dict[str, Any] = history.lines[-1] if history.lines else {}
        ladder = next((line for line in reversed(history.lines) if line.get("ladder")), None)
        # A run that was resumed may have gone beyond its settings.
        last = max(self._config.settings.run.generations, newest.get("generation", 0))
        measured_at = None if ladder is None else {"generation": ladder["generation"], **ladder["ladder"]}
        return {
            "run": self.run.name,
            "game": self.game.name,
            "seed": self._config.seed,
            "members": self._config.settings.members.population,
            "generation": newest.get("generation"),
            "of": last,
            "isFinished": newest.get("generation") == last,
            "champion": newest.get("champion_id"),
            "depth": newest.get("depth"),
            "ladder": measured_at,
            "warnings": list(newest.get("warnings", [])),
            "notices": list(history.notices)[:5],
            **self._pace(),
            "lines": [
                {name: line[name] for name in _FIGURES if name in line}
                for line in [*lines[:-1:step], *lines[-1:]]
            ],
        }

    def champion(self) -> dict[str, Any]:
        """Return the champion's network and its activations on a position after some moves of its own.

        Raises:
            InputError: there is no champion yet.
        """
        record = read_source(str(self.run))
        network = network_of(record)
        position, moves = telling_position(network, self.game)
        return {"id": record.id, "moves": moves, **activations_of(network, self.game, position)}

    def _read(self) -> History:
        path = self._layout.history
        with self._lock:
            try:
                # Time and size: a line more changes the size even where the clock of the file system is
                # coarse.
                facts = path.stat()
            except FileNotFoundError:
                return self._history
            # A long history is parsed again only when its file has changed.
            mark = facts.st_mtime_ns, facts.st_size
            if mark != self._mark:
                self._history = read_history(self.run)
                self._mark = mark
            return self._history

    def _pace(self) -> dict[str, Any]:
        """Return generations a minute, and seconds since the last one: by the times of files."""
        numbers = self._layout.population_numbers()
        # Older populations are thinned out, so only neighbours tell the pace.
        recent = [number for number in numbers[-_RATED:] if number > numbers[-1] - _RATED]
        times: dict[int, float] = {}
        with suppress(FileNotFoundError):  # deleted at this moment
            times = {number: self._layout.population(number).stat().st_mtime for number in recent}
        if not times:
            return {"perMinute": None, "idle": None}
        first, last = min(times), max(times)
        seconds = times[last] - times[first]
        rate = round(60 * (last - first) / seconds, 2) if seconds > 0 else None
        return {"perMinute": rate, "idle": round(max(0.0, time.time() - times[last]), 1)}
