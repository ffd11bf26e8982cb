"""Analyses of one position by alpha-beta: limits, principal variation, values."""

import itertools
import random
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import neche
from neche.errors import InputError
from neche.games.catalogue import game
from neche.genome.dna import encode
from neche.network.decode import blind_network, decode, material_network
from neche.players import alpha_beta_engine, engine as engine_module
from neche.players.alpha_beta import AlphaBeta, search_position
from neche.players.engine import MAX_DEPTH, MAX_TIME_MS, WIN_VALUE, Limits, choose_move
from neche.players.spec import parse_player
from neche.search.negamax import FINISHED
from tests.network import wiring
from tests.oracles import checkers_twin as twin, minimax

CHECKERS = game("checkers")
START = CHECKERS.start()


def essence(found):
    return found.value, found.best_moves, found.pv, found.depth


def test_a_search_with_a_time_equals_one_to_the_depth_it_reached_or_the_next():
    for seed in range(5):
        network = decode(encode(wiring.crowded_dna(random.Random(seed))))
        timed = search_position(CHECKERS, START, network, time_ms=20 + 10 * seed)
        assert timed.depth >= 1
        fixed = search_position(CHECKERS, START, network, depth=timed.depth)
        if (timed.value, timed.best_moves) != (fixed.value, fixed.best_moves):
            deeper = search_position(CHECKERS, START, network, depth=timed.depth + 1, every_value=True)
            assert {deeper.values[move] for move in timed.best_moves} == {timed.value}
            assert timed.value > deeper.values[fixed.best_moves[0]]


@pytest.mark.parametrize("seed", range(6))
def test_an_interrupted_depth_gives_a_move_that_beats_the_first(monkeypatch, seed):
    network = decode(encode(wiring.crowded_dna(random.Random(seed))))
    position = random.Random(seed).choice(
        [here for here in twin.random_game(seed) if len(twin.moves(here)) > 3]
    )
    here = CHECKERS.parse_fen(twin.fen(position))
    before = search_position(CHECKERS, here, network, depth=3, time_ms=MAX_TIME_MS)
    after = search_position(CHECKERS, here, network, depth=4, every_value=True)
    order = sorted(before.values, key=before.values.__getitem__, reverse=True)
    for reached in range(len(order) + 1):
        found = search_position_cut_short(monkeypatch, here, network, depth=4, reached=reached)
        finished = {move: after.values[move] for move in order[:reached]}
        best = max(finished.values(), default=None)
        if not finished or best == finished[order[0]]:
            assert (found.best_moves, found.value) == (before.best_moves, before.value)
        else:
            assert found.best_moves == tuple(move for move in after.values if finished.get(move) == best)
            assert (found.value, found.pv[0], found.depth) == (best, found.best_moves[0], 3)
            assert all(found.values[move] >= value for move, value in finished.items())


def search_position_cut_short(monkeypatch, position, network, depth, reached):
    """Analyse as if time ran out after `reached` moves of the root were searched to a depth."""
    engine = AlphaBeta("cut short", network).new_game(CHECKERS)
    depths = itertools.count(1)

    def run(search, flags, index, **_):
        result = search()
        is_cut = next(depths) == depth
        if is_cut:
            assert flags[FINISHED] == len(CHECKERS.legal_moves(position))
            flags[FINISHED] = reached
        return result, not is_cut

    monkeypatch.setattr(alpha_beta_engine, "run_until", run)
    return engine.analyse(position, limits=Limits(time_ms=1000), line=False)


def test_a_timed_player_makes_its_only_move_at_once():
    forced = next(here for here in twin.random_game(3) if len(twin.moves(here)) == 1)
    player = AlphaBeta("timed", material_network(), MAX_DEPTH, time_ms=MAX_TIME_MS)
    choice = choose_move(player, CHECKERS, CHECKERS.parse_fen(twin.fen(forced)), np.random.default_rng(1))
    assert choice.analysis.depth == 1


def test_a_short_search_begins_no_thread(monkeypatch):
    begun = []

    class Counted(threading.Thread):
        def start(self):
            begun.append(self)
            super().start()

    monkeypatch.setattr(engine_module, "threading", SimpleNamespace(Thread=Counted))
    search_position(CHECKERS, START, material_network(), depth=4)
    # a deep search with few nodes
    assert parse_player("material:nodes=20000").new_game(CHECKERS).analyse(START).depth > 7
    assert not begun
    parse_player("material:nodes=100000").new_game(CHECKERS).analyse(START)
    assert begun
    begun.clear()
    # a long search can be interrupted
    search_position(CHECKERS, START, material_network(), depth=9)
    assert begun


def test_one_ply_is_searched_even_when_the_time_is_up_at_once():
    assert search_position(CHECKERS, START, material_network(), time_ms=1).depth >= 1


def test_the_depth_can_be_reached_before_the_time():
    assert search_position(CHECKERS, START, material_network(), depth=3, time_ms=600_000).depth == 3


def test_a_timed_search_ends_when_the_game_is_decided():
    decided = CHECKERS.parse_fen("W:W18:B14")
    found = search_position(CHECKERS, decided, material_network(), time_ms=600_000)
    assert found.value == WIN_VALUE - 1


def test_the_deepest_possible_search_has_room_for_its_moves():
    lone_kings = CHECKERS.parse_fen("W:WK32:BK1")
    assert search_position(CHECKERS, lone_kings, blind_network(), depth=60).depth == 60


def test_the_same_search_twice_visits_the_same_nodes():
    first, second = (search_position(CHECKERS, START, material_network(), depth=6) for _ in range(2))
    assert (essence(first), first.nodes) == (essence(second), second.nodes)


def test_every_value_changes_neither_the_value_nor_the_best_moves():
    for seed in range(20):
        line = [position for position in twin.random_game(seed) if twin.moves(position)]
        here = CHECKERS.parse_fen(twin.fen(random.Random(seed).choice(line)))
        network = decode(encode(wiring.tied_dna(random.Random(seed))))
        some = search_position(CHECKERS, here, network, depth=4)
        every = search_position(CHECKERS, here, network, depth=4, every_value=True)
        assert (some.value, some.best_moves) == (every.value, every.best_moves)
        for move, value in every.values.items():
            assert value <= some.values[move]


def test_both_sides_play_their_best_in_the_principal_variation():
    for seed in range(25):
        rng = random.Random(seed)
        line = [position for position in twin.random_game(seed) if twin.moves(position)]
        root = rng.choice(line)
        text = wiring.dna_of(rng.choice(wiring.KINDS), rng)
        here = CHECKERS.parse_fen(twin.fen(root))
        depth = rng.randint(2, 4)
        found = search_position(CHECKERS, here, decode(encode(text)), depth=depth)
        judge = minimax.judge_for(text, "own", root.turn)
        value = max(minimax.root_values(root, text, "own", depth).values())
        for ply, move in enumerate(found.pv, start=1):
            here = next(legal.after for legal in CHECKERS.legal_moves(here) if legal.text == move)
            reached = twin.parse(CHECKERS.format_fen(here))
            value = -value
            pieces = frozenset(reached.board.items())
            assert minimax.value(pieces, reached.turn, depth - ply, ply, judge) == value


def test_the_principal_variation_is_as_long_as_the_search_is_deep_unless_the_game_ends():
    assert len(search_position(CHECKERS, START, material_network(), depth=7).pv) == 7
    ended = search_position(CHECKERS, CHECKERS.parse_fen("W:W18:B14"), material_network(), depth=7)
    assert ended.pv == ("18x9",)


def test_a_finished_game_is_refused():
    with pytest.raises(InputError, match="the game is over: Black has no legal move"):
        search_position(CHECKERS, CHECKERS.parse_fen("B:W18:B"), material_network(), depth=1)


@pytest.mark.parametrize(
    ("limits", "fault"),
    [
        ({}, "needs a depth or a time"),
        ({"depth": 0}, "depth = 0: a whole number from 1 to 60"),
        ({"depth": 61}, "depth = 61: a whole number from 1 to 60"),
        ({"time_ms": 0}, "time_ms = 0: a whole number from 1"),
    ],
)
def test_impossible_limits_are_refused(limits, fault):
    with pytest.raises(InputError, match=fault):
        search_position(CHECKERS, START, material_network(), **limits)


def test_a_champion_of_checkers_does_not_play_othello_though_it_has_as_many_sensors():
    champion = parse_player("long-1")
    for refused in (champion, parse_player("long-1:depth=2")):
        with pytest.raises(InputError, match="a champion of checkers does not see the board of othello"):
            refused.new_game(game("othello"))
        with pytest.raises(InputError, match="a champion of checkers"):
            neche.match(refused, "random", games=2, game="othello")
