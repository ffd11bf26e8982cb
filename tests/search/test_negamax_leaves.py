"""Leaves: captures are followed to their end before the evaluation; a side without a move has lost."""

import pytest

from neche.games.catalogue import game
from neche.network.decode import blind_network, material_network
from neche.players.alpha_beta import search_position
from neche.players.engine import WIN_VALUE

CHECKERS = game("checkers")


def search(fen, depth, network=None):
    return search_position(CHECKERS, CHECKERS.parse_fen(fen), network or material_network(), depth=depth)


def test_an_exchange_is_followed_to_its_end():
    # 15-18 offers a man that White must capture; Black recaptures, and nothing is lost
    found = search("B:W22,31:B15,11,8,3", 1)
    assert found.values["15-18"] <= found.value


def test_a_side_must_capture_even_when_it_loses_by_it():
    # after 18-15 Black must capture and loses two men
    assert search("W:W18,26,22:B10,6,1", 1).value >= 0


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_a_win_found_beyond_the_depth_counts_its_plies_from_the_root(depth):
    assert search("W:W18:B14", depth).value == WIN_VALUE - 1


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_leaf_whose_side_has_pieces_but_no_move_is_lost(depth):
    found = search("W:W10,9,6:B1", depth)
    assert (found.value, found.best_moves) == (WIN_VALUE - 1, ("9-5",))


def test_the_loser_of_all_pieces_sees_a_loss():
    assert search("B:W18,32:B11,8", 1).values["11-15"] == -(WIN_VALUE - 2)


def test_a_constant_evaluator_still_sees_wins_and_losses():
    assert search("W:W14,15:B5,1", 7, blind_network()).best_moves == ("15-10",)
    assert search("W:W14,15:B5,1", 7, blind_network()).value == WIN_VALUE - 5


def test_everything_is_equal_to_a_constant_evaluator_where_nothing_is_decided():
    found = search(CHECKERS.format_fen(CHECKERS.start()), 4, blind_network())
    assert found.value == 0
    assert len(found.best_moves) == 7
