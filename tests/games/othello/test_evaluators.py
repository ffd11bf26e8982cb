"""Hand-made evaluators of Othello, against their sources."""

from itertools import chain

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.othello.game import EVALUATORS, POSITIONAL
from neche.games.sensors import ALL_8X8
from neche.players.alpha_beta import hand_made_networks, search_position
from neche.players.spec import parse_player

OTHELLO = game("othello")
SQUARES = ALL_8X8.squares


def test_the_positional_weights_are_those_of_norvig():
    """Source: Peter Norvig, Paradigms of Artificial Intelligence Programming, chapter 18, rows as printed."""
    rows = [
        [120, -20, 20, 5, 5, 20, -20, 120],
        [-20, -40, -5, -5, -5, -5, -40, -20],
        [20, -5, 15, 3, 3, 15, -5, 20],
        [5, -5, 3, 3, 3, 3, -5, 5],
    ]
    assert list(POSITIONAL.squares) == [*chain(*rows, *reversed(rows))]


@pytest.mark.parametrize("name", [evaluator.name for evaluator in EVALUATORS])
def test_each_evaluator_is_a_kind_of_player_in_othello(name):
    player = parse_player(f"{name}:depth=2", "othello")
    assert player.name == f"{name}:depth=2"
    assert player.evaluating_network is not None
    found = search_position(OTHELLO, OTHELLO.start(), player.evaluating_network, depth=2)
    assert found.best_moves


def test_evaluators_of_othello_are_refused_in_other_games():
    with pytest.raises(InputError, match="'mobility' is hand-made for othello, not for checkers"):
        parse_player("mobility:depth=2", "checkers")


def test_a_corner_within_reach_is_taken():
    fen = "--OX----" + "---X----" * 2 + "---XO---" * 2 + "--------" * 3 + " X"
    corner = OTHELLO.parse_fen("-OX-----" + fen[8:])
    for name in ("corners", "positional"):
        assert search_position(OTHELLO, corner, hand_made_networks("othello")[name], depth=1).best_moves == (
            "a1",
        )


def test_material_counts_discs():
    network = hand_made_networks("othello")["material"]
    # every first move of Black turns one disc: four against one
    assert search_position(OTHELLO, OTHELLO.start(), network, depth=1).value == 3
