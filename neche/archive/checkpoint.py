"""A generation as text: its population in FASTA, its line in the history, and back.

Both together hold everything that the next generation follows from, besides settings and seed.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from neche.errors import InputError
from neche.evolution.population import Generation, Member, topology_of
from neche.evolution.settings import MemberSettings
from neche.genome.fasta import Record, format_record, parse_fasta
from neche.players.source import identity_fields

_NO_PARENTS = "-"


def member_fields(generation: Generation, index: int, settings: MemberSettings) -> dict[str, str]:
    """Return what a FASTA header says of the member with this index into the ranks."""
    return {
        "parents": ",".join(generation.members[index].parents) or _NO_PARENTS,
        "rank": str(index + 1),
        # repr of a float reads back as the very same float
        "strength": repr(float(generation.strengths[index])),
        "score": repr(float(generation.scores[index])),
        "games": str(int(generation.games[index])),
        **identity_fields(settings.perspective, topology_of(settings)),
    }


def format_population(generation: Generation, settings: MemberSettings) -> bytes:
    """Write the members of a generation as FASTA, best first."""
    records = (
        Record(member.id, member.genome, member_fields(generation, index, settings))
        for index, member in enumerate(generation.members)
    )
    return "".join(map(format_record, records)).encode()


def history_values(generation: Generation, population: bytes) -> dict[str, Any]:
    """Return what the generation's line in the history says, its check apart."""
    return {
        "generation": generation.number,
        "champion_id": generation.members[0].id,
        **generation.record,
        "depth": generation.depth,
        "moved_up_at": generation.moved_up_at,
        "sha256": hashlib.sha256(population).hexdigest(),
    }


def parse_generation(values: Mapping[str, Any], population: bytes, name: str) -> Generation:
    """Put a generation together from its line in the history and its population file `name`.

    Raises:
        InputError: the population is not the one that the line was written for.
    """
    if hashlib.sha256(population).hexdigest() != values["sha256"]:
        raise InputError(f"{name}: damaged: its checksum differs from the one in the history")
    records = parse_fasta(population.decode("latin-1"), name)
    return Generation(
        number=values["generation"],
        members=tuple(parse_member(record) for record in records),
        scores=np.array([float(record.fields["score"]) for record in records]),
        strengths=np.array([float(record.fields["strength"]) for record in records]),
        games=np.array([int(record.fields["games"]) for record in records], dtype=np.int64),
        depth=values["depth"],
        moved_up_at=values["moved_up_at"],
        record={key: value for key, value in values.items() if key != "sha256"},
    )


def parse_member(record: Record) -> Member:
    """Return the member that a record was written for."""
    return Member(record.id, _parents(record), record.genome)


def _parents(record: Record) -> tuple[str, ...]:
    text = record.fields["parents"]
    return () if text == _NO_PARENTS else tuple(text.split(","))
