"""Networks play the games whose board their sensors see; the blind one plays all."""

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.network.decode import blind_network, material_network
from neche.network.sensors import check_sensors
from neche.players.alpha_beta import search_position


@pytest.mark.parametrize("name", ["checkers", "brazilian"])
def test_a_network_sees_the_32_squares_of_small_draughts(name):
    check_sensors(game(name), material_network())


@pytest.mark.parametrize(("name", "squares"), [("othello", 64), ("international", 50)])
def test_another_board_is_refused_in_one_line(name, squares):
    expected = f"a network with 32 sensors does not see the board of {name}, which has {squares} squares"
    with pytest.raises(InputError, match=expected):
        check_sensors(game(name), material_network())


@pytest.mark.parametrize("name", ["othello", "international"])
def test_the_blind_network_needs_no_board(name):
    check_sensors(game(name), blind_network())


def test_search_of_othello_finds_the_end_of_the_game():
    othello = game("othello")
    # Black takes the last disc of White with c1; b1 is no move
    position = othello.parse_fen("XO------" + "-" * 56 + " X")
    found = search_position(othello, position, blind_network(), depth=3)
    assert found.best_moves == ("c1",)
    assert found.value == 1e12 - 1


def test_search_of_othello_knows_draws_and_losses_at_the_end():
    othello = game("othello")
    values = {}
    for blacks in (31, 32, 33):
        # White has one empty square left, a1, and turns one disc there: b1
        board = "-XO" + "O" * (61 - blacks) + "X" * blacks
        found = search_position(othello, othello.parse_fen(board + " O"), blind_network(), depth=2)
        values[blacks] = found.value
    assert values[31] > 0
    assert values[32] == 0
    assert values[33] < 0
