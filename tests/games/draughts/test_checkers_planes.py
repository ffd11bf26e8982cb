"""Planes hold every piece on its square, as the side to move sees it."""

import numpy as np
import pytest

from neche.compiled.jit import jit
from neche.games.catalogue import game
from neche.games.contract import write_planes
from tests.oracles import checkers_twin as twin
from tests.oracles import convolution_twin

CHECKERS = game("checkers")
assert CHECKERS.planes is not None
PLANES = CHECKERS.planes
POSITIONS = [position for seed in range(6) for position in twin.random_game(seed)]


def planes_of(fens):
    *words, turn = zip(*(CHECKERS.parse_fen(fen) for fen in fens), strict=True)
    return PLANES.of(words, turn)


def test_planes_of_random_positions_are_those_of_the_slow_twin_square_by_square():
    found = planes_of([twin.fen(position) for position in POSITIONS])
    assert found.shape == (len(POSITIONS), 3, 8, 8)
    assert found.dtype == np.float32
    for position, planes in zip(POSITIONS, found, strict=True):
        expected = convolution_twin.planes(position)
        for plane in range(3):
            for row in range(8):
                for column in range(8):
                    assert planes[plane, row, column] == expected[plane][row][column]
    assert found[:, 2].any()
    assert {position.turn for position in POSITIONS} == {"W", "B"}


def test_swapped_colours_give_the_same_planes():
    # the same position, turned by 180 degrees and with the colours swapped: square n is 33 - n
    one, other = planes_of(["W:W21,K30:B5,K14", "B:B12,K3:W28,K19"])
    assert (one == other).all()
    assert one.sum() == 6


def test_the_start_position_fills_three_rows_a_side():
    (planes,) = planes_of(["B:W21-32:B1-12"])
    assert planes[0].sum(axis=1).tolist() == [4, 4, 4, 0, 0, 0, 0, 0]
    assert planes[1].sum(axis=1).tolist() == [0, 0, 0, 0, 0, 4, 4, 4]
    # dark squares only: the own left corner is one
    assert planes[0, 0, 0] == 1
    assert not planes[:, 0::2, 1::2].any()
    assert not planes[:, 1::2, 0::2].any()


@jit
def _write(position, planes):
    write_planes(position, planes)


def test_compiled_planes_are_the_same_with_the_plane_last():
    room = np.full(200, 7.0, np.float32)
    for position in POSITIONS[::3]:
        packed = CHECKERS.parse_fen(twin.fen(position))
        _write(packed, room)
        *words, turn = ([word] for word in packed)
        expected = PLANES.of(words, turn)[0].transpose(1, 2, 0).ravel()
        assert room[:192].tolist() == expected.tolist()
    assert (room[192:] == 7).all()


def test_a_position_of_no_game_has_no_planes():
    with pytest.raises(TypeError, match="no position of a registered game"):
        write_planes((1, 2), None)
