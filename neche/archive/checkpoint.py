"""Convert a generation to text and back: its population, its line in the history, its champion.

Population and line together with settings and seed determine the next generation.

history.jsonl has one line per generation, each sealed and chained to the line before it.

    {"generation": 12, "depth": 1, …, "moved_up_at": null, "sha256": "…", "check": "0f…"}

`sha256` is that of the generation's population file. `check`, always last, holds the first 16 hex digits of
SHA-256 over the check of the line before (for the first line, the fingerprint of config.toml) and the line up
to `, "check"`.

champions.fasta has every measured champion once, as of the generation that first measured it. The leader of a
generation without a measurement is only in its population and its line of the history: in an evolution
strategy every generation has a new one.
"""

import hashlib
import json
import re
import string
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import numpy as np

from neche.archive.generation_line import GenerationLine
from neche.errors import InputError
from neche.evolution.islands import emigrants
from neche.evolution.population import Generation, Member
from neche.evolution.settings import Settings
from neche.genome import fasta
from neche.network.topology import parse_topology
from neche.parsing import read_json
from neche.players.source import HISTORY_FILE, identity_fields
from neche.storage import read_file

CHECK_DIGITS = 16

_NO_PARENTS = "-"
_LABELLERS = "labellers"
_MEMORY = b";memory "  # in the form of a comment in FASTA
_MAY_BE_NULL = ("champion_id", "moved_up_at")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_SEALED_LINE = re.compile(rb'(.*), "check": "([0-9a-f]{16})"\}\n', re.DOTALL)
_RECORD_START = re.compile(r"^(?=>)", re.MULTILINE)


class HistoryLine(NamedTuple):
    """One line of the history.

    line: number in the file, from 1
    values: content of the line without the check; empty if the line is damaged
    check: as written in the line, empty if unreadable
    intact: the line is whole, its check follows from the line before it, and its values are valid
    end: bytes from the start of the file to the end of the line
    """

    line: int
    values: dict[str, Any]
    check: str
    intact: bool
    end: int


def format_line(values: Mapping[str, Any], previous_check: str) -> tuple[bytes, str]:
    """Format one line, line feed included; return it with its check."""
    # Without the closing brace: the check, computed over all before it, is appended as the last member.
    body = json.dumps(values, allow_nan=False).encode()[:-1]
    check = _check(body, previous_check)
    return body + f', "check": "{check}"}}\n'.encode(), check


def parse_history(content: bytes, fingerprint: str) -> list[HistoryLine]:
    """Parse every line and mark those not intact, which include a last line without line feed."""
    entries: list[HistoryLine] = []
    previous_check, end = fingerprint, 0
    for number, line in enumerate(_LINE.findall(content), 1):
        end += len(line)
        entry = _parse_line(line, number, previous_check, end)
        entries.append(entry)
        # The check as written, even in a damaged line, so that a flipped byte costs one line and not all that
        # follow.
        previous_check = entry.check
    return entries


def crlf_faults(path: Path, content: bytes) -> list[str]:
    """Return the fault that lines of the history end in CRLF, as git and editors write them; none if not."""
    return [f"{path}: lines end in CRLF, not LF"] if b"\r\n" in content else []


def _parse_line(line: bytes, number: int, previous_check: str, end: int) -> HistoryLine:
    # The check is always the last item in a line.
    match = _SEALED_LINE.fullmatch(line)
    body, check = (match[1], match[2].decode()) if match else (b"", "")
    if check and previous_check and check == _check(body, previous_check):
        # Parsed only if the check agrees, so that a damaged line never reaches the parser.
        with suppress(InputError):
            return HistoryLine(number, read_generation_line(body + b"}"), check, True, end)
    return HistoryLine(number, {}, check, False, end)


def _check(body: bytes, previous_check: str) -> str:
    return hashlib.sha256(previous_check.encode() + body).hexdigest()[:CHECK_DIGITS]


def member_fields(generation: Generation, index: int, identity: Mapping[str, str]) -> dict[str, str]:
    """Return the FASTA header fields of the member of rank `index`; those of `identity_of` come last."""
    return {
        "parents": ",".join(generation.members[index].parents) or _NO_PARENTS,
        "rank": str(index + 1),
        # The repr of a float reads back as exactly the same float.
        "strength": repr(float(generation.strengths[index])),
        "score": repr(float(generation.scores[index])),
        "games": str(int(generation.games[index])),
        **identity,
    }


def identity_of(settings: Settings) -> dict[str, str]:
    """Return the FASTA header fields that are the same for all networks of a run."""
    members = settings.members
    return identity_fields(members.perspective, parse_topology(members.topology), settings.games.game)


def score_field(player: str) -> str:
    """Return the field of a FASTA header that holds the crowned champion's score against a player.

    >>> score_field("material:depth=4"), score_field("network:file=my runs/é,depth=4")
    ('material:depth4', 'network:filemy%20runs/%C3%A9,depth4')
    """
    # A player's path may have spaces and non-ASCII letters, which headers do not allow.
    return quote(player.replace("=", ""), safe=string.punctuation)


def crowned_score(fields: Mapping[str, str], player: str) -> float | None:
    """Return the score against a player in the header of a crowned champion; None if it has none."""
    with suppress(ValueError):
        score = float(fields.get(score_field(player), ""))
        return score if 0.0 <= score <= 1.0 else None
    return None


def format_population(generation: Generation, settings: Settings) -> Iterator[bytes]:
    """Yield the members of a generation as FASTA, best first, in pieces; before them the memory, if any."""
    if generation.memory:
        # escaped, as readers may take any > for the beginning of a record
        text = json.dumps(generation.memory, allow_nan=False).replace(">", "\\u003e")
        yield _MEMORY + text.encode() + b"\n"
    yield from fasta.format_pieces(_population_records(generation, identity_of(settings)))


def _population_records(generation: Generation, identity: Mapping[str, str]) -> Iterator[fasta.Record]:
    for index, member in enumerate(generation.members):
        yield fasta.Record(member.id, member.genome, member_fields(generation, index, identity))
    known = {member.id for member in generation.members}
    for member in generation.labellers:
        if member.id not in known:
            yield fasta.Record(member.id, member.genome, {fasta.LABELLER: "earlier", **identity})
    for member in generation.inherited:
        yield fasta.Record(
            f"{member.id}-{fasta.INHERITED}", member.genome, {fasta.INHERITED: member.id, **identity}
        )


def format_emigrants(generation: Generation, settings: Settings) -> bytes:
    """Format a generation's emigrants as FASTA, best first; with the DNA from birth, if that is inherited."""
    identity = identity_of(settings)
    passed_on = generation.inherited or generation.members
    return fasta.format_records(
        fasta.Record(passed_on[rank].id, passed_on[rank].genome, member_fields(generation, rank, identity))
        for rank in emigrants(generation, settings.islands.migrants)
    )


def history_values(generation: Generation, digest: str) -> dict[str, Any]:
    """Return the values of a generation's line in the history, without check; digest: of its population."""
    return {
        "generation": generation.number,
        "champion_id": generation.members[0].id,
        **generation.record,
        "depth": generation.depth,
        "moved_up_at": generation.moved_up_at,
        **({_LABELLERS: [member.id for member in generation.labellers]} if generation.labellers else {}),
        "sha256": digest,
    }


def read_population(values: Mapping[str, Any], path: Path) -> Generation:
    """Rebuild a generation from its line and its population file; InputError if they do not match."""
    population = read_file(path)
    # Checked first, so that a damaged file never reaches the parser.
    if hashlib.sha256(population).hexdigest() != values["sha256"]:
        raise InputError(f"{path}: damaged: its checksum differs from the one in the history")
    first = population.partition(b"\n")[0]
    memory = first.removeprefix(_MEMORY) if first.startswith(_MEMORY) else b"{}"
    everyone = fasta.parse_fasta(population.decode("latin-1"), str(path))
    records = fasta.members_of(everyone)
    by_id = {record.id: parse_member(record) for record in everyone}
    # A forged run has correct checksums, but its values may not fit.
    try:
        return Generation(
            number=values["generation"],
            members=tuple(by_id[record.id] for record in records),
            scores=np.array([float(record.fields["score"]) for record in records]),
            strengths=np.array([float(record.fields["strength"]) for record in records]),
            games=np.array([int(record.fields["games"]) for record in records], dtype=np.int64),
            depth=values["depth"],
            moved_up_at=values["moved_up_at"],
            record={key: value for key, value in values.items() if key not in ("sha256", _LABELLERS)},
            inherited=tuple(
                msgspec.structs.replace(by_id[record.fields[fasta.INHERITED]], genome=record.genome)
                for record in everyone
                if fasta.INHERITED in record.fields
            ),
            labellers=tuple(by_id[identifier] for identifier in values.get(_LABELLERS, ())),
            memory=dict(read_json(memory, str(path))),
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise InputError(f"{path}: does not match its line in the history: {fault}") from None


def parse_member(record: fasta.Record) -> Member:
    """Return the member that a record was written for."""
    parents = record.fields.get("parents", _NO_PARENTS)
    return Member(record.id, () if parents == _NO_PARENTS else tuple(parents.split(",")), record.genome)


def measured_champion(values: Mapping[str, Any]) -> str | None:
    """Return the champion that a generation measured, from its line in the history; None if it did not."""
    return values["champion_id"] if "ladder" in values else None


def champion_text(generation: Generation, identifier: str, settings: Settings) -> str:
    """Format the record of a generation's champion; InputError if the generation has no such member."""
    index = next((i for i, member in enumerate(generation.members) if member.id == identifier), None)
    if index is None:
        raise InputError(f"generation {generation.number}: champion {identifier!r} is not a member")
    fields = {"generation": str(generation.number), **member_fields(generation, index, identity_of(settings))}
    return fasta.format_record(fasta.Record(identifier, generation.members[index].genome, fields))


def split_records(content: bytes) -> Iterator[str]:
    """Yield the text of each record in a file of champions, damaged or not."""
    yield from filter(None, _RECORD_START.split(content.decode("latin-1")))


def find_champions(content: bytes, identifiers: Collection[str]) -> dict[str, fasta.Record]:
    """Return the intact records of the named champions from a file of champions, by id."""
    chunks = (chunk for chunk in split_records(content) if chunk[1:].partition(" ")[0] in identifiers)
    return {record.id: record for record in map(intact_record, chunks) if record is not None}


def intact_record(chunk: str) -> fasta.Record | None:
    """Parse one record; None unless it formats back to exactly the same text, checksum included."""
    try:
        (record,) = fasta.parse_fasta(chunk, "")
        generation_of(record)
        # The record of the crowned champion, in a file of its own, has neither field.
        is_ours = "parents" in record.fields or "source" in record.fields
        return record if is_ours and fasta.format_record(record) == chunk else None
    except ValueError:
        return None


def generation_of(record: fasta.Record) -> int:
    """Return the generation that a champion's record names; ValueError if it names none."""
    return int(record.fields.get("generation", ""))


def read_generation_line(line: bytes) -> dict[str, Any]:
    """Return the values of a line, any for unknown keys; InputError for one that neche never writes."""
    values = read_json(line, HISTORY_FILE)
    try:
        msgspec.convert(values, GenerationLine)
    except (msgspec.ValidationError, OverflowError, UnicodeEncodeError) as fault:
        raise InputError(f"{HISTORY_FILE}: {fault}") from None
    nulls = [key for key, value in values.items() if value is None and key not in _MAY_BE_NULL]
    if nulls:
        raise InputError(f"{HISTORY_FILE}: {nulls[0]} is null")
    return dict(values)
