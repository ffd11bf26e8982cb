"""Verify a run directory against its own checksums.

A resume reads only the newest generation, so damage to older populations would go unnoticed. Here every file
is compared with what config.toml and history.jsonl say about it.
"""

from pathlib import Path
from typing import NamedTuple

from neche.archive import checkpoint
from neche.archive.checkpoint import HistoryLine
from neche.archive.exchange import emigrant_faults, named
from neche.archive.layout import Config, RunLayout, is_kept, parse_config
from neche.archive.resume import crowned_faults, lost_champions, reached_generation, rotten_populations
from neche.errors import InputError
from neche.storage import content_of, read_file


class Verification(NamedTuple):
    """What was found in a run directory.

    faults: one line each, none if it is intact. mended: what `repair` has repaired, one line each.
    """

    faults: tuple[str, ...]
    mended: tuple[str, ...] = ()


def verify(run: Path | str) -> Verification:
    """Check a run by its checksums, changing and locking nothing; InputError if there is none."""
    layout = RunLayout(Path(run))
    config, faults = read_either_config(layout)
    if config is not None:
        present, reached = layout.population_numbers(), reached_generation(layout)
        content = content_of(layout.history)
        entries = checkpoint.parse_history(content, config.fingerprint)
        faults += checkpoint.crlf_faults(layout.history, content)
        faults += [f"{layout.history}: line {entry.line} is damaged" for entry in entries if not entry.intact]
        lines = [entry.values for entry in entries if entry.intact]
        reached -= len(entries) - len(lines)
        faults += rotten_populations(layout, lines, config.settings.run.keep_every, reached)
        if config.origin is not None and not entries and present == [0]:  # such a run begins with a line
            faults.append(f"{layout.history}: cut off or missing")
        numbers, on_disk = [values["generation"] for values in lines], layout.population_numbers()
        # A process at work on the run adds populations and removes those that are not kept.
        newest = max([*numbers, *set(on_disk).difference(present)], default=-1)
        faults += [fault for _, fault in emigrant_faults(layout, config.settings, newest)]
        # A resume that cut generations off leaves the oldest of the last ones removed, never the very first.
        keep = config.settings.run
        oldest = min((n for n in on_disk if n % keep.keep_every), default=newest)
        removed = {n for n in numbers[1:] if n < oldest and n % keep.keep_every}
        lost = {n for n in numbers if is_kept(n, newest, keep)}.difference(removed, present, on_disk)
        faults += sorted({f"{layout.population(number)}: missing" for number in lost}.difference(faults))
        faults += _champion_faults(layout, entries)
        if (islands := config.settings.islands).islands > 1 and islands.island == 0:
            faults += crowned_faults(RunLayout(named(layout.root).parent))  # the champion of all islands
    return Verification(tuple(faults))


def read_either_config(layout: RunLayout) -> tuple[Config | None, list[str]]:
    """Return the configuration of the run, from the copy if need be, and the faults of the two files."""
    if not layout.config.exists() and not layout.config_copy.exists():
        raise InputError(f"{layout.root}: no run is there ({layout.config.name} is missing)")
    found, faults = [], []
    for path in (layout.config, layout.config_copy):
        try:
            found.append(parse_config(read_file(path), str(path)))
        except InputError as fault:
            # Runs begun before copies were introduced have none until they are resumed.
            if path == layout.config or path.exists():
                faults.append(str(fault))
    if len({config.fingerprint for config in found}) > 1:
        faults.append(f"{layout.config_copy}: belongs to another run than {layout.config}")
    return next(iter(found), None), faults


def _champion_faults(layout: RunLayout, entries: list[HistoryLine]) -> list[str]:
    missing = lost_champions(layout, (entry.values for entry in entries if entry.intact))
    records = [*map(checkpoint.intact_record, checkpoint.split_records(content_of(layout.champions)))]
    identifiers = [record.id for record in records if record is not None]
    faults = [f"{layout.champions}: champion {identifier} is missing" for identifier in missing]
    if damaged := records.count(None):
        faults.append(f"{layout.champions}: {damaged} of its records are damaged")
    if more := len(identifiers) - len(set(identifiers)):
        faults.append(f"{layout.champions}: {more} of its records are duplicates")
    return faults + crowned_faults(layout)
