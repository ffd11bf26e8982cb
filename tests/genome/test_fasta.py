import hashlib

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.genome import dna
from neche.genome.fasta import (
    Record,
    format_record,
    format_records,
    parse_fasta,
    read_fasta,
)
from tests.genome.strategies import genomes

WORDS = st.text(alphabet="abcXYZ019,.:;-_/#+>", min_size=1, max_size=8)
GENE = "CGATGGTAGTCGGATC"


def small_file() -> str:
    rng = np.random.default_rng(1)
    return "".join(
        format_record(
            Record(f"g1-{index}", dna.random_genome(6, rng), {"parents": "g0-1,g0-2", "rank": str(index)})
        )
        for index in range(2)
    )


@given(
    st.lists(st.tuples(WORDS, genomes(), st.dictionaries(WORDS, WORDS)), min_size=1, unique_by=lambda r: r[0])
)
def test_records_come_back_as_they_were_written(rows):
    rows = [
        (id_, genome, {f"k{key}": value for key, value in fields.items()}) for id_, genome, fields in rows
    ]
    text = "".join(format_record(Record(*row)) for row in rows)
    records = parse_fasta(text, "file")
    assert [(r.id, r.genome.tolist(), r.fields) for r in records] == [(i, g.tolist(), f) for i, g, f in rows]


def test_lines_are_80_letters_and_the_checksum_is_documented_sha256():
    text = format_record(Record("g0-1", dna.encode(GENE * 6), {"rank": "1"}))
    header, *lines = text.splitlines()
    digest = hashlib.sha256(f"g0-1 rank=1\n{GENE * 6}".encode()).hexdigest()[:16]
    assert header == f">g0-1 rank=1 check={digest}"
    assert [len(line) for line in lines] == [80, 16]
    assert text.endswith("\n")


ENDS = {"3-2-1": {20, 45, 70}, "30-0-1": {155}}
"""Letters at which strands end: a weight has five, the output 1 + 3 weights and a neuron 2 + 3."""


def slowly_written(record):
    """Write a record as documented, letter by letter; each strand begins a line."""
    header = " ".join([record.id, *(f"{key}={value}" for key, value in record.fields.items())])
    letters = "".join("ACGT"[digit] for digit in record.genome)
    digest = hashlib.sha256(f"{header}\n{letters}".encode()).hexdigest()[:16]
    ends = ENDS.get(record.fields.get("topology"), {len(letters)})
    text, column = f">{header} check={digest}\n", 0
    for place, letter in enumerate(letters, 1):
        text, column = text + letter, column + 1
        if column == 80 or place in ends:
            text, column = text + "\n", 0
    return text


@given(st.integers(0, 140), st.lists(st.sampled_from(["", "3-2-1", "30-0-1"]), max_size=2), st.randoms())
def test_records_written_together_are_those_written_one_by_one(count, topologies, random):
    rng = np.random.default_rng(random.getrandbits(32))
    lengths = {"": 16 * random.randrange(1, 14), "3-2-1": 5 * 14, "30-0-1": 5 * 31}
    chosen = [random.choice(topologies or [""]) for _ in range(count)]
    records = [
        Record(
            f"g-{index}",
            rng.integers(4, size=lengths[words], dtype=np.uint8),
            {"topology": words} if words else {},
        )
        for index, words in enumerate(chosen)
    ]
    assert format_records(records) == "".join(map(slowly_written, records)).encode()


@pytest.mark.parametrize("id_", ["a b", "a=b", "a\nb", "", "ä"])
def test_one_word_that_no_header_can_hold_is_refused_among_good_records(id_):
    rows = [Record(name, dna.encode(GENE), {"rank": "1"}) for name in ("first", id_, "last")]
    with pytest.raises(InputError, match="cannot be part of a FASTA header"):
        format_records(rows)


def test_a_hand_made_file_needs_no_checksum_no_fields_and_no_wrapping():
    (record,) = parse_fasta(f"\n>mine\r\n{GENE.lower()}\r\n\r\n{GENE}", "file")
    assert (record.id, record.fields, dna.decode(record.genome)) == ("mine", {}, GENE * 2)


def test_a_file_is_read_from_disk(tmp_path):
    path = tmp_path / "population.fasta"
    path.write_text(small_file())
    assert [record.id for record in read_fasta(path)] == ["g1-0", "g1-1"]


def check_damage(values_at):
    content = small_file().encode()
    for position, byte in enumerate(content):
        for value in values_at(byte) - {byte}:
            damaged = content[:position] + bytes([value]) + content[position + 1 :]
            with pytest.raises(InputError, match=r"\Afile: [^\n]+\Z"):
                parse_fasta(damaged.decode("latin-1"), "file")


def test_every_damaged_byte_is_noticed():
    flipped = [1 << bit for bit in range(8)]
    check_damage(lambda byte: {0, 9, 10, 13, 32, 61, 62, 65, 67, 103} | {byte ^ bit for bit in flipped})


@pytest.mark.slow
def test_every_other_value_of_every_byte_is_noticed():
    check_damage(lambda byte: set(range(256)))


def test_every_cut_inside_a_record_is_noticed():
    content = small_file()
    border = content.index(">", 1)
    whole = {border, border - 1, len(content) - 1}
    for end in range(len(content)):
        if end not in whole:
            with pytest.raises(InputError):
                parse_fasta(content[:end], "file")


def test_comments_before_the_first_record_are_passed_over():
    # as in the FASTA of Pearson and Lipman's programs
    (record,) = parse_fasta(f"; one\n;>two\n\n>a x=1\n{GENE}", "file")
    assert (record.id, record.fields) == ("a", {"x": "1"})
    with pytest.raises(InputError, match="record a"):
        parse_fasta(f">a\n; not here\n{GENE}", "file")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "file: empty file, expected FASTA"),
        ("\n\n", "file: empty file, expected FASTA"),
        ("; a comment\n", "file: empty file, expected FASTA"),
        (f"; a comment\n{GENE}", "file: not FASTA, no header line beginning with '>' before line 2"),
        (GENE, "file: not FASTA, no header line beginning with '>' before line 1"),
        (f"{GENE}\n>a\n{GENE}", "file: not FASTA, no header line beginning with '>' before line 1"),
        ("\x7fELF\x02\x01\x00", "file: not a text file (line 1)"),
        (f">\n{GENE}", "file: header without a proper id: '' (line 1)"),
        (f"> a\n{GENE}", "file: header without a proper id: ' a' (line 1)"),
        (f">a hello\n{GENE}", "file: record a: expected key=value, found 'hello' (line 1)"),
        (f">a x=1 x=2\n{GENE}", "file: record a: field 'x' is unknown or used twice (line 1)"),
        (f">a\n{GENE}\n>a\n{GENE}", "file: record a: id used twice (line 3)"),
        (">a\n\n>b\nACGT", "file: record a: sequence is missing (line 1)"),
        (
            f">a\n{GENE}\n>b\n{GENE[:-3]}",
            "file: record b: cut off, 13 nucleotides are not whole genes of 16 (line 3)",
        ),
        (f">a\n{GENE}\nACGU", "file: record a: DNA: 'U' at position 20 is not one of A, C, G, T (line 3)"),
        (f">a check=0123456789abcdef\n{GENE}", "file: record a: checksum does not match (line 1)"),
        (
            f">a check=12\n{GENE}",
            "file: record a: 'check' must be the last field, with 16 hex digits (line 1)",
        ),
        (
            f">a check=0123456789abcdef x=1\n{GENE}",
            "file: record a: 'check' must be the last field, with 16 hex digits (line 1)",
        ),
        (
            f">a chexk=0123456789abcdef\n{GENE}",
            "file: record a: field 'chexk' is unknown or used twice (line 1)",
        ),
    ],
)
def test_a_fault_is_named_with_file_record_and_line(text, message):
    with pytest.raises(InputError) as caught:
        parse_fasta(text, "file")
    assert str(caught.value) == message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"absent\.fasta: cannot be read"):
        read_fasta(tmp_path / "absent.fasta")


@pytest.mark.parametrize(
    ("id_", "fields"),
    [
        ("", {}),
        ("a b", {}),
        ("a=b", {}),
        ("a", {"k": ""}),
        ("a", {"k k": "v"}),
        ("ä", {}),
        ("a", {"check": "1"}),
    ],
)
def test_words_that_no_header_can_hold_are_refused(id_, fields):
    with pytest.raises(InputError, match="record"):
        format_record(Record(id_, dna.encode(GENE), fields))
