"""The results file survives a killed match, and detects changes to it."""

import json

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from neche.arena.results import PairResult, open_results
from neche.errors import InputError

IDENTITY = {"event": "match", "players": ["blind:depth=1", "random"], "seed": 3}
PAIRS = [PairResult(0, (1, -1), (40, 61)), PairResult(1, (0, 0), (80, 92)), PairResult(2, (1, 1), (33, 35))]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "results.jsonl"
    results = open_results(path, IDENTITY)
    results.append(PAIRS[:2])
    results.append(PAIRS[2:])
    return path


def test_what_was_written_is_read_again(path):
    assert open_results(path, IDENTITY).pairs == tuple(PAIRS)


def test_lines_are_json_that_anyone_can_read(path):
    header, *rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert header["players"] == ["blind:depth=1", "random"]
    assert rows[0]["outcomes"] == [1, -1]
    assert rows[2]["plies"] == [33, 35]


def test_a_truncated_last_line_is_dropped_and_can_be_written_again(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    results = open_results(path, IDENTITY)
    assert results.pairs == tuple(PAIRS[:2])
    results.append(PAIRS[2:])
    assert path.read_bytes() == whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_file_cut_anywhere_loses_only_its_end(path, data):
    whole = path.read_bytes()
    length = data.draw(st.integers(0, len(whole)))
    cut = path.with_name("cut.jsonl")
    cut.write_bytes(whole[:length])
    results = open_results(cut, IDENTITY)
    assert results.pairs == tuple(PAIRS[: len(results.pairs)])
    results.append(PAIRS[len(results.pairs) :])
    assert cut.read_bytes() == whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_one_changed_byte_is_noticed(path, data):
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 2))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    changed = path.with_name("changed.jsonl")
    changed.write_bytes(whole)
    with pytest.raises(InputError, match=r"changed\.jsonl: (line \d+ is|is no|holds)"):
        open_results(changed, IDENTITY)


def test_damage_names_file_and_line(path):
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], lines[2].replace("[0, 0]", "[1, 0]"), lines[3]]))
    with pytest.raises(InputError, match=r"results\.jsonl: line 3 is damaged"):
        open_results(path, IDENTITY)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_line_nested_too_deeply_is_damaged(path, opening):
    path.write_text(opening * 200_000 + "\n")
    with pytest.raises(InputError, match=r"results\.jsonl: line 1 is damaged"):
        open_results(path, IDENTITY)


def test_a_missing_line_is_noticed(path):
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines[2:]]))
    with pytest.raises(InputError, match="line 2 is not the result of pair 0"):
        open_results(path, IDENTITY)


def test_results_of_another_event_are_refused_and_kept(path):
    before = path.read_bytes()
    with pytest.raises(InputError, match="another event: seed is 3 there, 4 here"):
        open_results(path, {**IDENTITY, "seed": 4})
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_refused_and_kept(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(InputError, match="is not a results file"):
        open_results(path, IDENTITY)
    assert path.read_text() == "years of work"


def test_a_second_writer_is_noticed(path):
    one, other = open_results(path, IDENTITY), open_results(path, IDENTITY)
    one.append([PairResult(3, (1, 0), (50, 50))])
    with pytest.raises(InputError, match="another process is writing"):
        other.append([PairResult(3, (1, 0), (50, 50))])
    assert len(open_results(path, IDENTITY).pairs) == 4


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(InputError, match="missing"):
        open_results(tmp_path / "missing" / "results.jsonl", IDENTITY)
    with pytest.raises(InputError, match="cannot be opened"):
        open_results(tmp_path, IDENTITY)
