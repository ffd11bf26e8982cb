"""The search without recursion: values and nodes of `negamax` and the best moves of minimax, in all games."""

import random

import numpy as np
import pytest

from neche.games.catalogue import GAMES, game
from neche.games.contract import generate
from neche.network.decode import square_network
from neche.network.packing import pack_networks
from neche.search.evaluator import network_evaluator
from neche.search.negamax import NODES, new_workspace, search_moves
from neche.search.shallow import (
    FRAME_WORDS,
    MAX_FIELDS,
    MAX_FRAMES,
    NUM_COUNTERS,
    OVERFLOWN,
    ShallowWorkspace,
    search_shallow,
)
from tests.games.draughts.positions import MOST_CAPTURES
from tests.oracles import checkers_twin as twin
from tools.checks import compare_search


def new_shallow_workspace(rules, *, spare_moves):
    """Allocate buffers; spare_moves: rows for the moves of a line before its last position."""
    return ShallowWorkspace(
        np.zeros((rules.max_moves + spare_moves) * rules.move_words, rules.move_type),
        np.zeros(rules.max_moves, np.int64),
        np.zeros(NUM_COUNTERS, np.int64),
        np.zeros((MAX_FIELDS, MAX_FRAMES), np.uint64),
        np.zeros((FRAME_WORDS, MAX_FRAMES), np.int64),
    )


def searched(rules, position, network, depth, *, spare_moves=96):
    """Return the value of each move, the best value, and the counters."""
    work = new_shallow_workspace(rules, spare_moves=spare_moves)
    judge = network_evaluator(pack_networks([network], rules.sensors), 0, int(position.turn))
    count = np.int64(generate(position, work.moves, 0))
    best = search_shallow(work, judge, position, count, np.int64(depth))
    return work.root[:count].tolist(), int(best), work.counters.tolist()


def searched_by_negamax(rules, position, network, depth):
    work = new_workspace(rules, table_bits=8)
    judge = network_evaluator(pack_networks([network], rules.sensors), 0, int(position.turn))
    count = search_moves(judge, work, position, np.int64(depth), np.int64(1), False)
    return work.root[:count].tolist(), int(work.counters[NODES])


def cases(rules, number):
    """Yield positions, networks of all kinds and depths; and minimax values, except in checkers."""
    if rules.name == "checkers":
        for index in range(number):
            rng = random.Random(f"shallow {index}")
            position = rng.choice([here for here in twin.random_game(index) if twin.moves(here)])
            drawn = compare_search.any_case(game("brazilian"), 5, index, leaves=50)
            yield rules.parse_fen(twin.fen(position)), drawn.network, 1 + index % 2, None
    else:
        for index in range(number):
            drawn = compare_search.any_case(rules, 5, 6 * (index // 2) + index % 2, leaves=2000)
            yield drawn.position, drawn.network, drawn.depth, drawn.true


@pytest.mark.parametrize("name", GAMES)
def test_values_and_nodes_are_those_of_negamax(name):
    for position, network, depth, _ in cases(game(name), 40):
        values, best, counters = searched(game(name), position, network, depth)
        assert (values, counters[NODES]) == searched_by_negamax(game(name), position, network, depth)
        assert (best, counters[OVERFLOWN]) == (max(values), 0)


@pytest.mark.parametrize("name", ["brazilian", "international", "othello"])
def test_all_best_moves_of_minimax_are_found_with_their_value(name):
    for position, network, depth, true in cases(game(name), 40):
        values, best, _ = searched(game(name), position, network, depth)
        assert best == max(true)
        assert [value == best for value in values] == [value == best for value in true]


def test_moves_without_room_are_counted_and_not_written():
    rules = game("international")
    position, material = rules.parse_fen(MOST_CAPTURES["international"]), square_network([1] * 50)
    values, _, counters = searched(rules, position, material, 2, spare_moves=2000)
    assert counters[OVERFLOWN] == 0
    assert (values, counters[NODES]) == searched_by_negamax(rules, position, material, 2)
    work = new_shallow_workspace(rules, spare_moves=0)
    full = work._replace(moves=np.zeros(2 * len(work.moves), np.uint64))
    short = full._replace(moves=full.moves[: len(work.moves)])
    judge = network_evaluator(pack_networks([material], rules.sensors), 0, int(position.turn))
    count = np.int64(generate(position, short.moves, 0))
    search_shallow(short, judge, position, count, np.int64(2))
    assert short.counters[OVERFLOWN] > 0
    assert not full.moves[len(work.moves) :].any()


def test_a_line_has_a_frame_for_every_piece_that_can_be_taken():
    pieces = max(
        sum(map(int.bit_count, map(int, game(name).start()[:2]))) for name in GAMES if name != "othello"
    )
    assert pieces == 40
    assert 2 + pieces - 1 < MAX_FRAMES
