import numpy as np
import pytest

from neche.arena.playing import GameResults
from neche.evolution.schedule import (
    OpeningRange,
    StreamName,
    points_of_a,
    schedule_games,
    schedule_pairs,
)

PURPOSE = StreamName(1, 2, "test")
OPENINGS = OpeningRange(3, 4)


def test_a_pair_plays_one_opening_twice_with_colours_swapped():
    pairings = schedule_pairs([0, 1], [2, 3], OPENINGS, PURPOSE)
    assert pairings.first.tolist() == [0, 2, 1, 3]
    assert pairings.second.tolist() == [2, 0, 3, 1]
    for column in (pairings.opening_key, pairings.opening_plies):
        assert column[0] == column[1]
        assert column[2] == column[3]
    assert pairings.opening_key[0] != pairings.opening_key[2]


def test_every_game_has_a_key_of_its_own():
    pairings = schedule_pairs(np.zeros(500), np.ones(500), OPENINGS, PURPOSE)
    assert len(set(pairings.game_key.tolist())) == 1000
    assert len(set(pairings.opening_key.tolist())) == 500


def test_openings_have_every_length_of_the_range():
    pairings = schedule_pairs(np.zeros(200), np.ones(200), OPENINGS, PURPOSE)
    assert np.bincount(pairings.opening_plies).tolist()[:3] == [0, 0, 0]
    assert set(pairings.opening_plies.tolist()) == {3, 4}
    assert 120 < np.count_nonzero(pairings.opening_plies == 3) < 280


@pytest.mark.parametrize(("schedule", "games_each"), [(schedule_games, 1), (schedule_pairs, 2)])
def test_batches_continue_the_numbering(schedule, games_each):
    whole = schedule(np.zeros(10), np.ones(10), OPENINGS, PURPOSE)
    begin = schedule(np.zeros(4), np.ones(4), OPENINGS, PURPOSE)
    rest = schedule(np.zeros(6), np.ones(6), OPENINGS, PURPOSE, start=4)
    for column, head, tail in zip(whole, begin, rest, strict=True):
        assert column.tolist() == head.tolist() + tail.tolist()
    assert len(begin.first) == 4 * games_each


def test_openings_can_repeat():
    pairings = schedule_pairs(np.zeros(6), np.ones(6), OPENINGS, PURPOSE, num_openings=3)
    assert pairings.opening_key[:6].tolist() == pairings.opening_key[6:].tolist()
    assert len(set(pairings.opening_key.tolist())) == 3
    assert len(set(pairings.game_key.tolist())) == 12


@pytest.mark.parametrize(
    "other", [StreamName(2, 2, "test"), StreamName(1, 3, "test"), StreamName(1, 2, "other")]
)
def test_another_purpose_has_other_keys(other):
    ours, theirs = (schedule_games([0], [1], OPENINGS, purpose) for purpose in (PURPOSE, other))
    assert ours.game_key[0] != theirs.game_key[0]
    assert ours.opening_key[0] != theirs.opening_key[0]


def test_points_of_a_pair_come_from_both_colours():
    outcome = np.array([1, -1, 1, 1, 0, 0, -1, 1], dtype=np.int8)
    results = GameResults(outcome, np.zeros(8, dtype=np.int32), np.zeros(8, dtype=np.int64))
    assert points_of_a(results).tolist() == [2.0, 1.0, 1.0, 0.0]
