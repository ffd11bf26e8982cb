"""Resume: find the last intact generation of a run directory, and cut everything else back to it.

Later generations are computed again, to the same bytes, as each follows from the one before. A second call,
also after a kill in the middle of the first, changes nothing more.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from shlex import quote
from typing import Any, NamedTuple

from neche.archive import checkpoint
from neche.archive.checkpoint import HistoryLine
from neche.archive.layout import Config, RunLayout, is_kept, present_versions
from neche.errors import InputError
from neche.evolution.population import Generation, PastChampion, member_id
from neche.genome.fasta import parse_fasta, read_fasta
from neche.storage import content_of, remove_file, remove_partial_files, write_file

_NUM_SHOWN = 3
"""Number of faults named when a run is beyond use."""


class Resumption(NamedTuple):
    """Where a run continues; its directory is ready for the next generation.

    generation: the last intact one; None if none was finished, so that the run begins anew
    notices: what was found damaged or unfinished and its consequence, one line each
    check: of the last line of the history, or the fingerprint if there is no line
    champions: ids of all measured champions so far
    """

    generation: Generation | None
    notices: tuple[str, ...]
    check: str
    champions: tuple[str, ...]


def recover(layout: RunLayout, config: Config) -> Resumption:
    """Cut a run, locked by the caller, back to its last intact generation; InputError if all are lost."""
    content = content_of(layout.history)
    entries = checkpoint.parse_history(content, config.fingerprint)
    repair = f"neche verify {quote(str(layout.root))} --repair puts line feeds back"
    notices = [f"{fault}: {repair}" for fault in checkpoint.crlf_faults(layout.history, content)]
    # From the newest back: an intact generation needs nothing of those before it.
    for position in reversed(range(len(entries))):
        generation = _try_entry(layout, config, entries, position, notices)
        if generation is not None:
            return _cut_back(layout, config, entries[: position + 1], generation, content, notices)
    # A run stopped in its very first generation has at most population 0 and a partial line.
    if b"\n" in content or layout.population_numbers() not in ([], [0]):
        notices = notices or [f"{layout.history}: cut off or missing"]
        more = f"; and {len(notices) - _NUM_SHOWN} more" if len(notices) > _NUM_SHOWN else ""
        shown = "; ".join(notices[:_NUM_SHOWN])
        raise InputError(f"{layout.root}: no intact generation left to resume ({shown}{more})")
    return _begin_anew(layout, config, notices)


def _try_entry(
    layout: RunLayout, config: Config, entries: Sequence[HistoryLine], position: int, notices: list[str]
) -> Generation | None:
    """Read the generation of one line of the history; None, with a notice, if it is not intact."""
    entry = entries[position]
    if not entry.intact:
        notices.append(f"{layout.history}: line {entry.line} is damaged or cut off")
        return None
    path = layout.population(entry.values["generation"])
    if not path.exists():
        # A population may be missing because only some are kept.
        newest = max(other.values["generation"] for other in entries if other.intact)
        if is_kept(entry.values["generation"], newest, config.settings.run):
            notices.append(f"{path}: missing")
        return None
    try:
        return checkpoint.read_population(entry.values, path)
    except InputError as fault:
        notices.append(str(fault))
        return None


def _cut_back(
    layout: RunLayout,
    config: Config,
    entries: Sequence[HistoryLine],
    generation: Generation,
    content: bytes,
    notices: list[str],
) -> Resumption:
    bad = [entry.line for entry in entries if not entry.intact]
    notices += [f"{layout.history}: line {n} is damaged; what it said of its generation is lost" for n in bad]
    # What follows the last intact line, damaged or partial, is computed again.
    if entries[-1].end < len(content):
        write_file(layout.history, content[: entries[-1].end])
    # Champions after the history, which tells which of them there must be.
    champions = _mend_champions(layout, config, entries, generation.number, notices)
    generation = with_hall_of_fame(generation, champions)
    _remove_populations(layout, config, generation.number, notices)
    if notices:
        notices.append(f"{layout.root}: goes on from generation {generation.number}, the last intact one")
    notices += [f"{fault}; it is written again when the run ends" for fault in crowned_faults(layout)]
    # Older populations are not needed now, but a damaged one may be needed later.
    lines = [entry.values for entry in entries if entry.intact]
    notices += rotten_populations(layout, lines, config.settings.run.keep_every)
    return Resumption(generation, (*_version_notices(config), *notices), entries[-1].check, tuple(champions))


def rotten_populations(
    layout: RunLayout, lines: Iterable[Mapping[str, Any]], keep_every: int, reached: int = -1
) -> list[str]:
    """Return the faults of populations that differ from their line in the history, lack it or are unreadable.

    reached: the generation in which an intact history ends, or a later one.
    """
    rotten, gone, newest, known = [], [], -1, set()
    for values in lines:
        newest = values["generation"]
        known.add(newest)
        path = layout.population(newest)
        try:
            if hashlib.sha256(path.read_bytes()).hexdigest() != values["sha256"]:
                rotten.append(f"{path}: damaged: its checksum differs from the one in the history")
        except FileNotFoundError:
            gone.append(newest)
        except OSError as fault:
            rotten.append(f"{path}: cannot be read: {fault.strerror}")
    if known and not layout.generations.is_dir():
        return [f"{layout.generations}: missing"]
    on_disk = layout.population_numbers()
    strays = [n for n in on_disk if n > newest + 1 and is_stray(layout, n)]
    rotten += [f"{layout.population(n)}: a stray file: no member of generation {n} is in it" for n in strays]
    last = max([newest - 1, *(n for n in on_disk if n not in strays)])
    # Others may have been removed by rule, also just now by a process at work that keeps only the last ones.
    rotten += [f"{layout.population(n)}: missing" for n in gone if n % keep_every == 0 or n > last]
    rotten += [
        f"{layout.population(n)}: its line in the history is damaged, so it cannot be checked"
        for n in on_disk
        if n < newest and n not in known
    ]
    if reached > newest:
        rotten.append(f"{layout.history}: cut off or missing: generation {reached} is not in it")
    return rotten


def _begin_anew(layout: RunLayout, config: Config, notices: list[str]) -> Resumption:
    """Remove the files of a run that was stopped before its first generation was finished."""
    if config.origin is not None:
        raise InputError(f"{layout.root}: the members that it began with are lost; begin it again with them")
    _remove_populations(layout, config, -1, notices)
    for path in (layout.champions, layout.history):
        remove_file(path)
    notices.append(f"{layout.root}: no generation was finished; begins anew")
    return Resumption(None, (*_version_notices(config), *notices), config.fingerprint, ())


def _mend_champions(
    layout: RunLayout, config: Config, entries: Sequence[HistoryLine], newest: int, notices: list[str]
) -> dict[str, str]:
    """Cut the champions back to generation `newest`, and restore damaged and lost ones.

    Returns the text of each record by id, oldest first.
    """
    path, content = layout.champions, content_of(layout.champions)
    kept: dict[str, tuple[int, str]] = {}
    damaged: list[str] = []
    for chunk in checkpoint.split_records(content):
        record = checkpoint.intact_record(chunk)
        if record is None:
            damaged.append(ascii(chunk.lstrip(">").split(" ")[0][:20]).strip("'"))
        elif checkpoint.generation_of(record) <= newest:
            # The first record counts, as it names the generation that measured the champion first.
            kept.setdefault(record.id, (checkpoint.generation_of(record), chunk))
    if damaged:
        shown = ", ".join(damaged[:_NUM_SHOWN]) + " …" * (len(damaged) > _NUM_SHOWN)
        who = f"record {shown}" if len(damaged) == 1 else f"each of {len(damaged)} records ({shown})"
        notices.append(f"{path}: {who} is damaged or cut off, and left out")
    for identifier, values in _first_measured(entries).items():
        if identifier not in kept:
            number = values["generation"]
            missing = f"{path}: champion {identifier} of generation {number} is missing"
            try:
                generation = checkpoint.read_population(values, layout.population(number))
                kept[identifier] = (number, checkpoint.champion_text(generation, identifier, config.settings))
            except InputError:
                notices.append(f"{missing}, and its population is no longer kept: what follows may differ")
            else:
                notices.append(f"{missing}; written again from its population")
    texts = {identifier: text for identifier, (_, text) in sorted(kept.items(), key=lambda item: item[1][0])}
    mended = "".join(texts.values()).encode("latin-1")
    # Not written if nothing was wrong: a resume writes nothing without need.
    if mended != content:
        write_file(path, mended)
    return texts


def _first_measured(entries: Sequence[HistoryLine]) -> dict[str, dict[str, Any]]:
    """Return, for the id of every measured champion, the first line of the history that measured it."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if entry.intact and (identifier := checkpoint.measured_champion(entry.values)) is not None:
            found.setdefault(identifier, entry.values)
    return found


def with_hall_of_fame(generation: Generation, champions: Mapping[str, str]) -> Generation:
    """Return a generation with the hall of fame that its record names, without lost champions.

    champions: the text of each record by id.
    """
    ids: dict[str, str] = generation.record.get("hall", {})
    hall = tuple(
        PastChampion(int(number), checkpoint.parse_member(*parse_fasta(champions[identifier], "")))
        for number, identifier in ids.items()
        if identifier in champions
    )
    return replace(generation, hall_of_fame=hall)


def _remove_populations(layout: RunLayout, config: Config, newest: int, notices: list[str]) -> None:
    """Remove populations after `newest`, those no longer kept, and half-written files."""
    for number in layout.population_numbers():
        path = layout.population(number)
        if number > newest:
            is_known = number == newest + 1 or not is_stray(layout, number)
            again = f"not in {layout.history.name}; to be computed again"
            notices.append(f"{path}: {again if is_known else 'a stray file; removed'}")
            remove_file(path)
        elif not is_kept(number, newest, config.settings.run):
            remove_file(path)
    for directory in (layout.root, layout.generations, layout.emigrants):
        remove_partial_files(directory)


def reached_generation(layout: RunLayout) -> int:
    """Return a generation that a history read after this call must have; −1 if none is known."""
    # A run stopped between writing a population and its line has one population without a line.
    own = (number for number in reversed(layout.population_numbers()) if not is_stray(layout, number))
    return max(crowned_generation(layout), next(own, 0) - 1)


def is_stray(layout: RunLayout, number: int) -> bool:
    """Return whether the file of a generation's population has no member born in that generation."""
    with suppress(OSError):
        return f">{member_id(number, 0)[:-4]}".encode() not in layout.population(number).read_bytes()
    return False


def crowned_generation(layout: RunLayout) -> int:
    """Return the generation whose champion was crowned last; −1 if none was, or its file is damaged."""
    with suppress(ValueError):
        return checkpoint.generation_of(read_fasta(layout.champion)[0])
    return -1


def crowned_faults(layout: RunLayout) -> list[str]:
    """Return the faults of the crowned champion's file, none if there is no file."""
    try:
        if layout.champion.exists() and (count := len(read_fasta(layout.champion))) != 1:
            return [f"{layout.champion}: holds {count} records, not the crowned champion alone"]
    except InputError as fault:
        return [str(fault)]
    return []


def lost_champions(layout: RunLayout, lines: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the ids of the champions that these lines of the history measured and no intact record has."""
    named = {one for one in map(checkpoint.measured_champion, lines) if one is not None}
    return sorted(named.difference(checkpoint.find_champions(content_of(layout.champions), named)))


def _version_notices(config: Config) -> list[str]:
    present = present_versions(config.settings.games.game)
    return [
        f"begun with {name} {version}, now {present[name]}: what follows may differ from a run in one go"
        for name, version in config.versions.items()
        if present.get(name) not in (None, version)
    ]
