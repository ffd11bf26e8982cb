"""A generation as text: its population, its line in the history, its champion; and back.

Population and line together hold everything that the next generation follows from, besides settings and seed.

history.jsonl has one line a generation, each sealed and chained to the one before it.

    {"generation": 12, "depth": 1, …, "moved_up_at": null, "sha256": "…", "check": "0f…"}

`sha256` is that of the generation's population file. `check`, always last, holds the first 16 hex digits of
SHA-256 over the check of the line before (the fingerprint of config.toml before the first) and the line up to
`, "check"`.

champions.fasta has every champion that was measured, once, as of the generation it was first measured in.
Between two measurements the leader of a generation is in its line of the history and in its population alone:
in an evolution strategy each has a new one.
"""

import hashlib
import json
import re
import string
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import numpy as np

from neche.archive.generation_line import GenerationLine
from neche.errors import InputError
from neche.evolution.islands import emigrants
from neche.evolution.population import Generation, Member
from neche.evolution.settings import Settings
from neche.genome.fasta import (
    INHERITED,
    LABELLER,
    Record,
    format_pieces,
    format_record,
    format_records,
    members_of,
    parse_fasta,
)
from neche.network.topology import parse_topology
from neche.parsing import read_json
from neche.players.source import HISTORY_FILE, identity_fields

CHECK_DIGITS = 16

_NO_PARENTS = "-"
_LABELLERS = "labellers"
_MAY_BE_NULL = ("champion_id", "moved_up_at")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_SEALED_LINE = re.compile(rb'(.*), "check": "([0-9a-f]{16})"\}\n', re.DOTALL)
_RECORD_START = re.compile(r"^(?=>)", re.MULTILINE)


class HistoryLine(NamedTuple):
    """One line of the history.

    line: number in the file, from 1
    values: what the line says, without the check; empty when the line is damaged
    check: as it stands in the line, empty when none can be read
    intact: the line is whole, follows from the one before it and says what such a line may say
    end: bytes from the start of the file to the end of the line
    """

    line: int
    values: dict[str, Any]
    check: str
    intact: bool
    end: int


def format_line(values: Mapping[str, Any], previous_check: str) -> tuple[bytes, str]:
    """Write one line, line feed included; returns it with its check."""
    # Without the closing brace: the check, computed over all before it, is appended as the last member.
    body = json.dumps(values, allow_nan=False).encode()[:-1]
    check = _check(body, previous_check)
    return body + f', "check": "{check}"}}\n'.encode(), check


def parse_history(content: bytes, fingerprint: str) -> list[HistoryLine]:
    """Read every line, marking those that are not intact; a last line without line feed is not."""
    entries: list[HistoryLine] = []
    previous_check, end = fingerprint, 0
    for number, line in enumerate(_LINE.findall(content), 1):
        end += len(line)
        entry = _parse_line(line, number, previous_check, end)
        entries.append(entry)
        # The check as it stands in the line, even of a damaged one, so that a single flipped byte costs one
        # line and not all that follow.
        previous_check = entry.check
    return entries


def _parse_line(line: bytes, number: int, previous_check: str, end: int) -> HistoryLine:
    # The check is the last thing in a line, whatever that says before.
    match = _SEALED_LINE.fullmatch(line)
    body, check = (match[1], match[2].decode()) if match else (b"", "")
    if check and previous_check and check == _check(body, previous_check):
        # Parsed only after the check agrees: a damaged line never reaches the parser.
        with suppress(InputError):
            return HistoryLine(number, read_generation_line(body + b"}"), check, True, end)
    return HistoryLine(number, {}, check, False, end)


def _check(body: bytes, previous_check: str) -> str:
    return hashlib.sha256(previous_check.encode() + body).hexdigest()[:CHECK_DIGITS]


def member_fields(generation: Generation, index: int, identity: Mapping[str, str]) -> dict[str, str]:
    """Return what a FASTA header says of the member with this index into the ranks; `identity_of` ends it."""
    return {
        "parents": ",".join(generation.members[index].parents) or _NO_PARENTS,
        "rank": str(index + 1),
        # repr of a float reads back as the very same float
        "strength": repr(float(generation.strengths[index])),
        "score": repr(float(generation.scores[index])),
        "games": str(int(generation.games[index])),
        **identity,
    }


def identity_of(settings: Settings) -> dict[str, str]:
    """Return what the FASTA headers of a run say of all its networks alike."""
    members = settings.members
    return identity_fields(members.perspective, parse_topology(members.topology), settings.games.game)


def score_field(player: str) -> str:
    """Return the field of a FASTA header that holds the crowned champion's score against a player.

    >>> score_field("material:depth=4"), score_field("network:file=my runs/é,depth=4")
    ('material:depth4', 'network:filemy%20runs/%C3%A9,depth4')
    """
    # The path of a player may have spaces and letters beyond ASCII, which a header has not.
    return quote(player.replace("=", ""), safe=string.punctuation)


def crowned_score(fields: Mapping[str, str], player: str) -> float | None:
    """Return the score against a player that the header of a crowned champion says, None if it has none."""
    with suppress(ValueError):
        score = float(fields.get(score_field(player), ""))
        return score if 0.0 <= score <= 1.0 else None
    return None


def format_population(generation: Generation, settings: Settings) -> Iterator[bytes]:
    """Write the members of a generation as FASTA, best first; yields it in pieces."""
    return format_pieces(_population_records(generation, identity_of(settings)))


def _population_records(generation: Generation, identity: Mapping[str, str]) -> Iterator[Record]:
    for index, member in enumerate(generation.members):
        yield Record(member.id, member.genome, member_fields(generation, index, identity))
    known = {member.id for member in generation.members}
    for member in generation.labellers:
        if member.id not in known:
            yield Record(member.id, member.genome, {LABELLER: "earlier", **identity})
    for member in generation.inherited:
        yield Record(f"{member.id}-{INHERITED}", member.genome, {INHERITED: member.id, **identity})


def format_emigrants(generation: Generation, settings: Settings) -> bytes:
    """Write the members that go on to the next island as FASTA, best first: as born, where that goes on."""
    identity = identity_of(settings)
    passed_on = generation.inherited or generation.members
    return format_records(
        [
            Record(passed_on[rank].id, passed_on[rank].genome, member_fields(generation, rank, identity))
            for rank in emigrants(generation, settings.islands.migrants)
        ]
    )


def history_values(generation: Generation, digest: str) -> dict[str, Any]:
    """Return what the generation's line in the history says, its check apart; digest: of its population."""
    return {
        "generation": generation.number,
        "champion_id": generation.members[0].id,
        **generation.record,
        "depth": generation.depth,
        "moved_up_at": generation.moved_up_at,
        **({_LABELLERS: [member.id for member in generation.labellers]} if generation.labellers else {}),
        "sha256": digest,
    }


def parse_generation(values: Mapping[str, Any], population: bytes, name: str) -> Generation:
    """Put a generation together from its line in the history and its population file `name`.

    Raises:
        InputError: the population is not the one that the line was written for.
    """
    # Before anything is parsed: what differs from what was written is not looked into.
    if hashlib.sha256(population).hexdigest() != values["sha256"]:
        raise InputError(f"{name}: damaged: its checksum differs from the one in the history")
    everyone = parse_fasta(population.decode("latin-1"), name)
    records = members_of(everyone)
    by_id = {record.id: parse_member(record) for record in everyone}
    # The checksums of a forged run are right.
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
                msgspec.structs.replace(by_id[record.fields[INHERITED]], genome=record.genome)
                for record in everyone
                if INHERITED in record.fields
            ),
            labellers=tuple(by_id[identifier] for identifier in values.get(_LABELLERS, ())),
        )
    except (KeyError, ValueError) as fault:
        raise InputError(f"{name}: is not what its line in the history says: {fault}") from None


def parse_member(record: Record) -> Member:
    """Return the member that a record was written for."""
    parents = record.fields.get("parents", _NO_PARENTS)
    return Member(record.id, () if parents == _NO_PARENTS else tuple(parents.split(",")), record.genome)


def measured_champion(values: Mapping[str, Any]) -> str | None:
    """Return the champion that a generation measured, from its line in the history; None when it did not."""
    return values["champion_id"] if "ladder" in values else None


def champion_text(generation: Generation, identifier: str, settings: Settings) -> str:
    """Write the record of a generation's champion; InputError if the generation has no such member."""
    index = next((i for i, member in enumerate(generation.members) if member.id == identifier), None)
    if index is None:
        raise InputError(f"generation {generation.number}: champion {identifier!r} is not a member")
    fields = {"generation": str(generation.number), **member_fields(generation, index, identity_of(settings))}
    return format_record(Record(identifier, generation.members[index].genome, fields))


def split_records(content: bytes) -> Iterator[str]:
    """Yield the text of each record of a file of champions, damaged or not."""
    yield from filter(None, _RECORD_START.split(content.decode("latin-1")))


def find_champions(content: bytes, identifiers: Collection[str]) -> dict[str, Record]:
    """Return the intact records of some champions from a file of them, by id."""
    chunks = (chunk for chunk in split_records(content) if chunk[1:].partition(" ")[0] in identifiers)
    return {record.id: record for record in map(intact_record, chunks) if record is not None}


def intact_record(chunk: str) -> Record | None:
    """Read one record; None unless it reads back to the very same text, checksum included."""
    try:
        (record,) = parse_fasta(chunk, "")
        generation_of(record)
        # That of the crowned champion, in a file of its own, says neither.
        is_ours = "parents" in record.fields or "source" in record.fields
        return record if is_ours and format_record(record) == chunk else None
    except ValueError:
        return None


def generation_of(record: Record) -> int:
    """Return the generation that a champion's record names; ValueError if it names none."""
    return int(record.fields.get("generation", ""))


def read_generation_line(line: bytes) -> dict[str, Any]:
    """Return what a line says. Keys that are not known here may say anything.

    Raises:
        InputError: it says what no line of neche does.
    """
    values = read_json(line, HISTORY_FILE)
    try:
        msgspec.convert(values, GenerationLine)
    except (msgspec.ValidationError, OverflowError, UnicodeEncodeError) as fault:
        raise InputError(f"{HISTORY_FILE}: {fault}") from None
    nulls = [key for key, value in values.items() if value is None and key not in _MAY_BE_NULL]
    if nulls:
        raise InputError(f"{HISTORY_FILE}: {nulls[0]} is null")
    return dict(values)
