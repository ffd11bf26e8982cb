"""The search returns the value and the best moves of plain minimax, whatever is in its table."""

import random

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.genome.dna import encode
from neche.network.decode import decode
from neche.network.packing import pack_networks
from neche.network.sensors import activations
from neche.players.alpha_beta import search_position
from neche.players.source import network_of, read_source
from neche.search.evaluator import network_evaluator, refresh
from neche.search.negamax import FINISHED, STOP, WIN, negamax, new_search, new_workspace, search_moves
from tests.network import wiring
from tests.oracles import checkers_twin as twin
from tools.checks import compare_search

CHECKERS = game("checkers")


@pytest.mark.parametrize("seed", range(2, 7))
def test_value_and_best_moves_equal_minimax(seed):
    for index in range(60):
        drawn = compare_search.case(CHECKERS, seed, index, leaves=400)
        assert compare_search.difference(CHECKERS, drawn) is None


@pytest.mark.parametrize("name", ["brazilian", "international", "othello"])
def test_values_equal_minimax_in_other_games_and_placements(name):
    for index in range(60):
        drawn = compare_search.any_case(game(name), 1, index, leaves=300)
        assert compare_search.any_difference(game(name), drawn) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_value_and_best_moves_equal_minimax_in_larger_trees(seed):
    for index in range(500):
        drawn = compare_search.case(CHECKERS, seed, index, leaves=4000)
        assert compare_search.difference(CHECKERS, drawn) is None


@pytest.mark.parametrize("every_value", [False, True])
def test_comparison_sees_a_search_that_is_one_ply_short(monkeypatch, every_value):
    honest = search_position

    def short(*args, depth, **options):
        return honest(*args, depth=depth - 1, **options)

    monkeypatch.setattr(compare_search, "search_position", short)
    position = twin.parse("W:W14,15:B5,1")
    drawn = compare_search.Case(position, wiring.material_dna(), "own", 5, every_value)
    assert compare_search.difference(CHECKERS, drawn) is not None


def searches(num_positions):
    """Yield positions of random games, each with a network and a depth."""
    for seed in range(num_positions):
        rng = random.Random(seed)
        line = [position for position in twin.random_game(seed) if len(twin.moves(position)) > 1]
        here = CHECKERS.parse_fen(twin.fen(rng.choice(line)))
        network = decode(encode(wiring.dna_of(rng.choice(wiring.KINDS), rng)), perspective="antisymmetric")
        yield here, network, rng.randint(2, 6)


def root_values(work, position, network, depth, *, owner=1, every_value=True):
    judge = network_evaluator(pack_networks([network]), 0, int(position.turn))
    count = search_moves(judge, work, position, np.int64(depth), np.int64(owner), every_value)
    return work.root[:count].tolist()


def fresh(table_bits=12):
    return new_workspace(CHECKERS, table_bits=table_bits)


@pytest.mark.parametrize("table_bits", [0, 1, 4, 10])
def test_the_size_of_the_table_changes_no_value(table_bits):
    for position, network, depth in searches(30):
        small = root_values(fresh(table_bits), position, network, depth)
        assert small == root_values(fresh(), position, network, depth)


def test_entries_of_shallower_and_deeper_searches_change_no_value():
    for position, network, depth in searches(30):
        used = fresh()
        for plies in (depth - 1, depth + 1):
            root_values(used, position, network, plies, every_value=False)
        assert root_values(used, position, network, depth) == root_values(fresh(), position, network, depth)


def test_entries_of_the_searches_of_earlier_moves_change_no_value():
    for position, network, depth in searches(10):
        used = fresh()
        here = position
        for _ in range(6):
            moves = CHECKERS.legal_moves(here)
            if not moves:
                break
            values = root_values(used, here, network, depth, owner=1 + int(here.turn))
            assert values == root_values(fresh(), here, network, depth)
            here = moves[values.index(max(values))].after


def test_owners_share_a_table_without_sharing_values():
    cases = list(searches(20))
    position = cases[0][0]
    used = fresh(6)
    for owner, (_, network, _) in enumerate(cases, start=1):
        shared = root_values(used, position, network, 4, owner=owner)
        assert shared == root_values(fresh(), position, network, 4)


def test_other_moves_get_an_upper_bound_of_their_value_below_the_best():
    for position, network, depth in searches(40):
        exact = root_values(fresh(), position, network, depth)
        bounds = root_values(fresh(), position, network, depth, every_value=False)
        for value, bound in zip(exact, bounds, strict=True):
            assert bound == value or value < bound < max(exact)


def test_moves_are_tried_in_the_order_of_evaluations_that_see_hidden_neurons():
    network = network_of(read_source("memetic-7"))
    for position, *_ in searches(20):
        work, side = fresh(), int(position.turn)
        count = len(root_values(work, position, network, 3))
        after = [CHECKERS.legal_moves(position)[number].after for number in work.order[:count]]
        values = [activations(network, CHECKERS, child, side).value for child in after]
        assert values == pytest.approx(sorted(values, reverse=True), abs=1e-3)


@pytest.mark.parametrize("alpha", [-int(WIN), -100, 0, 100])
def test_a_stopped_search_leaves_nothing_in_the_table(alpha):
    # A stopped child returns 0, which is a cut-off wherever beta is not positive.
    for position, network, depth in searches(20):
        evaluator = network_evaluator(pack_networks([network]), 0, int(position.turn))
        search = new_search(evaluator, fresh(), depth, np.int64(1))
        search.work.counters[STOP] = 1
        window = np.int64(alpha), np.int64(alpha + 1)
        here = refresh(evaluator, position)
        negamax(search, position, np.int64(depth), *window, np.int64(0), here)
        assert not search.work.table.any()


def test_a_stopped_search_finishes_no_move_and_leaves_no_value():
    for position, network, depth in searches(5):
        evaluator, work = network_evaluator(pack_networks([network]), 0, int(position.turn)), fresh()
        count = search_moves(evaluator, work, position, np.int64(depth), np.int64(1), False)
        assert work.counters[FINISHED] == count
        work.root[:] = 7
        work.counters[STOP] = 1
        search_moves(evaluator, work, position, np.int64(depth), np.int64(1), False)
        assert work.counters[FINISHED] == 0
        assert (work.root == 7).all()
