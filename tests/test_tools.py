"""The tools that check the program are themselves correct."""

import random
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from tools import campaign
from tools.bench import compare_commits, peers
from tools.checks import kill_and_resume, memory
from tools.fuzz import cache
from tools.pictures import report_picture


def test_a_changed_a_missing_and_an_extra_file_are_told_apart():
    expected = {"config.toml": "1", "history.jsonl": "2", "champions.fasta": "3"}
    found = {"config.toml": "1", "history.jsonl": "9", "notes.txt": "4"}
    assert kill_and_resume.differences(expected, found) == [
        "champions.fasta: missing",
        "history.jsonl: differs",
        "notes.txt: too many",
    ]
    assert kill_and_resume.differences(expected, expected) == []


def test_contents_see_every_byte_and_leave_the_lock_out(tmp_path):
    (tmp_path / "generations").mkdir()
    (tmp_path / "generations" / "000001.fasta").write_bytes(b">a\nACGT\n")
    (tmp_path / ".lock").touch()
    before = kill_and_resume.contents(tmp_path)
    assert list(before) == ["generations/000001.fasta"]
    (tmp_path / "generations" / "000001.fasta").write_bytes(b">a\nACGA\n")
    assert kill_and_resume.contents(tmp_path) != before


def test_growth_is_seen_after_the_first_part_alone():
    steady = [memory.Sample(10.0 * min(at, 20), 5, 2) for at in range(100)]
    assert memory.growth(steady) == (memory.Sample(200, 5, 2), memory.Sample(200, 5, 2), False)
    for leak in (
        lambda at: (200 + at / 4, 5, 2),
        lambda at: (200, 5 + at // 50, 2),
        lambda at: (200, 5, 2 + at // 50),
    ):
        *_, has_grown = memory.growth([memory.Sample(*leak(at)) for at in range(100)])
        assert has_grown


def test_rates_and_signature_are_found_at_any_depth():
    result = {"nodes": 7, "seed": 1, "playouts": {"nodes": 3, "games_per_second": 10.0}, "label": "x"}
    assert compare_commits.rates_in(result) == {"playouts.games_per_second": 10.0}
    assert compare_commits.signature(result) == {"nodes": 7, "playouts": {"nodes": 3}}


def test_the_table_of_two_commits_gives_medians_and_the_median_of_the_ratios():
    old = [{"nodes_per_second": rate} for rate in (100.0, 200.0, 100.0)]
    new = [{"nodes_per_second": rate} for rate in (150.0, 400.0, 120.0)]
    (line,) = compare_commits.table(old, new)
    assert line.split() == [
        "nodes_per_second",
        "100",
        "→",
        "150",
        "×",
        "1.500",
        "(rounds",
        "1.200",
        "…",
        "2.000)",
    ]


def test_a_peer_does_not_pay_for_our_count(monkeypatch):
    counted: list[int] = []

    def perft(position: None, depth: int) -> int:
        counted.append(depth)
        return 7

    rules = SimpleNamespace(start=lambda: None, perft=perft)
    monkeypatch.setattr(peers, "game", lambda name: rules)
    seven, eight = (f"x=checkers=1={sys.executable} -c print({leaves})" for leaves in (7, 8))
    row = peers.perft_row(seven)
    counted.clear()
    assert row.theirs() == 7
    assert counted == []
    assert row.ours() == 7
    with pytest.raises(SystemExit, match="8 leaves to depth 1; here there are 7"):
        peers.perft_row(eight).theirs()


def test_only_generations_that_the_history_knows_count_as_finished(tmp_path):
    (tmp_path / "generations").mkdir()
    for number in range(3):
        (tmp_path / "generations" / f"{number:06}.fasta").touch()
    (tmp_path / "history.jsonl").write_text('{"generation": 0}\n{"generation": 1}\n{"gener')
    assert [path.name for path in kill_and_resume.written_at(tmp_path)] == ["000000.fasta", "000001.fasta"]


@pytest.fixture
def toys(tmp_path):
    """An area whose tool fails with seed 8 and never ends with seed 9."""
    tool = "import pathlib, sys, time\nprint(sys.argv[1:])\nseed = sys.argv[-1]\n"
    tool += "time.sleep(600 if seed == '9' else 0)\npathlib.Path('ended').touch()\nsys.exit(seed == '8')\n"
    (tmp_path / "tool.py").write_text(tool)
    return campaign.Area("tool.py --cases", 30, "toys", kinds=2)


def test_a_campaign_counts_what_was_tried_and_what_failed(toys, tmp_path):
    score = campaign.Score()
    for seed in (6, 7, 8):
        campaign.run_batch(toys, seed, score, time.monotonic() + 60, tmp_path)
    *_, line = campaign.table({"x": score}, {"x": toys})
    area, tried, unit, batches, _, failed = line.split()
    assert (area, tried, unit, batches, failed) == ("x", "180", "toys", "3", "1")
    assert score.faults == ["seed 8: ['--cases', '30', '--seed', '8']\n"]


def test_a_batch_that_the_end_of_the_time_cuts_counts_for_nothing(toys, tmp_path):
    score = campaign.Score()
    campaign.run_batch(toys, 9, score, time.monotonic() + 1, tmp_path)
    assert score == campaign.Score()
    assert not (tmp_path / "ended").exists()
    campaign.run_batch(toys, 6, score, time.monotonic() + 60, tmp_path)
    assert (tmp_path / "ended").exists()


def test_a_campaign_takes_all_areas_in_turn(toys, tmp_path, monkeypatch):
    tried = []
    monkeypatch.setattr(campaign, "AREAS", {"a": toys, "b": toys, "c": toys})

    def run_batch(area, seed, score, until):
        tried.append(seed)
        time.sleep(0.01)

    monkeypatch.setattr(campaign, "run_batch", run_batch)
    scores = campaign.campaign(["a", "b", "c"], 5, 0.2, jobs=2)
    assert list(scores) == ["a", "b", "c"]
    assert len(set(tried)) == len(tried) > 5
    assert min(tried) == 5_000_000


def test_every_tool_of_a_campaign_is_there():
    assert all((campaign.ROOT / area.words.split()[0]).is_file() for area in campaign.AREAS.values())


def test_every_tool_asks_for_its_arguments_before_it_begins():
    # Some tools overwrite committed files.
    folder = Path(campaign.__file__).parent
    begun = {path.name: path.read_text() for path in folder.rglob("*.py") if "__main__" in path.read_text()}
    assert len(begun) > 60
    assert [name for name, text in begun.items() if "ArgumentParser(" not in text] == []


def test_damages_change_files_and_are_the_same_for_the_same_seed(tmp_path):
    for seed in range(40):
        kinds: list[object] = []
        for folder in (tmp_path / f"{seed}a", tmp_path / f"{seed}b"):
            folder.mkdir()
            for number in range(4):
                (folder / f"f{number}.nbi").write_bytes(bytes(range(100 + number)))
            before = {path.name: path.read_bytes() for path in folder.iterdir()}
            did = cache.damage(folder, random.Random(seed))
            after = {path.name: path.read_bytes() for path in folder.iterdir()}
            assert before != after or "exchanged" in did
            kinds += [did, after]
        assert kinds[:2] == kinds[2:]


def test_an_answer_that_differs_or_a_damage_that_stays_is_a_fault():
    good = (0, "depth 3: 302", "")
    assert cache.fault_of("x", (0, good[1], "one line\n"), good, good[1]) == ""
    assert "exit code 1" in cache.fault_of("x", (1, good[1], ""), good, good[1])
    assert "exit code -11" in cache.fault_of("x", (-11, "", ""), good, good[1])
    assert "303" in cache.fault_of("x", (0, "depth 3: 303", ""), good, good[1])
    assert "not mended" in cache.fault_of("x", good, (0, good[1], "damaged again\n"), good[1])


def test_the_picture_of_a_report_has_its_charts_its_network_and_its_boards(tmp_path, monkeypatch):
    monkeypatch.setattr(report_picture, "TARGET", tmp_path / "report.svg")
    monkeypatch.setattr(sys, "argv", ["report_picture.py"])
    assert report_picture.main() == 0
    drawn = ElementTree.parse(tmp_path / "report.svg").getroot()
    parts = drawn.findall("{http://www.w3.org/2000/svg}svg")
    assert len(parts) == 5
    ends = [float(part.attrib["y"]) + float(part.attrib["height"]) for part in parts]
    assert ends[0] == ends[1] < ends[2] < ends[3] == ends[4] < float(drawn.attrib["height"])
