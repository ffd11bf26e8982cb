import numpy as np
import pytest

from neche.archive.nechedbg import Imported, import_nechedbg
from neche.archive.reading import newest_run, read_config
from neche.archive.repair import repair
from neche.archive.run import RunDirectory
from neche.archive.verify import verify
from neche.errors import InputError
from neche.evolution.evolve import evolve
from neche.genome.dna import decode, encode, random_genome
from neche.genome.fasta import read_fasta
from neche.players.source import read_source
from tests.archive.builders import contents, next_generation, small_settings
from tests.archive.test_repair import gone, line

NUM_GENES = 3
DNA = [decode(random_genome(NUM_GENES, np.random.default_rng(index))) for index in range(12)]


@pytest.fixture
def folder(tmp_path):
    """A folder as left by the original program when it is stopped in generation 10."""
    folder = tmp_path / "nechedbg"
    folder.mkdir()
    (folder / "9_nets.txt").write_text("".join(f"{dna}\n" for dna in DNA[:5]))
    (folder / "10_nets.txt").write_text("".join(f"{dna}\n" for dna in DNA[5:10]))
    (folder / "best_networks.txt").write_text("".join(f"{dna}\n" for dna in DNA[:10]))
    return folder


def test_the_newest_population_is_ready_to_resume(folder, tmp_path):
    assert import_nechedbg(folder, tmp_path / "runs" / "old", seed=3) == Imported(10, 5, 10)
    with RunDirectory.open(tmp_path / "runs" / "old") as run:
        generation = run.last
        assert generation is not None
        assert run.resumption.notices == ()
        assert run.seed == 3
        assert (generation.number, generation.depth, generation.moved_up_at) == (10, 6, None)
        assert [decode(member.genome) for member in generation.members] == DNA[5:10]
        assert [member.id for member in generation.members][:2] == ["g10-0000", "g10-0001"]
        assert not generation.games.any()
        run.save(next_generation(generation, 3))
    with RunDirectory.open(tmp_path / "runs" / "old") as run:
        assert run.resumption.notices == ()


@pytest.mark.parametrize("torn", [None, 0, 50])
@pytest.mark.parametrize(
    ("number", "fault"),
    [(10, "no intact generation left to resume"), (0, "the members that it began with are lost")],
)
def test_members_are_not_replaced_by_random_ones_where_their_history_is_lost(
    folder, tmp_path, number, fault, torn
):
    if number == 0:
        (folder / "10_nets.txt").unlink()
        (folder / "9_nets.txt").rename(folder / "0_nets.txt")
    import_nechedbg(folder, tmp_path / "run")
    history = tmp_path / "run" / "history.jsonl"
    line = history.read_bytes()
    history.unlink()
    if torn is not None:
        history.write_bytes(line[:torn])
    before = contents(tmp_path / "run")
    assert [found for found in verify(tmp_path / "run").faults if "history.jsonl" in found]
    for work_on in (RunDirectory.open, repair):
        with pytest.raises(InputError, match=fault):
            work_on(tmp_path / "run")
    assert contents(tmp_path / "run") == before


def test_what_an_import_has_lost_is_not_looked_for_among_random_members(folder, tmp_path, monkeypatch):
    import_nechedbg(folder, tmp_path / "run")
    with RunDirectory.open(tmp_path / "run") as run:
        run.save(next_generation(run.last, 0))
    lost = tmp_path / "run" / "generations" / "000010.fasta"
    lost.unlink()

    def go_on(*_, resume_from, **options):
        assert resume_from is not None
        return iter(())

    monkeypatch.setattr("neche.archive.repair.evolve", go_on)
    assert repair(tmp_path / "run") == ((f"{lost}: missing",), ())


@pytest.mark.parametrize("damages", [[line(2, 100)], [gone(2)], [gone(3), gone(2)]])
def test_lost_lines_of_an_import_that_went_on_are_computed_again(folder, tmp_path, damages):
    import_nechedbg(folder, tmp_path / "run")
    with RunDirectory.open(tmp_path / "run") as run:
        for generation in evolve(run.settings, run.seed, generations=15, resume_from=run.last):
            run.save(generation)
    before = contents(tmp_path / "run")
    for damage in damages:
        damage(tmp_path / "run")
    assert verify(tmp_path / "run").faults
    assert repair(tmp_path / "run").faults == ()
    assert contents(tmp_path / "run") == before


def test_the_settings_are_those_of_the_original_with_the_size_of_the_files(folder, tmp_path):
    import_nechedbg(folder, tmp_path / "run")
    settings = read_config(tmp_path / "run").settings
    assert (settings.members.population, settings.members.genes) == (5, NUM_GENES)
    assert settings.members.perspective == "own"
    assert (settings.ranking.ranking, settings.selection.selection) == ("original", "rank-sum")


def test_the_best_networks_become_the_champions(folder, tmp_path):
    import_nechedbg(folder, tmp_path / "run")
    champions = read_fasta(tmp_path / "run" / "champions.fasta")
    assert [decode(record.genome) for record in champions] == DNA[:10]
    assert [record.id for record in champions][-1] == "best-0009"
    assert champions[-1].fields == {"generation": "9", "source": "best_networks.txt", "perspective": "own"}
    with RunDirectory.open(tmp_path / "run") as run:
        assert (read_source(str(run.path)).genome == encode(DNA[9])).all()


def test_a_folder_stopped_in_its_first_generation_has_no_champions(folder, tmp_path):
    (folder / "best_networks.txt").unlink()
    (folder / "9_nets.txt").rename(folder / "0_nets.txt")
    (folder / "10_nets.txt").unlink()
    assert import_nechedbg(folder, tmp_path / "run") == Imported(0, 5, 0)
    with RunDirectory.open(tmp_path / "run") as run, pytest.raises(InputError, match="no champion yet"):
        read_source(str(run.path))


def test_champions_written_twice_by_an_interrupted_original_are_all_kept(folder, tmp_path):
    (folder / "best_networks.txt").write_text("".join(f"{dna}\n" for dna in [*DNA, DNA[0]]))
    import_nechedbg(folder, tmp_path / "run")
    with RunDirectory.open(tmp_path / "run") as run:
        assert run.resumption.notices == ()
    assert len(read_fasta(tmp_path / "run" / "champions.fasta")) == 13


def test_windows_line_ends_and_empty_lines_are_passed_over(folder, tmp_path):
    (folder / "10_nets.txt").write_bytes(("\r\n".join(DNA[5:10]) + "\r\n\r\n").encode())
    assert import_nechedbg(folder, tmp_path / "run").num_members == 5


@pytest.mark.parametrize(
    ("name", "line", "text", "fault"),
    [
        (
            "10_nets.txt",
            3,
            DNA[7][:20] + "X" + DNA[7][21:],
            "DNA: 'X' at position 21 is not one of A, C, G, T",
        ),
        ("10_nets.txt", 2, DNA[7][:-1], "47 nucleotides are not whole genes of 16"),
        ("10_nets.txt", 5, DNA[7][:-16], "32 nucleotides, those before have 48"),
        ("best_networks.txt", 1, "ACGTé", "DNA: "),
    ],
)
def test_a_bad_line_is_named_with_its_file(folder, tmp_path, name, line, text, fault):
    lines = (folder / name).read_text().splitlines()
    lines[line - 1] = text
    (folder / name).write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        import_nechedbg(folder, tmp_path / "run")
    assert f"{name}: line {line}: {fault}" in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_champions_of_another_length_are_named(folder, tmp_path):
    (folder / "best_networks.txt").write_text("ACGT" * 4 + "\n")
    with pytest.raises(InputError, match=r"best_networks.txt: 16 nucleotides a genome, 10_nets.txt has 48"):
        import_nechedbg(folder, tmp_path / "run")


def test_folders_without_networks_are_named(folder, tmp_path):
    with pytest.raises(InputError, match="nowhere: no such folder"):
        import_nechedbg(tmp_path / "nowhere", tmp_path / "run")
    (folder / "10_nets.txt").write_text("\n")
    with pytest.raises(InputError, match=r"10_nets.txt: no genome in it"):
        import_nechedbg(folder, tmp_path / "run")
    for path in folder.glob("*_nets.txt"):
        path.unlink()
    with pytest.raises(InputError, match=r"nechedbg: not a nechedbg folder, no N_nets.txt is in it"):
        import_nechedbg(folder, tmp_path / "run")


def test_a_number_that_no_history_can_say_is_no_population(folder, tmp_path):
    (folder / "10_nets.txt").rename(folder / f"{10**21}_nets.txt")
    assert import_nechedbg(folder, tmp_path / "run").generation == 9
    assert verify(tmp_path / "run").faults == ()


def test_a_population_of_one_is_out_of_range(folder, tmp_path):
    (folder / "10_nets.txt").write_text(DNA[0])
    with pytest.raises(InputError, match=r"10_nets.txt: population = 1: must be"):
        import_nechedbg(folder, tmp_path / "run")


def test_a_run_that_is_there_is_not_overwritten(folder, tmp_path):
    import_nechedbg(folder, tmp_path / "run")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="run: holds a run already"):
        import_nechedbg(folder, tmp_path / "run")
    assert contents(tmp_path) == before


def test_an_import_that_was_killed_is_no_run_and_does_not_stand_in_the_way(folder, tmp_path):
    aside = tmp_path / "runs" / ".old.partial"
    RunDirectory.create(aside, small_settings(), 1).close()
    with pytest.raises(InputError, match="no run is there"):
        newest_run(tmp_path / "runs")
    import_nechedbg(folder, tmp_path / "runs" / "old")
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["old"]


def test_the_run_may_lie_in_an_empty_directory_behind_a_link(folder, tmp_path):
    disk, link = tmp_path / "disk", tmp_path / "link"
    disk.mkdir()
    link.symlink_to(disk)
    import_nechedbg(folder, link)
    assert link.is_symlink()
    assert verify(link).faults == ()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != folder.name) == ["disk", "link"]
