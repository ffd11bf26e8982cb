"""The search with a convolutional network returns the values of plain minimax over the slow rules."""

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.network.convolution import compile_convolution, evaluate_boards
from neche.search.evaluator import CONVOLUTION_UNIT, ConvolutionalEvaluator
from neche.search.negamax import WIN, new_workspace, search_moves
from tests.network.convolutions import random_convolution
from tests.oracles import checkers_twin as twin, convolution_twin

CHECKERS = game("checkers")
NETWORK = random_convolution(9, channels=(3,), width=4)
POSITIONS = [
    position for seed in range(4) for position in list(twin.random_game(seed))[10::9] if twin.moves(position)
]


def found(fen, depth):
    evaluator = ConvolutionalEvaluator(compile_convolution(NETWORK), np.zeros(1, np.int64))
    work, position = new_workspace(CHECKERS, table_bits=10), CHECKERS.parse_fen(fen)
    count = search_moves(evaluator, work, position, np.int64(depth), np.int64(1), True)
    texts = [move.text for move in CHECKERS.legal_moves(position)]
    return dict(zip(texts, work.root[:count].tolist(), strict=True))


def minimax(position, depth, ply):
    choice = twin.moves(position)
    if not choice:
        return ply - int(WIN)
    if depth <= 0 and not choice[0].captured:
        value = evaluate_boards(NETWORK, np.array([convolution_twin.planes(position)], np.float32))[0]
        return int(value * CONVOLUTION_UNIT)
    return max(-minimax(move.after, depth - 1, ply + 1) for move in choice)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_root_values_are_those_of_minimax(depth):
    for position in POSITIONS[depth :: depth + 1]:
        expected = {}
        for move in twin.moves(position):
            after = CHECKERS.format_fen(CHECKERS.parse_fen(twin.fen(move.after)))
            expected[after] = -minimax(move.after, depth - 1, 1)
        values = found(twin.fen(position), depth)
        legal = CHECKERS.legal_moves(CHECKERS.parse_fen(twin.fen(position)))
        assert {CHECKERS.format_fen(move.after): values[move.text] for move in legal} == expected


def test_a_win_is_worth_more_the_sooner_it_comes():
    # the white king takes the last piece at once
    assert found("W:WK18:B14", 3)["18x9"] == int(WIN) - 1
