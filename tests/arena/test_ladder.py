"""The ladder: rungs are played under equal conditions, kept on disk, and resumed."""

import numpy as np
import pytest

from neche.arena import tournament as tournaments
from neche.arena.ladder import climb, usual_rungs
from neche.arena.match import play_match
from neche.arena.playing import play_games
from neche.arena.tournament import Tournament
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import RUNGS
from neche.players.spec import parse_player
from tests.arena.stand_in import Killed, dying, play, players


def ladder(*depths):
    return Tournament([parse_player("blind:depth=3"), *players(*depths)], seed=5)


def test_each_rung_is_a_match():
    rungs = list(climb(ladder(1, 2, 5), 200, play=play))
    assert [rung.player for rung in rungs] == ["blind:depth=1", "blind:depth=2", "blind:depth=5"]
    assert all(rung.wins + rung.draws + rung.losses == 200 for rung in rungs)
    assert rungs[0].strength.elo > 0 > rungs[2].strength.elo
    match = play_match(Tournament([parse_player("blind:depth=3"), *players(1)], seed=5), 200, play=play)
    assert (rungs[0].wins, rungs[0].draws, rungs[0].strength) == (match.wins, match.draws, match.strength)


def test_every_rung_has_the_same_openings_and_depends_on_no_other():
    keys: list[tuple[int, int]] = []

    def listening(contestants, schedule, rule, *, notify=None):
        keys.extend(zip(schedule.second | schedule.first, schedule.opening_key, strict=True))
        return play(contestants, schedule, rule)

    three = list(climb(ladder(1, 2, 5), 20, play=listening))
    openings = {rung: [int(key) for who, key in keys if who == rung] for rung in (1, 2, 3)}
    assert openings[1] == openings[2] == openings[3]
    assert len(set(openings[1])) == 10
    (alone,) = climb(ladder(5), 20, play=play)
    assert alone == three[2]


def test_rungs_come_one_after_the_other():
    played = []

    def slow(contestants, schedule, rule, *, notify=None):
        played.append(len(schedule.first))
        return play(contestants, schedule, rule)

    uct = parse_player("uct:playouts=9")
    climbing = climb(Tournament([uct, *players(1, 2)]), 6, play=slow)
    next(climbing)
    assert sum(played) == 6
    next(climbing)
    assert sum(played) == 12


@pytest.mark.parametrize("batches_played", [0, 1, 2])
def test_a_stopped_climb_continues_to_the_same_results(tmp_path, monkeypatch, batches_played):
    monkeypatch.setattr(tournaments, "_LARGEST_BATCH", 8)
    monkeypatch.setattr(tournaments, "_FIRST_BATCH", 4)
    straight = list(climb(ladder(1, 2), 20, results_path=tmp_path / "a", play=play))
    with pytest.raises(Killed):
        list(climb(ladder(1, 2), 20, results_path=tmp_path / "b", play=dying(batches_played)))
    assert list(climb(ladder(1, 2), 20, results_path=tmp_path / "b", play=play)) == straight
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_results_of_another_ladder_are_refused(tmp_path):
    list(climb(ladder(1, 2), 20, results_path=tmp_path / "r", play=play))
    with pytest.raises(InputError, match="games is 20 there, 30 here"):
        climb(ladder(1, 2), 30, results_path=tmp_path / "r", play=play)
    with pytest.raises(InputError, match="players is"):
        climb(ladder(1, 4), 20, results_path=tmp_path / "r", play=play)


def test_progress_names_the_rung_and_its_games():
    seen = []
    list(climb(ladder(1, 2), 6, notify=lambda rung, done: seen.append((rung, done)), play=play))
    assert seen == [(rung, done) for rung in (0, 1) for done in range(1, 7)]


def test_the_interval_contains_the_score_and_stays_within_0_and_1():
    for rung in climb(ladder(1, 2, 5), 20, play=play):
        low, high = rung.interval
        assert 0 <= low < rung.strength.score < high <= 1
    tournament = Tournament([parse_player("material:depth=2"), parse_player("random")], opening_plies=4)
    (rung,) = climb(tournament, 20)
    assert rung.strength.bound == ">"
    assert rung.interval[1] == 1
    assert rung.interval[0] > 0.8
    assert all(np.isfinite(value) for value in rung.as_record().values() if isinstance(value, float))


def test_the_usual_rungs_are_players_of_rising_kinds():
    names = [name.partition(":")[0] for name in RUNGS]
    assert len(set(RUNGS)) == len(RUNGS) == 11
    assert [names.count(kind) for kind in ("random", "blind", "material", "mcrd", "uct")] == [1, 1, 4, 3, 2]


@pytest.mark.parametrize(
    ("names", "games", "fault"),
    [
        (["random"], 20, "at least one rung"),
        (["random", "blind:depth=1", "blind", "blind:depth=1"], 20, "rung blind:depth=1 is listed twice"),
        (["random", "blind"], 0, "at least one game"),
    ],
)
def test_impossible_ladders_are_refused(names, games, fault):
    with pytest.raises(InputError, match=fault):
        climb(Tournament([parse_player(name) for name in names]), games, play=play)


def test_a_climb_by_the_clock_is_never_kept_on_disk(tmp_path):
    climbers = Tournament([parse_player(name) for name in ("blind:time=5", "random")])
    with pytest.raises(InputError, match="is not repeatable"):
        climb(climbers, 2, results_path=tmp_path / "kept.jsonl", play=play)
    assert not list(tmp_path.iterdir())
    assert [rung.player for rung in climb(climbers, 2, play=play)] == ["random"]


def test_costs_grow_with_depth_and_playouts():
    specs = ("random", "material:depth=4", "material:depth=6", "uct:playouts=1000", "uct:playouts=9000")
    costs = [parse_player(spec).seconds_a_game for spec in specs]
    assert costs == sorted(costs)


def test_real_games_on_a_ladder_are_reproducible():
    competitors = [parse_player("material:depth=2"), parse_player("uct:playouts=30")]
    tournament = Tournament(competitors, seed=1, opening_plies=10)
    assert list(climb(tournament, 4)) == list(climb(tournament, 4, play=play_games))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_rungs_by_its_own_data(name, monkeypatch):
    monkeypatch.setattr("neche.arena.ladder.read_scale", lambda name: None)
    names = [player.name.partition(",")[0] for player in usual_rungs(game(name))]
    assert names == list(game(name).rungs)
    assert names[0] == "random"
    assert set(names) <= set(RUNGS)
    assert len(names) >= 6
