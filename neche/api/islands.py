"""The islands of one run: where each is, what it begins with, and which of their champions is the best."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from neche.api.players import player, round_robin
from neche.api.plugin import kept_track_of
from neche.api.sweep import PlannedRun, config_as_planned
from neche.archive.exchange import island_path
from neche.archive.layout import RunLayout
from neche.archive.reading import read_config
from neche.arena.round_robin import Standing
from neche.errors import InputError
from neche.evolution.islands import with_island
from neche.evolution.population import FOREIGN
from neche.evolution.settings import Settings, check_settings, resolve
from neche.storage import read_file, write_file


def plan_islands(
    run: Path, settings: Settings, seed: int, *, generations: int | None = None, plugins: Iterable[Any] = ()
) -> tuple[PlannedRun, ...]:
    """Return all islands of the run in a directory, without starting any.

    generations: number of the last one; None: as the settings say. InputError if settings contradict each
    other, or the directory holds something else.
    """
    settings = resolve(settings)
    check_settings(settings, "settings")
    if run.exists() and not run.is_dir():
        raise InputError(f"{run}: a file, not a directory; choose another --run")
    if RunLayout(run).config.exists():
        raise InputError(f"{run}: is a run of one population, or an island; choose another --run")
    target = settings.run.generations if generations is None else generations
    given = kept_track_of(plugins)
    planned = tuple(
        PlannedRun(island_path(run, island), with_island(settings, island), seed, target, given)
        for island in range(settings.islands.islands)
    )
    for one in planned:
        config_as_planned(one)
    return planned


def settings_of_islands(run: Path) -> tuple[Settings, int] | None:
    """Return the settings and the seed that the islands in a directory began with; None if there are none."""
    for path in sorted(run.glob(f"{FOREIGN}*")):
        if RunLayout(path).config.exists():
            config = read_config(path)
            return with_island(config.settings, 0), config.seed
    return None


def crown_islands(run: Path, planned: Sequence[PlannedRun]) -> list[tuple[Path, Standing]]:
    """Let the champions of all islands meet; return the directories and results, best first.

    The best becomes the champion of the run and is written there. Each plays about as many games as in the
    play-off of an island; if the settings ask for none, nothing is played and the list is empty. InputError
    if an island has no champion yet, or the file cannot be written.
    """
    settings, seed = planned[0].settings, planned[0].seed
    if settings.champion.final_games == 0:
        return []
    games = max(2, settings.champion.final_games // (len(planned) - 1))
    name = settings.games.game
    paths = {player(str(one.path), game=name).name: one.path for one in planned}
    report = round_robin([str(one.path) for one in planned], game=name, games=games, seed=seed)
    placed = [(paths[line.name], line) for line in report.standings]
    write_file(RunLayout(run).champion, read_file(RunLayout(placed[0][0]).champion))
    return placed
