"""The tools that judge the program judge rightly."""

from tools.bench import compare_commits
from tools.checks import kill_and_resume


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


def test_only_generations_that_the_history_knows_count_as_finished(tmp_path):
    (tmp_path / "generations").mkdir()
    for number in range(3):
        (tmp_path / "generations" / f"{number:06}.fasta").touch()
    (tmp_path / "history.jsonl").write_text('{"generation": 0}\n{"generation": 1}\n{"gener')
    assert [path.name for path in kill_and_resume.written_at(tmp_path)] == ["000000.fasta", "000001.fasta"]
