"""The evolution as an iterator of generations, in memory or kept on disk."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from neche.archive.run import RunDirectory
from neche.errors import InputError, check_whole
from neche.evolution.champion import select_champion
from neche.evolution.events import Notify
from neche.evolution.evolve import evolve as _evolve
from neche.evolution.evolve import ranked
from neche.evolution.population import Generation, Member, networks_of
from neche.evolution.recipes import DEFAULT_RECIPE, load_recipe, override
from neche.evolution.settings import Settings, resolve
from neche.network.decode import Network


class Evolution:
    """An evolution under way: iterate over it for its generations, each after its games.

    settings, seed: all that it follows from. target: number of the last generation. last: the newest
    generation, None before the first. run: the directory that keeps it, None in memory and when it is closed;
    at its last generation the champion is written there. A `with` block closes it.
    """

    def __init__(
        self, settings: Settings, seed: int, run: RunDirectory | None, target: int | None = None
    ) -> None:
        """Begin, or go on from what the run directory keeps; target: None, as the settings say."""
        self.settings, self.seed, self.run = settings, seed, run
        self.target = settings.run.generations if target is None else target
        self.last: Generation | None = None if run is None else run.last_generation()
        self._steps = self.generations()

    def __iter__(self) -> Iterator[Generation]:
        """Return itself."""
        return self

    def __next__(self) -> Generation:
        """Return the next generation; with a run directory it is on disk by then."""
        try:
            return next(self._steps)
        except StopIteration:
            if self.run is not None and self.last is not None:
                self.select_champion()
            self.close()
            raise

    def generations(self, notify: Notify = lambda event: None) -> Iterator[Generation]:
        """Return the generations that are left, for those who want to hear of their games and see to the end.

        notify: hears of what happens, see `neche.evolution.events`.
        """
        left = _evolve(
            self.settings, self.seed, generations=self.target, resume_from=self.last, notify=notify
        )
        return map(self._keep, left)

    def _keep(self, generation: Generation) -> Generation:
        if self.run is not None:
            self.run.save(generation)
        self.last = generation
        return generation

    def select_champion(self) -> tuple[Member, dict[str, float]]:
        """Hold the final play-off of the newest generation; return the champion and its benchmark scores.

        Raises:
            InputError: there is no generation yet.
        """
        if self.last is None:
            raise InputError("an evolution without a generation has no champion")
        member, scores = select_champion(
            self.settings, self.seed, ranked(self.settings, self.seed, self.last)
        )
        if self.run is not None:
            self.run.crown(member, generation=self.last.number, scores=scores)
        return member, scores

    @property
    def networks(self) -> list[Network]:
        """The members of the newest generation as networks, best first."""
        return [] if self.last is None else networks_of(self.settings.members, self.last.members)

    def close(self) -> None:
        """Let others work on the run directory; what was finished is kept."""
        if self.run is not None:
            self.run.close()
            self.run = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def evolve(
    recipe: str | None = None,
    *,
    seed: int = 0,
    generations: int | None = None,
    run: Path | str | None = None,
    resume: bool = False,
    overrides: Sequence[str] = (),
    **settings: Any,
) -> Evolution:
    """Begin an evolution from random DNA, or go on with one.

    recipe: a shipped name or a TOML file; None: `default`, as for the command. generations: number of the
    last one; None: as the recipe says. run: directory to keep it in; resume: go on with the one that is
    there, by its own recipe, seed and settings. settings: keys of the recipe, such as game="othello" or
    population=50; overrides: the same as text, such as "population=50".

    >>> evolution = evolve("tournament", generations=1, population=8, genes=20, ladder_games=0)
    >>> [generation.number for generation in evolution]
    [0, 1]

    Raises:
        InputError: settings are unknown, contradict each other or come with `resume`, or the directory is
            taken or missing.
    """
    check_whole(seed, "seed", 0)
    if generations is not None:
        check_whole(generations, "generations", 0)
    if resume:
        if run is None or recipe is not None or settings or overrides:
            raise InputError("resume needs a run, which keeps its own recipe and settings")
        there = RunDirectory.open(run)
        try:
            return Evolution(there.settings, there.seed, there, generations)
        except BaseException:
            there.close()
            raise
    chosen = load_recipe(recipe or DEFAULT_RECIPE)
    for assignment in (*overrides, *(f"{key}={_toml(value)}" for key, value in settings.items())):
        chosen = override(chosen, assignment, option="")
    chosen = resolve(chosen)
    # Nothing evolves before the first generation is asked for: this only checks, while nothing is on disk.
    _evolve(chosen, seed)
    directory = None if run is None else RunDirectory.create(run, chosen, seed)
    return Evolution(chosen, seed, directory, generations)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # TOML reads strings as JSON writes them
    return json.dumps(value) if isinstance(value, str) else str(value)
