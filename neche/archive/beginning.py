"""Begin a run with existing members: from another run, a FASTA file or a shipped champion.

They form generation 0, unplayed, under new ids, as their old ids could occur again in this run. The digest of
their DNA is in config.toml, so that the run's beginning can always be identified.

Symbols: P members.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote

import msgspec
import numpy as np

from neche.archive.layout import RunLayout
from neche.archive.reading import read_config, read_generation, read_history
from neche.archive.run import RunDirectory, RunLock, check_unused, remove_empty
from neche.errors import InputError
from neche.evolution.population import Generation, Member, first_members, member_id
from neche.evolution.settings import Settings
from neche.genome.dna import Digits
from neche.genome.fasta import Record, members_of, read_fasta
from neche.players.plugged import PluginIdentity
from neche.players.source import game_of_source, is_path, network_of, read_source
from neche.storage import make_directory, rename_directory


def settings_of_origin(source: str) -> Settings | None:
    """Return the settings of the run that members are taken from; None for any other source."""
    return read_config(source).settings if is_path(source) and Path(source).is_dir() else None


def read_origin(source: str, settings: Settings) -> tuple[Digits, ...]:
    """Return the genomes of a population from `source`, best first, repeated if there are too few.

    source: a run directory, for its newest population; a FASTA file, for all its members; a shipped champion
    or DNA. settings: resolved. InputError if the source does not exist, is damaged, or has another game,
    topology or length.
    """
    records, name = _records(source), game_of_source(source)
    if not records:
        raise InputError(f"{source}: no member of a population is in it")
    if name not in (None, settings.games.game):
        raise InputError(f"{source}: is of the game {name}, the settings say {settings.games.game}")
    wanted, some = settings.members, msgspec.structs.replace(settings.members, population=2)
    weights = None if settings.prediction.fitness == "tournament" else settings.prediction.first_weights
    length = first_members(some, 0, first_weights=weights)[0].genome.size
    for record in records:
        network = network_of(record)
        if network.topology.words != wanted.topology or network.perspective != wanted.perspective:
            raise InputError(
                f"{source}: {record.id} has topology {network.topology.words} and perspective"
                f" {network.perspective}, the settings say {wanted.topology} and {wanted.perspective}:"
                " set both, or begin with a recipe that has them"
            )
        if (size := record.genome.size) != length:
            raise InputError(f"{source}: {record.id} has {size} nucleotides, the settings say {length}")
    return tuple(records[at % len(records)].genome for at in range(wanted.population))


def digest_of(genomes: Iterable[Digits]) -> str:
    """Return the digest by which a run remembers the members that it began with: 64 hex digits."""
    return hashlib.sha256(b"".join(genome.tobytes() for genome in genomes)).hexdigest()


def _records(source: str) -> list[Record]:
    if not is_path(source):
        return [read_source(source)]
    if not Path(source).is_dir():
        return members_of(read_fasta(source))
    lines, notices = read_history(source)
    if notices:  # the newest readable line may not be the newest
        raise InputError(f"{notices[0]}; neche verify {quote(str(source))} --repair mends what can be mended")
    if not lines:
        raise InputError(f"{source}: no generation is finished there")
    number = lines[-1]["generation"]
    read_generation(source, number)  # checks the whole file, which may be cut off between two records
    return members_of(read_fasta(RunLayout(Path(source)).population(number)))


def unplayed_generation(
    number: int, genomes: Sequence[Digits], settings: Settings, *, is_imported: bool = False
) -> Generation:
    """Return a generation of members that have not played yet; they play first when the run is resumed."""
    depth, count = settings.curriculum.depth, len(genomes)
    members = tuple(Member(member_id(number, at), (), genome) for at, genome in enumerate(genomes))
    record = {"generation": number, "depth": depth, "games": 0, "champion_id": None}
    return Generation(
        number=number,
        members=members,
        scores=np.zeros(count),
        strengths=np.zeros(count),
        games=np.zeros(count, dtype=np.int64),
        depth=depth,
        moved_up_at=None,
        record=record | ({"imported": True} if is_imported else {}),
        # The best of them gives better samples than random games.
        labellers=members[:1] if settings.prediction.fitness != "tournament" else (),
    )


def write_begun_run(
    path: Path,
    settings: Settings,
    seed: int,
    generation: Generation,
    champions: Sequence[Record] = (),
    plugins: Sequence[PluginIdentity] = (),
) -> None:
    """Begin a run with a generation: in a temporary directory, so that a partial one is never resumed.

    champions: from before. plugins: as in `Config`. InputError as for `RunDirectory.create`, or if the
    directory has no name, like `.` and `..`.
    """
    if not path.name.strip("."):
        raise InputError(f"{path}: the run is written aside and renamed; give its directory by name")
    path = Path(os.path.realpath(path))  # no directory can be renamed to a link
    aside = path.with_name(f".{path.name}.partial")
    make_directory(aside)
    lock = RunLock(RunLayout(aside))  # so that nobody else begins this run meanwhile
    origin = digest_of(member.genome for member in generation.members)
    try:
        check_unused(path)
        shutil.rmtree(aside / path.name, ignore_errors=True)
        with RunDirectory.create(aside / path.name, settings, seed, origin, plugins) as run:
            run.add_champions(champions)
            run.save(generation)
        rename_directory(aside / path.name, path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        lock.release()
        remove_empty(aside)  # on Windows, where a file that is locked stays until then
