"""Selective search: minimax without its parameters; with them, legal, repeatable and aware of repetitions."""

import random
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from neche.compiled.jit import jit
from neche.compiled.pointers import address
from neche.endings.probing import NoEndings
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.contract import is_quiet
from neche.games.draws import DrawRule
from neche.network.decode import material_network
from neche.network.packing import pack_networks, unit
from neche.players import selective_engine
from neche.players.alpha_beta import AlphaBeta, hand_made_networks
from neche.players.engine import Limits, Stop
from neche.players.spec import parse_player
from neche.search.evaluator import network_evaluator, refresh
from neche.search.negamax import NODES, WIN, new_workspace, search_moves
from neche.search.repetitions import occurred
from neche.search.selective import Selective, best_line, search_on, search_selectively, selective
from neche.search.selective_ordering import begin_search
from neche.search.selectivity import (
    MAX_PAST,
    MOST_NODES,
    NOTHING,
    Selectivity,
    new_selective_workspace,
    new_table,
    selectivity_of,
)
from neche.search.transposition import NO_MOVE, probe_deepest, store_deepest
from tests.games.draughts.positions import MOST_CAPTURES

CHECKERS = game("checkers")


def positions(name, count, *, seed=1):
    """Return positions of random games, from the opening to the end, with more than one move."""
    rules, draw = game(name), random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        line = [rules.start()]
        while len(line) < 150 and (moves := rules.legal_moves(line[-1])):
            line.append(draw.choice(moves).after)
        # Every second position is a few plies before the end, where wins are near.
        here = draw.choice(line[-8:] if len(found) % 2 else line)
        if len(rules.legal_moves(here)) > 1:
            found.append(here)
    return found


def found_by_nothing(rules, position, network, depth):
    """Return the value and the best move of a full search to a depth, with a tiny transposition table."""
    judge = network_evaluator(pack_networks([network], rules.sensors), 0, int(position.turn))
    work = new_selective_workspace(rules, NOTHING, new_table(1))
    work.counters[MOST_NODES] = 1 << 60
    begin_search(judge, work, position)
    search = Selective(judge, work, np.int64(2), NOTHING, np.int64(1), NoEndings(np.int64(0)))
    value = search_selectively(search, position, np.int64(depth), np.int64(0), False)
    return int(value), int(work.order[0])


def found_by_minimax(rules, position, network, depth):
    judge = network_evaluator(pack_networks([network], rules.sensors), 0, int(position.turn))
    work = new_workspace(rules, table_bits=12)
    count = search_moves(judge, work, position, np.int64(depth), np.int64(2), True)
    return work.root[:count].tolist()


@pytest.mark.parametrize("name", GAMES)
def test_without_its_parameters_it_is_the_exact_search(name):
    rules, network = game(name), next(iter(hand_made_networks(name).values()))
    for position in positions(name, 25):
        for depth in (1, 2, 3, 4):
            value, first = found_by_nothing(rules, position, network, depth)
            values = found_by_minimax(rules, position, network, depth)
            assert value == max(values) == values[first]


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_legal_and_wins_that_minimax_finds_are_found(name):
    rules, seen = game(name), 0
    network = next(iter(hand_made_networks(name).values()))
    for position in positions(name, 40, seed=5):
        engine = AlphaBeta("tried", network, search="selective").new_game(rules)
        found = engine.analyse(position, limits=Limits(depth=7))
        texts = [move.text for move in rules.legal_moves(position)]
        assert len(found.best_moves) == 1
        here = position
        for text in found.pv:
            here = next(move.after for move in rules.legal_moves(here) if move.text == text)
        assert sorted(move.text for move in found.moves) == sorted(texts)
        best = max(found_by_minimax(rules, position, network, 4))
        if best > WIN // 2:
            seen += 1
            assert found.plies_to_end is not None
            assert found.value > 0
    assert name != "checkers" or seen > 0


def test_equal_limits_give_equal_analyses():
    player = parse_player("champion-1:nodes=3000")
    first, second = player.new_game(CHECKERS), player.new_game(CHECKERS)
    position = CHECKERS.start()
    for _ in range(4):
        found = first.analyse(position)
        assert replace(found, seconds=0.0) == replace(second.analyse(position), seconds=0.0)
        assert found.nodes <= 3000 + 200
        position = next(
            move.after for move in CHECKERS.legal_moves(position) if move.text == found.best_moves[0]
        )


def test_a_repeated_position_is_a_draw():
    # two kings against one, far from any capture
    before = CHECKERS.parse_fen("W:WK31,K32:BK6")
    engine = AlphaBeta("men", material_network(), search="selective").new_game(CHECKERS)
    here = before
    past = []
    for text in ("31-27", "6-1", "27-31", "1-6", "31-27", "6-1"):
        past.append(here)
        here = next(move.after for move in CHECKERS.legal_moves(here) if move.text == text)
    engine.follow(past)
    values = engine.analyse(here, limits=Limits(depth=2), every_value=True).values
    assert values["27-31"] == 0.0
    assert all(value > 0.0 for text, value in values.items() if text not in ("27-31",))
    engine.follow([])
    assert engine.analyse(here, limits=Limits(depth=2), every_value=True).values["27-31"] > 0.0


def test_a_position_is_repeated_when_both_sides_pass():
    here = CHECKERS.start()
    work = new_selective_workspace(CHECKERS, NOTHING, new_table(1))
    assert not occurred(work, here, np.int64(MAX_PAST))
    for quiet in (0, 1, 2):
        work.quiet[MAX_PAST + 2] = quiet
        assert occurred(work, here, np.int64(MAX_PAST + 2)) == (quiet == 2)


def test_too_many_quiet_moves_are_a_draw_by_the_rule():
    # two kings against one, to and fro; 40 moves a side without capture or man move draw the game
    here, past = CHECKERS.parse_fen("W:WK31,K32:BK6"), []
    for ply in range(79):
        past.append(here)
        text = ("31-27", "6-1", "27-31", "1-6")[ply % 4]
        here = next(move.after for move in CHECKERS.legal_moves(here) if move.text == text)
    engine = AlphaBeta("men", material_network(), search="selective").new_game(CHECKERS)

    def values(positions):
        engine.follow(positions)
        return list(engine.analyse(here, limits=Limits(depth=4), every_value=True).values.values())

    assert set(values(past)) == {0.0}
    assert min(values(past[-10:])) < 0.0
    # players who go on beyond that number do not apply the rule, so the ending can still be won
    assert min(values([*past, *past[-4:], *past[-4:]])) < 0.0


def test_quiet_moves_are_counted_beyond_the_positions_that_are_kept():
    rules, past = replace(CHECKERS, draws=DrawRule(300, True, 0)), list[Any]()
    here = rules.parse_fen("W:WK31,K32:BK6")
    for ply in range(299):
        past.append(here)
        text = ("31-27", "6-1", "27-31", "1-6")[ply % 4]
        here = next(move.after for move in rules.legal_moves(here) if move.text == text)
    engine = AlphaBeta("men", material_network(), search="selective").new_game(rules)
    for known, is_drawn in ((past, True), (past[20:], False)):
        engine.follow(known)
        values = engine.analyse(here, limits=Limits(depth=2), every_value=True).values.values()
        assert (set(values) == {0.0}) == is_drawn


def test_a_move_that_failed_high_is_kept_when_the_search_again_is_stopped_at_once():
    engine = parse_player("material:nodes=1411").new_game(CHECKERS)
    found = engine.analyse(CHECKERS.parse_fen("W:W12,14,20,26,29,30,32:B3,4,5,11,15"), line=False)
    assert found.best_moves == ("14-10",)
    assert found.value == found.values["14-10"] == max(found.values.values())


def test_no_win_is_claimed_after_the_draw_by_the_rule():
    # 15-11, 12-8, 11x4 wins in three plies, but after 78 quiet plies the second of them draws the game
    here = CHECKERS.parse_fen("B:WK12:BK15")
    to_and_fro = ("B:WK8:BK10", "W:WK8:BK15", "B:WK12:BK15", "W:WK12:BK10")
    past = [CHECKERS.parse_fen(to_and_fro[ply % 4]) for ply in range(78)]
    player = AlphaBeta("men", material_network(), search="selective")
    for known in ([], past[2:]):
        engine = player.new_game(CHECKERS)
        engine.follow(known)
        if known:  # the table now holds the win, found while there was time for it
            assert engine.analyse(here, limits=Limits(depth=4)).plies_to_end == 3
        engine.follow(past)
        found = engine.analyse(here, limits=Limits(depth=4))
        assert (found.value, found.plies_to_end) == (0.0, None)


def test_a_stop_from_elsewhere_leaves_a_legal_move():
    engine, stop = parse_player("champion-1:time=60000").new_game(CHECKERS), Stop()
    engine.analyse(CHECKERS.start(), limits=Limits(depth=2))
    timer = threading.Timer(0.05, stop.request)
    timer.start()
    found = engine.analyse(CHECKERS.start(), stop=stop)
    assert found.best_moves[0] in [move.text for move in CHECKERS.legal_moves(CHECKERS.start())]
    assert found.seconds < 60


def test_threads_share_a_search_and_end_with_it(monkeypatch):
    running = threading.active_count()
    engine = parse_player("champion-1:nodes=200000,threads=3").new_game(CHECKERS)
    searching = []

    def noted(*given):
        searching.append(threading.current_thread())
        return search_on(*given)

    monkeypatch.setattr(selective_engine, "search_on", noted)
    found = engine.analyse(CHECKERS.start())
    assert found.depth > 7
    assert len({*searching, threading.main_thread()}) == 3
    assert threading.active_count() == running
    won = engine.analyse(CHECKERS.parse_fen("W:WK14,K18:B12"))
    assert won.value > 0


def is_selective(words, *, by_clock=False):
    player = parse_player(words)
    player = player.for_clock() if by_clock else player
    assert isinstance(player, AlphaBeta)
    return player.is_selective


def test_the_specification_of_a_player_decides_how_it_searches():
    assert not is_selective("champion-1:depth=6")
    assert is_selective("champion-1:time=50")
    assert is_selective("champion-1:nodes=5000")
    assert not is_selective("champion-1:time=50,search=exact")
    assert is_selective("material:depth=6,search=selective")
    assert is_selective("material", by_clock=True)
    assert not is_selective("material:search=exact", by_clock=True)
    assert parse_player("material:depth=6").batch_search is not None
    for limits in ("nodes=60", "nodes=60,search=exact", "time=50", "time=50,search=exact"):
        assert parse_player(f"material:{limits}").batch_search is None
    with pytest.raises(InputError, match="threads need a selective search"):
        parse_player("material:depth=6,threads=2")
    with pytest.raises(InputError, match="search=quick is not known"):
        parse_player("material:search=quick")


def test_games_may_differ_in_their_parameters():
    unlike = replace(CHECKERS, selectivity={"reduce_after": 9})
    assert int(selectivity_of(unlike).reduce_after) == 9
    assert int(selectivity_of(unlike, reduce_after=5).reduce_after) == 5
    assert isinstance(selectivity_of(CHECKERS), Selectivity)


def test_a_line_ends_where_the_table_knows_nothing_however_many_moves_there_are():
    rules = game("international")
    position = rules.parse_fen(MOST_CAPTURES["international"])
    assert len(rules.legal_moves(position)) > NO_MOVE
    network = next(iter(hand_made_networks(rules.name).values()))
    judge = network_evaluator(pack_networks([network], rules.sensors), 0, int(position.turn))
    work = new_selective_workspace(rules, NOTHING, new_table(4))
    search = Selective(judge, work, np.int64(2), NOTHING, np.int64(1), NoEndings(np.int64(0)))
    assert best_line(search, position, np.zeros(1, np.int64)) == 0


def test_an_entry_answers_for_its_depth_and_less():
    table, here = new_table(4), CHECKERS.start()
    wide = np.int64(-100), np.int64(100)
    store_deepest(table, here, np.int64(6), *wide, np.int64(0), np.int64(8), np.int64(17), np.int64(3))
    for depth, is_known in ((4, True), (6, True), (7, False)):
        found = probe_deepest(table, here, np.int64(depth), *wide, np.int64(0), np.int64(14))
        assert (bool(found[0]), int(found[1]), int(found[2])) == (is_known, 17, 3)
    other_side = probe_deepest(table, here, np.int64(4), *wide, np.int64(0), np.int64(9))
    assert not other_side[0]
    assert other_side[2] == NO_MOVE


@pytest.mark.parametrize("name", GAMES)
@given(bit=st.integers(0, 63), word=st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_an_entry_damaged_by_another_thread_is_not_used(name, bit, word):
    table, here = new_table(1), game(name).start()
    wide = np.int64(-100), np.int64(100)
    store_deepest(table, here, np.int64(6), *wide, np.int64(0), np.int64(8), np.int64(17), np.int64(3))
    used = np.flatnonzero(table)
    table[used[word % len(used)]] ^= np.uint64(1 << bit)
    found = probe_deepest(table, here, np.int64(4), *wide, np.int64(0), np.int64(8))
    assert not found[0]
    assert found[2] == NO_MOVE


def test_old_and_shallow_entries_make_room():
    table, wide = new_table(1), (np.int64(-100), np.int64(100))
    here = [move.after for move in CHECKERS.legal_moves(CHECKERS.start())][:3]

    def keep(position, depth, search):
        owner = np.int64(2 * search)
        store_deepest(
            table, position, np.int64(depth), *wide, np.int64(0), owner, np.int64(depth), np.int64(0)
        )

    def is_kept(position):
        return bool(probe_deepest(table, position, np.int64(1), *wide, np.int64(0), np.int64(2))[0])

    keep(here[0], 9, 1)
    keep(here[1], 3, 1)
    keep(here[2], 4, 1)
    assert [is_kept(position) for position in here] == [True, False, True]
    keep(here[1], 1, 4)
    assert [is_kept(position) for position in here] == [True, True, False]
    # three searches later, the deepest entry is worth less than one of depth 1
    keep(here[2], 2, 4)
    assert [is_kept(position) for position in here] == [False, True, True]


@jit
def _searched(search: Any, position: Any, depth: Any, alpha: Any) -> Any:
    place, above = address(search), np.int64(alpha + 1)
    here = np.int64(refresh(search.evaluator, position))
    # the types of the recursive calls; a constant would have the recursion compiled twice
    is_calm = bool(is_quiet(position))
    return selective(place, position, depth, alpha, above, np.int64(0), here, is_calm)


def searched_with_null_window(fen, alpha, *, depth=3):
    """Return value and nodes of a quiet position; men are worth 1 and the margin is 3 a ply."""
    position, figures = CHECKERS.parse_fen(fen), NOTHING._replace(static_depth=3, static_margin=100)
    judge = network_evaluator(pack_networks([material_network()]), 0, int(position.turn))
    man = unit(pack_networks([material_network()]), 0)
    work = new_selective_workspace(CHECKERS, figures, new_table(1))
    work.counters[MOST_NODES] = 1 << 60
    figures = Selectivity(*map(np.int64, figures))
    search = Selective(judge, work, np.int64(2), figures, np.int64(3 * man), NoEndings(np.int64(0)))
    value = _searched(search, position, np.int64(depth), np.int64(alpha * man))
    return value / man, int(work.counters[NODES])


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_evaluation_alone_answers_where_it_is_far_from_the_window(depth):
    fen, least = "W:W30,31,32:B1", 3 * depth
    assert searched_with_null_window(fen, 2 - least - 1, depth=depth) == (2.0, 1)
    assert searched_with_null_window(fen, 2 - least, depth=depth)[1] > 1
    assert searched_with_null_window(fen, 2 + least, depth=depth) == (2.0, 1)
    assert searched_with_null_window(fen, 2 + least - 1, depth=depth)[1] > 1


def test_the_evaluation_does_not_answer_at_more_depth_or_near_a_decision():
    fen = "W:W30,31,32:B1"
    # 13 men below the value, more than the margin of four plies
    assert searched_with_null_window(fen, -11, depth=4)[1] > 1
    # four scales are twelve men
    assert searched_with_null_window(fen, 11, depth=1) == (2.0, 1)
    assert searched_with_null_window(fen, 13, depth=1)[1] > 1


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_evaluation_does_not_answer_where_there_is_no_move(depth):
    # White's only man is blocked, so White has lost, whatever the men are worth.
    for alpha in (-11, 10):
        assert searched_with_null_window("W:W12:B3,8", alpha, depth=depth)[0] < -1e6
