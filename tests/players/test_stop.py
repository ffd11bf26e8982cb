"""A search ends on request, whenever the request comes."""

import threading

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.network.decode import material_network
from neche.players.alpha_beta import search_position
from neche.players.engine import Analysis, Stop, run_until
from neche.players.spec import parse_player

CHECKERS = game("checkers")
START, MATERIAL = CHECKERS.start(), material_network()


def test_a_request_raises_the_flag_that_is_watched():
    stop, flags = Stop(), np.zeros(2, np.int64)
    with stop.raising(flags, 1):
        stop.request()
        stop.request()
    assert flags.tolist() == [0, 1]
    assert stop.is_requested


def test_an_earlier_request_raises_the_flag_at_once():
    stop, flags = Stop(), np.zeros(1, np.int64)
    stop.request()
    with stop.raising(flags, 0):
        assert flags[0] == 1


def test_a_flag_that_is_no_longer_watched_stays_down():
    stop, flags = Stop(), np.zeros(1, np.int64)
    with stop.raising(flags, 0):
        pass
    stop.request()
    assert flags[0] == 0


def test_a_search_without_end_stops_on_request():
    stop = Stop()
    depths = []

    def notify(result):
        depths.append(result.depth)
        if result.depth == 5:
            threading.Timer(0.01, stop.request).start()

    result = search_position(CHECKERS, START, MATERIAL, stop=stop, progress=notify)
    assert depths == list(range(1, result.depth + 1))
    assert result.depth >= 5
    assert result.best_moves


def test_a_search_that_is_stopped_before_it_begins_still_finds_a_move():
    stop = Stop()
    stop.request()
    result = search_position(CHECKERS, START, MATERIAL, stop=stop)
    assert result.depth == 1
    assert len(result.best_moves) == 7


def test_a_stop_that_is_not_requested_changes_nothing():
    alone = search_position(CHECKERS, START, MATERIAL, depth=6)
    watched = search_position(CHECKERS, START, MATERIAL, depth=6, stop=Stop())
    assert (watched.value, watched.best_moves, watched.depth) == (alone.value, alone.best_moves, alone.depth)


def test_the_last_report_equals_the_returned_analysis():
    reports: list[Analysis] = []
    result = search_position(CHECKERS, START, MATERIAL, depth=7, stop=Stop(), progress=reports.append)
    assert reports[-1].pv == result.pv
    assert len(result.pv) == 7
    assert [one.nodes for one in reports] == sorted(one.nodes for one in reports)


@pytest.fixture
def starting(monkeypatch):
    """Let Ctrl-C come while a thread starts: it runs a little later, when nobody waits for it any more."""
    usual, late = threading.Thread.start, list[threading.Thread]()

    def interrupted(thread):
        late.extend((threading.Timer(0.1, lambda: usual(thread)), thread))
        usual(late[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    return late


def test_ctrl_c_while_the_thread_of_a_search_starts_is_no_fault(starting):
    flags, found = np.zeros(1, np.int64), []
    with pytest.raises(KeyboardInterrupt):
        run_until(lambda: found.append(int(flags[0])), flags, 0)
    for thread in starting:
        thread.join()
    assert found == [1]


def test_ctrl_c_while_one_of_several_threads_starts_is_no_fault(monkeypatch, request):
    engine = parse_player("material:nodes=100000,threads=2", "checkers").new_game(CHECKERS)
    engine.analyse(START)
    request.getfixturevalue("starting")
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(START)
