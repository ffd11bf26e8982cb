"""Several runs side by side: where they are, in which settings they differ, and the results of each."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from neche.archive.generation_line import GenerationLine
from neche.archive.layout import Config, RunLayout
from neche.errors import InputError, near_path, one_line
from neche.evolution.recipes import differing_values
from neche.report.story import Story, read_story
from neche.report.summary import latest_scores, nearest_recipe, scored_id

_OF_ONE_KIND = ("generations", "keep_every", "keep_last", "island")
"""Settings that change no generation, or only like a seed: runs differing in these alone form one group."""

FITNESS = "best fitness"
"""Name of the column of a plugged-in fitness."""


class ComparedRun(NamedTuple):
    """A run among others. settings: those in which it may differ from the others, by key."""

    name: str
    story: Story
    settings: dict[str, Any]

    @property
    def label(self) -> str:
        """The settings in which it may differ, in words."""
        return settings_in_words(self.settings)

    @property
    def final_scores(self) -> dict[str, float]:
        """Newest mean points a game of the champion, by player; empty without a champion."""
        if self.story.champion is None:
            return {}
        return {player: point.value for player, (point, _) in latest_scores(self.story).items()}

    @property
    def final_fitness(self) -> dict[str, float]:
        """Best value of a plugged-in fitness in the last generation, by `FITNESS`; empty without one."""
        return best_fitness(self.story.entries[-1]) if self.story.entries else {}


def find_runs(places: Iterable[Path | str], *, depth: int = 1) -> list[Path]:
    """Return run directories; a directory of runs stands for all of them, in the order of their names.

    depth: 2: search its subdirectories too, as for islands and sweeps in runs/. InputError if a place is
    neither.
    """
    found: dict[Path, None] = {}
    for place in map(Path, places):
        here = _runs_in(place, depth)
        if not here:
            raise InputError(f"{place}: neither a run nor a directory of runs{near_path(place)}")
        found |= dict.fromkeys(here)
    return list(found)


def _runs_in(place: Path, depth: int) -> list[Path]:
    layout = RunLayout(place)
    try:
        # a run with only the copy of its configuration is a damaged run; the copy's directory is none
        if any(path.exists() for path in (layout.config, layout.history, layout.config_copy)):
            return [place]
    except PermissionError:  # an unreadable directory may be a run: reading it reports the fault
        return [place]
    # a name with a leading dot is an unfinished import
    inner = sorted(place.glob("[!.]*")) if depth else ()
    return [run for path in inner for run in _runs_in(path, depth - 1)]


def read_runs(paths: Sequence[Path]) -> tuple[ComparedRun, ...]:
    """Read runs and find the settings in which they differ; InputError if one of them is damaged."""
    stories = [read_story(path) for path in paths]
    settings = settings_apart([story.config for story in stories])
    names = [path.name for path in paths]
    return tuple(
        ComparedRun(one_line(name if names.count(name) == 1 else str(path)), story, own)
        for name, path, story, own in zip(names, paths, stories, settings, strict=True)
    )


def names_of_groups(runs: Sequence[ComparedRun]) -> dict[str, str]:
    """Return by label how to name the runs that have it: by recipe and changes if a label is too long."""
    names = {run.label: run.label for run in runs}
    if max(map(len, names)) > 100:  # more than a line of a terminal
        for run in {run.label: run for run in runs}.values():
            recipe = nearest_recipe(run.story.config.settings)
            changes = [one for one in recipe.changes if one.partition("=")[0] not in _OF_ONE_KIND]
            others = {key: value for key, value in run.settings.items() if key in ("from", "plugins")}
            words = [f"recipe {recipe.name}", *changes, settings_in_words(others)]
            names[run.label] = ", ".join(filter(None, words))
    return names


def settings_apart(configs: Sequence[Config]) -> list[dict[str, Any]]:
    """Return for each run its values of the settings in which the runs differ, by key."""
    differing = differing_values([config.settings for config in configs])
    for key in _OF_ONE_KIND:
        differing.pop(key, None)
    # if the board determines the topology, it is no difference of its own
    shapes = [*zip(differing.get("game", ()), differing.get("topology", ()), strict=False)]
    if shapes and len({*shapes}) == len({*differing["game"]}):
        differing.pop("topology")
    origins = [(config.origin or "random")[:8] for config in configs]
    for key, values in (("from", origins), ("plugins", [*map(plugins_of, configs)])):
        if len({*values}) > 1:
            differing[key] = values
    return [{key: values[at] for key, values in differing.items()} for at in range(len(configs))]


def plugins_of(config: Config) -> tuple[str, ...]:
    """Return the plug-ins a run was started with: kind, name and the first digits of the source's digest."""
    return tuple(f"{one['kind']} {one['name']} {one['digest'][:8]}" for one in config.plugins)


def versions_apart(runs: Sequence[ComparedRun]) -> str:
    """Return in words the software of which the runs began with different versions; empty if none."""
    configs = [run.story.config for run in runs]
    found: dict[str, set[str]] = {}
    for name in dict.fromkeys(name for config in configs for name in config.versions):
        for config in configs:
            what = f"rules of {config.settings.games.game}" if name == "rules" else name
            found.setdefault(what, set()).add(config.versions.get(name, "unknown"))
    return ", ".join(f"{what} {' and '.join(sorted(one))}" for what, one in found.items() if len(one) > 1)


def cautions(runs: Sequence[ComparedRun]) -> list[str]:
    """Return in words which runs do not count like other seeds: duplicates, and shorter ones."""
    known: dict[tuple[str, int, int], ComparedRun] = {}
    twins: list[tuple[ComparedRun, ComparedRun]] = []
    ends: dict[str, list[int]] = {}
    names = names_of_groups(runs)
    for run in runs:
        config, entries = run.story.config, run.story.entries
        first = known.setdefault((run.label, config.seed, config.settings.islands.island), run)
        if first is not run:
            twins.append((first, run))
        ends.setdefault(names[run.label], []).append(entries[-1].generation if entries else 0)
    said = [
        f"{' and '.join(one.name for one in pair)} have the same settings and seed: counting a run"
        " twice adds no evidence, and makes intervals and p too small"
        for pair in twins[:1]
    ]
    if len(twins) > 1:
        said[0] += f" ({len(twins)} such pairs)"
    return said + [
        f"{label or 'the runs'}: one ends at generation {min(numbers)}, another at {max(numbers)};"
        " final scores are those that each has reached"
        for label, numbers in ends.items()
        if min(numbers) < max(numbers)
    ]


def settings_in_words(settings: dict[str, Any]) -> str:
    """Return settings by key as text."""
    return ", ".join(f"{key}={_written(value)}" for key, value in settings.items())


def table_of(runs: Sequence[ComparedRun]) -> list[dict[str, Any]]:
    """Return one row per run: settings that differ, size, and the champion's scores.

    positions: number searched. score PLAYER: newest mean points a game against that player, of the champion
    `measured`; in an unfinished run another may lead since. best fitness: of a plug-in, in the last
    generation.
    """
    return [
        {
            "run": run.name,
            "game": run.story.config.settings.games.game,
            "seed": run.story.config.seed,
            **{key: _written(value) for key, value in run.settings.items() if key != "game"},
            "generation": run.story.entries[-1].generation if run.story.entries else None,
            "games": sum(entry.games for entry in run.story.entries),
            "positions": sum(entry.nodes for entry in run.story.entries),
            "champion": None if run.story.champion is None else run.story.champion.id,
            "measured": scored_id(run.story),
            **{f"score {player}": score for player, score in run.final_scores.items()},
            **run.final_fitness,
        }
        for run in runs
    ]


def best_fitness(entry: GenerationLine) -> dict[str, float]:
    """Return the best value of a plugged-in fitness as a cell of a table; empty without one."""
    return {} if entry.fitness is None else {FITNESS: entry.fitness.best}


def write_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Write rows as a CSV table with a header line; a missing value is an empty cell."""
    heads = dict.fromkeys(key for row in rows for key in row)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(heads), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _written(value: Any) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)
