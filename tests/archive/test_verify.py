"""A run is checked against its own checksums: damage is reported, and repaired if possible."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from neche.archive import repair as repairing
from neche.archive.layout import RunLayout
from neche.archive.reading import rotten_files
from neche.archive.repair import repair
from neche.archive.run import RunDirectory
from neche.archive.verify import verify
from neche.errors import InputError
from tests.archive.builders import contents, continue_run, next_generation, small_settings, write_run


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path / "run")


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_run_as_it_was_written_has_no_faults(run):
    before = contents(run)
    assert verify(run) == ((), ())
    assert repair(run).faults == ()
    assert contents(run) == before


def test_every_file_is_verified(run):
    whole = contents(run)
    assert len(whole) > 7
    for name in whole:
        flip(run / name)
        assert any(name.rpartition("/")[2] in fault for fault in verify(run).faults), name
        (run / name).write_bytes(whole[name])
    assert verify(run).faults == ()


def test_a_run_that_another_process_goes_on_with_meanwhile_has_no_faults(run, monkeypatch):
    read, going_on = Path.read_bytes, RunDirectory.open(run)

    def read_while_it_goes_on(path):
        content = read(path)
        if path.parent.name == "generations":
            last = next_generation(going_on.last, going_on.seed)
            going_on.save(last)
        return content

    monkeypatch.setattr(Path, "read_bytes", read_while_it_goes_on)
    assert verify(run).faults == ()
    going_on.close()


def test_a_population_that_was_lost_before_is_said_of_a_run_that_goes_on_meanwhile(run, monkeypatch):
    going_on, list_populations = RunDirectory.open(run), RunLayout.population_numbers
    (run / "generations" / "000003.fasta").unlink()

    def list_while_it_goes_on(layout):
        found = list_populations(layout)
        going_on.save(next_generation(going_on.last, going_on.seed))
        return found

    monkeypatch.setattr(RunLayout, "population_numbers", list_while_it_goes_on)
    assert [fault.rpartition("/")[2] for fault in verify(run).faults] == ["000003.fasta: missing"]
    going_on.close()


def test_a_resume_says_which_kept_populations_are_rotten(run):
    flip(run / "generations" / "000003.fasta")
    with RunDirectory.open(run) as opened:
        notices = opened.resumption.notices
        assert opened.last is not None
    assert any("000003.fasta: damaged" in notice for notice in notices)


def test_a_population_that_is_missing_is_said(run):
    (run / "generations" / "000003.fasta").unlink()
    assert [fault.rpartition("/")[2] for fault in verify(run).faults] == ["000003.fasta: missing"]


def test_a_population_that_cannot_be_read_is_said_beside_the_others_and_a_run_goes_on(run):
    locked = run / "generations" / "000003.fasta"
    locked.unlink()
    locked.mkdir()
    flip(run / "generations" / "000000.fasta")
    said = ["000000.fasta: damaged: its checksum", "000003.fasta: cannot be read: Is a directory"]
    faults = sorted(fault.rpartition("/")[2] for fault in verify(run).faults)
    assert [fault[: len(one)] for fault, one in zip(faults, said, strict=True)] == said
    assert sorted(rotten_files(run)) == sorted(verify(run).faults)
    with RunDirectory.open(run) as opened:
        assert any("000003.fasta: cannot be read" in notice for notice in opened.resumption.notices)
        assert opened.last is not None


@pytest.mark.parametrize("damage", [flip, lambda path: path.write_bytes(b""), lambda path: path.unlink()])
def test_the_configuration_is_mended_from_its_copy(run, damage):
    whole = contents(run)
    damage(run / "config.toml")
    with pytest.raises(InputError):
        RunDirectory.open(run)
    found = repair(run)
    assert found.faults == ()
    assert any("config.toml: written again" in line for line in found.mended)
    assert contents(run) == whole
    damage(run / "generations" / "config.toml")
    assert repair(run).faults == ()
    assert contents(run) == whole


def test_a_run_without_a_copy_gets_one_when_it_goes_on(run):
    copy = run / "generations" / "config.toml"
    copy.unlink()
    assert verify(run).faults == ()
    with RunDirectory.open(run) as opened:
        continue_run(opened, 9)
    assert copy.read_bytes() == (run / "config.toml").read_bytes()


def test_the_history_and_the_champions_are_mended_as_by_a_resume(run):
    flip(run / "champions.fasta")
    with (run / "history.jsonl").open("ab") as file:
        file.write(b"half a li")
    assert len(verify(run).faults) >= 2
    assert repair(run).faults == ()
    assert verify(run).faults == ()


def test_without_its_lock_file_a_run_is_still_held(run):
    with RunDirectory.open(run):
        (run / ".lock").unlink()
        script = f"from neche.archive.run import RunDirectory; RunDirectory.open({str(run)!r})"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert "in use by another neche process" in done.stderr
        with pytest.raises(InputError, match="in use"):
            RunDirectory.open(run)
    with RunDirectory.open(run) as opened:
        assert opened.last is not None


@pytest.mark.parametrize("content", [b"", b"notes", None])
def test_a_stray_file_among_the_populations_is_named_and_nothing_is_computed_up_to_it(
    run, content, monkeypatch
):
    before = contents(run)
    stray = run / "generations" / "999999.fasta"
    stray.write_bytes(before["generations/000007.fasta"] if content is None else content)
    fault = f"{stray}: a stray file: no member of generation 999999 is in it"
    assert rotten_files(run) == [fault]
    assert verify(run).faults == (fault,)
    asked = []

    def note(*_, generations, **options):
        asked.append(generations)
        return iter(())

    monkeypatch.setattr(repairing, "evolve", note)
    found = repair(run)
    assert (found.faults, found.mended[0]) == ((), f"{stray}: a stray file; removed")
    assert contents(run) == before
    assert max(asked, default=7) == 7
    # the one that comes next may have been left by a power cut
    (run / "generations" / "000008.fasta").touch()
    assert verify(run).faults == ()
    assert repair(run).mended[0].endswith("000008.fasta: not in history.jsonl; to be computed again")


def test_a_run_that_a_resume_cut_back_is_whole(tmp_path):
    run = write_run(tmp_path / "run", total=12, settings=small_settings(keep_every=100, keep_last=4))
    for number in (11, 10):
        flip(run / "generations" / f"0000{number}.fasta")
    (run / "champion.fasta").unlink()
    RunDirectory.open(run).close()
    assert [path.name for path in sorted((run / "generations").glob("*.fasta"))] == [
        *("000000.fasta", "000008.fasta", "000009.fasta")
    ]
    assert verify(run).faults == ()
    with RunDirectory.open(run) as opened:
        continue_run(opened, 12)
    (run / "generations" / "000010.fasta").unlink()
    assert verify(run).faults == (f"{run / 'generations' / '000010.fasta'}: missing",)


@pytest.mark.parametrize("kept_lines", [0, 3])
def test_a_history_cut_at_the_end_of_a_line_is_said(run, kept_lines):
    history = run / "history.jsonl"
    lines = history.read_bytes().splitlines(keepends=True)
    history.write_bytes(b"".join(lines[:kept_lines]))
    fault = f"{history}: cut off or missing: generation 7 is not in it"
    assert fault in verify(run).faults
    assert rotten_files(run)[-1] == fault
    # A run stopped between writing a population and its line is intact, unless it has crowned a champion.
    history.write_bytes(b"".join(lines[:-1]))
    fault = f"{history}: cut off or missing: generation 7 is not in it"
    assert rotten_files(run) == [fault]
    assert fault in verify(run).faults
    (run / "champion.fasta").unlink()
    assert rotten_files(run) == []


def test_readers_say_that_the_newest_population_is_missing(run):
    (run / "generations" / "000007.fasta").unlink()
    assert rotten_files(run) == [f"{run / 'generations' / '000007.fasta'}: missing"]


def test_populations_that_would_be_gone_anyhow_are_not_missed(run):
    for path in (run / "generations").glob("*.fasta"):
        path.unlink()
    missed = [f"{run / 'generations' / f'{number:06d}.fasta'}: missing" for number in (0, 3, 6, 7)]
    assert rotten_files(run) == missed
    assert list(verify(run).faults) == missed


def test_a_run_that_was_kept_without_its_populations_says_so_once(run):
    shutil.rmtree(run / "generations")
    assert rotten_files(run) == [f"{run / 'generations'}: missing"]


def test_a_resume_and_readers_say_which_kept_population_is_missing(run):
    (run / "generations" / "000003.fasta").unlink()
    fault = f"{run / 'generations' / '000003.fasta'}: missing"
    assert rotten_files(run) == [fault]
    with RunDirectory.open(run) as opened:
        assert fault in opened.resumption.notices


def test_the_crowned_champion_is_not_taken_for_the_one_that_was_measured(run):
    champions = run / "champions.fasta"
    content = champions.read_bytes()
    with RunDirectory.open(run) as opened:
        last = opened.last
        assert last is not None
        opened.crown(last.members[0], generation=last.number, scores={"blind:depth=4": 0.5})
    champions.write_bytes((run / "champion.fasta").read_bytes())
    assert f"{champions}: 1 of its records are damaged" in verify(run).faults
    repair(run)
    assert (run / "champion.fasta").read_text() not in champions.read_text()
    champions.write_bytes(content)
    assert verify(run).faults == ()


def test_readers_say_that_champions_are_missing_and_a_resume_writes_them_again(run):
    champions = run / "champions.fasta"
    content = champions.read_bytes()
    first, *others = re.findall(r"^>(\S+)", content.decode(), re.MULTILINE)
    champions.write_bytes(content[content.index(b">" + others[0].encode()) :])
    assert rotten_files(run) == [f"{champions}: champion {first} is missing"]
    champions.unlink()
    assert rotten_files(run) == [f"{champions}: champion {first} is missing, and {len(others)} more"]
    RunDirectory.open(run).close()
    assert rotten_files(run) == []
    assert champions.read_bytes() == content


def test_a_run_whose_lines_end_in_crlf_says_so_and_has_its_bytes_back(run):
    whole = contents(run)
    for name, content in whole.items():
        (run / name).write_bytes(content.replace(b"\n", b"\r\n"))
    history = run / "history.jsonl"
    assert verify(run).faults[0] == f"{history}: lines end in CRLF, not LF"
    before = contents(run)
    with pytest.raises(InputError, match=r"lines end in CRLF, not LF: neche verify .* --repair"):
        RunDirectory.open(run)
    assert contents(run) == before
    found = repair(run)
    assert found.faults == ()
    assert f"{history}: line feeds were put back for CRLF" in found.mended
    assert not any("computed again" in line for line in found.mended)
    assert contents(run) == whole


def test_a_population_is_not_taken_for_champions(run):
    champions = run / "champions.fasta"
    content = champions.read_bytes()
    population = (run / "generations" / "000007.fasta").read_bytes()
    champions.write_bytes(content + population)
    assert f"{champions}: {population.count(b'>')} of its records are damaged" in verify(run).faults
    assert repair(run).faults == ()
    assert champions.read_bytes() == content


def test_a_population_whose_line_is_damaged_is_said(run):
    history = run / "history.jsonl"
    history.write_bytes(history.read_bytes().replace(b'"generation": 3', b'"generation": 9'))
    path = run / "generations" / "000003.fasta"
    fault = f"{path}: its line in the history is damaged, so it cannot be checked"
    assert rotten_files(run) == [fault]
    assert verify(run).faults == (f"{history}: line 4 is damaged", fault)


def test_champions_that_stand_there_twice_are_said_and_mended(run):
    champions = run / "champions.fasta"
    content = champions.read_bytes()
    champions.write_bytes(content + content)
    count = content.count(b">")
    assert verify(run).faults == (f"{champions}: {count} of its records are duplicates",)
    assert repair(run).faults == ()
    assert champions.read_bytes() == content


def test_a_file_in_the_place_of_the_crowned_champion_is_said(run):
    champion = run / "champion.fasta"
    champion.write_bytes((run / "generations" / "000007.fasta").read_bytes())
    (fault,) = verify(run).faults
    assert fault.startswith(f"{champion}: holds ")
    assert rotten_files(run) == [fault]
