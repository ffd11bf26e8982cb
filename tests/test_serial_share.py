"""The serial share of a generation is counted by part, and every second once."""

import json

import pytest

from tools.bench.serial_share import REST, PartClock, measure, replaced


class Hand:
    """A clock that is set by hand."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return self.seconds

    def take(self, seconds):
        self.seconds += seconds


def test_time_counts_for_the_innermost_part_and_only_there():
    hand = Hand()
    clock = PartClock(hand.now)
    inner = clock.counted("inner", lambda: hand.take(4))

    def work():
        hand.take(1)
        inner()
        hand.take(2)

    hand.take(8)
    clock.counted("outer", work)()
    hand.take(16)
    clock.switch()
    assert clock.seconds == {REST: 24, "outer": 3, "inner": 4}


def test_a_part_that_fails_ends_all_the_same():
    hand = Hand()
    clock = PartClock(hand.now)

    def fail():
        hand.take(1)
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        clock.counted("failing", fail)()
    hand.take(2)
    clock.switch()
    assert clock.seconds == {REST: 2, "failing": 1}


def test_what_was_replaced_is_there_again():
    with replaced({"json.dumps": lambda old: lambda value: old(value) + "!"}):
        assert json.dumps(1) == "1!"
    assert json.dumps(1) == "1"


def test_a_run_is_counted_from_the_end_of_its_warm_up(tmp_path):
    sizes = [f"--set={word}" for word in ("population=8", "genes=40", "final_candidates=0", "ladder_games=0")]
    arguments = ["--recipe", "tournament", "--generations", "4", "--run", str(tmp_path / "run"), *sizes]
    share = measure(arguments, warm_up=1)
    assert share.generations == 3
    assert {
        "games",
        "ranking",
        "reproduction",
        "decoding",
        "folding",
        "diagnostics",
    } <= share.parts.keys()
    assert 0.0 < share.serial < 1.0
    # saving goes on beside the next generation
    assert share.others > 0.0
    assert len((tmp_path / "run" / "history.jsonl").read_text().splitlines()) == 5
