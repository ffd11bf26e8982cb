"""Round robins: tables that add up, and ratings with correct errors."""

import json

import numpy as np
import pytest

from neche.arena import tournament as tournaments
from neche.arena.match import play_match
from neche.arena.results import PairResult
from neche.arena.round_robin import play_round_robin, rate, tabulate
from neche.arena.tournament import Tournament
from neche.errors import InputError
from neche.players.spec import parse_player
from tests.arena.stand_in import Killed, dying, play, players

EVENT = Tournament(players(1, 3, 2, 4), seed=9)


def test_a_small_table_is_right_to_the_last_point():
    pairs = [PairResult(0, (1, 1), (9, 9)), PairResult(1, (0, 1), (9, 9)), PairResult(2, (-1, 0), (9, 9))]
    report = tabulate(["a", "b", "c"], [(0, 1), (0, 2), (1, 2)], 1, pairs)
    best, middle, last = report.standings
    assert [best.name, middle.name, last.name] == ["a", "c", "b"]
    assert (best.wins, best.draws, best.losses, best.points) == (3, 1, 0, 3.5)
    assert best.against == (None, 1.5, 2.0)
    assert middle.against == (0.5, None, 1.5)
    assert last.against == (0.0, 0.5, None)


def test_every_pair_meets_equally_often_and_points_add_up():
    report = play_round_robin(EVENT, 20, play=play)
    assert all(line.games == 60 == line.wins + line.draws + line.losses for line in report.standings)
    assert sum(line.points for line in report.standings) == 6 * 20
    for line in report.standings:
        assert line.points == sum(points for points in line.against if points is not None)


def test_the_deeper_player_stands_higher():
    report = play_round_robin(EVENT, 200, play=play)
    assert [line.name for line in report.standings] == [f"blind:depth={d}" for d in (4, 3, 2, 1)]


def test_elo_adds_to_zero_without_an_anchor_and_is_zero_for_the_anchor():
    free = play_round_robin(EVENT, 40, play=play)
    anchored = play_round_robin(EVENT, 40, anchor="blind:depth=2", play=play)
    assert sum(line.elo for line in free.standings) == pytest.approx(0.0, abs=0.05)
    of = {line.name: line for line in anchored.standings}
    assert of["blind:depth=2"].elo == of["blind:depth=2"].elo_error == 0.0
    shift = {line.name: line.elo for line in free.standings}["blind:depth=2"]
    assert [line.elo + shift for line in anchored.standings] == pytest.approx(
        [line.elo for line in free.standings], abs=0.02
    )


def test_two_players_are_rated_as_in_their_match():
    tournament = Tournament(players(3, 1), seed=4)
    match = play_match(tournament, 2000, play=play)
    lines = play_round_robin(tournament, 2000, anchor="blind:depth=1", play=play).standings
    assert lines[0].points == match.wins + 0.5 * match.draws
    assert lines[0].elo == pytest.approx(match.strength.elo, rel=0.02)
    assert lines[0].elo_error == pytest.approx(match.strength.elo_error, rel=0.05)


@pytest.mark.parametrize("num_pairs", [1, 2, 30])
def test_errors_cover_the_truth_in_95_percent_of_cases(num_pairs):
    rng, inside, runs = np.random.default_rng(8), 0, 150
    true = np.array([0.6, 0.1, -0.2, -0.5])
    pairings = np.array([(a, b) for a in range(4) for b in range(a + 1, 4)])
    first, second = np.repeat(pairings, num_pairs, axis=0).T
    chance = 1 / (1 + np.exp(true[second] - true[first]))
    for _ in range(runs):
        # draws with the mean kept, so that results spread less than coin tosses
        draw = rng.random((2, len(chance))) < 0.5 * np.minimum(chance, 1 - chance) * 2
        drawn = np.minimum(chance, 1 - chance)
        win = rng.random((2, len(chance))) < (chance - 0.5 * drawn) / (1 - drawn)
        outcomes = np.where(draw, 0, np.where(win, 1, -1)).T
        elo, error = rate(first, second, outcomes, 4)
        inside += int((np.abs(elo - (true - true.mean()) * 400 / np.log(10)) <= error).sum())
    # binomial(600, 0.95), deviation 5.3 if independent
    assert 0.91 < inside / (4 * runs) < 0.985


def test_a_player_who_always_loses_makes_the_others_no_more_certain():
    # results of two players against a third that always loses say nothing about their difference
    rng = np.random.default_rng(3)
    for num_pairs, least in ((5, 0.8), (50, 0.95)):
        outcomes = rng.choice([-1, 0, 1], size=(num_pairs, 2), p=[0.2, 0.5, 0.3])
        _, alone = rate(np.zeros(num_pairs, int), np.ones(num_pairs, int), outcomes, 2, 1)
        first, second = np.repeat([[0, 1], [0, 2], [1, 2]], num_pairs, axis=0).T
        won = np.ones((2 * num_pairs, 2), int)
        _, error = rate(first, second, np.concatenate([outcomes, won]), 3, 1)
        assert least * alone[0] < error[0] < 1.05 * alone[0]


@pytest.mark.parametrize("num_players", [4, 5, 9])
def test_players_are_rated_even_if_most_have_not_met_yet(num_players):
    elo, error = rate(np.array([0, 1]), np.array([1, 2]), np.array([[1, 0], [1, 1]]), num_players)
    assert elo[0] > elo[1] > elo[2]
    assert np.all(np.isfinite(error) & (error > 0))


def test_many_players_are_rated_even_if_the_better_one_always_won():
    first, second = np.repeat(np.triu_indices(12, 1), 500, axis=1)
    elo, error = rate(first, second, np.ones((len(first), 2), np.int64), 12)
    assert np.all(np.diff(elo) < -500)
    assert np.all(np.isfinite(error) & (error > 0))


def test_a_player_who_lost_every_game_keeps_a_finite_rating():
    pairs = [PairResult(number, (-1, -1), (9, 9)) for number in range(20)]
    lines = tabulate(["a", "b"], [(0, 1)], 20, pairs).standings
    assert lines[0].name == "b"
    assert 200 < lines[0].elo < 1000
    assert 0 < lines[0].elo_error < 1000


def test_a_killed_round_robin_continues_to_the_same_table_and_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(tournaments, "_LARGEST_BATCH", 16)
    straight = play_round_robin(EVENT, 30, results_path=tmp_path / "a.jsonl", play=play)
    with pytest.raises(Killed):
        play_round_robin(EVENT, 30, results_path=tmp_path / "b.jsonl", play=dying(2))
    assert play_round_robin(EVENT, 30, results_path=tmp_path / "b.jsonl", play=play) == straight
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


def test_results_with_another_number_of_games_are_refused(tmp_path):
    play_round_robin(EVENT, 10, results_path=tmp_path / "a.jsonl", play=play)
    with pytest.raises(InputError, match="games is 10 there, 12 here"):
        play_round_robin(EVENT, 12, results_path=tmp_path / "a.jsonl", play=play)


def test_the_record_is_json():
    record = json.loads(json.dumps(play_round_robin(EVENT, 10, play=play).as_record(), allow_nan=False))
    assert [line["rank"] for line in record["table"]] == [1, 2, 3, 4]
    assert record["elo"][record["table"][0]["player"]] == record["table"][0]["elo"]
    assert record["table"][0]["player"] not in record["table"][0]["against"]


@pytest.mark.parametrize(
    ("depths", "anchor", "fault"),
    [((1,), None, "at least two"), ((1, 2, 1), None, "listed twice"), ((1, 2), "blind:depth=9", "anchor")],
)
def test_impossible_fields_are_refused(depths, anchor, fault):
    with pytest.raises(InputError, match=fault):
        play_round_robin(Tournament(players(*depths)), 10, anchor=anchor, play=play)


def test_real_players_are_ordered_and_the_table_is_reproducible():
    tournament = Tournament(
        [parse_player(spec) for spec in ("random", "material:depth=2", "blind:depth=1")], seed=3
    )
    report = play_round_robin(tournament, 20)
    assert report == play_round_robin(tournament, 20)
    assert report.standings[0].name == "material:depth=2"
