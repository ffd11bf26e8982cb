"""The state of runs, for a page that polls it every few seconds; runs are only read."""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from neche.archive.layout import RunLayout
from neche.archive.reading import History, read_config, read_history
from neche.archive.resume import crowned_generation
from neche.archive.run import is_in_use
from neche.errors import InputError, one_line
from neche.games.catalogue import game
from neche.games.game import Game
from neche.players.options import short_name
from neche.players.source import network_of, read_source
from neche.report.comparison import find_runs, settings_apart, settings_in_words
from neche.web.activations import activations_of, telling_position

MOST_LINES = 5000
"""Most generations sent at once; for a longer run, every second, third … one."""
_FIGURES = (
    *("generation", "depth", "games", "fitness", "prediction_error", "best_prediction_error"),
    *("live_synapses", "squares_seen", "hidden_neurons"),
    *("distance", "wired_distance", "evaluation_distance", "draws", "best_score", "ladder"),
)
MOST_RUNS = 100
"""Most runs in a page's list."""
_RATED = 12
"""Number of newest populations over which the rate is measured."""


class RunWatch:
    """Reads one run directory, again only when its files have changed; InputError if there is no run.

    run: the directory. config: from the newest reading, since a run may be started anew under its name.
    """

    def __init__(self, run: Path) -> None:
        self._layout = RunLayout(run)
        if not self._layout.config.is_file():
            raise InputError(f"{run}: there is no run")
        self._lock = threading.Lock()
        self._marks: list[tuple[float, int]] = []
        self._history, self._crowned = History((), ()), -1
        self.run, self.config = run, read_config(run)

    @property
    def game(self) -> Game:
        """The game of the run."""
        return game(self.config.settings.games.game)

    def news(self, after: int) -> dict[str, Any]:
        """Return the state, and the figures after generation `after` (−1: all); InputError if unreadable."""
        history = self._read()
        lines = [line for line in history.lines if line["generation"] > after]
        # A long run is thinned out evenly; the newest line is always sent.
        step = -(-len(lines) // MOST_LINES) or 1
        newest: dict[str, Any] = history.lines[-1] if history.lines else {}
        ladder = next((line for line in reversed(history.lines) if line.get("ladder")), None)
        # A resumed run may have gone beyond its settings.
        last = max(self.config.settings.run.generations, newest.get("generation", 0))
        # A command that ends crowns a champion, even before the last generation of the settings; one that
        # goes on, even beyond it, locks the run.
        is_used = is_in_use(self._layout)
        return {
            "run": one_line(self.run.name),
            "begun": self._marks[0][0],
            "game": self.game.name,
            "seed": self.config.seed,
            "members": self.config.settings.members.population,
            "generation": newest.get("generation"),
            "of": last,
            "isFinished": newest.get("generation") == last and not is_used,
            "isEnded": newest.get("generation") == self._crowned and not is_used,
            "isUsed": is_used,
            "champion": newest.get("champion_id"),
            "crowned": _mark(self._layout.champion)[0],
            "depth": newest.get("depth"),
            "ladder": ladder and {"generation": ladder["generation"], **_shown(ladder)["ladder"]},
            "warnings": list(newest.get("warnings", [])),
            "notices": list(history.notices)[:5],
            **self._pace(),
            "lines": [_shown(line) for line in [*lines[:-1:step], *lines[-1:]]],
        }

    def champion(self) -> dict[str, Any]:
        """Return the champion's network, and its activations after moves it prefers; InputError if none."""
        self._read()
        record = read_source(str(self.run))
        network = network_of(record)
        position, moves = telling_position(network, self.game)
        return {"id": record.id, "moves": moves, **activations_of(network, self.game, position)}

    def _read(self) -> History:
        with self._lock:
            # A long history is parsed again only if its file has changed or the run was started anew. A new
            # line changes the file's size even if the file system's clock is coarse.
            marks = [_mark(one) for one in (self._layout.config, self._layout.history, self._layout.champion)]
            if marks != self._marks:
                self.config, self._history = read_config(self.run), read_history(self.run)
                self._crowned, self._marks = crowned_generation(self._layout), marks
        return self._history

    def _pace(self) -> dict[str, Any]:
        """Return generations a minute, and seconds since the last one and since a command began."""
        numbers = self._layout.population_numbers()
        # Older populations are thinned out, so only recent ones tell the pace.
        recent = [number for number in numbers[-_RATED:] if number > numbers[-1] - _RATED]
        times: dict[int, float] = {}
        with suppress(FileNotFoundError):  # deleted at this moment
            times = {number: self._layout.population(number).stat().st_mtime for number in recent}
        if not times:
            return {"perMinute": None, "idle": None, "working": None}
        first, last = min(times), max(times)
        seconds = times[last] - times[first]
        rate = round(60 * (last - first) / seconds, 2) if seconds > 0 else None
        idle, working = (
            round(max(0.0, time.time() - since), 1) for since in (times[last], _mark(self._layout.lock)[0])
        )
        return {"perMinute": rate, "idle": idle, "working": working}


def _shown(line: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a generation that pages show, with players by their short names."""
    shown = {name: line[name] for name in _FIGURES if name in line}
    if ladder := shown.get("ladder"):
        shown["ladder"] = {short_name(player): score for player, score in ladder.items()}
    return shown


def _mark(path: Path) -> tuple[float, int]:
    """Return modification time and size of a file; zeros if it does not exist."""
    with suppress(OSError):
        facts = path.stat()
        return facts.st_mtime, facts.st_size
    return 0.0, 0


class RunsWatch:
    """Reads the runs at some places: run directories, or directories of runs, in which new ones may appear.

    InputError if a place is neither.
    """

    def __init__(self, places: Sequence[Path]) -> None:
        self._places, self._lock = tuple(places), threading.Lock()
        self._watches: dict[Path, RunWatch] = {}
        self.first = self._watch(find_runs(self._places)[0])

    @property
    def games(self) -> set[str]:
        """The names of the games of all runs requested so far."""
        with self._lock:
            return {watch.config.settings.games.game for watch in self._watches.values()}

    def find(self, name: str) -> RunWatch:
        """Return the run of a name, the first one if empty; InputError if it is missing or unreadable."""
        if not name:
            return self.first
        path = self._paths().get(name)
        if path is None:
            raise InputError(f"no run {name[:40]!r} is watched")
        return self._watch(path)

    def overview(self) -> list[dict[str, Any]]:
        """Return the state of each run: `RunWatch.news` without lines, or the fault that prevents reading it.

        Each has its name, and in words the settings in which it differs from the others.
        """
        found = [self._state(name, path) for name, path in self._paths().items()]
        read = [(state, watch.config) for state, watch in found if watch is not None]
        apart = settings_apart([config for _, config in read])
        for (state, _), settings in zip(read, apart, strict=True):
            state["settings"] = settings_in_words(settings)
        return [state for state, _ in found]

    def _state(self, name: str, path: Path) -> tuple[dict[str, Any], RunWatch | None]:
        try:
            watch = self._watch(path)
            news = watch.news(after=1 << 60)
        except (InputError, OSError) as fault:
            return {"name": name, "fault": one_line(str(fault))}, None
        del news["lines"]
        return {**news, "name": name}, watch

    def _paths(self) -> dict[str, Path]:
        with suppress(InputError):  # a directory may have been emptied
            paths = find_runs(self._places)[:MOST_RUNS]
            # name each by the shortest end of its path that tells it from the others
            parts = [path.absolute().parts for path in paths]
            names = [[str(Path(*own[-num:])) for num in range(1, len(own) + 1)] for own in parts]
            counts = Counter(name for own in names for name in own)
            found = [next((name for name in own if counts[name] == 1), own[-1]) for own in names]
            return dict(zip(map(one_line, found), paths, strict=True))
        return {}

    def _watch(self, path: Path) -> RunWatch:
        with self._lock:
            if path not in self._watches:
                self._watches[path] = RunWatch(path)
            return self._watches[path]
