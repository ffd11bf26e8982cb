"""Both forms of turning discs, all axes at once and one after another, equal a walk over the board."""

import numpy as np
from hypothesis import given, strategies as st

from neche.compiled.jit import jit
from neche.games.othello import runs

BOARDS = st.lists(st.sampled_from(".xo"), min_size=64, max_size=64)
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


@jit
def _both(square, own, foe):
    whole = runs.placements(own, foe), runs.turned(square, own, foe)
    return whole, (runs.placements_in_lane(own, foe), runs.turned_in_lane(square, own, foe))


def _turned_by_walking(board, square):
    """Return the squares whose discs turn, walking from `square` one step after another."""
    found = []
    for down, right in DIRECTIONS:
        passed = []
        row, column = square // 8 + down, square % 8 + right
        while 0 <= row < 8 and 0 <= column < 8 and board[8 * row + column] == "o":
            passed.append(8 * row + column)
            row, column = row + down, column + right
        if 0 <= row < 8 and 0 <= column < 8 and board[8 * row + column] == "x":
            found += passed
    return found


def _word(squares):
    return sum(1 << square for square in squares)


@given(BOARDS, st.integers(0, 63))
def test_both_forms_turn_the_discs_that_a_walk_over_the_board_turns(board, square):
    own, foe = (np.uint64(_word(i for i in range(64) if board[i] == disc)) for disc in "xo")
    free = [i for i in range(64) if board[i] == "." and _turned_by_walking(board, i)]
    bit = np.uint64(1 << square)
    expected = _word(free), _word(_turned_by_walking(board, square))
    assert _both(bit, own, foe) == (expected, expected)
    assert (runs.placements(own, foe), runs.turned(bit, own, foe)) == expected
