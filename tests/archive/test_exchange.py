"""Files that islands exchange on disk: in any order, after any kind of end, and when damaged."""

import shutil
from functools import partial

import pytest

from neche import storage
from neche.archive.checkpoint import format_population
from neche.archive.exchange import await_emigrants, check_place, island_path, read_neighbour
from neche.archive.layout import RunLayout, format_config
from neche.archive.reading import read_config, read_generation
from neche.archive.repair import repair
from neche.archive.run import RunDirectory
from neche.archive.verify import verify
from neche.errors import InputError
from neche.evolution.events import EmigrantsAwaited, Event
from neche.evolution.evolve import evolve
from neche.evolution.islands import emigrants, with_island
from neche.evolution.population import Generation
from neche.evolution.settings import resolve
from neche.players.plugged import PluginIdentity
from neche.report.lineage import trace
from neche.report.story import read_story
from tests.archive.builders import contents
from tests.evolution.builders import GENES, screened_settings, tiny_settings

ISLANDS, LAST, SEED = 3, 6, 3
RING = (f"islands={ISLANDS}", "migrate_every=2", "migrants=2", "keep_last=1", "keep_every=100")
SHORT = ("population=8", "ladder=[]", "genes=40", "champion_candidates=0", "final_candidates=0")
KINDS = {
    "tournament": tiny_settings(*SHORT, *RING),
    "refined": tiny_settings(*SHORT, *RING, "next_depths=[]", "refine_after=1"),
    "screened": screened_settings(*RING, "ladder=[]"),
    "genes": screened_settings(*RING, "ladder=[]", "learning=gradient", "duplicate_neurons=true", *GENES),
    "baldwin": screened_settings(*RING, "ladder=[]", "inheritance=baldwin", "fitness=prediction"),
}


def begin(root, settings):
    for island in range(ISLANDS):
        RunDirectory.create(island_path(root, island), with_island(settings, island), SEED).close()
    return root


def go_on(root, island, last):
    """Open an island and continue to a generation without waiting; return the notices."""
    with RunDirectory.open(island_path(root, island)) as run:
        before = run.last
        immigrants = partial(_sent, run.path)
        for generation in evolve(
            run.settings, run.seed, generations=last, resume_from=before, immigrants=immigrants
        ):
            run.save(generation)
        return "\n".join(run.resumption.notices)


def all_in_turns(root, settings):
    begin(root, settings)
    for last in range(2, LAST + 1, 2):
        for island in range(ISLANDS):
            go_on(root, island, last)
    return root


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return all_in_turns(tmp_path_factory.mktemp("whole"), KINDS["tournament"])


@pytest.mark.parametrize("kind", KINDS)
def test_islands_on_disk_are_those_of_a_ring_in_memory(tmp_path, kind):
    ring = [with_island(resolve(KINDS[kind]), island) for island in range(ISLANDS)]
    done: dict[tuple[int, int], Generation] = {}

    def of_neighbour(island, number):
        there = done[(island - 1) % ISLANDS, number]
        passed_on = there.inherited or there.members
        return [passed_on[rank] for rank in emigrants(there, 2)]

    steps = [
        evolve(settings, SEED, generations=LAST, immigrants=partial(of_neighbour, island))
        for island, settings in enumerate(ring)
    ]
    for number in range(LAST + 1):
        for island in range(ISLANDS):
            done[island, number] = next(steps[island])
    all_in_turns(tmp_path, KINDS[kind])
    for island, settings in enumerate(ring):
        path = RunLayout(island_path(tmp_path, island)).population(LAST)
        assert path.read_bytes() == b"".join(format_population(done[island, LAST], settings))
        assert verify(island_path(tmp_path, island)).faults == ()


def test_the_order_of_islands_and_stops_between_change_no_byte(tmp_path, whole):
    begin(tmp_path, KINDS["tournament"])
    # Island 2 runs ahead as far as it can; island 0 is stopped after every generation.
    for island, lasts in (
        (2, (2,)),
        (1, (2,)),
        (2, (3, 4)),
        (0, (0, 1, 2)),
        (1, (4,)),
        (0, (3, 4)),
        (1, (6,)),
    ):
        for last in lasts:
            go_on(tmp_path, island, last)
    for island in (2, 0):
        go_on(tmp_path, island, 6)
    assert contents(tmp_path) == contents(whole)


def test_members_of_the_neighbour_are_in_the_population_after_an_exchange(whole):
    for island in range(ISLANDS):
        here, there = island_path(whole, island), island_path(whole, (island - 1) % ISLANDS)
        sent = _sent(here, LAST)
        home = read_generation(there, LAST)
        assert [one.id for one in sent] == [home.members[rank].id for rank in emigrants(home, 2)]
        assert all(len(one.genome) == len(home.members[0].genome) for one in sent)
        # Survivors of the previous exchange are recognised by their parent.
        assert not RunLayout(there).population(LAST - 2).exists()
        story = read_story(here)
        assert story.champion is not None
        assert trace(story)[0].id == story.champion.id


def test_one_that_waits_says_for_whom_and_goes_on_when_the_file_is_there(tmp_path, whole, monkeypatch):
    root = shutil.copytree(whole, tmp_path / "run")
    file = RunLayout(island_path(root, 0)).emigrants_of(4)
    hidden = file.rename(root / "hidden")
    here = island_path(root, 1)
    heard: list[Event] = []
    slept: list[float] = []

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 3:
            hidden.rename(file)

    monkeypatch.setattr("neche.archive.exchange.time.sleep", sleep)
    found = await_emigrants(here, read_config(here).settings, SEED, heard.append, 4)
    assert [one.id for one in found] == [one.id for one in _sent(here, 4)]
    assert heard == [EmigrantsAwaited(4, 0)] * 3


def _sent(here, number):
    found = read_neighbour(here, read_config(here).settings, SEED, number)
    assert found is not None
    return found


@pytest.mark.parametrize("at", ["emigrants", "generations", "history.jsonl"])
def test_an_exchange_that_breaks_off_at_any_file_is_done_again_alike(tmp_path, whole, at, monkeypatch):
    begin(tmp_path, KINDS["tournament"])
    write, append = storage.write_file, storage.append_file

    def fails(real):
        def attempt(path, content, **more):
            content = content if isinstance(content, bytes) else b"".join(content)
            of_second = path.stem == "000002" or b'{"generation": 2, ' in content
            if at in (path.name, path.parent.name) and of_second:
                torn = path if real is append else path.with_name(f".{path.name}.partial")
                with torn.open("ab") as file:
                    file.write(content[:40])
                raise KeyboardInterrupt
            return real(path, content, **more)

        return attempt

    for island in (1, 0):
        with monkeypatch.context() as patched:
            patched.setattr(storage, "write_file", fails(write))
            patched.setattr(storage, "append_file", fails(append))
            with pytest.raises(KeyboardInterrupt):
                go_on(tmp_path, island, 2)
    for last in (2, 4, 6):
        for island in (0, 2, 1):
            go_on(tmp_path, island, last)
    assert contents(tmp_path) == contents(whole)


def test_damage_to_emigrants_is_said_and_mended(tmp_path, whole):
    root = shutil.copytree(whole, tmp_path / "run")
    here = island_path(root, 0)
    damaged, lost = (RunLayout(here).emigrants_of(number) for number in (2, 4))
    content = damaged.read_bytes()
    damaged.write_bytes(content[:-60] + bytes([content[-60] ^ 1]) + content[-59:])
    lost.unlink()
    faults = verify(here).faults
    assert len(faults) == 2
    assert f"{damaged}: record " in faults[0]
    assert faults[1] == f"{lost}: missing"
    with pytest.raises(InputError, match=r"000002\.fasta: record "):
        _sent(island_path(root, 1), 2)
    damaged.write_bytes(content.partition(b"\n>")[0] + b"\n")
    with pytest.raises(InputError, match="damaged: 1 members, not 2"):
        _sent(island_path(root, 1), 2)
    assert repair(here).faults == ()
    assert contents(root) == contents(whole)


def test_what_an_island_lost_is_computed_again_across_exchanges(tmp_path, whole):
    root = shutil.copytree(whole, tmp_path / "run")
    here = RunLayout(island_path(root, 2))
    lines = here.history.read_bytes().splitlines(keepends=True)
    here.history.write_bytes(b"".join([*lines[:4], lines[4][:-30] + b"\n", *lines[5:]]))
    assert verify(here.root).faults
    assert repair(here.root).faults == ()
    assert contents(root) == contents(whole)
    here.history.write_bytes(b"".join([*lines[:4], lines[4][:-30] + b"\n", *lines[5:]]))
    RunLayout(island_path(root, 1)).emigrants_of(2).unlink()
    with pytest.raises(InputError, match="the emigrants of its neighbour are lost: repair that island first"):
        repair(here.root)
    assert repair(island_path(root, 1)).faults == ()
    assert repair(here.root).faults == ()
    assert contents(root) == contents(whole)


def test_an_island_of_another_run_is_refused(tmp_path, whole):
    root = shutil.copytree(whole, tmp_path / "run")
    here = island_path(root, 1)
    settings = read_config(here).settings
    with pytest.raises(InputError, match=r"island-0: has seed 3, .*island-1 has 4: they are islands of two"):
        read_neighbour(here, settings, 4, 2)
    other = with_island(resolve(tiny_settings(*SHORT, *RING, "elites=1")), 1)
    with pytest.raises(InputError, match=r"island-0: began with elites = 2, not 1 as .*island-1"):
        read_neighbour(here, other, SEED, 2)
    assert read_neighbour(here, settings, SEED, 8) is None


def test_an_island_must_have_the_name_under_which_its_neighbour_looks_for_it(tmp_path, monkeypatch):
    settings = tiny_settings("islands=3", "island=2")
    check_place(tmp_path / "island-2", settings)
    check_place(tmp_path / "anything", tiny_settings())
    with pytest.raises(InputError, match="x: island 2 of 3 must be in a directory named island-2"):
        check_place(tmp_path / "x", settings)
    (tmp_path / "island-2").mkdir()
    monkeypatch.chdir(tmp_path / "island-2")
    check_place(type(tmp_path)("."), settings)


def test_a_run_of_one_population_says_nothing_of_islands(tmp_path):
    settings = tiny_settings(*SHORT, "islands=1")
    with RunDirectory.create(tmp_path / "run", settings, SEED) as run:
        for generation in evolve(run.settings, SEED, generations=1):
            run.save(generation)
    assert b"island" not in b"".join(contents(tmp_path).values())
    assert not RunLayout(tmp_path / "run").emigrants.exists()
    assert read_config(tmp_path / "run").settings.islands == settings.islands


def test_an_island_whose_directory_is_removed_waits_no_longer(tmp_path, whole, monkeypatch):
    root = shutil.copytree(whole, tmp_path / "run")
    here = island_path(root, 1)
    settings = read_config(here).settings
    RunLayout(island_path(root, 0)).emigrants_of(4).unlink()
    monkeypatch.setattr("neche.archive.exchange.time.sleep", lambda seconds: shutil.rmtree(here))
    with pytest.raises(InputError, match="island-1: no such run directory"):
        await_emigrants(here, settings, SEED, lambda event: None, 4)


def test_islands_with_different_plug_ins_are_of_two_runs(tmp_path, whole):
    root = shutil.copytree(whole, tmp_path / "run")
    there, here = island_path(root, 0), island_path(root, 1)
    plugins: list[PluginIdentity] = [{"kind": "mutation", "name": "flip", "digest": "0" * 64}]
    config = read_config(there)
    (there / "config.toml").write_bytes(format_config(config.settings, SEED, plugins=plugins))
    with pytest.raises(InputError, match=r"island-0: began with other plug-ins than .*island-1"):
        _sent(here, 4)


def test_the_champion_of_all_islands_is_verified_with_the_first(tmp_path, whole):
    root = shutil.copytree(whole, tmp_path / "run")
    shutil.copy(RunLayout(island_path(root, 1)).population(LAST), root / "champion.fasta")
    first, *others = (verify(island_path(root, island)).faults for island in range(ISLANDS))
    assert first == (f"{root / 'champion.fasta'}: holds 8 records, not the crowned champion alone",)
    assert others == [(), ()]
