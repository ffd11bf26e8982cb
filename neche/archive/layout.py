"""What is in a run directory, and what each file is called.

    config.toml            settings, seed and versions, sealed by a fingerprint; never changes
    generations/000012.fasta   the whole population of a generation, best member first
    history.jsonl          one line a generation: diagnostics, checksum of its population, check of the line
    champions.fasta        every champion that climbed a ladder, once
    champion.fasta         the crowned champion of the last invocation that finished, with its ladder scores
                           and generation; out of date once a newer generation is finished
    games/                 games in PDN, optional

All are plain text without times, host names or paths: equal settings and seed give equal bytes.
A generation exists when its line in history.jsonl does; everything else of it is on disk before.
"""

import re
from pathlib import Path
from typing import NamedTuple

from neche.evolution.settings import RunSettings
from neche.players.source import CHAMPION_FILE, CHAMPIONS_FILE, HISTORY_FILE

FORMAT_VERSION = 1
"""Raised when an older neche could no longer resume a run."""

_GENERATION_NAME = re.compile(r"(\d{6,})\.fasta")


class Layout(NamedTuple):
    """The paths of one run directory."""

    root: Path

    @property
    def config(self) -> Path:
        """Settings, seed and versions."""
        return self.root / "config.toml"

    @property
    def history(self) -> Path:
        """One line a generation."""
        return self.root / HISTORY_FILE

    @property
    def champions(self) -> Path:
        """Every champion once."""
        return self.root / CHAMPIONS_FILE

    @property
    def champion(self) -> Path:
        """The crowned champion."""
        return self.root / CHAMPION_FILE

    @property
    def generations(self) -> Path:
        """Directory of the populations."""
        return self.root / "generations"

    @property
    def lock(self) -> Path:
        """Empty file that the process working on the run holds; meaningless when no process does."""
        return self.root / ".lock"

    def population(self, number: int) -> Path:
        """Return the file of one generation's population."""
        return self.generations / f"{number:06d}.fasta"

    def population_numbers(self) -> list[int]:
        """List the generations whose population is on disk, oldest first."""
        if not self.generations.is_dir():
            return []
        names = (_GENERATION_NAME.fullmatch(path.name) for path in self.generations.iterdir())
        return sorted(int(name[1]) for name in names if name)


def is_kept(number: int, newest: int, run: RunSettings) -> bool:
    """Tell whether the population of a generation stays on disk once generation `newest` is complete.

    >>> [number for number in range(13) if is_kept(number, 12, RunSettings(keep_every=5, keep_last=2))]
    [0, 5, 10, 11, 12]
    """
    return number % run.keep_every == 0 or number > newest - run.keep_last
