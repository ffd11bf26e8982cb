"""An evolution as an iterator over its generations, in memory or kept on disk."""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from functools import partial
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rich.progress import track

from neche.api.plugin import gather, listed
from neche.archive.beginning import read_origin, settings_of_origin, unplayed_generation, write_begun_run
from neche.archive.exchange import await_emigrants, check_place
from neche.archive.layout import Config, RunLayout
from neche.archive.reading import read_history
from neche.archive.run import RunDirectory
from neche.errors import SEED_LIMIT, InputError, check_type, check_whole
from neche.evolution.champion import select_champion
from neche.evolution.device import CPU, EvolutionDevice, device_for
from neche.evolution.events import Notify
from neche.evolution.evolve import evolve as _evolve, ranked
from neche.evolution.islands import island_seed
from neche.evolution.notices import set_in_vain
from neche.evolution.plugins import Plugins, check_recorded
from neche.evolution.population import Generation, Member, networks_of
from neche.evolution.recipes import DEFAULT_RECIPE, load_recipe, override
from neche.evolution.settings import Settings, resolve
from neche.network.decode import Network
from neche.players.function_player import PLUGGED
from neche.storage import content_of, write_file

if TYPE_CHECKING:
    import pandas

_ROWS = 10
"""Number of generations in the table that a notebook shows."""


class Evolution:
    """An evolution under way: iterate over it to get its generations, each after its games.

    settings, seed: determine it completely. target: number of the last generation. last: the newest
    generation, None before the first. run: the directory that keeps it, None in memory and when closed; after
    the last generation the champion is written there. plugins: functions that replace steps of evolution.
    device: what learns and plays, see `neche.evolution.device`. A `with` block closes it.
    """

    def __init__(
        self,
        settings: Settings,
        seed: int,
        run: RunDirectory | None,
        target: int | None = None,
        plugins: Plugins | None = None,
        *,
        device: EvolutionDevice = CPU,
    ) -> None:
        """Begin, or continue from what the run directory keeps; target: None: as the settings say."""
        self.settings, self.seed, self.run, self.plugins = settings, seed, run, plugins
        self.device = device
        self.target = settings.run.generations if target is None else target
        self.last: Generation | None = None if run is None else run.last
        # Where the history is read from; in memory it is in `_records`.
        self._path = None if run is None else run.path
        # The next generation plays while one is written, as writing waits for the disk more than it computes.
        self._writer = ThreadPoolExecutor(1, "neche-save")
        self._saving: Future[None] | None = None
        self._records: list[dict[str, Any]] = []
        self._steps = self.generations()

    def __iter__(self) -> Iterator[Generation]:
        """Return itself; raise a warning for each damage that a resume has found."""
        if self.run is not None:
            _warn_of(self.run.resumption.notices)
        return self

    def __next__(self) -> Generation:
        """Return the next generation; with a run directory it is on disk by then."""
        try:
            generation = next(self._steps)
            self.flush()
        except StopIteration:
            if self.run is not None and self.last is not None:
                self.select_champion()
            self.close()
            raise
        except BaseException:
            # An interrupted generator is exhausted: a new loop would take the run for finished.
            self._steps = self.generations()
            raise
        return generation

    def generations(self, notify: Notify = lambda event: None) -> Iterator[Generation]:
        """Return the remaining generations; the caller must select the champion and close.

        With a run directory a generation is on disk after `flush`, or when the next one is returned.

        notify: called with every event, see `neche.evolution.events`.
        """
        immigrants = None
        if self.settings.islands.islands > 1 and self._path is not None:
            immigrants = partial(await_emigrants, self._path, self.settings, self.seed, notify)
        left = _evolve(
            self.settings,
            self.seed,
            generations=self.target,
            resume_from=self.last,
            notify=notify,
            plugins=self.plugins,
            immigrants=immigrants,
            device=self.device,
        )
        return map(self._keep, left)

    def _keep(self, generation: Generation) -> Generation:
        self.flush()
        if self.run is not None:
            self._saving = self._writer.submit(self.run.save, generation)
        else:
            self._records.append(generation.record)
        self.last = generation
        return generation.protected()

    def flush(self) -> None:
        """Wait until the newest generation is on disk; InputError if a file cannot be written."""
        if self._saving is None:
            return
        try:
            self._saving.result()
        except Exception:
            self.last = self.run.last if self.run is not None else None
            raise
        finally:
            if self._saving.done():
                self._saving = None

    def progress(self) -> Iterator[Generation]:
        """Return the remaining generations and show a progress bar with the time left.

        Terminals and notebooks redraw the bar; to a file it is written once, at the end.
        """
        done = 0 if self.last is None else self.last.number + 1
        yield from track(self, "evolving", total=max(0, self.target + 1 - done))

    @property
    def records(self) -> list[dict[str, Any]]:
        """The record of every generation so far; for a run on disk its history, without damaged lines."""
        if self._path is None:
            return deepcopy(self._records)
        self.flush()
        history = read_history(self._path)
        _warn_of(history.notices)
        return list(history.lines)

    def to_frame(self) -> "pandas.DataFrame":
        """Return the records as a pandas frame, one row per generation.

        Scores against each benchmark, and the figures of a plugged-in fitness, are columns of their own, such
        as `ladder material:depth=4` and `best fitness`.

        Raises:
            InputError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        rows = [
            {
                **{key: value for key, value in record.items() if not isinstance(value, dict | list)},
                **{f"ladder {player}": score for player, score in record.get("ladder", {}).items()},
                **{f"{name} fitness": value for name, value in record.get("fitness", {}).items()},
            }
            for record in self.records
        ]
        return pandas.DataFrame(rows, columns=None if rows else ["generation"]).set_index("generation")

    def __repr__(self) -> str:
        done = "nothing yet" if self.last is None else f"generation {self.last.number}"
        game, where = self.settings.games.game, self._path or "memory"
        return f"<Evolution of {game}, seed {self.seed}, in {where}: {done} of {self.target}>"

    def _repr_html_(self) -> str:
        """Return a table of the newest generations as HTML."""
        keys = ("generation", "champion_id", "best_score", "squares_seen", "distance")
        heads = "".join(f"<th>{key}</th>" for key in keys)
        cells = [[escape(str(record.get(key, ""))) for key in keys] for record in self.records[-_ROWS:]]
        rows = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in cells)
        return f"<p>{escape(repr(self))}</p><table><tr>{heads}</tr>{rows}</table>"

    def select_champion(self) -> tuple[Member, dict[str, float]]:
        """Hold the final play-off of the newest generation; return the champion and its benchmark scores.

        Raises:
            InputError: there is no generation yet.
        """
        self.flush()
        if self.last is None:
            raise InputError("an evolution without a generation has no champion")
        seed = island_seed(self.settings, self.seed)
        members = ranked(self.settings, seed, self.last, plugins=self.plugins)
        member, scores = select_champion(self.settings, seed, members)
        if self.run is not None:
            self.run.crown(member, generation=self.last.number, scores=scores)
        return member, scores

    @property
    def networks(self) -> list[Network]:
        """The members of the newest generation as networks, best first."""
        return [] if self.last is None else [*networks_of(self.settings.members, self.last.members)]

    def close(self) -> None:
        """Write what is finished, and release the run directory to other processes.

        Raises:
            InputError: the newest generation cannot be written.
        """
        try:
            self.flush()
        finally:
            self._writer.shutdown()
            if self.run is not None:
                self.run.close()
                self.run = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _warn_of(notices: Iterable[str]) -> None:
    for notice in notices:
        warnings.warn(notice, stacklevel=3)


def evolve(
    recipe: str | Settings | None = None,
    *,
    seed: int = 0,
    generations: int | None = None,
    run: Path | str | None = None,
    resume: bool = False,
    origin: str | None = None,
    overrides: Sequence[str] = (),
    device: str = "cpu",
    plugins: "str | Path | Callable[..., Any] | Iterable[Any]" = (),
    **settings: Any,
) -> Evolution:
    """Begin an evolution from random DNA, or continue one.

    recipe: a shipped name, a TOML file or settings; None: `default`, as for the command. generations: number
    of the last one; None: as the recipe says. run: directory to keep it in; resume: continue the run in it,
    with its own recipe, seed and settings and the same plug-ins. origin: begin with the newest population of
    this run, or with a FASTA file, a shipped champion or DNA; a run also gives its settings if no recipe is
    named. It needs `run`, as does one island of several, which waits for its neighbour: islands=4, island=2,
    run="runs/x/island-2". settings: keys of the recipe, such as game="othello" or population=50.
    overrides: the same as text, such as "population=50". device: "cuda" lets members learn or play on a GPU;
    the generations are the same, so a run may continue without one. plugins: files and functions marked by
    `neche.plugin`; a keyword whose value is a function, mutation=flip_signs, is a plug-in too. A key that has
    no effect with the other settings raises a warning.

    >>> evolution = evolve("tournament", generations=1, population=8, genes=20, ladder_games=0)
    >>> [generation.number for generation in evolution]
    [0, 1]

    Raises:
        InputError: settings are unknown, contradict each other or come with `resume`; the directory is taken
            or missing; a plug-in fails or is not that of the run; or the device is missing or would do
            nothing.
    """
    check_type(run, (str, PathLike, type(None)), "the name of a directory")
    check_type(origin, (str, PathLike, type(None)), "a run, file, champion or DNA")
    check_type(overrides, (list, tuple), "a list of KEY=VALUE")
    check_whole(seed, "seed", 0, SEED_LIMIT)
    seed = int(seed)  # kept in TOML, which cannot hold NumPy integers
    if generations is not None:
        check_whole(generations, "generations", 0)
    functions = {key: settings.pop(key) for key in list(settings) if callable(settings[key])}
    given = gather(plugins, functions) if plugins or functions else None
    if resume:
        if run is None or recipe is not None or settings or overrides or origin:
            raise InputError("resume needs a run, which keeps its own recipe and settings")
        return _resumed(run, generations, given, device)
    changes = [*map(str, overrides), *(f"{key}={as_toml(value)}" for key, value in settings.items())]
    chosen = settings_for(recipe, changes, origin, option="")
    plugged = _with_players(given, chosen)
    # Evolves nothing until a generation is requested: this only checks, before anything is on disk.
    _evolve(chosen, seed, plugins=plugged)
    for said in set_in_vain(chosen, settings, plugged.steps if plugged else ()):
        warnings.warn(said, stacklevel=2)
    if chosen.islands.islands > 1 and run is None:
        raise InputError(f"islands = {chosen.islands.islands}: needs a run, where islands find each other")
    if run is not None:
        check_place(Path(run), chosen)
    where = device_for(device, chosen)
    identity = () if run is None or plugged is None else plugged.identity()
    if origin is not None:
        if run is None:
            raise InputError(f"origin = {origin!r}: needs a run, which keeps the members")
        members = unplayed_generation(0, read_origin(origin, chosen), chosen)
        write_begun_run(Path(run), chosen, seed, members, plugins=identity)
        return _resumed(run, generations, given, device)
    directory = None if run is None else RunDirectory.create(run, chosen, seed, plugins=identity)
    return Evolution(chosen, seed, directory, generations, plugged, device=where)


def settings_for(
    recipe: str | Settings | None,
    changes: Iterable[str],
    origin: str | None = None,
    *,
    option: str = "--set ",
) -> Settings:
    """Return the settings of a recipe, or of the run `origin`, after the changes, `KEY=VALUE` each."""
    inherited = None if origin is None or recipe else settings_of_origin(origin)
    chosen = inherited or (recipe if isinstance(recipe, Settings) else load_recipe(recipe or DEFAULT_RECIPE))
    for change in changes:
        chosen = override(chosen, change, option=option)
    return resolve(chosen)


def _resumed(run: Path | str, generations: int | None, given: Plugins | None, device: str) -> Evolution:
    """Continue a run with the plug-ins that it began with."""
    there = RunDirectory.open(run)
    try:
        check_place(there.path, there.settings)
        plugged = recorded_plugins(there, there.path, given)
        there.record_plugins(() if plugged is None else plugged.identity())
        where = device_for(device, there.settings)
        return Evolution(there.settings, there.seed, there, generations, plugged, device=where)
    except BaseException:
        there.close()
        raise


def _with_players(plugins: Plugins | None, settings: Settings) -> Plugins | None:
    """Return the plug-ins and the functions that are players on the ladder; None if there are none."""
    words = [text.partition(":")[0] for text in settings.ladder.ladder]
    players = tuple(PLUGGED[word][0] for word in dict.fromkeys(words) if word in PLUGGED)
    return replace(plugins or Plugins(), players=players) if players else plugins


def recorded_plugins(began: RunDirectory | Config, path: Path, given: Plugins | None) -> Plugins | None:
    """Return the plug-ins that a run continues with; InputError if they are not those that it began with."""
    plugins = _with_players(given, began.settings) or (Plugins() if began.plugins else None)
    if plugins is not None:
        has_generation = bool(content_of(RunLayout(path).history))
        check_recorded(began.plugins, plugins, path, has_generation=has_generation)
    return plugins


def write_report(
    run: Path | str,
    path: Path | str,
    *,
    games: int = 4,
    seed: int | None = None,
    plugins: "str | Path | Callable[..., Any] | Iterable[Any]" = (),
) -> Path:
    """Write the report of a run as one self-contained HTML page; return its path.

    games: number of the champion's games, played for the page, to step through. seed: of these games; None:
    the run's. plugins: as for `evolve`, those of the players on its ladder.

    Raises:
        InputError: there is no run, a plug-in fails, or the page cannot be written.
    """
    from neche.report.page import compose  # loads templates that nothing else here needs
    from neche.report.sample_games import play_samples
    from neche.report.story import read_story

    for value, wanted in ((run, "the name of a run directory"), (path, "the name of a file")):
        check_type(value, (str, PathLike), wanted)
    check_whole(games, "games", 0)
    if seed is not None:
        check_whole(seed, "seed", 0)
    listed(plugins)
    story = read_story(run)
    samples = play_samples(story, games, story.config.seed if seed is None else seed)
    write_file(Path(path), compose(story, samples).html.encode())
    return Path(path)


def as_toml(value: Any) -> str:
    """Write a setting as TOML; InputError for a function."""
    if callable(value):
        raise InputError(f"{value!r}: mark a function, as by @neche.plugin.mutation, and pass it by plugins=")
    if isinstance(value, str):
        return json.dumps(value)  # as TOML reads it
    if str(value) in ("True", "False"):  # NumPy's too
        return str(value).lower()
    return f"[{', '.join(map(as_toml, value))}]" if isinstance(value, Iterable) else str(value)
