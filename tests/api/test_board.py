"""Boards as scripts and notebooks use them."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neche
from neche.games.catalogue import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_can_be_played_to_its_end(name):
    rng = random.Random(name)
    board = neche.Board(name)
    for _ in range(300):
        if board.is_over:
            break
        text = rng.choice(board.moves)
        after = board.play(text)
        assert after.turn != board.turn
        assert after.last_move == text
        assert neche.Board(name, after.fen) == after
        board = after
    assert board.winner in (None, *board.game.sides)
    assert str(board)
    assert board._repr_svg_().startswith("<svg")


@given(st.lists(st.integers(0, 99), max_size=12))
@settings(max_examples=30, deadline=None)
def test_playing_in_one_go_is_playing_one_by_one(choices):
    board, played = neche.Board("othello"), []
    for choice in choices:
        if board.is_over:
            break
        played.append(board.moves[choice % len(board.moves)])
        board = board.play(played[-1])
    assert neche.Board("othello").play(*played) == board
    assert hash(neche.Board("othello").play(*played)) == hash(board)


def test_a_board_that_is_not_changed_stays_as_it_is():
    board = neche.Board()
    board.play("11-15")
    assert board == neche.Board("checkers")
    assert eval(repr(board), {"Board": neche.Board}) == board


def test_an_illegal_move_names_the_legal_ones():
    with pytest.raises(neche.InputError, match=r"'11-14' is no legal move here; there are 11-16, 10-15, "):
        neche.Board().play("11-14")
    with pytest.raises(neche.InputError, match="there are none"):
        neche.Board("checkers", "W:W:B1").play("1-5")


def test_a_finished_game_of_othello_has_the_winner_with_more_discs():
    full = neche.Board("othello", "X" * 40 + "O" * 24 + " O")
    assert full.is_over
    assert full.winner == "Black"
    assert neche.Board("othello", "X" * 32 + "O" * 32 + " X").winner is None


def test_playouts_count_every_game():
    assert sum(neche.Board("brazilian").playouts(100, seed=4)) == 100
    assert neche.Board("brazilian").playouts(100, seed=4) == neche.Board("brazilian").playouts(100, seed=4)
