"""The words of the checkers board: layout, steps, turning."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.games.draughts import board
from neche.games.draughts.checkers import GAME, NOTATION
from tests.oracles import checkers_twin as twin

# Sensor i of a network sees this square, and bit i of a word is this square.
SENSORS = "A1B2C3D4E5F6G7H8G1H2A3B4C5D6E7F8E1F2G3H4A5B6C7D8C1D2E3F4G5H6A7B8"
PLACES = [("ABCDEFGH".index(SENSORS[at]), int(SENSORS[at + 1]) - 1) for at in range(0, 64, 2)]
DIRECTIONS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
WORDS = st.integers(0, 2**32 - 1)


def step(squares, direction):
    return board.step(GAME.start(), squares, direction)


def turned(squares):
    """Turn the board by 180 degrees: reverse the bits, rotate them left by 8."""
    reverse = int(f"{int(squares):032b}"[::-1], 2)
    return np.uint32(reverse << 8 & 0xFFFFFFFF | reverse >> 24)


def test_bits_are_the_sensors_of_a_network():
    assert {square: PLACES[bit] for square, bit in NOTATION.bit_of_square.items()} == {
        number: twin.square(number) for number in range(1, 33)
    }


@pytest.mark.parametrize("direction", range(4))
def test_a_step_goes_to_the_neighbour_or_off_the_board(direction):
    column, row = DIRECTIONS[direction]
    for bit, place in enumerate(PLACES):
        target = (place[0] + column, place[1] + row)
        expected = 2 ** PLACES.index(target) if target in PLACES else 0
        assert int(step(np.uint32(2**bit), direction)) == expected


@given(WORDS, WORDS, st.integers(0, 3))
def test_steps_move_all_pieces_at_once(first, second, direction):
    both = int(step(np.uint32(first | second), direction))
    assert both == int(step(np.uint32(first), direction)) | int(step(np.uint32(second), direction))


@given(WORDS)
def test_turning_twice_changes_nothing(word):
    assert int(turned(turned(np.uint32(word)))) == word


def test_turning_sends_every_square_to_its_opposite():
    for bit, (column, row) in enumerate(PLACES):
        assert int(turned(np.uint32(2**bit))) == 2 ** PLACES.index((7 - column, 7 - row))


@given(WORDS, st.integers(0, 3))
def test_turning_the_board_turns_the_directions(word, direction):
    stepped = turned(step(np.uint32(word), direction))
    assert int(stepped) == int(step(turned(np.uint32(word)), 3 - direction))
