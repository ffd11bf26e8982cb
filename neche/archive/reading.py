"""Read a run without locking or changing it, even while another process works on it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from neche.archive.checkpoint import parse_history, read_population
from neche.archive.layout import Config, RunLayout, parse_config
from neche.archive.resume import crowned_faults, lost_champions, reached_generation, rotten_populations
from neche.errors import InputError, near_path
from neche.evolution.population import FOREIGN, Generation
from neche.parsing import naming_file
from neche.storage import content_of, read_file


class History(NamedTuple):
    """The history of a run. lines: one per generation, oldest first. notices: of damaged lines, left out."""

    lines: tuple[dict[str, Any], ...]
    notices: tuple[str, ...]


def read_config(run: Path | str) -> Config:
    """Return what a run began with; InputError if there is none, or its config.toml cannot be used."""
    layout = RunLayout(Path(run))
    with naming_file(run, "read"), suppress(FileNotFoundError, NotADirectoryError):
        os.stat(layout.root)  # raises if its name is too long, or a directory around it closed
    if not layout.root.is_dir():
        raise InputError(f"{run}: no such run directory{near_path(run)}")
    if not layout.config.exists():
        raise InputError(f"{run}: no run is there ({layout.lack})")
    return parse_config(read_file(layout.config), str(layout.config))


def read_history(run: Path | str) -> History:
    """Return the intact lines of the history, and notices of damaged ones; InputError as `read_config`."""
    path = RunLayout(Path(run)).history
    fingerprint = read_config(run).fingerprint
    content = content_of(path)
    # A last line without line feed is still being written, or will be cut off on resume. Zeros, as left by a
    # power cut, are damage: neche never writes them.
    end = content.rfind(b"\n") + 1
    end = len(content) if b"\0" in content[end:] else end
    entries = parse_history(content[:end], fingerprint)
    return History(
        tuple(entry.values for entry in entries if entry.intact),
        tuple(f"{path}: line {entry.line} is damaged" for entry in entries if not entry.intact),
    )


def rotten_files(run: Path | str) -> list[str]:
    """Return faults of populations, a cut-off history and champions; InputError as `read_history`."""
    layout, keep_every = RunLayout(Path(run)), read_config(run).settings.run.keep_every
    reached, (lines, damaged) = reached_generation(layout), read_history(run)
    faults = rotten_populations(layout, lines, keep_every, reached - len(damaged))
    if lost := lost_champions(layout, lines):
        more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
        faults.append(f"{layout.champions}: champion {lost[0]} is missing{more}")
    return faults + crowned_faults(layout)


def read_generation(run: Path | str, number: int) -> Generation:
    """Return one generation of a run; InputError if its population is no longer on disk, or damaged."""
    for values in read_history(run).lines:
        if values["generation"] == number:
            return read_population(values, RunLayout(Path(run)).population(number))
    raise InputError(f"{run}: no generation {number} in its history")


def newest_run(root: Path | str = "runs") -> Path:
    """Return the run or island below `root` that finished a generation last; InputError if none is there."""
    with suppress(FileNotFoundError):
        os.listdir(root)  # unlike a glob, raises if it may not be read
    # A name with a leading dot is an unfinished import.
    places = (*Path(root).glob("[!.]*"), *Path(root).glob(f"[!.]*/{FOREIGN}*"))
    layouts = [layout for layout in map(RunLayout, sorted(places)) if layout.config.is_file()]
    if not layouts:
        raise InputError(f"{root}: no run is there")
    return max(layouts, key=_last_change).root


def _last_change(layout: RunLayout) -> int:
    return (layout.history if layout.history.exists() else layout.config).stat().st_mtime_ns
