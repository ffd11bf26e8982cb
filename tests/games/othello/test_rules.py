"""Points of the rules that are easily got wrong, one position each; symmetries, words and outcome."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.jit import jit
from neche.games import contract
from neche.games.catalogue import game
from tests.oracles import othello_twin as twin

OTHELLO = game("othello")
# the eight symmetries of a square: turns by 90 degrees, with and without a reflection
TURNED = [lambda c, r: (c, r), lambda c, r: (7 - r, c), lambda c, r: (7 - c, 7 - r), lambda c, r: (r, 7 - c)]
SYMMETRIES = [*TURNED, *(lambda c, r, turn=turn: turn(7 - c, r) for turn in TURNED)]


def board(*rows, turn="X"):
    """Write a FEN from the upper rows of a board; the other rows are empty."""
    return "".join(rows).ljust(64, "-") + f" {turn}"


def after(fen, text):
    position = OTHELLO.parse_fen(fen)
    (move,) = [move for move in OTHELLO.legal_moves(position) if move.text == text]
    return OTHELLO.format_fen(move.after)


@jit
def facts(position):
    return contract.is_quiet(position), contract.can_move_quietly(position), contract.outcome(position)


@pytest.mark.parametrize(
    ("rule", "rows", "expected"),
    [
        ("a whole line turns", ["-OOOOOOX"], ["XXXXXXXX"]),
        ("a line stops at the first own disc", ["-OXOX---"], ["XXXOX---"]),
        (
            "discs before a gap do not turn",
            ["-OO-X---", "-O------", "--X-----"],
            ["XOO-X---", "-X------", "--X-----"],
        ),
        (
            "turned discs turn nothing in their turn",
            ["-OX-----", "-O------", "-X------"],
            ["XXX-----", "-O------", "-X------"],
        ),
    ],
)
def test_a_disc_on_a1_turns_the_right_discs(rule, rows, expected):
    assert after(board(*rows), "a1") == board(*expected, turn="O")


def test_lines_do_not_wrap_around_the_board():
    for rows in (
        ["------XO", "-O------"],
        ["-------X", "O-------", "O-------"],
        ["--------", "O------X", "O-----OX"],
    ):
        legal = {move.text for move in OTHELLO.legal_moves(OTHELLO.parse_fen(board(*rows)))}
        assert legal == {move.text for move in twin.moves(twin.parse(board(*rows)))}


def test_all_eight_directions_turn_at_once():
    rows = ["X--X--X-", "-O-O-O--", "--OOO---", "XOO-OOX-", "--OOO---", "-O-O-O--", "X--X--X-"]
    before = OTHELLO.parse_fen(board(*rows))
    (move,) = [move for move in OTHELLO.legal_moves(before) if move.text == "d4"]
    assert "O" not in OTHELLO.format_fen(move.after).split()[0]


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        (board("XX------"), 1),
        (board("XX------", turn="O"), -1),
        (board("X-------", "--------", "-------O"), 0),
        ("X" * 33 + "O" * 31 + " O", -1),
        ("X" * 32 + "O" * 32 + " O", 0),
        (board(), 0),
    ],
)
def test_the_game_is_over_when_neither_side_can_move_and_more_discs_win(fen, result):
    position = OTHELLO.parse_fen(fen)
    assert OTHELLO.legal_moves(position) == []
    assert tuple(map(int, facts(position))) == (1, 0, result)
    assert OTHELLO.outcome(position) == result


def mirrored(position, symmetry):
    return twin.Position({symmetry(*square): disc for square, disc in position.board.items()}, position.turn)


@given(st.integers(0, 10**6), st.integers(0, 7))
def test_moves_have_the_symmetries_of_the_board(seed, number):
    symmetry = SYMMETRIES[number]
    for position in (twin.random_position(seed), list(twin.random_game(seed))[seed % 60]):
        here = OTHELLO.parse_fen(twin.fen(position))
        there = OTHELLO.parse_fen(twin.fen(mirrored(position, symmetry)))
        afterwards = {
            twin.fen(mirrored(twin.parse(OTHELLO.format_fen(move.after)), symmetry))
            for move in OTHELLO.legal_moves(here)
        }
        assert afterwards == {OTHELLO.format_fen(move.after) for move in OTHELLO.legal_moves(there)}


@given(st.integers(0, 10**6))
def test_swapped_colours_give_the_same_moves(seed):
    position = twin.random_position(seed)
    swapped = twin.Position(
        {square: twin.other(disc) for square, disc in position.board.items()}, twin.other(position.turn)
    )
    one, two = (OTHELLO.legal_moves(OTHELLO.parse_fen(twin.fen(each))) for each in (position, swapped))
    assert [move.text for move in one] == [move.text for move in two]
    assert [move.after[:2] for move in one] == [move.after[:2] for move in two]


@jit
def words(position):
    return contract.position_words(position)


def test_the_side_to_move_is_part_of_the_words_of_a_position():
    black, white = (OTHELLO.parse_fen(twin.START.replace(" X", f" {turn}")) for turn in "XO")
    assert words(black)[:2] == words(white)[1::-1]
    assert (int(words(black)[2]), int(words(white)[2])) == (0, 1)


def test_a_board_full_of_enemy_discs_has_no_moves():
    full = OTHELLO.parse_fen("O" * 64 + " X")
    assert OTHELLO.legal_moves(full) == []
    assert full.foe == np.uint64(2**64 - 1)
