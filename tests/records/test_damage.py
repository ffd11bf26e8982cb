"""Damaged files: read, or refused in one line; those read must be the same when written and read again.

`tools/fuzz/records.py` does the same with tens of thousands.
"""

import io
import random
import time

import pytest

from neche.records.formats import FORMATS, format_named
from tools.fuzz.records import SAMPLES, damaged, outcome_of

CASES = 150


@pytest.mark.parametrize("chosen", FORMATS, ids=[known.name for known in FORMATS])
def test_damaged_files_are_read_or_refused_in_one_line(chosen):
    sample = SAMPLES[chosen.name]
    assert outcome_of(sample, chosen) == "read"
    outcomes = [outcome_of(damaged(sample, random.Random(case)), chosen) for case in range(CASES)]
    assert "refused" in outcomes


@pytest.mark.parametrize("chosen", FORMATS, ids=[known.name for known in FORMATS])
def test_a_sample_holds_several_games(chosen):
    records = list(chosen.read(io.BytesIO(SAMPLES[chosen.name]), "sample", "", pytest.fail))
    assert len(records) >= 2


def test_an_endless_value_is_refused_in_time():
    began = time.process_time()
    assert outcome_of(b"(;GM[Othello]CO[" + b"endless\n" * 200_000, format_named("ggf")) == "refused"
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "{" * 100_000,
        "[" * 100_000,
        "1. 11-15 (" * 1000,
        '[A "' * 50_000,
        "/" * 100_000,
        "$" * 9999,
    ],
)
def test_endless_brackets_are_refused_at_once(text):
    pdn = FORMATS[0]
    assert outcome_of(text.encode(), pdn) == "refused"
