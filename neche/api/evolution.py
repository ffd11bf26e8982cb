"""The evolution as an iterator of generations, in memory or kept on disk."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neche.archive.run import RunDirectory
from neche.errors import InputError
from neche.evolution.champion import select_champion
from neche.evolution.evolve import evolve as _evolve
from neche.evolution.evolve import ranked
from neche.evolution.population import Generation, networks_of
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import Settings, resolve
from neche.network.decode import Network

DEFAULT_RECIPE = "quick"


class Evolution:
    """An evolution under way: iterate over it for its generations, each after its games.

    settings, seed: all that it follows from. last: the newest generation, None before the first.
    """

    def __init__(self, settings: Settings, seed: int, run: RunDirectory | None, generations: int) -> None:
        self.settings, self.seed = settings, seed
        self.last: Generation | None = None if run is None else run.last_generation()
        self._run = run
        self._steps = _evolve(settings, seed, generations=generations, resume_from=self.last)

    def __iter__(self) -> Iterator[Generation]:
        """Return itself."""
        return self

    def __next__(self) -> Generation:
        """Return the next generation; with a run directory it is on disk by then."""
        try:
            generation = next(self._steps)
        except StopIteration:
            self._finish()
            raise
        if self._run is not None:
            self._run.save(generation)
        self.last = generation
        return generation

    @property
    def networks(self) -> list[Network]:
        """The members of the newest generation as networks, best first."""
        return [] if self.last is None else networks_of(self.settings.members, self.last.members)

    def close(self) -> None:
        """Let others work on the run directory; what was finished is kept."""
        if self._run is not None:
            self._run.close()
            self._run = None

    def _finish(self) -> None:
        if self._run is not None and self.last is not None:
            last = ranked(self.settings, self.seed, self.last)
            member, ladder = select_champion(self.settings, self.seed, last)
            self._run.crown(member, generation=last.number, scores=ladder)
        self.close()


def evolve(
    recipe: str | None = None,
    *,
    seed: int = 0,
    generations: int | None = None,
    run: Path | str | None = None,
    resume: bool = False,
    **settings: Any,
) -> Evolution:
    """Begin an evolution from random DNA, or go on with one.

    recipe: a shipped name or a TOML file; None: `quick`. generations: number of the last one; None: as the
    recipe says. run: directory to keep it in; resume: go on with the one that is there, by its own recipe,
    seed and settings. settings: keys of the recipe, such as game="othello" or population=50.

    >>> evolution = evolve("quick", generations=1, population=8, genes=20, ladder_games=0)
    >>> [generation.number for generation in evolution]
    [0, 1]

    Raises:
        InputError: settings are unknown, contradict each other or come with `resume`, or the directory is
            taken or missing.
    """
    if resume:
        if run is None or recipe is not None or settings:
            raise InputError("resume needs a run, which keeps its own recipe and settings")
        there = RunDirectory.open(run)
        last = there.settings.run.generations if generations is None else generations
        return Evolution(there.settings, there.seed, there, last)
    chosen = load_recipe(recipe or DEFAULT_RECIPE)
    for key, value in settings.items():
        chosen = override(chosen, f"{key}={_toml(value)}")
    chosen = resolve(chosen)
    last = chosen.run.generations if generations is None else generations
    # Nothing evolves before the first generation is asked for: this only checks, while nothing is on disk.
    _evolve(chosen, seed)
    directory = None if run is None else RunDirectory.create(run, chosen, seed)
    return Evolution(chosen, seed, directory, last)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # TOML reads strings as JSON writes them
    return json.dumps(value) if isinstance(value, str) else str(value)
