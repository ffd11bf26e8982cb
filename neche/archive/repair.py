"""Repair a run directory: restore its configuration from the copy, and recompute what else is lost.

A generation follows from settings, seed and the one before it, and the history has the checksum of every
population: a recomputed one is put in place only if it is identical to the lost one.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from neche.archive import checkpoint
from neche.archive.checkpoint import HistoryLine
from neche.archive.exchange import emigrant_faults, read_neighbour, write_emigrants
from neche.archive.layout import Config, RunLayout, is_kept
from neche.archive.reading import read_history
from neche.archive.resume import is_stray, reached_generation, recover, with_hall_of_fame
from neche.archive.run import RunDirectory, RunLock
from neche.archive.verify import Verification, read_either_config, verify
from neche.errors import InputError
from neche.evolution.evolve import evolve
from neche.evolution.plugins import Plugins, check_recorded
from neche.evolution.population import Generation, Member
from neche.genome.fasta import read_fasta
from neche.storage import content_of, read_file, write_file

_JOINED = re.compile(rb'(, "check": "[0-9a-f]{16}"\})[^\n]?(?=\{)')  # the end of a line, and no line feed
_MOST_LINES_GONE = 10**6  # a forged number of a generation would ask for any number
Progress = Callable[[int, int], None]
"""Called with the number of generations computed and the total."""


def repair(
    run: Path | str, progress: Progress = lambda done, total: None, *, plugins: Plugins | None = None
) -> Verification:
    """Repair what can be repaired, and verify the result.

    config.toml and its copy restore each other, and lines that end in CRLF get their line feeds back; history
    and champions are cut back and completed as on resume. Lost populations, champions and lines of the
    history are computed again from the last intact population before each, oldest first, which takes as long
    as it first did. plugins: those of the run; without them, nothing that a run with plug-ins has lost is
    computed again. InputError if there is no run, it is in use, no generation is intact, a file cannot be
    written, or the plug-ins are not those of the run.
    """
    layout = RunLayout(Path(run))
    mended: list[str] = []
    config, faults = read_either_config(layout)
    if config is None:
        raise InputError(faults[0])
    mended += _with_line_feeds(layout)
    if plugins is not None:
        check_recorded(config.plugins, plugins, layout.root)
    can_compute = plugins is not None or not config.plugins
    if not (can_compute or _ends_whole(layout, config)):
        names = ", ".join(f"{one['kind']} {one['name']}" for one in config.plugins)
        raise InputError(f"{run}: its newest generation is lost; give its plug-ins by --plugin FILE: {names}")
    if any(fault.startswith(f"{layout.config}:") for fault in faults):
        write_file(layout.config, read_file(layout.config_copy))
        mended.append(f"{layout.config}: written again from {layout.config_copy}")
    numbers = (number for number in layout.population_numbers() if not is_stray(layout, number))
    known = {number: {"sha256": _checksum(layout.population(number))} for number in numbers}
    known |= {line["generation"]: line for line in read_history(run).lines}
    with RunDirectory.open(run) as opened:
        mended += opened.resumption.notices
        config, is_begun = config._replace(settings=opened.settings), layout.history.exists()
        mended += _with_line_for_each(layout, config) if is_begun else ()
        again = _compute_again(layout, config, plugins, progress, max(known, default=-1))
        mended += again if is_begun and can_compute else ()
    mended += _catch_up(layout, config, known, plugins, progress) if can_compute else ()
    remaining = verify(run).faults
    # Some damage noticed on opening may be beyond repair.
    return Verification(remaining, tuple(line for line in mended if not line.startswith(remaining)))


def _with_line_feeds(layout: RunLayout) -> Iterator[str]:
    """Restore lines that end in CRLF since git or an editor changed them; neche itself never writes a CR."""
    lock = RunLock(layout)
    try:
        populations = sorted(layout.generations.glob("*.fasta")) + sorted(layout.emigrants.glob("*.fasta"))
        configs = (layout.config, layout.config_copy)
        for path in (*configs, layout.history, layout.champions, layout.champion, *populations):
            with suppress(InputError):
                content = content_of(path)
                if b"\r\n" in content:
                    write_file(path, content.replace(b"\r\n", b"\n"))
                    yield f"{path}: line feeds were put back for CRLF"
    finally:
        lock.release()


def _ends_whole(layout: RunLayout, config: Config) -> bool:
    """Return whether the newest generation is intact, so that opening the run cuts none off."""
    entries, reached = _entries(layout, config), reached_generation(layout)
    if not entries or not entries[-1].intact:
        return not entries and reached < 0
    is_whole = _intact_population(layout, entries[-1]) is not None
    return is_whole and reached <= entries[-1].values["generation"]


def _checksum(population: Path) -> str:
    """Return the checksum of a population, empty if its records are not intact."""
    with suppress(InputError):
        return hashlib.sha256(read_file(population)).hexdigest() if read_fasta(population) else ""
    return ""


def _compute_again(
    layout: RunLayout, config: Config, plugins: Plugins | None, progress: Progress, newest: int
) -> Iterator[str]:
    """Compute lost generations again until none is lost or none can be restored; yield what was repaired.

    newest: number of the newest generation that is known, even if the run was cut back behind it.
    """
    yield from _fill_gaps(layout, config, plugins, progress)
    before: list[int] = []
    # A repaired line may name a champion that is lost.
    while (numbers := _lost(layout, config, newest)) and numbers != before:
        before, generation, first = numbers, None, None
        for number in numbers:
            intact = _newest_intact(layout, config, number)
            if generation is None or (intact is not None and intact.number > generation.number):
                generation = intact
            if generation is None and config.origin is not None:
                continue  # the members that it began with are lost
            start = -1 if generation is None else generation.number
            first = start if first is None else first
            for computed in _evolving(layout, config, plugins)(generations=number, resume_from=generation):
                generation = computed
                progress(generation.number - first, numbers[-1] - first)
            assert generation is not None
            if _put_back(layout, config, generation):
                yield _told(layout, [number], start)


def _fill_gaps(
    layout: RunLayout, config: Config, plugins: Plugins | None, progress: Progress
) -> Iterator[str]:
    """Compute lines again that are gone whole, with unproven ones around them; yield what was repaired."""
    entries, content = _entries(layout, config), read_file(layout.history)
    begin, size = HistoryLine(0, {"generation": -1}, config.fingerprint, True, 0), len(content)
    for last, entry in pairwise([begin, *(one for one in entries if one.intact)]):
        first, after = last.values["generation"] + 1, entry.values["generation"]
        num_unproven = entry.line - last.line - 1  # none where an import begins with a later generation
        if not num_unproven or not 0 < after - first - num_unproven <= _MOST_LINES_GONE:
            continue
        intact = _newest_intact(layout, config, first)
        if intact is None and config.origin is not None:
            continue  # the members that it began with are lost
        start, computed = -1 if intact is None else intact.number, []
        for generation in _evolving(layout, config, plugins)(generations=after - 1, resume_from=intact):
            progress(generation.number - start, after - 1 - start)
            computed.append(_values_of(generation, config)[0])
        # Even if the last of them is damaged: the intact line after it proves its check.
        final = entries[entry.line - 2]
        old = content[last.end - size : final.end - size].splitlines(keepends=True)
        block = computed[first - after :]
        # A run of an older version may have gone on with a newer one.
        for num_older in (0, *range(len(block) if "fitness" in block[-1] else 0, 0, -1)):
            lines, check = [], last.check
            for values in (*map(_as_older, block[:num_older]), *block[num_older:]):
                line, check = checkpoint.format_line(values, check)
                lines.append(line)
            if check == final.check:
                content = content[: last.end - size] + b"".join(lines) + content[final.end - size :]
                write_file(layout.history, content)
                yield _told(layout, [n for n, line in enumerate(lines, first) if line not in old], start)
                break


def _told(layout: RunLayout, numbers: Sequence[int], start: int) -> str:
    first, last = numbers[0], numbers[-1]
    if first == last:
        which = f"generation {first} was"
    elif last - first < len(numbers):
        which = f"generations {first} to {last} were"
    else:
        which = f"generations {', '.join(map(str, numbers))} were"
    return f"{layout.root}: {which} computed again, from {max(0, start)}"


def _values_of(generation: Generation, config: Config) -> tuple[dict[str, Any], bytes]:
    """Return the values of a generation's line in the history, and the content of its population file."""
    population = b"".join(checkpoint.format_population(generation, config.settings))
    return checkpoint.history_values(generation, hashlib.sha256(population).hexdigest()), population


def _as_older(values: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the history as older versions wrote it, which lack the fitness of plug-ins."""
    return {key: value for key, value in values.items() if key != "fitness"}


def _catch_up(
    layout: RunLayout, config: Config, known: Mapping[int, Any], plugins: Plugins | None, progress: Progress
) -> Iterator[str]:
    """Compute again what a resume cuts off at the end of the history; yield what was repaired.

    known: lines by generation; of a lost one the checksum of the population, empty if unknown. It stops at
    the first population with another checksum.
    """
    # Opened again, as lost champions are back by now.
    with RunDirectory.open(layout.root) as opened:
        last, newest = opened.last, max(known, default=-1)
        start = -1 if last is None else last.number
        # Lines of older versions lack the fitness of plug-ins. A line that is lost was like the one before.
        is_older = last is not None and last.is_ranked and "fitness" not in last.record
        for generation in _evolving(layout, config, plugins)(generations=newest, resume_from=last):
            line = known.get(generation.number, {"sha256": ""})
            if line["sha256"] not in ("", _values_of(generation, config)[0]["sha256"]):
                return
            is_older = "fitness" not in line if "generation" in line else is_older
            if is_older:
                generation.record.pop("fitness", None)
            opened.save(generation)
            progress(generation.number - start, newest - start)
            yield f"{layout.root}: generation {generation.number} was computed again, from {max(0, start)}"


def _evolving(layout: RunLayout, config: Config, plugins: Plugins | None) -> partial[Iterator[Generation]]:
    """Return `evolve` with the arguments of a run."""
    immigrants = partial(_immigrants, layout.root, config) if config.settings.islands.islands > 1 else None
    return partial(evolve, config.settings, config.seed, plugins=plugins, immigrants=immigrants)


def _immigrants(run: Path, config: Config, number: int) -> tuple[Member, ...]:
    """Return the members that migrated to an island at an exchange."""
    found = read_neighbour(run, config.settings, config.seed, number)
    if found is None:
        raise InputError(f"{run}: the emigrants of its neighbour are lost: repair that island first")
    return found


def _with_line_for_each(layout: RunLayout, config: Config) -> Iterator[str]:
    """Restore line feeds, and remove surplus lines, such as those of a history written twice.

    Surplus lines begin with a damaged one, and the line after them is intact once they are removed.
    """
    if (apart := _JOINED.sub(rb"\1\n", joined := read_file(layout.history))) != joined:
        write_file(layout.history, apart)
        yield f"{layout.history}: line feeds were put back"
    entries, content = _entries(layout, config), read_file(layout.history)
    surplus = max(0, len(entries) - entries[-1].values["generation"] - 1)
    for first in range(surplus and len(entries) - surplus + 1):
        before = entries[first - 1] if first else HistoryLine(0, {}, config.fingerprint, True, 0)
        rest = content[entries[first + surplus - 1].end :]
        after = next(iter(checkpoint.parse_history(rest, before.check)), before)
        if after.intact and not entries[first].intact:
            write_file(layout.history, content[: before.end] + rest)
            yield f"{layout.history}: {surplus} lines too many, from line {first + 1}, were taken away"
            return


def _entries(layout: RunLayout, config: Config) -> list[HistoryLine]:
    return checkpoint.parse_history(content_of(layout.history), config.fingerprint)


def _lost(layout: RunLayout, config: Config, known_newest: int) -> list[int]:
    """Return the generations whose line, kept population or champion is lost, in ascending order.

    The caller has cut the history back: its last line is intact. What is removed once generation
    `known_newest` is there again is not lost.
    """
    entries = _entries(layout, config)
    newest, found = entries[-1].values["generation"], set()
    measured = [checkpoint.measured_champion(entry.values) if entry.intact else None for entry in entries]
    named = {one for one in measured if one is not None}
    known = checkpoint.find_champions(content_of(layout.champions), named).keys() | {None}
    for back, (entry, champion) in enumerate(zip(reversed(entries), reversed(measured), strict=True)):
        is_whole = entry.intact and champion in known
        if is_whole and is_kept(newest - back, max(newest, known_newest), config.settings.run):
            is_whole = _intact_population(layout, entry) is not None
        # Lines in excess of the number of generations belong to none.
        if not is_whole and back <= newest:
            found.add(newest - back)
    found |= {number for number, _ in emigrant_faults(layout, config.settings, newest)}
    return sorted(found)


def _intact_population(layout: RunLayout, entry: HistoryLine) -> Generation | None:
    """Return the generation of an intact line, without its hall of fame; None if its population is lost."""
    with suppress(InputError):
        return checkpoint.read_population(entry.values, layout.population(entry.values["generation"]))
    return None


def _newest_intact(layout: RunLayout, config: Config, before: int) -> Generation | None:
    """Return the newest generation earlier than number `before` whose population is intact.

    One whose hall of fame lacks lost champions only if there is no other.
    """
    chunks = checkpoint.split_records(content_of(layout.champions))
    champions = {record.id: chunk for chunk in chunks if (record := checkpoint.intact_record(chunk))}
    newest = None
    for entry in reversed(_entries(layout, config)):
        is_earlier = entry.intact and entry.values["generation"] < before
        if is_earlier and (found := _intact_population(layout, entry)) is not None:
            found = with_hall_of_fame(found, champions)
            if len(found.hall_of_fame) == len(found.record.get("hall", ())):
                return found
            newest = newest or found
    return newest


def _put_back(layout: RunLayout, config: Config, generation: Generation) -> bool:
    """Restore what was lost of a generation if the recomputed one is identical; return whether it is."""
    entries, content = _entries(layout, config), read_file(layout.history)
    at = generation.number - entries[-1].values["generation"] - 1
    values, population = _values_of(generation, config)
    if not entries[at].intact:
        before = entries[at - 1] if at > -len(entries) else HistoryLine(0, {}, config.fingerprint, True, 0)
        for written in (values, _as_older(values)):  # only the check tells which one was lost
            line, check = checkpoint.format_line(written, before.check)
            mended = content[: before.end] + line + content[entries[at].end :]
            # If the line after it is intact, its check confirms this one.
            after = checkpoint.parse_history(mended, config.fingerprint)[at + 1]
            if after.intact or check == entries[at].check:
                write_file(layout.history, mended)
                break
        else:
            return False
    elif entries[at].values["sha256"] != values["sha256"]:
        return False
    write_file(layout.population(generation.number), population)
    write_emigrants(layout, generation, config.settings)
    # Takes a lost champion from the population, which it then removes unless it is to be kept.
    recover(layout, config)
    return True
