"""The words of the 10×10 board: layout, steps, and the three packed words of a position."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.jit import jit
from neche.games.catalogue import game
from neche.games.draughts import board
from neche.games.draughts.international import ALL_SQUARES, NOTATION, pack
from tests.oracles.draughts_twin import INTERNATIONAL as TWIN

RULES = game("international")
BIT_OF_SQUARE = NOTATION.bit_of_square
DIRECTIONS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


@jit
def step(position, squares, direction):
    return board.step(position, squares, direction) & board.all_squares(position)


def test_every_square_has_a_bit():
    assert sum(2**bit for bit in BIT_OF_SQUARE.values()) == int(ALL_SQUARES)
    places = {square: NOTATION.place_of_bit[bit] for square, bit in BIT_OF_SQUARE.items()}
    assert places == TWIN.place


@pytest.mark.parametrize("direction", range(4))
def test_a_step_goes_to_the_neighbour_or_off_the_board(direction):
    column, row = DIRECTIONS[direction]
    for square, bit in BIT_OF_SQUARE.items():
        place = TWIN.place[square]
        target = TWIN.number.get((place[0] + column, place[1] + row))
        expected = 2 ** BIT_OF_SQUARE[target] if target else 0
        assert int(step(RULES.start(), np.uint64(2**bit), direction)) == expected


def unpacked(first, second, third):
    """Read the three words as they are documented."""
    places = 2**55 - 1
    kings = (first >> 55) | (second >> 55) << 9 | (third & 0xFFFFFFFF) << 18
    spread = sum(2**bit for number, bit in enumerate(sorted(BIT_OF_SQUARE.values())) if kings >> number & 1)
    return first & places, second & places, spread, third >> 32


@given(st.integers(0, 2**32))
def test_a_position_is_restored_from_its_three_words(seed):
    position = RULES.parse_fen(TWIN.fen(TWIN.random_position(seed)))
    assert unpacked(*map(int, pack(position))) == tuple(map(int, position))
