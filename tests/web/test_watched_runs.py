"""Watching runs in the browser: curves, champions, several runs."""

import os
import shutil
from urllib.parse import quote

import pytest

from neche.archive.layout import RunLayout
from neche.archive.run import RunDirectory
from neche.games.catalogue import game
from neche.web import ServerConfiguration
from neche.web.watching import RunsWatch
from tests.archive.builders import begun_run, next_generation, small_settings
from tests.games.toys.loading import TICTACTOE, load
from tests.report.runs import sealed_history
from tests.web.games import settled
from tools.fuzz.pages import Visitor


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of four generations whose games were never played."""
    return begun_run(tmp_path_factory.mktemp("runs") / "small", 4)


@pytest.fixture
def watcher(run):
    found = Visitor(ServerConfiguration(run=run))
    yield found
    found.close()


def test_a_run_is_watched_and_its_champion_played(watcher):
    assert watcher.get("/api/hello").json()["run"] == "small"
    news = watcher.get("/api/run").json()
    assert [line["generation"] for line in news["lines"]] == [0, 1, 2, 3]
    assert news["generation"] == 3
    assert "fitness" not in news["lines"][0]
    assert [line["generation"] for line in watcher.get("/api/run?after=2").json()["lines"]] == [3]
    assert (news["of"], news["isFinished"]) == (900, False)
    champion = watcher.get("/api/champion").json()
    assert champion["id"] == news["champion"]
    assert len(champion["moves"]) == 12
    watcher.post("new", game="checkers")
    watcher.post("think", player="run:depth=1", ply=0, is_move=True)
    state = settled(watcher)
    assert state["thinking"]["player"] == f"small {news['champion']}, depth 1"
    assert len(state["moves"]) == 1


def test_networks_on_the_ladder_are_called_by_their_short_names(tmp_path):
    path = begun_run(tmp_path / "run", 2)
    sealed_history(path, lambda values: {**values, "ladder": {"network:file=champion-1,depth=4": 0.5}})
    visitor = Visitor(ServerConfiguration(run=path))
    news = visitor.get("/api/run").json()
    visitor.close()
    assert news["ladder"] == {"generation": 1, "champion-1:depth=4": 0.5}
    assert [line["ladder"] for line in news["lines"]] == [{"champion-1:depth=4": 0.5}] * 2


def test_the_fitness_of_a_plug_in_is_among_the_figures(tmp_path):
    path, plugged = begun_run(tmp_path / "run", 3), {"fitness": {"best": -0.5, "mean": -1e300}}
    sealed_history(path, lambda values: values | plugged if values["generation"] else values)
    visitor = Visitor(ServerConfiguration(run=path))
    lines = visitor.get("/api/run").json()["lines"]
    visitor.close()
    assert [line.get("fitness") for line in lines] == [None, *[plugged["fitness"]] * 2]


def test_a_run_that_went_beyond_its_settings_is_finished(tmp_path):
    path = begun_run(tmp_path / "long", 5, "generations=2")
    visitor = Visitor(ServerConfiguration(run=path))
    news = visitor.get("/api/run").json()
    with RunDirectory.open(path):
        assert not visitor.get("/api/run").json()["isFinished"], "a command goes on with it"
    visitor.close()
    assert (news["generation"], news["of"], news["isFinished"]) == (4, 4, True)


def test_a_run_that_a_command_ended_before_its_last_generation_has_ended(tmp_path):
    path = begun_run(tmp_path / "early", 3)
    visitor = Visitor(ServerConfiguration(run=path))
    said = []
    for step in ("crown", "go on", "crown"):
        news = visitor.get("/api/run").json()
        said.append((news["generation"], news["isEnded"]))
        RunLayout(path).lock.touch()  # as a killed command leaves it
        killed = visitor.get("/api/run").json()
        can_tell = os.name == "posix"
        assert (killed["isEnded"], killed["isUsed"]) == (news["isEnded"] and can_tell, not can_tell)
        with RunDirectory.open(path) as run:
            last = run.last
            assert last is not None
            if step == "crown":
                run.crown(last.members[0], generation=last.number, scores={})
            else:
                os.utime(RunLayout(path).population(last.number), (0, 0))
                news = visitor.get("/api/run").json()
                assert (news["isUsed"], news["isEnded"]) == (True, False), "a command is at work on it"
                assert news["working"] < 1000 < news["idle"]
                run.save(next_generation(last, run.seed))
    news = visitor.get("/api/runs").json()["runs"][0]
    visitor.close()
    assert [*said, (news["generation"], news["isEnded"])] == [(2, False), (2, True), (3, False), (3, True)]
    assert (news["of"], news["isFinished"]) == (900, False)


def test_several_runs_are_watched_and_new_ones_appear(tmp_path, run):
    first = begun_run(tmp_path / "sweep" / "a", 2)
    begun_run(tmp_path / "sweep" / "b", 3, "point_rate=0.25", seed=2)
    visitor = Visitor(ServerConfiguration(run=first, more_runs=(tmp_path / "sweep", run)))
    states = visitor.get("/api/runs").json()["runs"]
    assert [(one["name"], one["seed"], one["generation"]) for one in states] == [
        ("a", 1, 1),
        ("b", 2, 2),
        ("small", 1, 3),
    ]
    usual = f"point_rate={small_settings().mutation.point_rate}"
    assert [one["settings"] for one in states] == [usual, "point_rate=0.25", usual]
    assert all("lines" not in one for one in states)
    assert [line["generation"] for line in visitor.get("/api/run?name=b&after=0").json()["lines"]] == [1, 2]
    assert visitor.get("/api/run").json()["run"] == "a"
    assert visitor.get("/api/champion?name=b").json()["id"] == states[1]["champion"]
    # another begins, of a name that is there already; and one is damaged
    begun_run(tmp_path / "sweep" / "small", 1, seed=5)
    (tmp_path / "sweep" / "b" / "config.toml").write_bytes(b"nothing")
    visitor.pages.watch = RunsWatch((first, tmp_path / "sweep", run))
    states = visitor.get("/api/runs").json()["runs"]
    assert [one["name"] for one in states] == ["a", "b", "sweep/small", f"{run.parent.name}/small"]
    assert "config.toml" in states[1]["fault"]
    assert visitor.get("/api/run?name=sweep/small").json()["seed"] == 5
    assert visitor.get("/api/run?name=../../etc").status == 422
    visitor.close()


def test_runs_of_equal_names_in_directories_of_equal_names_are_all_there(tmp_path):
    places = [tmp_path / name / "sweep" for name in ("one", "two")]
    for seed, place in enumerate(places):
        begun_run(place / "seed-1", 1, seed=seed)
    begun_run(places[0] / "seed-2", 1, seed=2)
    visitor = Visitor(ServerConfiguration(run=places[0] / "seed-1", more_runs=tuple(places)))
    states = visitor.get("/api/runs").json()["runs"]
    assert {one["name"]: one["seed"] for one in states} == {
        "one/sweep/seed-1": 0,
        "two/sweep/seed-1": 1,
        "seed-2": 2,
    }
    assert visitor.get("/api/run?name=two/sweep/seed-1").json()["seed"] == 1
    visitor.close()


def test_a_run_whose_name_is_no_text_is_watched(tmp_path):
    run = begun_run(tmp_path / os.fsdecode(b"l\xe4ufe"), 1)
    begun_run(tmp_path / "other", 1)
    visitor = Visitor(ServerConfiguration(run=run, more_runs=(tmp_path,)))
    assert visitor.get("/api/hello").json()["run"]
    assert "run" in [offer["word"] for offer in visitor.get("/api/games/checkers").json()["players"]]
    names = [one["name"] for one in visitor.get("/api/runs").json()["runs"]]
    assert len(names) == 2
    for name in names:
        assert visitor.get(f"/api/run?name={quote(name)}").json()["run"] == name
    visitor.close()


def test_the_board_of_a_run_is_asked_for_by_its_game_though_that_is_not_offered(tmp_path, run):
    name = load(TICTACTOE).name
    toy = begun_run(tmp_path / "toy", 1, "topology=auto", f"game={name}")
    visitor = Visitor(ServerConfiguration(run=run, more_runs=(toy,)))
    assert name not in [offer["name"] for offer in visitor.get("/api/hello").json()["games"]]
    assert "no game" in visitor.get(f"/api/games/{name}").json()["error"]
    assert visitor.get("/api/run?name=toy").json()["game"] == name
    # This game says nothing of its board; another's rules would be sent.
    assert "does not say what its board looks like" in visitor.get(f"/api/games/{name}").json()["error"]
    visitor.close()


def test_a_run_begun_anew_under_its_name_is_told_by_its_own_settings(tmp_path):
    run = begun_run(tmp_path / "again", 1, seed=1)
    visitor = Visitor(ServerConfiguration(run=run))
    assert visitor.get("/api/run").json()["game"] == "checkers"
    shutil.rmtree(run)
    begun_run(run, 1, "game=brazilian", seed=2)
    # Whichever address is asked first.
    moves = visitor.get("/api/champion").json()["moves"]
    news = visitor.get("/api/run").json()
    visitor.close()
    assert (news["game"], news["seed"]) == ("brazilian", 2)
    assert moves[0] in [move.text for move in game("brazilian").legal_moves(game("brazilian").start())]


def test_a_run_begun_anew_has_nothing_of_the_one_before(tmp_path):
    run = begun_run(tmp_path / "again", 3)
    visitor = Visitor(ServerConfiguration(run=run))
    before = visitor.get("/api/run").json()
    shutil.rmtree(run)
    assert "no such run" in visitor.get("/api/run").json()["error"]
    begun_run(run, 0)
    news = visitor.get("/api/run").json()
    assert (news["lines"], news["generation"], news["champion"]) == ([], None, None)
    assert news["begun"] != before["begun"]
    shutil.rmtree(run)
    begun_run(run, 4)
    assert visitor.get("/api/run").json()["generation"] == 3
    visitor.close()


def test_a_run_is_not_offered_for_a_game_it_does_not_play(watcher):
    words = [offer["word"] for offer in watcher.get("/api/games/brazilian").json()["players"]]
    assert "run" not in words


def test_without_a_run_there_is_nothing_to_watch(visitor):
    assert visitor.get("/api/run").status == 422
