"""Lines and messages are delivered whole or not at all, whatever the bytes."""

import io
import random
import tracemalloc

from neche.protocols.lines import read_lines, split_messages


def test_lines_are_read_with_any_line_end_and_without_one():
    assert list(read_lines(io.BytesIO(b"one\r\n two \n\nthree"))) == ["one", "two", "", "three"]


def test_a_line_that_is_too_long_is_skipped_to_its_end():
    data = b"x" * 20 + b"\nshort\n" + b"y" * 9 + b"\n" + b"z" * 100
    assert list(read_lines(io.BytesIO(data), 10)) == [None, "short", "yyyyyyyyy", None]


def test_the_longest_line_is_still_read():
    assert list(read_lines(io.BytesIO(b"x" * 10 + b"\n" + b"x" * 10), 10)) == ["x" * 10, "x" * 10]


def test_bytes_that_are_no_text_are_replaced():
    assert list(read_lines(io.BytesIO(b"a\xffb\n"))) == ["a\ufffdb"]


def test_messages_are_cut_the_same_however_the_bytes_arrive():
    data = b"one\0" + b"x" * 12 + b"\0" + b"\xc3\xa9\0\0two\0" + b"z" * 10 + b"\0" + b"y" * 500 + b"\0end\0"
    whole = list(split_messages([data], 10))
    assert whole == ["one", None, None, "two", "z" * 10, None, "end"]
    draw = random.Random(3)
    for _ in range(200):
        chunks, at = list[bytes](), 0
        while at < len(data):
            size = draw.randrange(1, 30)
            chunks.append(data[at : at + size])
            at += size
        assert list(split_messages(chunks, 10)) == whole


def test_a_message_without_end_takes_no_memory():
    tracemalloc.start()
    try:
        assert list(split_messages((b"x" * 1000 for _ in range(1000)), 10)) == []
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
