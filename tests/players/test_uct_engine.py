"""Analyses of UCT: equal for equal keys; in batches; within limits; interrupted; and of won positions."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from neche.errors import InputError
from neche.montecarlo.playouts_cpu import count_playouts
from neche.montecarlo.tree import UNPROVEN, prove
from neche.network.decode import blind_network, material_network
from neche.players import engine as engine_module, uct as uct_module
from neche.players.engine import Analysis, Limits, Stop
from neche.players.tree_analysis import growing_counts
from neche.players.uct import NetworkLeaf, Uct
from tests.montecarlo.tree_builders import CHECKERS, KEY, num_nodes

START = CHECKERS.start()
MIDDLE = CHECKERS.parse_fen("W:W32,31,30,28,27,26,22,20,18:B1,2,3,4,6,7,11,12,19")
MATERIAL = NetworkLeaf("material", material_network())
KINDS: dict[str, dict[str, Any]] = {
    "playout": {},
    "playouts": {"leaf": 8},
    "material": {"leaf": MATERIAL},
    "batch": {"batch": 16},
}


def think(position, *, key=KEY, **options):
    return Uct(**{"playouts": 1000, **options}).new_game(CHECKERS).analyse(position, key=key)


def same(first, second):
    """Return whether two analyses are equal in all but their times."""
    untimed = [
        replace(found, seconds=0.0, figures={**found.figures, "playouts_per_second": 0.0})
        for found in (first, second)
    ]
    return untimed[0] == untimed[1]


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
def test_equal_keys_and_histories_give_equal_analyses(options):
    first, second = (Uct(playouts=500, **options).new_game(CHECKERS) for _ in range(2))
    for key in (KEY, KEY + 1):
        assert same(first.analyse(MIDDLE, key=key), second.analyse(MIDDLE, key=key))


def test_engines_in_separate_threads_do_not_affect_each_other():
    player = Uct(playouts=800)
    positions = [START, MIDDLE, *(move.after for move in CHECKERS.legal_moves(MIDDLE))]
    alone = [player.new_game(CHECKERS).analyse(position, key=KEY) for position in positions]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda here: player.new_game(CHECKERS).analyse(here, key=KEY), positions))
    assert all(map(same, alone, together))


def test_another_key_gives_other_playouts():
    assert think(START).moves != think(START, key=KEY + 1).moves


def test_one_playout_values_the_root_and_leaves_all_moves_equal():
    found = think(START, playouts=1)
    assert found.playouts == 1
    assert found.figures["visits"] == 1
    assert len(found.best_moves) == 7
    assert {move.visits for move in found.moves} == {0}
    assert found.pv == found.best_moves[:1]


@pytest.mark.parametrize("playouts", [2, 7, 8, 500])
def test_every_playout_after_the_first_visits_one_move_of_the_root(playouts):
    found = think(START, playouts=playouts)
    assert found.playouts == found.figures["visits"] == playouts
    assert sum(move.visits for move in found.moves) == playouts - 1


def test_no_move_is_tried_twice_before_all_are_tried_once():
    assert sorted(move.visits for move in think(START, playouts=8).moves) == [1] * 7


def test_exploration_goes_from_almost_all_visits_for_one_move_to_equal_visits():
    greedy = sorted(move.visits for move in think(START, playouts=2000, exploration=0.0).moves)
    curious = sorted(move.visits for move in think(START, playouts=2000, exploration=1000.0).moves)
    assert greedy[-1] > 1900
    assert curious[-1] - curious[0] <= 1


def test_the_best_move_is_the_one_with_most_visits_and_begins_the_line():
    found = think(MIDDLE, playouts=3000)
    most = max(found.moves, key=lambda move: move.visits)
    assert found.best_moves == (most.text,)
    assert found.value == most.value
    assert found.pv[0] == most.text
    assert [move.text for move in found.moves] == [move.text for move in CHECKERS.legal_moves(MIDDLE)]


def test_a_batch_of_one_is_the_search_one_by_one():
    for position in (START, MIDDLE):
        assert same(think(position, playouts=700, batch=1), think(position, playouts=700))


@pytest.mark.parametrize("batch", [7, 64, 512])
def test_a_batch_counts_every_visit_once_and_leaves_none_pending(batch):
    engine = Uct(playouts=1500, batch=batch, leaf=2).new_game(CHECKERS)
    found = engine.analyse(MIDDLE, key=KEY)
    assert found.figures["visits"] == 1500
    assert sum(move.visits for move in found.moves) == 1499
    assert found.playouts == 2 * found.figures["nodes"]
    tree = engine._work.tree
    nodes = tree.nodes[: num_nodes(tree)]
    assert not np.any(nodes.pending)
    for node in nodes:
        edges = tree.edges[node.first_edge : node.first_edge + node.num_edges]
        assert not np.any(edges.pending)
        assert node.visits == 1 + edges.visits.sum() or node.proof != 0


def test_a_batch_keeps_the_proofs_of_positions():
    # Two positions here are proven by a move that a repetition in the same batch then counted as drawn.
    engine = Uct(playouts=3000, batch=64).new_game(CHECKERS)
    engine.analyse(CHECKERS.parse_fen("W:WK27,K30:BK11"), key=3)
    tree = engine._work.tree
    proven = [number for number in range(num_nodes(tree)) if tree.nodes[number].proof != UNPROVEN]
    assert len(proven) > 50
    for number in proven:
        assert tree.nodes[number].num_edges == 0 or prove(tree, np.int64(number)) != UNPROVEN


def test_a_batch_spreads_over_the_tree():
    found = think(START, playouts=64, batch=64)
    assert min(move.visits for move in found.moves) >= 5
    assert found.figures["tree_depth"] >= 2


@pytest.mark.parametrize(
    "options", [{}, {"batch": 16}, {"leaf": MATERIAL}], ids=["one by one", "batches", "network"]
)
def test_a_full_tree_forgets_and_the_time_is_used_up(options):
    found = think(START, playouts=None, time_ms=300, capacity=1024, **options)
    assert found.figures["restarts"] > 0
    assert found.figures["visits"] > 1100
    assert found.seconds >= 0.29
    assert len(found.best_moves) == 1


def test_a_search_that_nothing_would_end_is_refused():
    with pytest.raises(InputError, match="needs a number of playouts, a depth or a time"):
        Uct(playouts=50).new_game(CHECKERS).analyse(START, limits=Limits())


def test_the_code_that_makes_room_is_loaded_before_the_first_move(monkeypatch):
    """Compiling takes seconds, which the first move that needs the code would lose."""
    loaded = []
    for name in ("keep_most_visited", "keep_reachable"):
        monkeypatch.setattr(uct_module, name, lambda tree, position, *_, name=name: loaded.append(name))
    Uct(time_ms=50).new_game(CHECKERS, memory_mb=16)
    Uct(playouts=50, capacity=1024).new_game(CHECKERS)
    Uct(playouts=50).new_game(CHECKERS)  # has room for all
    assert loaded == ["keep_most_visited", "keep_reachable"] * 2


def test_a_full_tree_ends_the_search_if_there_is_no_time_to_make_room(monkeypatch):
    monkeypatch.setattr(uct_module, "_SECONDS_A_NODE", 1.0)
    found = think(START, playouts=None, time_ms=60_000, capacity=1024)
    assert (found.figures["restarts"], found.figures["nodes"]) == (0, 1024)
    assert found.seconds < 60


def test_a_batch_may_be_larger_than_the_tree():
    found = think(START, playouts=4000, batch=3000, capacity=1024)
    assert found.figures["descents"] == found.figures["visits"] == 4000
    assert found.figures["nodes"] <= 1024


def test_no_game_of_a_stream_is_used_for_two_leaves(monkeypatch):
    """Each leaf that a device gets has games of its own, numbered on from batch to batch."""
    expected = think(START, playouts=300, batch=32, leaf=5)
    asked: list[tuple[int, int, int]] = []

    def count(game, positions, playouts, keys, *, first, rule):
        asked.extend(zip(first, playouts, keys, strict=True))
        return count_playouts(game, positions, playouts, keys, first=first, rule=rule)

    monkeypatch.setattr(uct_module, "count_playouts_on", lambda device: count)
    found = think(START, playouts=300, device="cuda", batch=32, leaf=5)
    assert same(found, expected)
    numbers = [number for first, playouts, _ in asked for number in range(first, first + playouts)]
    assert len(numbers) == len(set(numbers)) == found.playouts == 1500
    assert {key for _, _, key in asked} == {KEY}


@pytest.mark.gpu
def test_a_search_on_a_device_equals_the_one_on_the_cpu():
    for options in ({"batch": 64}, {"batch": 1024, "leaf": 16}):
        analyses = [think(MIDDLE, playouts=3000, device=device, **options) for device in ("cpu", "cuda")]
        assert same(*analyses)


def test_a_search_leaf_by_leaf_is_stopped_at_its_deadline(monkeypatch):
    waits = []

    class Watched(threading.Thread):
        def join(self, timeout=None):
            waits.append(timeout)
            # the deadline comes at once, and only the stop after it ends the search
            super().join(0.0 if timeout is not None else None)

    monkeypatch.setattr(engine_module, "threading", SimpleNamespace(Thread=Watched))
    engine = Uct(time_ms=80).new_game(CHECKERS)
    assert engine.analyse(MIDDLE, key=KEY).figures["descents"] >= 1
    deadline, stopped = waits
    assert 0.0 <= deadline <= 0.08
    assert stopped is None


def test_a_search_in_batches_ends_with_the_batch_in_which_time_runs_out(monkeypatch):
    now = itertools.count()
    monkeypatch.setattr(uct_module, "time", SimpleNamespace(perf_counter=lambda: next(now) / 100))
    # the clock is read at the beginning and after each batch
    for time_ms, batches in ((10, 1), (80, 8), (81, 9)):
        engine = Uct(time_ms=time_ms, batch=32).new_game(CHECKERS)
        now = itertools.count()
        assert engine.analyse(MIDDLE, key=KEY).figures["descents"] == 32 * batches


def test_the_shortest_time_still_gives_an_analysis():
    engine = Uct(time_ms=1).new_game(CHECKERS)
    assert engine.analyse(START, key=KEY).figures["visits"] >= 1


def test_an_interruption_stops_the_search(monkeypatch):
    class Interrupted(threading.Thread):
        is_heard = False

        def join(self, timeout=None):
            if not self.is_heard:
                self.is_heard = True
                raise KeyboardInterrupt
            super().join(timeout)

    monkeypatch.setattr(engine_module, "threading", SimpleNamespace(Thread=Interrupted))
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        think(START, playouts=10**9)
    assert threading.active_count() == before


SHOTS = {
    "W:WK1,18,21,25:B6,7,K8,10": "18-14",
    "B:W10,14,17,K19:B2,K8,23,K31": "8-3",
    "W:W6,K7,16,27:B2,4,18,K19": "16-11",
    "B:WK15,20:B3,8,K30": "8-11",
    "B:WK11,31:B16,K24,28": "28-32",
    "B:W12,15,31:B1,21,K22,26": "22-25",
}
"""Positions in which only one move wins: it gives up a piece and captures several."""


@pytest.mark.parametrize("fen", SHOTS)
@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
def test_the_only_winning_move_is_found_and_proven_in_a_thousand_playouts(fen, options):
    found = think(CHECKERS.parse_fen(fen), **options)
    assert found.best_moves == (SHOTS[fen],)
    assert found.value == found.figures["root_value"] == 1.0
    assert found.figures["proven_plies"] >= 5
    assert len(found.pv) >= 3


@pytest.mark.parametrize("fen", SHOTS)
def test_the_only_winning_move_is_found_without_proof_too(fen):
    assert think(CHECKERS.parse_fen(fen), playouts=4000, is_solving=False).best_moves == (SHOTS[fen],)


def test_a_win_in_one_move_is_played():
    found = think(CHECKERS.parse_fen("W:W18:B14"), playouts=50)
    assert found.best_moves == ("18x9",)
    assert found.value == 1.0
    assert found.figures["proven_plies"] == 1


def test_a_proven_root_needs_no_more_playouts():
    found = think(CHECKERS.parse_fen("W:W18:B14"), playouts=10**9)
    assert found.figures["descents"] < 10
    assert found.value == 1.0


@pytest.mark.parametrize("fen", ["W:W:B1", "B:WK1:B", "W:W5:B1"])
def test_a_finished_game_is_refused_in_one_line(fen):
    with pytest.raises(InputError, match=r"the game is over: (White|Black) has no legal move") as error:
        think(CHECKERS.parse_fen(fen))
    assert "\n" not in str(error.value)


def test_an_engine_with_an_evaluator_can_play_both_sides():
    """An evaluator values positions for the side to move, so values found for the other are not used."""
    engine = Uct(playouts=300, leaf=MATERIAL).new_game(CHECKERS)
    black = engine.analyse(START, key=KEY)
    reply = CHECKERS.legal_moves(START)[0].after
    white = engine.analyse(reply, key=KEY)
    assert white.figures["visits"] == 300
    assert same(white, think(reply, playouts=300, leaf=MATERIAL))
    assert black.figures["visits"] == 300


def test_a_blind_evaluator_values_every_move_as_even():
    found = think(MIDDLE, playouts=400, leaf=NetworkLeaf("blind", blind_network()))
    assert {move.value for move in found.moves} == {0.5}


def test_limits_of_an_analysis_replace_those_of_the_player():
    engine = Uct(playouts=10**9).new_game(CHECKERS)
    limited = engine.analyse(START, key=KEY, limits=Limits(nodes=500))
    assert same(limited, think(START, playouts=500, capacity=1 << 22))


@pytest.mark.parametrize("options", [{}, {"batch": 16}, {"leaf": MATERIAL}])
def test_an_analysis_without_limits_ends_on_request(options):
    stop = Stop()
    engine = Uct(playouts=1, capacity=1 << 20, **options).new_game(CHECKERS)
    threading.Timer(0.05, stop.request).start()
    assert engine.analyse(START, key=KEY, limits=Limits(), stop=stop).playouts < 10**7


def test_an_analysis_that_is_stopped_before_it_begins_still_finds_a_move():
    stop = Stop()
    stop.request()
    found = Uct(playouts=1).new_game(CHECKERS).analyse(START, key=KEY, limits=Limits(), stop=stop)
    assert found.best_moves


def test_an_analysis_with_a_stop_makes_room_and_continues_with_other_positions():
    engine = Uct(playouts=1, capacity=1 << 10).new_game(CHECKERS)
    full = engine.analyse(START, key=KEY, limits=Limits(nodes=10**5), stop=Stop())
    assert full.playouts == 10**5
    assert full.figures["restarts"] > 100
    assert engine.analyse(START, key=KEY + 1, limits=Limits(nodes=100), stop=Stop()).best_moves
    assert engine.analyse(MIDDLE, key=KEY, limits=Limits(nodes=100), stop=Stop()).best_moves


@pytest.mark.parametrize("options", [*KINDS.values(), {"batch": 16, "capacity": 1024}], ids=[*KINDS, "full"])
def test_an_analysis_that_reports_progress_is_the_same_analysis(options):
    reports: list[Analysis] = []
    player = Uct(playouts=3000, **options)
    reporting: dict[str, Any] = {"progress": reports.append, "progress_at": growing_counts(3)}
    watched = player.new_game(CHECKERS).analyse(MIDDLE, key=KEY, **reporting)
    assert same(watched, player.new_game(CHECKERS).analyse(MIDDLE, key=KEY))
    descents = [found.figures["descents"] for found in reports]
    assert len(descents) > 10
    assert descents == sorted(set(descents))
    assert descents[-1] < 3000


def test_a_report_equals_the_analysis_of_a_shorter_search():
    reports: list[Analysis] = []
    reporting: dict[str, Any] = {"progress": reports.append, "progress_at": (1, 10, 100, 1000, 5000)}
    Uct(playouts=2000).new_game(CHECKERS).analyse(MIDDLE, key=KEY, **reporting)
    assert [found.figures["descents"] for found in reports] == [1, 10, 100, 1000]
    for found in reports:
        assert same(found, think(MIDDLE, playouts=int(found.figures["descents"])))


def test_nothing_is_reported_after_the_root_is_proven():
    reports: list[Analysis] = []
    reporting: dict[str, Any] = {"progress": reports.append, "progress_at": growing_counts(1)}
    Uct(playouts=10**6).new_game(CHECKERS).analyse(CHECKERS.parse_fen("W:W18:B14"), key=KEY, **reporting)
    assert len(reports) <= 3


def test_the_time_of_the_listener_is_not_counted(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(uct_module, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def tell(found):
        now[0] += 100.0

    reporting: dict[str, Any] = {"progress": tell, "progress_at": (10, 100)}
    assert Uct(playouts=1000).new_game(CHECKERS).analyse(START, key=KEY, **reporting).seconds == 0.0
    assert now == [200.0]
