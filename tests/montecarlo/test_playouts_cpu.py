"""Counts of playouts do not depend on workers, batches and lanes, and are as published."""

import math

import joblib
import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import MAX_PLIES
from neche.games.playouts import LANES, PlayoutRule
from neche.montecarlo import playouts_cpu
from neche.montecarlo.counting import RULE
from neche.montecarlo.playout import play_many
from neche.montecarlo.playouts_cpu import count_playouts
from tests.oracles import checkers_twin as twin
from tests.oracles.playout_twin import Rule, playout

CHECKERS = game("checkers")
START = CHECKERS.start()
# two walls of men that no piece can pass, a king behind each, and a man that can move once
SHUT = "W:W21,22,23,24,17,18,19,20,29,K31:B13,14,15,16,9,10,11,12,K2"
MOVES = np.zeros(CHECKERS.max_moves * CHECKERS.move_words, np.uint32)


def one_by_one(positions, playouts, keys, first, rule=RULE):
    """Count the playouts one after another, without lanes."""
    columns = zip(positions, playouts, keys, first, strict=True)
    counts = [play_many(p, np.uint64(key), begin, begin + n, rule, MOVES) for p, n, key, begin in columns]
    return np.array(counts, np.int64).reshape(-1, 4).T


def random_positions(count, seed=0):
    return [
        CHECKERS.parse_fen(twin.fen(twin.random_position(seed * 1000 + number))) for number in range(count)
    ]


@pytest.mark.parametrize("quiet_plies", [0, 1, 5, 80])
@pytest.mark.parametrize("most", [1, LANES - 1, 3 * LANES])
def test_games_in_lanes_equal_those_one_by_one(quiet_plies, most):
    positions = random_positions(40, seed=most)
    playouts = [number * most // 40 for number in range(40)]
    keys, first = list(range(7, 47)), [number * number for number in range(40)]
    rule = PlayoutRule(quiet_plies=quiet_plies)
    counts = count_playouts(CHECKERS, positions, playouts, keys, first=first, rule=rule)
    assert np.array_equal(counts, one_by_one(positions, playouts, keys, first, rule))
    assert (counts.wins + counts.draws + counts.losses).tolist() == playouts


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**5), st.integers(0, 70), st.integers(0, 2**64 - 1), st.integers(0, 2**62)
        ),
        max_size=6,
    )
)
def test_any_mixture_of_positions_and_streams_can_be_counted(wanted):
    positions = [CHECKERS.parse_fen(twin.fen(twin.random_position(seed))) for seed, *_ in wanted]
    columns = [[row[column] for row in wanted] for column in (1, 2, 3)]
    counts = count_playouts(CHECKERS, positions, *columns[:2], first=columns[2])
    assert np.array_equal(counts, one_by_one(positions, *columns))


def test_counts_of_a_stream_equal_those_of_the_slow_twin():
    boards = [playout(twin.parse(twin.START), 11, number, Rule()) for number in range(60)]
    outcomes = [outcome for outcome, _ in boards]
    counts = count_playouts(CHECKERS, [START], [60], [11])
    assert [int(column[0]) for column in counts] == [
        *(outcomes.count(outcome) for outcome in (1, 0, -1)),
        sum(len(line) for _, line in boards),
    ]


@pytest.mark.parametrize(
    ("backend", "rule"),
    [("threading", RULE), ("loky", RULE), ("threading", PlayoutRule(max_plies=40, by_count=1))],
)
def test_workers_and_batches_change_nothing(monkeypatch, backend, rule):
    positions, playouts, keys = random_positions(5), [40, 0, 700, 3, 250], [1, 2, 3, 4, 5]
    alone = count_playouts(CHECKERS, positions, playouts, keys, rule=rule)
    monkeypatch.setattr(playouts_cpu, "_SHORT_BATCH", 70 / 4e6)
    monkeypatch.setattr(playouts_cpu, "_LONG_BATCH", 90 / 4e6)
    finished: list[int] = []
    with joblib.parallel_config(backend=backend, n_jobs=2):
        shared = count_playouts(CHECKERS, positions, playouts, keys, rule=rule, notify=finished.append)
    assert np.array_equal(alone, shared)
    assert sum(finished) == sum(playouts)
    assert len(finished) > 10


def test_consecutive_games_add_up():
    position = random_positions(1)
    first = count_playouts(CHECKERS, position, [300], [9])
    rest = count_playouts(CHECKERS, position, [200], [9], first=[300])
    whole = count_playouts(CHECKERS, position, [500], [9])
    assert np.array_equal(np.add(first, rest), whole)


@pytest.mark.parametrize("limits", [{"quiet_plies": 0}, {"quiet_plies": 5000}, {"max_plies": 10**6}])
def test_an_endless_playout_is_drawn_one_by_one_and_in_lanes(limits):
    rule, position = PlayoutRule(**{"quiet_plies": 0, **limits}), [CHECKERS.parse_fen(SHUT)]
    few = count_playouts(CHECKERS, position, [LANES // 4], [1], rule=rule)
    many = count_playouts(CHECKERS, position, [LANES], [1], first=[LANES // 4], rule=rule)
    whole = count_playouts(CHECKERS, position, [LANES + LANES // 4], [1], rule=rule)
    assert np.array_equal(np.add(few, many), whole)
    assert whole.draws[0] == LANES + LANES // 4
    assert MAX_PLIES < whole.plies[0] / whole.draws[0] < MAX_PLIES + 100


def test_no_positions_and_no_playouts_have_empty_counts():
    assert np.array(count_playouts(CHECKERS, [], [], [])).shape == (4, 0)
    assert np.array_equal(count_playouts(CHECKERS, [START], [0], [1]), np.zeros((4, 1)))


@pytest.mark.parametrize("option", ["by_count", "avoid_cycles"])
def test_whole_moves_refuse_the_options_of_checkers(option):
    rule = PlayoutRule(max_plies=50, whole_moves=1, **{option: 1})
    with pytest.raises(InputError, match="neither a win by count nor cycles of kings"):
        count_playouts(CHECKERS, [START], [1], [1], rule=rule)


def test_random_games_have_the_published_length_and_results():
    # 6 million games of another program: first wins .490, loses .505, draws .005, 70.7 plies (sd 35)
    games = 60_000
    counts = count_playouts(CHECKERS, [START], [games], [2026])
    for count, share in ((counts.wins, 0.490), (counts.losses, 0.505), (counts.draws, 0.005)):
        error = math.sqrt(share * (1 - share) / games)
        # the published shares are rounded to three places
        assert abs(count[0] / games - share) < 4 * error + 0.0005
    assert abs(counts.plies[0] / games - 70.7) < 4 * 35 / math.sqrt(games) + 0.05
