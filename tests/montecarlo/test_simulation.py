"""A leaf valued by an evaluator has the logistic of its evaluation for the side to move."""

import math
import random
from dataclasses import replace

import pytest

from neche.genome.dna import encode
from neche.montecarlo.simulation import natural_scale
from neche.network.decode import blind_network, decode, material_network
from neche.players.uct import NetworkLeaf, Uct
from tests.montecarlo.tree_builders import CHECKERS, KEY
from tests.network import wiring
from tests.oracles import checkers_twin as twin, minimax

MATERIAL = material_network()
QUIET = {"W:W32,31,27:B1,2": 1, "B:W32,31,27:B1,2": -1, "W:W32,K27:BK1,2": 0, "B:W32,K31,27:BK1,2": -1}


def leaf_value(fen, evaluator):
    """Return the value of the root as a leaf."""
    found = Uct(playouts=1, leaf=evaluator).new_game(CHECKERS).analyse(CHECKERS.parse_fen(fen), key=KEY)
    return found.figures["root_value"]


@pytest.mark.parametrize("is_static", [False, True])
@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("fen", "men"), QUIET.items())
def test_the_value_of_a_quiet_leaf_is_the_logistic_of_its_evaluation(fen, men, scale, is_static):
    evaluator = NetworkLeaf("material", MATERIAL, scale, is_static)
    assert leaf_value(fen, evaluator) == pytest.approx(1 / (1 + math.exp(-men / scale)), abs=1e-12)


def test_captures_are_followed_unless_the_evaluator_is_static():
    """White, to move, captures one of two men and cannot be recaptured."""
    fen = "W:W18,32:B14,3"
    assert leaf_value(fen, NetworkLeaf("material", MATERIAL, 1.0)) == pytest.approx(1 / (1 + math.exp(-1)))
    assert leaf_value(fen, NetworkLeaf("material", MATERIAL, 1.0, is_static=True)) == 0.5


@pytest.mark.parametrize("perspective", ["own", "antisymmetric"])
def test_a_network_evaluates_for_the_side_to_move(perspective):
    for seed in range(20):
        rng = random.Random(seed)
        dna = wiring.dna_of(rng.choice(wiring.KINDS), rng)
        network = decode(encode(dna), perspective=perspective)
        for fen in QUIET:
            position = twin.parse(fen)
            judge = minimax.judge_for(dna, perspective, position.turn)
            value = judge(frozenset(position.board.items()), position.turn) / minimax.UNIT
            expected = 1 / (1 + math.exp(-value / 100))
            assert leaf_value(fen, NetworkLeaf("network", network, 100.0)) == pytest.approx(expected)


def test_the_natural_scale_is_proportional_to_the_weights():
    tenfold = replace(MATERIAL, weight=MATERIAL.weight // 10)
    assert natural_scale(tenfold, CHECKERS) == pytest.approx(natural_scale(MATERIAL, CHECKERS) / 10)
    position = CHECKERS.parse_fen("W:W32,31,30,28,27,26,22,20,18:B1,2,3,4,6,7,11,12,19")
    players = [Uct(playouts=300, leaf=NetworkLeaf("network", network)) for network in (MATERIAL, tenfold)]
    analyses = [player.new_game(CHECKERS).analyse(position, key=KEY) for player in players]
    assert [move.visits for move in analyses[0].moves] == [move.visits for move in analyses[1].moves]


def test_the_blind_network_has_a_scale_too():
    assert natural_scale(blind_network(), CHECKERS) == 1.0
