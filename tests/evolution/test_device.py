"""The device of an evolution: what it does, what it is refused for, and that runs are the same with it."""

import pytest

import neche
from neche.arena.playing import play_games
from neche.compiled import cuda
from neche.errors import InputError
from neche.evolution.device import CPU, device_for
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from tests.prediction.simulated import in_the_simulator

LEARNING = (
    "population=3",
    "topology=auto-2-1",
    "perspective=mover",
    "batches=2",
    "batch=9",
    "pairs=3",
    "sample_games=3",
    "first_games=12",
    "ladder_games=0",
    "final_games=2",
)
# from depth 1 to depth 2 in generation 1, whatever the promotion test says
PLAYING = (
    "population=6",
    "genes=40",
    "games_per_member=4",
    "move_up_every=1",
    "move_up_score=0",
    "move_up_members=2",
    "ladder_every=9",
    "ladder_games=0",
    "champion_games=2",
    "final_games=2",
)
RUNS = {
    "learning, lamarck": ("default", *LEARNING, "inheritance=lamarck"),
    "learning, baldwin": ("default", *LEARNING, "inheritance=baldwin"),
    "tournament": ("tournament", *PLAYING),
    "tournament, original ranking": ("tournament", *PLAYING, "ranking=original", "selection=rank-sum"),
}
_SLOW = ("learning, baldwin", "tournament, original ranking")


def settings_of(recipe, *changes):
    settings = load_recipe(recipe)
    for change in changes:
        settings = override(settings, change)
    return resolve(settings)


def files_of(run):
    return {
        path.relative_to(run): path.read_bytes()
        for path in run.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in _SLOW else ()) for name in RUNS]
)
def test_a_run_is_the_same_to_the_byte_on_either_device_and_on_both_in_turn(tmp_path, name):
    recipe, *ways = RUNS[name]
    for directory, last in (("cpu", 2), ("both", 1)):
        for _ in neche.evolve(recipe, seed=4, generations=last, run=tmp_path / directory, overrides=ways):
            pass
    words = [word for way in ways for word in ("--set", way)]
    device = ("-m", "neche", "evolve", "--device", "cuda", "--jobs", "1", "--generations", "2", "--run")
    in_the_simulator(*device, str(tmp_path / "cuda"), "--recipe", recipe, "--seed", "4", *words)
    in_the_simulator(*device, str(tmp_path / "both"), "--resume")
    straight = files_of(tmp_path / "cpu")
    assert len(straight) > 4
    assert files_of(tmp_path / "cuda") == straight
    assert files_of(tmp_path / "both") == straight


def test_a_second_layer_of_strands_has_no_kernel():
    settings = settings_of("tournament", "topology=auto-4-2-1", "perspective=mover")
    with pytest.raises(
        InputError, match=r"^device cuda has no kernel for two hidden layers: .* = 128-4-2-1$"
    ):
        device_for("cuda", settings)


@pytest.mark.parametrize(
    ("recipe", "change", "fault"),
    [
        (
            "default",
            "learning=gradient",
            "is for learning by coevolution, and these settings have learning = gradient",
        ),
        ("tournament", "depth=3", "plays to depth 2, and these settings reach depth = 3"),
        ("tournament", "next_depths=[2, 4]", "plays to depth 2, and these settings reach next_depths = 4"),
        ("original", "population=20", "plays to depth 2, and these settings reach depth = 6"),
    ],
)
def test_what_a_device_cannot_do_is_said_on_one_line_before_anything_is_played(recipe, change, fault):
    with pytest.raises(InputError, match=f"^device cuda {fault}$"):
        device_for("cuda", settings_of(recipe, change))
    assert device_for("cpu", settings_of(recipe, change)) is CPU


def test_a_device_plays_where_tournaments_select_and_learns_where_members_learn(monkeypatch):
    monkeypatch.setattr(cuda, "require_device", lambda: None)
    playing, learning = (device_for("cuda", settings_of(name)) for name in ("tournament", "default"))
    assert playing.learn is None
    assert playing.play is not play_games
    assert learning.learn is not None
    assert learning.play is play_games


def test_an_absent_or_unknown_device_is_an_error_before_anything_is_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "find_spec", lambda name: None)
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    for recipe in ("default", "tournament"):
        with pytest.raises(InputError, match="not installed"):
            neche.evolve(recipe, run=tmp_path / "run", device="cuda")
    with pytest.raises(InputError, match="unknown device 'gpu'"):
        neche.evolve("default", run=tmp_path / "run", device="gpu")
    assert not (tmp_path / "run").exists()
    with neche.evolve("default", run=tmp_path / "run", overrides=LEARNING):
        pass
    with pytest.raises(InputError, match="not installed"):
        neche.evolve(run=tmp_path / "run", resume=True, device="cuda")
    with neche.evolve(run=tmp_path / "run", resume=True) as evolution:
        assert evolution.last is None
