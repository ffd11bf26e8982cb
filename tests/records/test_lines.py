"""Lines of files: line ends and encodings."""

import io
import random
import re

import pytest

from neche.errors import InputError
from neche.records import reading
from neche.records.reading import read_lines


def lines_of(data):
    return list(read_lines(io.BytesIO(data), "test.pdn"))


def test_a_large_file_of_an_old_mac_has_lines_like_any_other():
    lines = [f"line {number}" for number in range(1, 150_000)]
    data = "\r".join(lines).encode()
    assert len(data) > reading.MAX_LINE
    assert lines_of(data) == list(enumerate(lines, 1))


def test_lines_end_in_three_ways_wherever_a_block_of_bytes_ends(monkeypatch):
    monkeypatch.setattr(reading, "MAX_LINE", 8)
    rng = random.Random(5)
    for _ in range(2000):
        text = "".join(
            "x" * rng.randrange(7) + rng.choice(("\r", "\r", "\n", "\r\n")) for _ in range(rng.randrange(12))
        )
        expected = re.split("\r\n|\r|\n", text)[:-1]
        assert [line for _, line in lines_of(text.encode())] == expected


def test_a_line_that_is_too_long_is_one_behind_others_of_an_old_mac_too(monkeypatch):
    monkeypatch.setattr(reading, "MAX_LINE", 8)
    with pytest.raises(InputError, match="line 3: longer than 8 bytes"):
        lines_of(b"a\rb\r123456789\rc")


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_large_file_in_utf_16_may_end_its_lines_in_any_way(encoding, end):
    # Some ends fall on the ends of blocks, 32768 letters apart.
    lines = [f"line {number:07}" for number in range(1, 120_000)]
    data = ("\ufeff" + end.join(lines)).encode(encoding)
    assert len(data) // 2 > reading.MAX_LINE
    assert lines_of(data) == list(enumerate(lines, 1))


def test_each_line_of_an_old_mac_has_letters_of_its_own():
    assert lines_of("Łódź\r".encode() + "Köln\r".encode("latin-1")) == [(1, "Łódź"), (2, "Köln")]
