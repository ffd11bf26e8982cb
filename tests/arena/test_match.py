"""Matches: paired, reproducible, stoppable and resumable."""

import json
import math
from dataclasses import replace

import joblib
import numpy as np
import pytest

from neche.arena import tournament as tournaments
from neche.arena.elo import measure_pairs
from neche.arena.match import play_match, replay_match
from neche.arena.playing import play_games
from neche.arena.sprt import plan_sprt
from neche.arena.tournament import Tournament, schedule_of
from neche.errors import InputError
from neche.network.decode import material_network
from neche.players.alpha_beta import AlphaBeta
from neche.players.spec import parse_player
from tests.arena.players import Fancy
from tests.arena.single_games import measure_games
from tests.arena.stand_in import Killed, dying, play, players

EVENT = Tournament(players(3, 1), seed=5)


def test_counts_of_games_and_pairs_agree():
    report = play_match(EVENT, 200, play=play)
    assert report.wins + report.draws + report.losses == 2 * report.pairs.num_pairs == 200
    assert report.strength == measure_pairs(report.pairs)
    assert report.strength.score == measure_games(report.wins, report.draws, report.losses).score
    assert report.strength.elo > report.strength.elo_error


def test_an_odd_number_of_games_is_rounded_up_so_that_both_colours_are_played():
    assert play_match(EVENT, 7, play=play).pairs.num_pairs == 4


def test_both_games_of_a_pair_share_the_opening_and_swap_the_colours():
    games = schedule_of(EVENT, ((0, 1),), 10, range(10))
    assert games.first.tolist() == [0, 1] * 10
    assert games.second.tolist() == [1, 0] * 10
    assert (games.opening_key[0::2] == games.opening_key[1::2]).all()
    assert len(set(games.opening_key.tolist())) == 10
    assert len(set(games.game_key.tolist())) == 20


def test_the_schedule_does_not_depend_on_its_division():
    whole = schedule_of(EVENT, ((0, 1), (1, 0)), 7, range(14))
    parts = [
        schedule_of(EVENT, ((0, 1), (1, 0)), 7, cut)
        for cut in (range(3), range(3, 4), range(4, 9), range(9, 14))
    ]
    for index, column in enumerate(whole):
        assert (column == np.concatenate([part[index] for part in parts])).all()


def test_the_report_does_not_depend_on_the_batches(monkeypatch):
    usual = play_match(EVENT, 300, sprt=plan_sprt(0, 60), play=play)
    monkeypatch.setattr(tournaments, "_FIRST_BATCH", 3)
    monkeypatch.setattr(tournaments, "_LARGEST_BATCH", 5)
    assert play_match(EVENT, 300, sprt=plan_sprt(0, 60), play=play) == usual


def test_sprt_stops_at_the_first_pair_that_decides():
    plan = plan_sprt(0, 50)
    stopped = play_match(EVENT, 4000, sprt=plan, play=play)
    assert stopped.sprt is not None
    assert stopped.sprt.accepted == "H1"
    assert stopped.sprt.llr >= plan.upper
    one_less = play_match(EVENT, 2 * stopped.pairs.num_pairs - 2, sprt=plan, play=play)
    assert one_less.sprt is not None
    assert one_less.sprt.accepted == ""


def test_sprt_accepts_h0_for_the_weaker_player():
    report = play_match(Tournament(players(1, 3)), 4000, sprt=plan_sprt(0, 50), play=play)
    assert report.sprt is not None
    assert report.sprt.accepted == "H0"


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_a_killed_match_continues_to_the_same_report_and_the_same_bytes(tmp_path, monkeypatch, batches):
    monkeypatch.setattr(tournaments, "_LARGEST_BATCH", 16)
    straight = play_match(EVENT, 150, results_path=tmp_path / "straight.jsonl", play=play)
    path = tmp_path / "killed.jsonl"
    with pytest.raises(Killed):
        play_match(EVENT, 150, results_path=path, play=dying(batches))
    assert len(path.read_text().splitlines()) == 1 + 16 * batches
    assert play_match(EVENT, 150, results_path=path, play=play) == straight
    assert path.read_bytes() == (tmp_path / "straight.jsonl").read_bytes()


def test_a_finished_match_is_not_played_again(tmp_path):
    path = tmp_path / "match.jsonl"
    report = play_match(EVENT, 40, results_path=path, play=play)
    assert play_match(EVENT, 40, results_path=path, play=dying(0)) == report


def test_a_longer_match_continues_a_shorter_one(tmp_path):
    path = tmp_path / "match.jsonl"
    play_match(EVENT, 40, results_path=path, play=play)
    assert play_match(EVENT, 80, results_path=path, play=play) == play_match(EVENT, 80, play=play)


@pytest.mark.parametrize(
    "other",
    [Tournament(players(3, 2), seed=5), Tournament(players(3, 1), seed=6), EVENT._replace(opening_plies=4)],
)
def test_results_of_another_match_are_refused(tmp_path, other):
    path = tmp_path / "match.jsonl"
    play_match(EVENT, 10, results_path=path, play=play)
    with pytest.raises(InputError, match="another event"):
        play_match(other, 10, results_path=path, play=play)


def test_a_changed_network_under_the_same_name_is_another_match(tmp_path):
    path = tmp_path / "match.jsonl"
    play_match(EVENT, 10, results_path=path, play=play)
    swapped = [EVENT.players[0], parse_player("material:depth=1")]
    renamed = [swapped[0], AlphaBeta("blind:depth=1", material_network(), 1)]
    with pytest.raises(InputError, match="networks is"):
        play_match(Tournament(renamed, seed=5), 10, results_path=path, play=play)


def test_progress_counts_every_game_once():
    seen = []
    play_match(EVENT, 100, notify=lambda done, total: seen.append((done, total)), play=play)
    assert seen == [(done, 100) for done in range(1, 101)]


def test_the_record_is_json_with_finite_numbers_only():
    report = play_match(EVENT, 60, sprt=plan_sprt(0, 5), play=play)
    record = json.loads(json.dumps(report.as_record(), allow_nan=False))
    assert {"wins", "draws", "losses", "score", "elo", "elo_error", "pairs"} <= record.keys()
    assert sum(record["pairs"]) == 30
    assert math.isfinite(record["sprt"]["llr"])


@pytest.mark.parametrize(
    ("name", "lacking"),
    [("blind:time=50", "a fixed depth, not a time"), ("blind:nodes=50,threads=2", "one thread")],
)
def test_matches_of_an_unrepeatable_player_are_played_but_not_kept(tmp_path, name, lacking):
    hurried = Tournament([parse_player(name), *players(1)])
    report = play_match(hurried, 10, play=play)
    assert report.pairs.num_pairs == 5
    with pytest.raises(InputError, match=f"player {name} is not repeatable"):
        play_match(hurried, 10, results_path=tmp_path / "kept.jsonl", play=play)
    with pytest.raises(InputError, match=f"nor played again to record them; .* give it {lacking}$"):
        list(replay_match(hurried, report))
    assert not list(tmp_path.iterdir())
    assert list(hurried.unrepeatable) == hurried.players[:1]
    assert EVENT.unrepeatable == ()
    knowing = parse_player("blind:nodes=50,threads=2,exact=8", "othello")
    assert Tournament([knowing], game="othello").unrepeatable


def test_no_games_are_refused():
    with pytest.raises(InputError, match="at least one game"):
        play_match(EVENT, 0, play=play)


def test_real_games_are_reproducible_and_order_the_players():
    tournament = Tournament(
        [parse_player("material:depth=2"), parse_player("random")], seed=1, opening_plies=6
    )
    report = play_match(tournament, 20)
    assert report == play_match(tournament, 20)
    assert report.strength.score > 0.9


def test_a_player_against_itself_is_level():
    tournament = Tournament([parse_player("material:depth=1"), parse_player("material:depth=1")], seed=2)
    report = play_match(tournament, 400)
    assert abs(report.strength.elo) < 3 * report.strength.elo_error


def thinking(name="fancy"):
    return Fancy(name)


def test_a_match_with_an_engine_is_reproducible_and_continues_from_its_results(tmp_path, monkeypatch):
    tournament = Tournament([thinking(), parse_player("material:depth=1")], seed=4)
    straight = play_match(tournament, 12, results_path=tmp_path / "straight.jsonl")
    monkeypatch.setattr(tournaments, "_LARGEST_BATCH", 2)
    left = [2]

    def dying_games(*args, **kwargs):
        if not left[0]:
            raise Killed
        left[0] -= 1
        return play_games(*args, **kwargs)

    path = tmp_path / "killed.jsonl"
    with pytest.raises(Killed):
        play_match(tournament, 12, results_path=path, play=dying_games)
    assert 1 < len(path.read_text().splitlines()) < 7
    assert play_match(tournament, 12, results_path=path) == straight
    assert path.read_bytes() == (tmp_path / "straight.jsonl").read_bytes()


def test_slow_games_are_kept_in_small_batches(monkeypatch):
    sizes = []

    def slow_games(contestants, schedule, rule, *, notify=None):
        sizes.append(len(schedule.first))
        return play(contestants, schedule, rule)

    monkeypatch.setattr(tournaments, "_BATCH_SECONDS", 0.0)
    with joblib.parallel_config(backend="threading", n_jobs=3):
        play_match(Tournament([thinking(), *players(1)]), 40, play=slow_games)
    assert set(sizes[:-1]) == {6}


def test_a_changed_file_of_a_player_makes_another_match(tmp_path):
    path = tmp_path / "match.jsonl"
    before, after = (replace(thinking(), digest_of_file=digest) for digest in ("0011", "0012"))
    play_match(Tournament([before, *players(1)]), 2, results_path=path, play=play)
    with pytest.raises(InputError, match=r'networks is \["0011"'):
        play_match(Tournament([after, *players(1)]), 2, results_path=path, play=play)
