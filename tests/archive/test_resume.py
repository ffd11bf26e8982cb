import shutil

import pytest
from hypothesis import given, strategies as st

from neche.archive.layout import present_versions
from neche.archive.run import RunDirectory
from neche.errors import InputError
from neche.players.source import read_source
from tests.archive.builders import (
    assert_same_generation,
    contents,
    continue_run,
    small_settings,
    straight_generations,
    write_run,
)

TOTAL = 8
GENERATIONS = list(straight_generations(TOTAL))


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("straight") / "run", total=TOTAL)


@pytest.fixture
def run(straight, tmp_path):
    return shutil.copytree(straight, tmp_path / "run")


def resume(path):
    """Open a run and continue to the end; return the generation it was resumed from, and the notices."""
    with RunDirectory.open(path) as opened:
        generation, notices, *_ = opened.resumption
        if generation is not None:
            assert_same_generation(generation, GENERATIONS[generation.number])
        continue_run(opened, TOTAL)
    return (None if generation is None else generation.number), "\n".join(notices)


def flip(path, position, bit=0):
    content = bytearray(path.read_bytes())
    content[position] ^= 1 << bit
    path.write_bytes(bytes(content))


def drop_last_line(path):
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def test_a_damaged_newest_population_is_named_and_the_one_before_used(run, straight):
    flip(run / "generations" / "000007.fasta", 200)
    number, notices = resume(run)
    assert number == 6
    assert "generations/000007.fasta: damaged: its checksum differs from the one in the history" in notices
    assert "goes on from generation 6, the last intact one" in notices
    assert contents(run) == contents(straight)


def test_generations_that_were_pruned_are_passed_over(run, straight):
    flip(run / "generations" / "000007.fasta", 0)
    (run / "generations" / "000006.fasta").unlink()
    number, notices = resume(run)
    assert number == 3
    assert "000006.fasta: missing" in notices
    assert "000005" not in notices
    assert contents(run) == contents(straight)


@pytest.mark.parametrize("length", [1, 40, 200])
def test_a_history_whose_last_line_is_torn_is_cut_back(run, straight, length):
    history = run / "history.jsonl"
    content = history.read_bytes()
    begin = content.rindex(b"\n", 0, -1) + 1
    history.write_bytes(content[: begin + length])
    number, notices = resume(run)
    assert number == 6
    assert "history.jsonl: line 8 is damaged or cut off" in notices
    assert "000007.fasta: not in history.jsonl; to be computed again" in notices
    assert contents(run) == contents(straight)


def test_a_population_without_its_line_in_the_history_is_computed_again(run, straight):
    drop_last_line(run / "history.jsonl")
    number, notices = resume(run)
    assert number == 6
    assert "000007.fasta: not in history.jsonl" in notices
    assert contents(run) == contents(straight)


def test_champions_from_after_the_last_finished_generation_are_cut_off(run, straight):
    history = run / "history.jsonl"
    drop_last_line(history)
    drop_last_line(history)
    number, _ = resume(run)
    assert number is not None
    assert number < 6
    assert contents(run) == contents(straight)


def test_half_written_files_are_cleared_away(run, straight):
    (run / "generations" / ".000008.fasta.partial").write_text(">g8")
    (run / ".history.jsonl.partial").write_text("{")
    assert resume(run) == (7, "")
    assert contents(run) == contents(straight)


def test_a_damaged_line_in_the_middle_is_named_and_the_newest_generation_used(run):
    content = (run / "history.jsonl").read_bytes()
    flip(run / "history.jsonl", content.index(b'"ladder"', content.index(b"\n")) + 1)
    number, notices = resume(run)
    assert number == 7
    assert "history.jsonl: line 2 is damaged; what it said of its generation is lost" in notices


def test_a_damaged_champion_is_written_again_from_its_population(run, straight):
    flip(run / "champions.fasta", 3)
    number, notices = resume(run)
    assert number == 7
    assert "champions.fasta: record f0-0000 is damaged or cut off, and left out" not in notices
    assert "is damaged or cut off, and left out" in notices
    assert "champion g0-0000 of generation 0 is missing; written again from its population" in notices
    assert contents(run) == contents(straight)


def test_a_champion_beyond_repair_is_named_and_the_others_stay(tmp_path):
    run = write_run(tmp_path / "run", total=TOTAL, settings=small_settings(keep_every=100, keep_last=1))
    flip(run / "champions.fasta", (run / "champions.fasta").read_bytes().index(b">g3-") + 40)
    number, notices = resume(run)
    assert number == 7
    assert (
        "g3-0000 of generation 3 is missing, and its population is no longer kept: what follows may differ"
        in notices
    )
    assert (run / "champions.fasta").read_bytes().count(b">") == 2


def test_a_damaged_crowned_champion_is_named(run, straight):
    flip(run / "champion.fasta", 3)
    with RunDirectory.open(run) as opened:
        assert "champion.fasta" in opened.resumption.notices[0]
        with pytest.raises(InputError, match=r"champion.fasta: record g\S+: checksum does not match"):
            read_source(str(opened.path))
    resume(run)
    assert contents(run) == contents(straight)


def test_with_no_intact_generation_left_the_run_is_refused(run):
    for path in (run / "generations").iterdir():
        flip(path, 100)
    before = contents(run)
    with pytest.raises(
        InputError,
        match=r"run: no intact generation left to resume \(.*000007.fasta: damaged.*; and 1 more\)",
    ):
        RunDirectory.open(run)
    assert contents(run) == before


def test_a_run_killed_before_its_first_generation_begins_anew(run, straight):
    first_line = (run / "history.jsonl").read_bytes().splitlines()[0]
    (run / "history.jsonl").write_bytes(first_line[:50])
    for path in (run / "generations").glob("*[1-9].fasta"):
        path.unlink()
    number, notices = resume(run)
    assert number is None
    assert "no generation was finished; begins anew" in notices
    assert contents(run) == contents(straight)


def test_a_history_of_finished_generations_whose_end_is_torn_is_not_thrown_away(run):
    with (run / "history.jsonl").open("ab") as history:
        history.write(b'{"generation": 8')
    for path in (run / "generations").glob("*.fasta"):
        path.unlink()
    before = contents(run)
    with pytest.raises(InputError, match="run: no intact generation left to resume"):
        RunDirectory.open(run)
    assert contents(run) == before


def test_a_run_with_nothing_but_its_configuration_begins_anew(run, straight):
    shutil.rmtree(run / "generations")
    for name in ("history.jsonl", "champions.fasta", "champion.fasta"):
        (run / name).unlink()
    assert resume(run)[0] is None
    assert contents(run) == contents(straight)


def test_resuming_twice_changes_nothing_more(run):
    flip(run / "generations" / "000007.fasta", 200)
    RunDirectory.open(run).close()
    before = contents(run)
    with RunDirectory.open(run) as opened:
        assert opened.resumption.notices == ()
    assert contents(run) == before


def test_a_line_of_another_run_does_not_fit_into_the_chain(run, tmp_path):
    other = write_run(tmp_path / "other", total=TOTAL, seed=6)
    shutil.copy(other / "history.jsonl", run / "history.jsonl")
    shutil.copytree(other / "generations", run / "generations", dirs_exist_ok=True)
    with RunDirectory.open(run) as opened:
        assert "history.jsonl: line 1 is damaged" in "\n".join(opened.resumption.notices)


def test_other_versions_of_the_libraries_are_noticed(run, monkeypatch):
    present = {**present_versions(), "numpy": "99.0"}
    monkeypatch.setattr("neche.archive.resume.present_versions", lambda game: present)
    with RunDirectory.open(run) as opened:
        (notice,) = opened.resumption.notices
    assert notice.startswith("begun with numpy ")
    assert "now 99.0" in notice


def test_rules_of_a_user_that_were_edited_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("neche.archive.layout.GAMES", ())
    monkeypatch.setattr("neche.archive.layout.rules_digest", lambda game: f"{game} as it was")
    run = write_run(tmp_path / "run", total=1)
    RunDirectory.open(run).close()
    monkeypatch.setattr("neche.archive.layout.rules_digest", lambda game: f"{game} after an edit")
    with RunDirectory.open(run) as opened:
        (notice,) = opened.resumption.notices
    assert notice.startswith("begun with rules checkers as it was, now checkers after an edit: ")


@given(data=st.data())
def test_no_flipped_bit_anywhere_changes_the_resumed_run_silently(straight, tmp_path_factory, data):
    run = shutil.copytree(straight, tmp_path_factory.mktemp("flipped") / "run")
    name = data.draw(st.sampled_from(sorted(contents(run))))
    path = run / name
    position = data.draw(st.integers(0, path.stat().st_size - 1))
    flip(path, position, data.draw(st.integers(0, 7)))
    check_damaged(run, straight, name)


@pytest.mark.parametrize("name", ["config.toml", "history.jsonl", "champions.fasta", "champion.fasta"])
def test_a_flip_at_every_position_of_a_file_is_found_or_harmless(straight, tmp_path, name):
    run = tmp_path / "run"
    size = (straight / name).stat().st_size
    for position in range(0, size, max(1, size // 100)):
        shutil.copytree(straight, run)
        flip(run / name, position, position % 8)
        check_damaged(run, straight, name)
        shutil.rmtree(run)


@pytest.mark.parametrize(
    "name", ["config.toml", "history.jsonl", "champions.fasta", "generations/000007.fasta"]
)
def test_a_file_cut_off_anywhere_is_found_or_harmless(straight, tmp_path, name):
    run = tmp_path / "run"
    size = (straight / name).stat().st_size
    for length in range(0, size, max(1, size // 40)):
        shutil.copytree(straight, run)
        (run / name).write_bytes((straight / name).read_bytes()[:length])
        check_damaged(run, straight, name)
        shutil.rmtree(run)


def check_damaged(run, straight, name):
    """A clear refusal, or exactly the same bytes at the end and a notice that names the file."""
    refusal = ""
    try:
        _, notices = resume(run)
    except InputError as fault:
        refusal = str(fault)
    if refusal:
        assert str(run) in refusal
        assert "\n" not in refusal
        return
    unchanged = {n for n, content in contents(run).items() if content == contents(straight).get(n)}
    if name == "config.toml":  # only a comment can be damaged without being refused
        assert unchanged >= set(contents(straight)) - {name}
    elif name == "generations/config.toml":  # and without being mended
        assert unchanged >= set(contents(straight)) - ({name} if not notices else set())
    elif name.startswith("generations/") and name != "generations/000007.fasta":
        # Damage to older generations is reported and left as it is.
        assert name in notices
        assert unchanged >= set(contents(straight)) - {name}
    else:
        assert name in notices
        assert unchanged >= set(contents(straight)) - {"history.jsonl"}
