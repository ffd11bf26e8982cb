"""The compiled rules and the slow twins agree on the moves of random positions and of difficult ones."""

import itertools
from dataclasses import replace

import pytest

from neche.games.catalogue import game
from tests.oracles import english, othello
from tools.checks.compare_rules import TWINS, difference, positions

TRICKY = [
    pytest.param(name, entry["fen"], id=f"{name} {entry['fen']}")
    for name, entries in (("checkers", english.POSITIONS), ("othello", othello.POSITIONS))
    for entry in entries
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["checkers", "othello"])
def test_moves_agree_with_the_twin_on_a_thousand_random_positions(name, seed):
    for position in itertools.islice(positions(seed, TWINS[name]), 1000):
        assert difference(game(name), position) is None


@pytest.mark.parametrize(("name", "fen"), TRICKY)
def test_moves_agree_with_the_twin_on_tricky_positions_and_their_successors(name, fen):
    position = TWINS[name].parse(fen)
    for reached in [position, *(move.after for move in TWINS[name].moves(position))]:
        assert difference(game(name), reached) is None


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_moves_agree_with_the_twin_of_draughts_in_random_games(name):
    for position in itertools.islice(positions(7, TWINS[name]), 1500):
        assert difference(game(name), position) is None


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_moves_agree_with_the_twin_of_draughts_among_many_kings(name):
    for seed in range(600):
        assert difference(game(name), TWINS[name].random_position(seed)) is None


@pytest.mark.parametrize("name", ["checkers", "othello"])
def test_comparison_sees_a_missing_move(name):
    rules, twin = game(name), TWINS[name]
    forgetful = replace(rules, legal_moves=lambda position: rules.legal_moves(position)[1:])
    assert difference(forgetful, twin.parse(twin.START)) is not None
