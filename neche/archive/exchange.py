"""Exchange emigrants: an island of a run reads them from its neighbour, whose directory is next to its own.

    RUN/island-0/emigrants/000010.fasta     of generation 10, written by island 0, read by island 1

An island writes them, completely or not at all, before its generation exists, and keeps them for good, so
that an island that is slower, was killed or is computed again still finds them. Nothing else passes between
islands, and no lock is needed: a shared disk is enough.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from neche import storage
from neche.archive import checkpoint
from neche.archive.layout import RunLayout
from neche.archive.reading import read_config
from neche.errors import InputError
from neche.evolution.events import EmigrantsAwaited, Notify
from neche.evolution.islands import is_exchange, neighbour, with_island
from neche.evolution.population import FOREIGN, Generation, Member
from neche.evolution.recipes import first_difference
from neche.evolution.settings import Settings
from neche.genome.fasta import read_fasta

SECONDS_A_LOOK = 0.5


def island_path(root: Path, island: int) -> Path:
    """Return the directory of an island of the run in `root`."""
    return root / f"{FOREIGN}{island}"


def named(run: Path) -> Path:
    """Return the directory of a run by a path that ends in its name."""
    return run if run.name.strip(".") else run.resolve()


def check_place(run: Path, settings: Settings) -> None:
    """Check that an island's directory has the name by which its neighbours find it; InputError if not."""
    wanted = island_path(named(run).parent, settings.islands.island)
    if settings.islands.islands > 1 and named(run) != wanted:
        raise InputError(
            f"{run}: island {settings.islands.island} of {settings.islands.islands} must be in a directory"
            f" named {wanted.name}, next to the others"
        )


def await_emigrants(
    run: Path, settings: Settings, seed: int, notify: Notify, number: int
) -> tuple[Member, ...]:
    """Return the neighbour's emigrants of generation `number`; wait until they are there.

    run, settings, seed: of the island. notify: called each time that the file is not there yet. InputError if
    the neighbour is of another run, its file is damaged, or the island's directory is gone.
    """
    while (found := read_neighbour(run, settings, seed, number)) is None:
        notify(EmigrantsAwaited(number, neighbour(settings.islands)))
        time.sleep(SECONDS_A_LOOK)
    return found


def read_neighbour(run: Path, settings: Settings, seed: int, number: int) -> tuple[Member, ...] | None:
    """Return what `await_emigrants` does, None if it would wait; InputError for the same reasons."""
    home = neighbour(settings.islands)
    root = island_path(named(run).parent, home)
    path = RunLayout(root).emigrants_of(number)
    own = read_config(run)  # an island whose directory was removed would wait for ever
    if not path.exists():
        return None
    there = read_config(root)
    if there.seed != seed:
        raise InputError(f"{root}: has seed {there.seed}, {run} has {seed}: they are islands of two runs")
    if (wanted := with_island(settings, home)) != there.settings:
        difference = first_difference(there.settings, wanted)
        raise InputError(f"{root}: began with {difference} as {run}: they are islands of two runs")
    if there.plugins != own.plugins:
        raise InputError(f"{root}: began with other plug-ins than {run}: they are islands of two runs")
    return read_emigrants(path, settings)


def read_emigrants(path: Path, settings: Settings) -> tuple[Member, ...]:
    """Return the members in a file of emigrants, best first; InputError if it is damaged or not full."""
    records = read_fasta(path)
    if len(records) != settings.islands.migrants:
        raise InputError(f"{path}: damaged: {len(records)} members, not {settings.islands.migrants}")
    return tuple(map(checkpoint.parse_member, records))


def write_emigrants(layout: RunLayout, generation: Generation, settings: Settings) -> None:
    """Write the members that emigrate to the next island, if an exchange follows; InputError if it fails."""
    if settings.islands.islands > 1 and is_exchange(settings.islands, generation.number):
        storage.make_directory(layout.emigrants)
        emigrants = checkpoint.format_emigrants(generation, settings)
        storage.write_file(layout.emigrants_of(generation.number), emigrants)


def emigrant_faults(layout: RunLayout, settings: Settings, newest: int) -> Iterator[tuple[int, str]]:
    """Yield each missing or damaged file of emigrants up to generation `newest`: its generation, the fault.

    They can be computed again like populations, as what determines their generation is kept.
    """
    every = settings.islands.migrate_every
    for number in range(every, newest + 1, every) if settings.islands.islands > 1 else ():
        path = layout.emigrants_of(number)
        try:
            if path.exists():
                read_emigrants(path, settings)
            else:
                yield number, f"{path}: missing"
        except InputError as fault:
            yield number, str(fault)
