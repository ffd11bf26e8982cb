"""The engines survive any input; `tools/fuzz/protocols.py` does the same for longer."""

import subprocess
import sys

import pytest

from tools.fuzz.protocols import TALKERS, fuzz


@pytest.mark.parametrize("protocol", TALKERS)
def test_garbage_is_answered_and_the_engine_lives_on(protocol):
    assert fuzz(protocol, 300, seed=7) > 50


def test_an_oversized_line_on_the_input_is_refused_and_nothing_is_said_on_standard_error():
    data = b"\xff\x00\xfe\n" + b"pos pos=" + b"W" * 200_000 + b"\nping\n"
    answer = subprocess.run(
        [sys.executable, "-m", "neche", "hub"], input=data, capture_output=True, check=True, timeout=120
    )
    first, second, third = answer.stdout.splitlines()
    assert first.startswith(b"error ")
    assert second == b'error message="a line of more than 65536 bytes was skipped"'
    assert third == b"pong"
    assert answer.stderr == b""
