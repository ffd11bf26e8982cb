"""`neche evolve` of islands: together, one by one, in separate processes, ended at any moment."""

import signal
import subprocess
import sys
import time
from typing import Any

import pytest

import neche
from neche.cli.main import main
from neche.genome.fasta import read_fasta
from tests.archive.builders import contents
from tests.cli.conftest import TINY_RUN
from tests.cli.interrupts import hear_interrupts
from tests.evolution.builders import STRANDS

LEARNING = (
    *("fitness=screened", "depth=1", "sample_games=6", "first_games=20", "sample_depth=1", "replay=3"),
    *("label_depth=2", "last_label_depth=2", "batches=3", "batch=40", "pairs=8", "refine_after=0", *STRANDS),
)
RING = ("islands=2", "migrate_every=2", "migrants=2", "elites=2", "ladder=[]")
LAST = 5


def words_of(run, *more, last=LAST, settings=()):
    tiny = (f"{key}={value}" for key, value in TINY_RUN.items())
    named = [word for one in (*tiny, *RING, *settings) for word in ("--set", one)]
    words = ("evolve", "--recipe", "tournament", "--run", run, "--generations", last, *named, *more)
    return [str(word) for word in words]


def started(*words):
    program = [sys.executable, "-m", "neche", *map(str, words)]
    pipe = subprocess.PIPE
    return subprocess.Popen(program, stdout=pipe, stderr=pipe, text=True, preexec_fn=hear_interrupts)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    run = tmp_path_factory.mktemp("whole") / "run"
    assert main([*words_of(run, "--jobs", 1), "--json"]) == 0
    return run


def without_crown(run):
    return {name: content for name, content in contents(run).items() if name != "champion.fasta"}


def test_islands_are_told_as_they_end_and_the_best_champion_is_that_of_the_run(terminal, tmp_path, whole):
    run = tmp_path / "run"
    text = terminal.text(*words_of(run, "--jobs", 1))
    assert terminal.notes.splitlines() == [
        f"neche: {run}: 2 islands, 0 finished already",
        f"neche: {run / 'island-0'}: generation {LAST} (1 of 2 islands)",
        f"neche: {run / 'island-1'}: generation {LAST} (2 of 2 islands)",
    ]
    assert contents(run) == contents(whole)
    values = terminal.json("evolve", "--resume", "--run", run, "--generations", LAST, "--jobs", 1)
    assert terminal.notes == f"neche: {run}: 2 islands, 2 finished already\n"
    first, second = values["champions"]
    assert {first["run"], second["run"]} == {str(run / "island-0"), str(run / "island-1")}
    assert first["elo"] >= second["elo"]
    (crowned,) = read_fasta(run / "champion.fasta")
    assert crowned.id == first["champion_id"]
    assert f"{first['champion_id']} of {first['run']}, {first['elo']:+.0f}" in text
    assert terminal.json("match", run, "random", "--games", 2)["games"] == 2


def test_a_plug_in_of_a_file_goes_to_the_workers_of_islands(terminal, tmp_path):
    file = tmp_path / "parts.py"
    file.write_text(
        "import neche\n\n\n@neche.plugin.fitness\ndef drawn(network, rng):\n    return rng.random()\n"
    )
    runs = [tmp_path / "one", tmp_path / "two"]
    for jobs, run in enumerate(runs, 1):
        settings = ("final_games=0", "champion_candidates=0")
        terminal.json(*words_of(run, "--jobs", jobs, "--plugin", file, last=2, settings=settings))
    assert contents(runs[0]) == contents(runs[1])


def test_the_command_that_goes_on_with_interrupted_islands_has_their_plug_ins(tmp_path, monkeypatch, capsys):
    file = tmp_path / "parts.py"
    file.write_text("import neche\n\n\n@neche.plugin.fitness\ndef level(network):\n    return 0\n")
    run = tmp_path / "run"

    def interrupted(planned, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("neche.cli.islands.run_islands", interrupted)
    assert main(words_of(run, "--plugin", file)) == 130
    assert capsys.readouterr().err.endswith(
        f"continue with: neche evolve --resume --run {run} --plugin {file}\n"
    )


@pytest.mark.parametrize(
    "settings", [(), pytest.param(LEARNING, marks=pytest.mark.slow)], ids=["tournament", "screened"]
)
def test_together_and_each_in_a_process_of_its_own_they_have_the_same_bytes(terminal, tmp_path, settings):
    together, apart, pool = (tmp_path / name for name in ("together", "apart", "pool"))
    terminal.json(*words_of(together, "--jobs", 1, settings=settings))
    terminal.json(*words_of(pool, "--jobs", 2, settings=settings))
    assert contents(pool) == contents(together)
    processes = [started(*words_of(apart, "--island", n, "--jobs", 1, settings=settings)) for n in (0, 1)]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    assert without_crown(apart) == without_crown(together)
    # The same command for all islands finds them finished, and lets their champions meet.
    terminal.json(*words_of(apart, "--resume", "--jobs", 1, settings=settings))
    assert contents(apart) == contents(together)


def test_one_that_waits_says_so_and_goes_on_after_any_end(terminal, tmp_path, whole):
    run = tmp_path / "run"
    waiting = f"generation 3/{LAST}  waits for island 0, generation 2\n"
    for ending, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        more = ("--resume",) if run.exists() else ()
        with started(*words_of(run, "--island", 1, *more)) as process:
            while (line := process.stdout.readline()) != waiting:
                assert line
            process.send_signal(ending)
            complaint = process.stderr.read()
            assert process.wait() == code
        if ending == signal.SIGINT:
            assert complaint.splitlines()[-1] == (
                "neche: interrupted: all generations up to 2 are kept; "
                f"continue with: neche evolve --resume --run {run / 'island-1'}"
            )
    terminal.json(*words_of(run, "--island", 0, last=2))
    terminal.json("evolve", "--resume", "--run", run / "island-1", "--generations", 4, "--jobs", 1)
    terminal.json("evolve", "--resume", "--run", run, "--generations", LAST, "--jobs", 1)
    assert contents(run) == contents(whole)


@pytest.mark.slow
def test_islands_killed_at_any_moment_go_on_to_the_same_bytes(terminal, tmp_path, whole):
    run = tmp_path / "run"
    for seconds in (0.05, 0.0, 0.2, 0.1):
        with started(*words_of(run, "--resume", "--jobs", 1)) as process:
            begun = "islands" if not run.exists() else "finished already"
            assert begun in process.stderr.readline()
            time.sleep(seconds)
            process.kill()
    terminal.json(*words_of(run, "--resume", "--jobs", 2))
    assert contents(run) == contents(whole)


def test_what_contradicts_itself_is_refused_before_anything_is_begun(terminal, tmp_path, whole):
    run = tmp_path / "run"

    def fault(*more, settings=()):
        complaint = terminal.fault(*words_of(run, *more, settings=settings))
        assert not run.exists()
        return complaint

    assert "migrants = 6: with elites = 2 must be fewer than population = 8" in fault(settings=["migrants=6"])
    assert "--set migrants=0: must be a whole number from 1" in fault(settings=["migrants=0"])
    assert "unknown setting 'migrant' (did you mean migrants?)" in fault(settings=["migrant=1"])
    assert "island = 2: must be below islands = 2, as islands count from 0" in fault("--island", 2)
    assert "island = 0: must be below" not in fault("--island", 0, settings=["population=1"])
    assert "use --island, which names its directory too" in fault(settings=["island=1"])
    assert "for all islands at once; --island N evolves one of them" in fault("--from", "champion")
    assert "--set islands=1 --set island=0 a single population" in fault("--from", "champion")
    assert "--until: cannot be used for all islands at once" in fault("--until", "games=9")
    assert "--backend loky: cannot be used for all islands at once" in fault("--backend", "loky")
    assert "--device cuda: cannot be used for all islands at once" in fault("--device", "cuda")
    assert "island = 1: must be below islands = 1" in terminal.fault("evolve", "--run", run, "--island", 1)
    assert "--island 0: islands = 1 is a single" in terminal.fault("evolve", "--run", run, "--island", 0)
    assert "islands: a sweep has runs of one population" in terminal.fault(
        "sweep", "--output", run, "--set", "islands=2"
    )
    with pytest.raises(neche.InputError, match="islands = 2: needs a run"):
        neche.evolve("tournament", islands=2)
    before = contents(whole)
    assert "holds islands already; continue with --resume" in terminal.fault(*words_of(whole))
    resume = words_of(whole, "--resume")
    moved = whole.rename(whole.parent / "moved")
    (moved / "island-0").rename(moved / "other")
    fault_of_name = terminal.fault("evolve", "--resume", "--run", moved / "other")
    (moved / "other").rename(moved / "island-0")
    moved.rename(whole)
    assert "other: island 0 of 2 must be in a directory named island-0, next to the" in fault_of_name
    assert "island-0 began with genes = 20, not 30" in terminal.fault(*resume, "--set", "genes=30")
    assert "island-0 began with seed 0, not 7" in terminal.fault(*resume, "--seed", 7)
    assert "began with seed 0" in terminal.fault("evolve", "--resume", "--run", whole, "--seed", 7)
    assert "is a run of one population, or an island" in terminal.fault(*words_of(whole / "island-0"))
    assert contents(whole) == before


def test_resume_alone_goes_on_with_all_islands_of_the_newest_run(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal.evolve("runs/older", generations=0)
    terminal.json(*words_of("runs/isles", "--jobs", 1, last=1))
    values = terminal.json("evolve", "--resume", "--generations", 2, "--jobs", 1)
    assert (values["run"], values["generation"]) == ("runs/isles", 2)
    assert len(values["champions"]) == 2
    only = terminal.json("evolve", "--resume", "--island", 1, "--generations", 2, "--jobs", 1)
    assert only["run"] == "runs/isles/island-1"
    terminal.json("evolve", "--resume", "--run", "runs/older", "--generations", 1)
    assert terminal.json("evolve", "--resume", "--generations", 1)["run"] == "runs/older"


def test_islands_of_one_run_are_compared_as_seeds_are(terminal, whole):
    rows = terminal.json("compare", whole)["runs"]
    assert [row["run"] for row in rows] == ["island-0", "island-1"]
    assert not any("island" in key for row in rows for key in row)


def test_from_python_an_island_is_a_run(tmp_path, whole):
    tiny: dict[str, Any] = {
        **TINY_RUN,
        "islands": 2,
        "migrate_every": 2,
        "migrants": 2,
        "elites": 2,
        "ladder": [],
    }
    ring = [
        neche.evolve("tournament", run=tmp_path / f"island-{n}", island=n, generations=LAST, **tiny)
        for n in (0, 1)
    ]
    for number in range(LAST + 1):
        assert [next(one).number for one in ring] == [number] * 2
    for one in ring:
        assert list(one) == []
    assert without_crown(whole) == contents(tmp_path)
