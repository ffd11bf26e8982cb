"""Verify a run directory against its own checksums, and mend what can be mended.

A resume needs the newest generation alone, so the populations that are kept for later may rot unnoticed. Here
every file is held to what config.toml and history.jsonl say of it.
"""

from pathlib import Path
from typing import Any, NamedTuple

from neche.archive import checkpoint
from neche.archive.checkpoint import HistoryLine
from neche.archive.layout import Config, RunLayout, is_kept, parse_config
from neche.archive.resume import crowned_faults, rotten_populations
from neche.archive.run import RunDirectory
from neche.archive.storage import make_directory, read_file, write_file
from neche.errors import InputError


class Verification(NamedTuple):
    """What was found in a run directory.

    faults: one line each, none in an intact one. mended: what `repair` put right, one line each.
    """

    faults: tuple[str, ...]
    mended: tuple[str, ...] = ()


def verify(run: Path | str) -> Verification:
    """Hold every file of a run to its checksums. Nothing is changed, and no lock is taken.

    Raises:
        InputError: there is no run, or a file cannot be read.
    """
    layout = RunLayout(Path(run))
    config, faults = _config(layout)
    if config is not None:
        present = layout.population_numbers()
        content = read_file(layout.history) if layout.history.exists() else b""
        entries = checkpoint.parse_history(content, config.fingerprint)
        faults += [f"{layout.history}: line {entry.line} is damaged" for entry in entries if not entry.intact]
        lines = [entry.values for entry in entries if entry.intact]
        faults += rotten_populations(layout, lines, config.settings.run.keep_every, present)
        faults += sorted({*_missing_populations(layout, config, lines)}.difference(faults))
        faults += _champion_faults(layout, entries)
    return Verification(tuple(faults))


def repair(run: Path | str) -> Verification:
    """Mend what can be mended, and verify the rest.

    config.toml and its copy mend each other; history and champions are cut back and completed as by a resume.
    A population that is damaged stays as it is: its other members may be of use.

    Raises:
        InputError: there is no run, it is in use, no generation is intact, or a file cannot be written.
    """
    layout = RunLayout(Path(run))
    mended = []
    _config(layout)
    for path, other in ((layout.config, layout.config_copy), (layout.config_copy, layout.config)):
        if _is_intact(other) and not _is_intact(path):
            make_directory(path.parent)
            write_file(path, read_file(other))
            mended.append(f"{path}: written again from {other}")
    with RunDirectory.open(run) as opened:
        mended += opened.resumption.notices
    return Verification(verify(run).faults, tuple(mended))


def _config(layout: RunLayout) -> tuple[Config | None, list[str]]:
    """Return what the run began with, from the copy if need be, and what is wrong with the two files."""
    if not layout.config.exists() and not layout.config_copy.exists():
        raise InputError(f"{layout.root}: no run is there ({layout.config.name} is missing)")
    found, faults = [], []
    for path in (layout.config, layout.config_copy):
        try:
            found.append(parse_config(read_file(path), str(path)))
        except InputError as fault:
            # Runs that were begun before there were copies have none until they go on.
            if path == layout.config or path.exists():
                faults.append(str(fault))
    if len({config.fingerprint for config in found}) > 1:
        faults.append(f"{layout.config_copy}: is of another run than {layout.config}")
    return next(iter(found), None), faults


def _is_intact(path: Path) -> bool:
    try:
        parse_config(read_file(path), str(path))
    except InputError:
        return False
    return True


def _missing_populations(layout: RunLayout, config: Config, lines: list[dict[str, Any]]) -> list[str]:
    numbers = [values["generation"] for values in lines]
    wanted = {number for number in numbers if is_kept(number, numbers[-1], config.settings.run)}
    return [
        f"{layout.population(number)}: missing" for number in wanted.difference(layout.population_numbers())
    ]


def _champion_faults(layout: RunLayout, entries: list[HistoryLine]) -> list[str]:
    content = read_file(layout.champions) if layout.champions.exists() else b""
    champions = (checkpoint.measured_champion(entry.values) for entry in entries if entry.intact)
    measured = {identifier for identifier in champions if identifier is not None}
    faults = [
        f"{layout.champions}: champion {identifier} is missing"
        for identifier in sorted(measured - checkpoint.find_champions(content, measured).keys())
    ]
    records = [checkpoint.intact_record(chunk) for chunk in checkpoint.split_records(content)]
    if damaged := records.count(None):
        faults.append(f"{layout.champions}: {damaged} of its records are damaged")
    identifiers = [record.id for record in records if record is not None]
    if more := len(identifiers) - len(set(identifiers)):
        faults.append(f"{layout.champions}: {more} of its records stand there already")
    return faults + crowned_faults(layout)
