"""States for other learning programs agree with boards along random games of every game."""

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

import neche
from neche.arena.game_in_progress import begin
from neche.games.catalogue import GAMES, add_file, game
from neche.games.game import Move, geometry_of
from neche.games.geometry import BoardGeometry
from neche.records.record import first_side
from tests.games.toys.loading import TICTACTOE


@pytest.mark.parametrize("name", GAMES)
def test_random_games_by_numbers_are_those_of_the_board(name):
    rng, seen = random.Random(name), 0
    first = first_side(game(name))
    for _ in range(4):
        state, board = neche.State(name), neche.Board(name)
        while not state.is_terminal():
            assert board.verdict is None
            assert state.board == board
            assert state.current_player() == int(board.turn != first)
            actions = state.legal_actions()
            assert actions == sorted(set(actions))
            assert 0 <= actions[0] <= actions[-1] < state.num_distinct_actions
            assert sorted(map(state.action_to_string, actions)) == sorted(board.moves)
            assert np.flatnonzero(state.legal_actions_mask()).tolist() == actions
            assert state.returns() == [0.0, 0.0]
            action = rng.choice(actions)
            text = state.action_to_string(action)
            assert state.string_to_action(text) == action
            state.apply_action(action)
            board.push(text)
            seen += 1
        assert board.verdict is not None
        assert state.legal_actions() == []
        assert state.current_player() == -4
        expected = {None: 0.0, first: 1.0}.get(board.winner, -1.0)
        assert state.returns() == [expected, 0.0 - expected]
        assert len(state.history()) == len(board.history)
        while state.history():
            state.undo_action()
            board.pop()
        assert state.board == board == neche.Board(name)
    assert seen > 100


@pytest.mark.parametrize("name", GAMES)
def test_a_number_means_the_same_move_in_every_position(name):
    """Except captures between the same two squares, whose numbers begin at the squared number of squares."""
    rng = random.Random(1)
    meanings: dict[int, tuple[str, ...]] = {}
    geometry = geometry_of(game(name))
    squares = len(geometry.places)
    for _ in range(4):
        state = neche.State(name)
        while not state.is_terminal():
            for action in state.legal_actions():
                named = geometry.squares_of(state.action_to_string(action))
                ends = (named[0], named[-1]) if named else ()
                assert action >= squares**2 or meanings.setdefault(action, ends) == ends
            state.apply_action(rng.choice(state.legal_actions()))
    assert len(meanings) > 40


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_holds_the_pieces_as_the_side_to_move_sees_them(name):
    state, rules = neche.State(name), game(name)
    rng = random.Random(2)
    for _ in range(30):
        seen, board = state.observation_tensor(), state.board
        letters = geometry_of(rules).letters[rules.sides.index(board.turn)]
        own = sum(letter.lower() == letters.lower() for letter in board.pieces.values())
        assert seen.dtype == np.float32
        assert seen[0].sum() == own
        assert seen[:2].sum() == len(board.pieces)
        state.apply_action(rng.choice(state.legal_actions()))


def test_the_numbers_of_othello_are_those_of_open_spiel():
    state = neche.State("othello")
    assert state.num_distinct_actions == 65
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["d3", "c4", "f5", "e6"]
    assert [neche.State("othello").string_to_action(text) for text in ("d3", "e6")] == [19, 44]


def test_captures_between_the_same_squares_have_numbers_of_their_own():
    """A man on 26 may take 22 and 14, or 23 and 15, and ends on 10 either way."""
    state = neche.State("checkers", "W:W26:B14,15,22,23")
    assert {state.action_to_string(action) for action in state.legal_actions()} == {"26x17x10", "26x19x10"}
    assert state.legal_actions() == [25 * 32 + 9, 32 * 32]


def test_a_copy_goes_its_own_way():
    state = neche.State()
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert state.history() == []
    assert copy.history() != []
    assert str(state) == str(neche.Board())


def test_what_is_not_legal_is_refused_in_a_line():
    state = neche.State()
    actions: list[Any] = [0, -1, 10**6, "11-15", None]
    for action in actions:
        with pytest.raises(neche.InputError, match="is no legal action here; there are"):
            state.apply_action(action)
    with pytest.raises(neche.InputError, match="'1-1' is no legal move here; there are 11-16"):
        state.string_to_action("1-1")
    with pytest.raises(neche.InputError, match="no action to take back"):
        state.undo_action()


def test_a_game_from_a_file_is_numbered_too(monkeypatch):
    monkeypatch.setattr("sys.path", list(__import__("sys").path))
    monkeypatch.setenv("NECHE_GAMES", "")
    state = neche.State(add_file(str(TICTACTOE)))
    rng = random.Random(3)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0.0
    with pytest.raises(neche.InputError, match="does not define the planes that networks see"):
        state.observation_tensor()


@pytest.mark.parametrize("action", [np.array([19]), np.array(19), np.int64(19), np.float32(19)])
def test_an_action_may_be_an_array_of_one_number(action):
    state = neche.State("othello")
    assert state.action_to_string(action) == "d3"
    state.apply_action(action)
    assert state.history() == [19]


@pytest.mark.parametrize("action", [np.array([19, 26]), np.array([]), np.array([5]), [19], "19", None])
def test_what_is_no_action_is_refused_in_one_line(action):
    with pytest.raises(neche.InputError, match=r"is no legal action here; there are \[19, 26, 37, 44\]"):
        neche.State("othello").apply_action(action)


def renamed(names, monkeypatch):
    """Return a state of tic-tac-toe with a board, whose moves with as many squares left get other names."""
    monkeypatch.setattr("sys.path", list(__import__("sys").path))
    monkeypatch.setenv("NECHE_GAMES", "")
    rules = game(add_file(str(TICTACTOE)))
    squares = tuple(column + row for row in "321" for column in "abc")

    def legal_moves(position):
        moves = rules.legal_moves(position)
        return [Move(names(len(moves), number, move.text), move.after) for number, move in enumerate(moves)]

    board = BoardGeometry(tuple("abc"), tuple("321"), squares, lambda position: {})
    named = dataclasses.replace(rules, legal_moves=legal_moves, geometry=board)
    state = neche.State(rules.name)
    state._begin(begin(named, named.start()), ())
    return state


def test_a_pass_beside_moves_from_square_to_square_is_the_last_action(monkeypatch):
    def names(count, number, text):
        return "pass" if number == count - 1 else f"a1-{text}"

    state = renamed(names, monkeypatch)
    assert state.num_distinct_actions == 81 + 9
    for left in range(9, 5, -1):
        assert state.action_to_string(89) == "pass"
        assert state.legal_actions()[-1] == 89
        assert state.legal_actions_mask().sum() == left
        state.apply_action(state.string_to_action("pass") if left == 9 else state.legal_actions()[0])


def test_a_pass_beside_squares_at_the_start_takes_no_number_from_them(monkeypatch):
    """As in Go, where the side to move may pass at any time."""

    def names(count, number, text):
        return "pass" if number == count - 1 else text

    state = renamed(names, monkeypatch)
    assert state.num_distinct_actions == 10
    squares = [state.action_to_string(action) for action in state.legal_actions()]
    assert squares == ["a3", "b3", "a2", "b2", "c2", "a1", "b1", "c1", "pass"]
    assert state.legal_actions() == [0, 1, 3, 4, 5, 6, 7, 8, 9]
    state.apply_action(9)
    assert state.legal_actions()[-1] == 9


@pytest.mark.parametrize("odd", ["a1-b2", "swap"])
def test_where_moves_name_one_square_another_kind_of_move_is_refused(odd, monkeypatch):
    def names(count, number, text):
        return text if count == 9 else {0: odd, 1: "pass"}.get(number, text)

    state = renamed(names, monkeypatch)
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(neche.InputError, match=f"tictactoe: {odd} has no number"):
        state.legal_actions()
