import json

from hypothesis import given, strategies as st

from neche.archive.checkpoint import format_line, parse_history

SEED = "f" * 64


def values_of(number):
    stage = {"champion_id": None, "depth": 1, "moved_up_at": None, "sha256": "0" * 64}
    return {"generation": number, **stage, "score": number / 7}


def written(count):
    content, check = b"", SEED
    for number in range(count):
        line, check = format_line(values_of(number), check)
        content += line
    return content


CONTENT = written(5)


def test_lines_come_back():
    entries = parse_history(CONTENT, SEED)
    assert [entry.values for entry in entries] == list(map(values_of, range(5)))
    assert all(entry.intact for entry in entries)
    assert [entry.line for entry in entries] == [1, 2, 3, 4, 5]
    assert entries[-1].end == len(CONTENT)


def test_each_line_is_a_json_object():
    assert json.loads(CONTENT.splitlines()[2])["generation"] == 2


@given(position=st.integers(0, len(CONTENT) - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_spoils_its_line_and_leaves_the_newest_of_the_others(position, bit):
    content = bytearray(CONTENT)
    content[position] ^= 1 << bit
    damaged = CONTENT[:position].count(b"\n")
    intact = [e.values["generation"] for e in parse_history(bytes(content), SEED) if e.intact]
    # If the damage hit the check, the line after it cannot be checked.
    assert set(intact) in ({0, 1, 2, 3, 4} - {damaged}, {0, 1, 2, 3, 4} - {damaged, damaged + 1})


@given(length=st.integers(0, len(CONTENT)))
def test_a_cut_leaves_the_whole_lines(length):
    entries = parse_history(CONTENT[:length], SEED)
    assert sum(entry.intact for entry in entries) == CONTENT[:length].count(b"\n")


def test_lines_cannot_change_places_or_move_to_another_run():
    lines = CONTENT.splitlines(keepends=True)
    swapped = parse_history(b"".join([lines[0], lines[2], lines[1], *lines[3:]]), SEED)
    assert [entry.intact for entry in swapped] == [True, False, False, False, True]
    assert not parse_history(CONTENT, "0" * 64)[0].intact
