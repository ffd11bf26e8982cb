"""Boards as scripts and notebooks use them."""

import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import neche
from neche.games.catalogue import GAMES
from neche.games.game import geometry_of


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


@pytest.mark.parametrize("name", GAMES)
def test_boards_states_and_opinions_are_pickled_with_the_name_of_their_game(name):
    board = neche.Board(name).play(neche.Board(name).moves[1])
    state = neche.State(name)
    state.apply_action(state.legal_actions()[1])
    opinion = neche.analyse(board, "material:depth=1")
    again, state_again, opinion_again = pickle.loads(pickle.dumps((board, state, opinion)))
    assert (again, again.history, again.moves) == (board, board.history, board.moves)
    assert again.game is state_again.game is board.game
    assert state_again.legal_actions() == state.legal_actions()
    assert (opinion_again.move, opinion_again.svg()) == (opinion.move, opinion.svg())


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


def test_every_whole_number_is_a_seed_of_playouts():
    board = neche.Board()
    counts = {board.playouts(1000, seed=seed) for seed in (1, 2**64 + 1, 2**65 + 1)}
    assert len(counts) == 3
    assert {sum(one) for one in counts} == {1000}


def test_playouts_are_as_many_as_can_end():
    with pytest.raises(
        neche.InputError, match=r"count = \d+: a whole number from 1 to 1000000000000 is needed"
    ):
        neche.Board().playouts(2**70)


def test_playouts_count_every_game():
    assert sum(neche.Board("brazilian").playouts(100, seed=4)) == 100
    assert neche.Board("brazilian").playouts(100, seed=4) == neche.Board("brazilian").playouts(100, seed=4)


@given(st.lists(st.integers(0, 99), max_size=12))
@settings(max_examples=30, deadline=None)
def test_what_is_pushed_is_popped(choices):
    board = neche.Board("brazilian")
    before = [board.fen]
    for choice in choices:
        board.push(board.moves[choice % len(board.moves)])
        before.append(board.fen)
    assert len(board.history) == len(choices)
    played = neche.Board("brazilian").play(*board.history)
    assert played == board
    assert played.history == board.history
    for text in reversed(board.history):
        assert board.fen == before.pop()
        assert board.pop() == text
    assert (board, board.last_move) == (neche.Board("brazilian"), None)
    with pytest.raises(neche.InputError, match="no move to take back"):
        board.pop()


def test_playing_leaves_the_board_as_it_is_and_pushing_does_not():
    board = neche.Board()
    after = board.play("11-15")
    assert (board.history, after.history) == ((), ("11-15",))
    with pytest.raises(neche.InputError, match="'11-15' is no legal move here"):
        after.push("11-15")
    after.push("23-19")
    assert after.history == ("11-15", "23-19")
    assert after.moves == board.play("11-15", "23-19").moves


@pytest.mark.parametrize("name", GAMES)
def test_pieces_are_those_of_the_position_by_square(name):
    rng, board = random.Random(name), neche.Board(name)
    for _ in range(60):
        geometry = geometry_of(board.game)
        assert set(board.pieces) <= set(geometry.places)
        assert {letter.lower() for letter in board.pieces.values()} <= {
            one.lower() for one in geometry.letters
        }
        if board.is_over:
            break
        board.push(rng.choice(board.moves))
    assert neche.Board("checkers", "W:W18,K30:B14").pieces == {"14": "b", "18": "w", "30": "W"}


@pytest.mark.parametrize("name", [name for name in GAMES if neche.Board(name).game.pdn])
def test_a_game_written_as_pdn_reads_back(name):
    rng = random.Random(name)
    for fen in (None, neche.Board(name).play(neche.Board(name).moves[0]).fen):
        board = neche.Board(name, fen)
        while board.verdict is None and len(board.history) < 60:
            board.push(rng.choice(board.moves))
        again = neche.Board.from_pdn(board.pdn(White="one", Black="two"))
        assert (again, again.history) == (board, board.history)
        assert '[White "one"]' in board.pdn(White="one")


def test_the_result_of_a_game_is_in_its_pdn():
    board = neche.Board("checkers", "W:W18:B14").play("18x9")
    assert board.verdict == "White wins: Black has no move."
    assert '[Result "0-1"]' in board.pdn()
    assert '[Round "3"]' in board.pdn(Round=3)
    assert '[Result "*"]' in neche.Board().pdn()
    kings = neche.Board("checkers", "W:WK32:BK1")
    for move in ("32-28", "1-5", "28-32", "5-1") * 2:
        kings.push(move)
    assert kings.verdict == "Draw: the same position for the third time."
    assert '[Result "1/2-1/2"]' in kings.pdn()


@pytest.mark.parametrize("tag", ["Result", "FEN", "GameType"])
def test_a_tag_that_the_board_writes_itself_is_refused_and_not_written_twice(tag):
    with pytest.raises(neche.InputError, match=f"^{tag}: the board writes this tag itself$"):
        neche.Board("checkers", "W:W18:B14").pdn(**{tag: "0-1"})


def test_text_that_is_no_game_is_refused_in_a_line():
    for text, fault in (
        ("", "there is no game in this text"),
        ("1. 11-99 *", "99 is no square"),
        ("1. 11-18 *", "11-18"),
    ):
        with pytest.raises(neche.InputError, match=fault):
            neche.Board.from_pdn(text)
    with pytest.raises(neche.InputError, match="PDN is written for draughts only, not for othello"):
        neche.Board("othello").pdn()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_the_depth_of_perft_is_a_whole_number_of_any_library(kind):
    assert neche.Board().perft(kind(3)) == neche.Board().perft(3)
