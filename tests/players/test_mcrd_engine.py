"""Analyses of an MCRD player: equal for equal keys, correct where the rules decide, within the time limit."""

from types import SimpleNamespace

import joblib
import numpy as np
import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.montecarlo import playouts_cpu
from neche.montecarlo.counting import PlayoutCounts
from neche.network.decode import blind_network
from neche.players import mcrd
from neche.players.alpha_beta import search_position
from neche.players.engine import WIN_VALUE, Limits, interval
from neche.players.mcrd import ALLOCATIONS, Mcrd

CHECKERS = game("checkers")
START = CHECKERS.start()
# White to move; only one move wins, in this many plies
SHOTS = [
    ("W:W6,24:B11", "24-19", 3),
    ("W:W12,16,K22:B3,14", "16-11", 5),
    ("W:WK3,14,K15:B5,K20", "15-19", 5),
    ("W:W10,11,26:B2,14", "26-22", 5),
    ("W:WK7,31:B9,23", "7-10", 7),
    ("W:W8,K15,K18:B13,K29", "18-22", 9),
    ("W:WK5,17:B10", "17-14", 11),
    ("W:W23,25:BK12", "23-19", 11),
]


def think(position, *, key=1, allocation="equal", **options):
    return Mcrd(allocation=allocation, **options).new_game(CHECKERS).analyse(position, key=key)


@pytest.mark.parametrize(("fen", "move", "plies"), SHOTS)
def test_the_full_width_search_proves_that_only_one_move_wins(fen, move, plies):
    found = search_position(CHECKERS, CHECKERS.parse_fen(fen), blind_network(), depth=plies)
    assert (found.value, found.best_moves) == (WIN_VALUE - plies, (move,))


@pytest.mark.parametrize("allocation", ALLOCATIONS)
@pytest.mark.parametrize(("fen", "move"), [shot[:2] for shot in SHOTS])
def test_the_only_winning_move_is_found_with_2000_playouts(fen, move, allocation):
    found = think(CHECKERS.parse_fen(fen), playouts=2000, allocation=allocation)
    assert found.best_moves == (move,)


@pytest.mark.parametrize("allocation", ALLOCATIONS)
def test_equal_keys_give_equal_analyses_and_other_keys_do_not(allocation):
    first, again, other = (think(START, key=key, playouts=700, allocation=allocation) for key in (5, 5, 6))
    assert first.moves == again.moves
    assert first.best_moves == again.best_moves
    assert first.moves != other.moves


def test_workers_change_nothing(monkeypatch):
    alone = think(START, playouts=3000, allocation="halving")
    monkeypatch.setattr(playouts_cpu, "_SHORT_BATCH", 100 / 4e6)
    monkeypatch.setattr(playouts_cpu, "_LONG_BATCH", 100 / 4e6)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert think(START, playouts=3000, allocation="halving").moves == alone.moves


def test_equal_playouts_are_counted_for_the_side_that_moves():
    found = think(START, playouts=1000)
    assert [move.text for move in found.moves] == [move.text for move in CHECKERS.legal_moves(START)]
    assert {move.visits for move in found.moves} == {142}
    assert found.playouts == 7 * 142
    for move in found.moves:
        assert move.wins + move.draws + move.losses == move.visits
        assert move.value == (move.wins + move.draws / 2) / move.visits
        assert (move.low, move.high) == interval(move.value, move.visits)
    assert found.value == max(move.value for move in found.moves)
    assert found.pv == found.best_moves[:1]
    assert 60 < found.figures["mean_plies"] < 80


def test_each_move_has_playouts_of_its_own_stream():
    # the playouts of each child have a stream of their own
    fewer, more = think(START, playouts=700), think(START, playouts=1400)
    assert all(a.wins <= b.wins for a, b in zip(fewer.moves, more.moves, strict=True))
    assert len({move.wins for move in more.moves}) > 1


@pytest.mark.parametrize("allocation", ALLOCATIONS)
def test_a_move_that_ends_the_game_is_won_without_playouts(allocation):
    # after both moves of the man Black's only piece cannot move
    winning = ("23-19", "23-18")
    found = think(CHECKERS.parse_fen("W:W23,K32:B28"), playouts=500, allocation=allocation)
    assert found.best_moves == winning
    assert (found.value, found.playouts) == (1.0, 0)
    for move in found.moves:
        expected = (1.0, 1.0, 1.0) if move.text in winning else (0.5, 0.0, 1.0)
        assert (move.value, move.low, move.high, move.visits) == (*expected, 0)


@pytest.mark.parametrize("allocation", ALLOCATIONS)
def test_every_move_has_a_playout_however_few_are_asked_for(allocation):
    found = think(START, playouts=1, allocation=allocation)
    assert {move.visits for move in found.moves} == {1}


@pytest.mark.parametrize("allocation", ALLOCATIONS)
def test_a_single_move_gets_all_playouts(allocation):
    found = think(CHECKERS.parse_fen("W:W13:B4"), playouts=300, allocation=allocation)
    assert [(move.text, move.visits) for move in found.moves] == [("13-9", 300)]


@pytest.mark.parametrize("allocation", ALLOCATIONS)
def test_a_number_of_playouts_may_end_an_analysis_before_its_time(allocation):
    assert think(START, time_ms=3_600_000, playouts=2000, allocation=allocation).playouts <= 2000


@pytest.mark.parametrize(("playouts_a_ms", "fewest"), [(1, 93), (100, 9000)])
@pytest.mark.parametrize("allocation", ALLOCATIONS)
def test_a_time_is_used_and_kept(allocation, playouts_a_ms, fewest, monkeypatch):
    seconds = [0.0]

    def count(rules, positions, playouts, keys, **_):
        # on a simulated clock
        seconds[0] += sum(playouts) / playouts_a_ms / 1000
        draws = np.array(playouts, np.int64)
        return PlayoutCounts(0 * draws, draws, 0 * draws, draws)

    monkeypatch.setattr(mcrd, "count_playouts_on", lambda device: count)
    monkeypatch.setattr(mcrd, "time", SimpleNamespace(perf_counter=lambda: seconds[0]))
    assert fewest <= think(START, time_ms=100, allocation=allocation).playouts <= 100 * playouts_a_ms


def test_equally_good_moves_are_all_named():
    # no piece can pass the two walls of men, so all playouts are draws
    shut = "W:W21,22,23,24,17,18,19,20,29,K31:B13,14,15,16,9,10,11,12,K2"
    found = think(CHECKERS.parse_fen(shut), playouts=60)
    assert {move.value for move in found.moves} == {0.5}
    assert found.best_moves == tuple(move.text for move in found.moves)
    assert len(found.best_moves) == 3


def test_a_finished_game_cannot_be_analysed():
    with pytest.raises(InputError, match="the game is over: White has no legal move"):
        think(CHECKERS.parse_fen("W:W29:B25,22"), playouts=10)


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=3)])
def test_limits_that_would_never_end_it_are_refused(limits, monkeypatch):
    engine = Mcrd(playouts=20).new_game(CHECKERS)
    monkeypatch.setattr(mcrd._Effort, "play", lambda *_: pytest.fail("plays"))
    with pytest.raises(InputError, match="mcrd needs a number of playouts or a time"):
        engine.analyse(START, limits=limits)


def test_bounds_are_those_of_wilson():
    # 81 of 263: Newcombe 1998, table I
    assert interval(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert interval(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    for count in range(1, 500):
        assert interval(0.0, count)[0] == 0.0
        assert interval(1.0, count)[1] == 1.0
