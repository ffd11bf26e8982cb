"""champions.fasta: every champion that was measured, once, as of the generation it was first measured in.

A champion is measured in every generation that climbs the ladder. Between two ladders the leader of a
generation is in its line of the history and in its population alone: in a refinement each has a new one.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from neche.archive.checkpoint import member_fields
from neche.errors import InputError
from neche.evolution.population import Generation
from neche.evolution.settings import MemberSettings
from neche.genome.fasta import Record, format_record, parse_fasta

_RECORD_START = re.compile(r"^(?=>)", re.MULTILINE)


class Mended(NamedTuple):
    """A file of champions made good.

    content: bytes the file should have
    ids: of all champions in it
    faults: what was wrong with it, one line each
    """

    content: bytes
    ids: tuple[str, ...]
    faults: tuple[str, ...]


def champion_id(values: Mapping[str, Any]) -> str | None:
    """Return who led a generation, from its line in the history; None when it has not played."""
    identifier: str | None = values["champion_id"]
    return identifier


def measured_champion(values: Mapping[str, Any]) -> str | None:
    """Return the champion that a generation measured, from its line in the history; None when it did not."""
    return champion_id(values) if "ladder" in values else None


def champion_text(generation: Generation, identifier: str, settings: MemberSettings) -> str:
    """Write the record of a generation's champion.

    Raises:
        InputError: the generation has no such member.
    """
    index = next((i for i, member in enumerate(generation.members) if member.id == identifier), None)
    if index is None:
        raise InputError(f"generation {generation.number}: champion {identifier!r} is not a member")
    fields = {"generation": str(generation.number), **member_fields(generation, index, settings)}
    return format_record(Record(identifier, generation.members[index].genome, fields))


def mend_champions(
    content: bytes,
    name: str,
    expected: Mapping[str, int],
    newest: int,
    rebuild: Callable[[int, str], str | None],
) -> Mended:
    """Cut a file of champions back to generation `newest`, and put back what was damaged or lost.

    expected: champions by id, in the order in which they were measured, with the generation of each
    rebuild: writes the record of (generation, id) from that generation's population, None if it is gone
    """
    kept: dict[str, tuple[int, str]] = {}
    faults = []
    for chunk in filter(None, _RECORD_START.split(content.decode("latin-1"))):
        record = _intact_record(chunk)
        if record is None:
            faults.append(f"{name}: record {_shown_id(chunk)} is damaged or cut off, and left out")
        elif _generation(record) <= newest:
            kept.setdefault(record.id, (_generation(record), chunk))
    for identifier, number in expected.items():
        if identifier not in kept:
            text = rebuild(number, identifier)
            missing = f"{name}: champion {identifier} of generation {number} is missing"
            if text is None:
                faults.append(f"{missing}, and its population is no longer kept")
            else:
                faults.append(f"{missing}; written again from its population")
                kept[identifier] = (number, text)
    ordered = sorted(kept.items(), key=lambda item: item[1][0])
    text = "".join(chunk for _, (_, chunk) in ordered)
    return Mended(text.encode("latin-1"), tuple(identifier for identifier, _ in ordered), tuple(faults))


def find_champions(content: bytes, identifiers: Collection[str]) -> dict[str, Record]:
    """Return the intact records of some champions from a file of them, by id."""
    found = {}
    for chunk in filter(None, _RECORD_START.split(content.decode("latin-1"))):
        if chunk[1:].partition(" ")[0] in identifiers and (record := _intact_record(chunk)) is not None:
            found[record.id] = record
    return found


def first_measured(lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return every measured champion by id with the first such generation, from the lines of a history."""
    found: dict[str, int] = {}
    for values in lines:
        if (identifier := measured_champion(values)) is not None:
            found.setdefault(identifier, values["generation"])
    return found


def _intact_record(chunk: str) -> Record | None:
    """Read one record; None unless it reads back to the very same text, checksum included."""
    try:
        (record,) = parse_fasta(chunk, "")
        _generation(record)
        return record if format_record(record) == chunk else None
    except ValueError:
        return None


def _generation(record: Record) -> int:
    return int(record.fields["generation"]) if "generation" in record.fields else -1


def _shown_id(chunk: str) -> str:
    return ascii(chunk.lstrip(">").split(" ")[0][:20]).strip("'")
