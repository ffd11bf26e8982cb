"""The data that a page shows of a run, read from its directory and checked: no file is trusted.

Checksums detect accidental damage. A forged file has valid ones, so types and ranges are checked too.
"""

from pathlib import Path
from shlex import quote
from typing import NamedTuple

import msgspec

from neche.archive.generation_line import GenerationLine
from neche.archive.layout import Config, RunLayout
from neche.archive.reading import read_config, read_history
from neche.errors import SEED_LIMIT, InputError
from neche.evolution.settings import check_settings
from neche.games.catalogue import game
from neche.games.game import Game
from neche.genome.fasta import Record
from neche.network.decode import Network
from neche.network.sensors import check_sensors
from neche.players.source import network_of, read_source


class Story(NamedTuple):
    """A run, for its page.

    entries: one per generation, oldest first. champion, network: None before the first games.
    """

    layout: RunLayout
    config: Config
    rules: Game
    entries: tuple[GenerationLine, ...]
    champion: Record | None
    network: Network | None

    @property
    def is_imported(self) -> bool:
        """Whether the run was imported from another program."""
        return any(entry.imported for entry in self.entries)

    @property
    def measured(self) -> tuple[GenerationLine, ...]:
        """The generations whose champion was measured against the benchmarks."""
        return tuple(entry for entry in self.entries if entry.benchmarks)


def read_story(run: Path | str) -> Story:
    """Read a run, even while an evolution writes to it; InputError if it is missing, damaged or forged."""
    try:
        return _read(RunLayout(Path(run)))
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise InputError(f"{run}: not what neche writes: {type(fault).__name__}: {fault}") from None


def _read(layout: RunLayout) -> Story:
    config = read_config(layout.root)
    _check_config(config, layout)
    rules = game(config.settings.games.game)
    entries = _read_entries(layout)
    # before the first generation is finished there are no champions, which is not a fault
    is_led = any(entry.champion_id for entry in entries)
    has_champion = is_led or layout.champion.exists() or layout.champions.exists()
    champion = read_source(str(layout.root)) if has_champion else None
    network = None if champion is None else network_of(champion)
    if network is not None:
        check_sensors(rules, network)
    return Story(layout, config, rules, entries, champion, network)


def _check_config(config: Config, layout: RunLayout) -> None:
    check_settings(config.settings, str(layout.config))
    # in Python a bool is an int
    is_whole = isinstance(config.seed, int) and not isinstance(config.seed, bool)
    if not is_whole or not 0 <= config.seed <= SEED_LIMIT:
        raise InputError(f"{layout.config}: seed = {config.seed!r} is not a seed")
    if not all(isinstance(version, str) for version in config.versions.values()):
        raise InputError(f"{layout.config}: the versions are not texts")


def _read_entries(layout: RunLayout) -> tuple[GenerationLine, ...]:
    history = read_history(layout.root)
    if history.notices:
        # A resume continues from the newest generation, and does not mend an earlier line.
        repair = f"neche verify {quote(str(layout.root))} --repair"
        raise InputError(f"{history.notices[0]}; {repair} mends what can be mended")
    entries: list[GenerationLine] = []
    for line in history.lines:
        entry = msgspec.convert(line, GenerationLine)
        if entries and entry.generation <= entries[-1].generation:
            raise InputError(f"{layout.history}: generation {entry.generation}: not what neche writes")
        entries.append(entry)
    return tuple(entries)
