"""Damaged and malicious runs: text on the page, or one line that names the fault."""

import json
import random
import re
from functools import partial
from typing import Any

import pytest
from markupsafe import escape

from neche.errors import InputError
from neche.report.chart import draw_chart
from neche.report.curves import charts_of
from neche.report.lineage import trace
from neche.report.page import compose
from neche.report.story import read_story
from neche.report.summary import command, headline, title
from tests.report.pages import read
from tests.report.runs import copied, made_run, sealed_history

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1e308, -1e308, 0.5, "", "x", "<b>"),
    *([], [1], {}, {"a": 0.5}, {"a": "b"}),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made_run(tmp_path_factory.mktemp("runs") / "made")


def hostile_runs(tmp_path, run):
    evil = "</script><script>alert(1)</script><img/src&'\">"
    other = copied(run, tmp_path / "evil")
    sealed_history(
        other,
        lambda values: {
            **values,
            "warnings": [evil],
            **({"ladder": {evil: 0.5, "</title>": 0.25}} if "ladder" in values else {}),
            "champion_id": evil.replace("=", "") if values["generation"] < 4 else values["champion_id"],
        },
    )
    yield other, evil


def test_whatever_files_say_is_text_on_the_page(tmp_path, run):
    for path, evil in hostile_runs(tmp_path, run):
        page = compose(read_story(path), []).html
        reader = read(page)
        assert "<script>alert" not in page
        assert "<img" not in page
        assert escape(evil) in page
        assert [tag for tag, _ in reader.tags].count("script") == 1
        assert evil in "".join(reader.words)


def test_hostile_settings_and_ids_are_text_too(tmp_path):
    evil = "<svg/onload=alert(1)>\"'&</style></script>"
    path = made_run(tmp_path / "made", generations=2, ladder=json.dumps([evil]))
    page = compose(read_story(path), []).html
    read(page)
    assert "<svg/onload" not in page
    assert escape(evil) in page
    fasta = (path / "champion.fasta").read_text().replace(">g1-0000 ", "><script>alert(1)</script> ", 1)
    (path / "champion.fasta").write_text(re.sub(r" check=\w+", "", fasta))
    page = compose(read_story(path), []).html
    read(page)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("generation", "1"),
        ("generation", -1),
        ("champion_id", 5),
        ("champion_id", ["x"]),
        ("ladder", {"blind:depth=1": 7}),
        ("ladder", {"blind:depth=1": "a"}),
        ("ladder", [1]),
        ("depth", None),
        ("distance", "0.5"),
        ("warnings", "text"),
        ("warnings", [1]),
        ("games", 10**40),
        ("moved_up_at", 1.5),
    ],
)
def test_a_history_of_other_types_is_refused_in_one_line(tmp_path, run, key, value):
    other = copied(run, tmp_path / "other")
    sealed_history(other, lambda values: {**values, key: value})
    with pytest.raises(InputError, match=r"history\.jsonl"):
        read_story(other)


def test_a_damaged_line_of_the_history_is_named(tmp_path, run):
    other = copied(run, tmp_path / "other")
    content = (other / "history.jsonl").read_bytes()
    (other / "history.jsonl").write_bytes(content.replace(b'"live_synapses": 11.0', b'"live_synapses": 91.0'))
    with pytest.raises(InputError, match="line 2 is damaged"):
        read_story(other)


ODD_BYTES = (b"[" * 5000, b"\n", b"\0", b'"', b"}", b">x\n", b"9" * 5000)


def damaged(content, rng):
    """Return the bytes with one random fault."""
    at, kind = rng.randrange(len(content) + 1), rng.randrange(6)
    other = rng.randrange(len(content) + 1)
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]
    if kind == 2:
        return content[:at] + rng.randbytes(rng.randrange(1, 40)) + content[at:]
    if kind == 3:
        return content[: min(at, other)] + content[max(at, other) :]
    if kind == 4:
        return (
            content[:at]
            + rng.choice([b"[" * 5000, b"\n", b"\0", b'"', b"}", b">x\n", b"9" * 5000])
            + content[at:]
        )
    return rng.choice([b"", b"\n", b"{}\n", b"null\n", b"[]", b">", rng.randbytes(200)])


def tell(path):
    """Read everything; return the fault, None if there is none."""
    try:
        story = read_story(path)
        trace(story)
    except InputError as fault:
        return str(fault)
    charts = [draw_chart(chart) for chart in charts_of(story)]
    assert not any("nan" in chart or "inf" in chart for chart in charts)
    assert title(story)
    assert headline(story)
    assert command(story)
    return None


def test_damaged_runs_give_a_page_or_one_line(tmp_path, run):
    rng, other = random.Random(11), copied(run, tmp_path / "fuzzed")
    files = {path: path.read_bytes() for path in sorted(other.rglob("*")) if path.is_file()}
    faults = []
    for _ in range(400):
        path = rng.choice(list(files))
        path.write_bytes(damaged(files[path], rng))
        faults.append(tell(other))
        path.write_bytes(files[path])
    refused = [fault for fault in faults if fault is not None]
    assert len(refused) > 200
    assert not any("\n" in fault for fault in refused)


def test_forged_histories_give_a_page_or_one_line(tmp_path, run):
    rng, other = random.Random(12), copied(run, tmp_path / "made-up")
    keys = list(json.loads((run / "history.jsonl").read_text().splitlines()[0]))
    original, faults = (other / "history.jsonl").read_bytes(), []
    for _ in range(600):
        key, value, at = rng.choice(keys[:-1]), rng.choice(ODD_VALUES), rng.randrange(5)
        (other / "history.jsonl").write_bytes(original)
        sealed_history(other, partial(changed, key=key, value=value, at=at))
        faults.append(tell(other))
    assert 30 < faults.count(None) < 270
    assert not any("\n" in (fault or "") for fault in faults)


def changed(values, *, key, value, at):
    return {**values, key: value} if values["generation"] == at else values


def test_errors_too_small_for_any_axis_are_drawn_on_its_ground(tmp_path, run):
    other = copied(run, tmp_path / "tiny")
    sealed_history(other, lambda values: {**values, "prediction_error": 5e-324})
    charts = {chart.name: draw_chart(chart) for chart in charts_of(read_story(other))}
    (floor,) = {*re.findall(r'cy="([^"]*)"', charts["prediction"])}
    assert f"M50 {floor}H" in charts["prediction"]
