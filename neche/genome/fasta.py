"""FASTA, the file format of genomes and populations: readable text with checksums that detect damage.

    >g12-0034 parents=g11-0002,g11-0017 rank=3 check=5f1c0e9ab2d47733
    CGATGGTAGTCGGATCAAATTTGAAGCTACAA…

A header is an id and `key=value` fields, separated by single spaces. The last field `check` holds the first
16 hex digits of SHA-256 over the header before it (without `>`), a line feed, and the letters of the sequence
as they are in the file. A hand-made file may leave it out.

A genome of strands, marked by a topology of three or four numbers in the header, has each strand on separate
lines. This is only for human readers: the parser accepts any line breaks.
"""

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from neche.errors import InputError
from neche.genome import dna
from neche.genome.dna import GENE_FORMAT, format_for
from neche.genome.strands import StrandFormat, check_length
from neche.parsing import check_text, naming_file

LABELLER = "labeller"
"""Field of the champions of earlier generations, which follow the members in a population file: the next
generation learns from their games."""
INHERITED = "inherited"
"""Field of the genome that a member was born with and passes on, if learning has changed it. The field names
the member; the record follows the members too."""
_LINE_LETTERS = 80
# More records need memory that the system allocates anew each time: 14 µs a record instead of 7.
_RECORDS_AT_ONCE = 64
_CHECK = "check"
_TOPOLOGY = "topology"
_CHECK_VALUE = re.compile(r"[0-9a-f]{16}")
_SEQUENCE = re.compile(r"[ACGTacgt]*")
_WORD = re.compile(r"[!-<>-~]+")
_WORDS = re.compile(r"[!-<>-~]+(?:\n[!-<>-~]+)*")


@dataclass(frozen=True, eq=False)
class Record:
    """One genome with its name.

    id: word without spaces or `=`
    fields: those of the header, in order, without the checksum
    genome: [L] uint8 – digits
    """

    id: str
    genome: dna.Digits
    fields: dict[str, str] = field(default_factory=dict)


def _checksum(header: bytes, letters: bytes) -> str:
    return hashlib.sha256(b"%b\n%b" % (header, letters)).hexdigest()[:16]


def format_record(record: Record) -> str:
    """Write one record as `format_records` does."""
    return format_records([record]).decode("ascii")


def format_records(records: Iterable[Record]) -> bytes:
    """Write records one after another, checksums and final line feeds included.

    InputError if a genome is not as long as the strands that its fields specify, or if an id, a key or a
    value is empty or contains a space, an `=` or a non-ASCII character.
    """
    return b"".join(format_pieces(records))


def format_pieces(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the text that `format_records` returns, some records at a time."""
    for _, alike in itertools.groupby(records, lambda one: (len(one.genome), one.fields.get(_TOPOLOGY))):
        while part := list(itertools.islice(alike, _RECORDS_AT_ONCE)):
            yield b"".join(_format_alike(part))


def _format_alike(records: Sequence[Record]) -> Iterator[bytes | memoryview]:
    """Yield the text of records with the same length and topology, in pieces."""
    headers = [_header(record) for record in records]
    length, strands = len(records[0].genome), strand_format_of(records[0].fields)
    if strands is not None:
        check_length(length, strands)
    letters = dna.decode(np.concatenate([record.genome for record in records])).encode("ascii")
    lines = [
        slice(begin, min(begin + _LINE_LETTERS, part.stop))
        for part in ([slice(0, length)] if strands is None else strands.letters)
        for begin in range(part.start, part.stop, _LINE_LETTERS)
    ]
    # Line by line for all records at once; each line leaves room for the line feeds before it.
    bodies = np.full((len(records), length + len(lines)), ord("\n"), np.uint8)
    rows = np.frombuffer(letters, np.uint8).reshape(len(records), length)
    for number, line in enumerate(lines):
        bodies[:, line.start + number : line.stop + number] = rows[:, line]
    for index, header in enumerate(headers):
        check = _checksum(header, letters[index * length : (index + 1) * length])
        yield b">%b %b=%b\n" % (header, _CHECK.encode(), check.encode())
        yield bodies[index].data


def _header(record: Record) -> bytes:
    """Return a header as the checksum covers it."""
    fields = record.fields
    # All words at once, which is several times faster; a line feed within a word would add a word.
    words = [record.id, *fields, *fields.values()]
    text = "\n".join(words)
    if not _WORDS.fullmatch(text) or text.count("\n") != 2 * len(fields):
        wrong = next(word for word in words if not _WORD.fullmatch(word))
        raise InputError(f"record {record.id!r}: {wrong!r} cannot be part of a FASTA header")
    if _CHECK in fields:
        raise InputError(f"record {record.id!r}: the field {_CHECK!r} is written automatically")
    return " ".join([record.id, *(f"{key}={value}" for key, value in fields.items())]).encode("ascii")


def members_of(records: Iterable[Record]) -> list[Record]:
    """Return the records of a population file that are members of it, in their order."""
    return [record for record in records if not {LABELLER, INHERITED} & record.fields.keys()]


def read_fasta(path: Path | str) -> list[Record]:
    """Read every record of a file; InputError if it cannot be read, or if `parse_fasta` finds a fault."""
    with naming_file(path, "read"):
        content = Path(path).read_bytes()
    # Latin-1 maps every byte to one character, so that a damaged byte reaches the checks below.
    return parse_fasta(content.decode("latin-1"), str(path))


def parse_fasta(text: str, name: str) -> list[Record]:
    """Read every record of FASTA text; `name` is the name of the file in error messages.

    Lines that begin with `;`, before the first record, are comments.
    InputError, which names file, record and line, for text without a record or not FASTA, a wrong letter, a
    sequence missing or cut off, an id or key used twice, a checksum that does not match.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [index for index, line in enumerate(lines) if line.startswith(">")]
    _check_is_fasta(lines, starts, name)
    records: dict[str, Record] = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        record = _parse_record(lines, start, end, name)
        if record.id in records:
            raise InputError(f"{name}: record {record.id}: id used twice (line {start + 1})")
        records[record.id] = record
    return list(records.values())


def _check_is_fasta(lines: list[str], starts: list[int], name: str) -> None:
    """Refuse text without a header, or with anything before the first one."""
    first = next((index for index, line in enumerate(lines) if line and line[0] != ";"), None)
    if first is None:
        raise InputError(f"{name}: empty file, expected FASTA")
    if not lines[first].isascii() or not lines[first].isprintable():
        raise InputError(f"{name}: not a text file (line {first + 1})")
    if not starts or first != starts[0]:
        raise InputError(f"{name}: not FASTA, no header line beginning with '>' before line {first + 1}")


def _parse_record(lines: list[str], start: int, end: int, name: str) -> Record:
    """Read the record whose header is lines[start] and whose sequence ends before lines[end]."""
    header = lines[start][1:]
    id_, *words = header.split(" ")
    if not _WORD.fullmatch(id_):
        raise InputError(f"{name}: header without a proper id: {header[:40]!r} (line {start + 1})")
    body: list[str] = []
    try:
        check_text(header, "header")
        fields = _parse_fields(words)
        body = lines[start + 1 : end]
        letters = "".join(body)
        genome = dna.encode(letters)
        check = fields.pop(_CHECK, None)
        if not letters:
            raise InputError("sequence is missing")
        _check_is_whole(fields, len(letters))
        if check not in (None, _checksum(header.rpartition(f" {_CHECK}=")[0].encode(), letters.encode())):
            raise InputError("checksum does not match")
    except InputError as error:
        # The line of the first wrong letter if there is one; else that of the header.
        wrong = (number for number, text in enumerate(body, start + 2) if not _SEQUENCE.fullmatch(text))
        raise InputError(f"{name}: record {id_}: {error} (line {next(wrong, start + 1)})") from error
    return Record(id_, genome, fields)


def _check_is_whole(fields: Mapping[str, str], num_letters: int) -> None:
    """Refuse a sequence that is not whole genes, or not the whole of its strands."""
    strands, counts = strand_format_of(fields), parse_counts(fields.get(_TOPOLOGY, ""))
    # The format of genes depends on the number of neurons that they must name.
    genes = format_for(sum(counts)) if counts else GENE_FORMAT
    length = genes.length if strands is None else strands.length
    if strands is not None and num_letters != length:
        raise InputError(
            f"cut off or too long, {num_letters} nucleotides are not the {length} of its strands"
        )
    if num_letters % length:
        raise InputError(f"cut off, {num_letters} nucleotides are not whole genes of {length}")


def strand_format_of(fields: Mapping[str, str]) -> StrandFormat | None:
    """Return the strands for a header whose topology is three or four numbers, `128-32-1`; else None."""
    counts = parse_counts(fields.get(_TOPOLOGY, ""))
    return StrandFormat(*counts[:-1]) if len(counts) in (3, 4) else None


def parse_counts(topology: str) -> list[int]:
    """Return the numbers of a topology as text, `50-28-118-59-1`; none if it is written otherwise."""
    counts = topology.split("-")
    is_given = all(count.isdecimal() and count.isascii() and len(count) <= 4 for count in counts)
    return [int(count) for count in counts] if is_given else []


def _parse_fields(words: list[str]) -> dict[str, str]:
    """Read the fields of a header, including the checksum."""
    fields: dict[str, str] = {}
    for word in words:
        key, separator, value = word.partition("=")
        if not (separator and _WORD.fullmatch(key) and _WORD.fullmatch(value)):
            raise InputError(f"expected key=value, found {word[:40]!r}")
        if key in fields or _is_misspelt_check(key):
            raise InputError(f"field {key!r} is unknown or used twice")
        fields[key] = value
    check = fields.get(_CHECK)
    if check is not None and not (words[-1] == f"{_CHECK}={check}" and _CHECK_VALUE.fullmatch(check)):
        raise InputError(f"{_CHECK!r} must be the last field, with 16 hex digits")
    return fields


def _is_misspelt_check(key: str) -> bool:
    """Return whether a key is `check` with one letter damaged: that must not switch the checksum off."""
    return len(key) == len(_CHECK) and sum(a != b for a, b in zip(key, _CHECK, strict=True)) == 1
