"""The planes that convolutional networks see show the pieces on the board, square by square."""

import numpy as np
import pytest

from neche.compiled.jit import jit
from neche.games.catalogue import GAMES, game
from neche.games.contract import write_planes
from tests.games.mirrors import MIRRORS
from tests.games.random_games import finished, positions
from tests.oracles import convolution_twin as twin

TWINS = {
    "checkers": lambda fen: twin.planes_of_draughts(fen, 8),
    "brazilian": lambda fen: twin.planes_of_draughts(fen, 8),
    "international": lambda fen: twin.planes_of_draughts(fen, 10),
    "othello": twin.planes_of_othello,
}


@jit
def _write(position, planes):
    write_planes(position, planes)


def planes_of(name, some):
    seen = game(name).planes
    assert seen is not None
    words = [[getattr(position, field) for position in some] for field in seen.fields]
    return seen.of(words, [position.turn for position in some])


@pytest.mark.parametrize("name", GAMES)
def test_planes_equal_those_of_the_slow_twin(name):
    some = [*positions(name)[::9], *finished(name)]
    found = planes_of(name, some)
    assert found.dtype == np.float32
    expected = np.array([TWINS[name](game(name).format_fen(position)) for position in some])
    assert found.shape == expected.shape
    assert (found == expected).all()
    assert found.any(axis=(0, 2, 3)).all()
    assert {int(position.turn) for position in some} == {0, 1}


@pytest.mark.parametrize("name", GAMES)
def test_compiled_planes_are_the_same_with_the_plane_as_last_axis(name):
    some = positions(name)[::23]
    for position, expected in zip(some, planes_of(name, some), strict=True):
        room = np.full(expected.size + 5, 7.0, np.float32)
        _write(position, room)
        assert room[: expected.size].tolist() == expected.transpose(1, 2, 0).ravel().tolist()
        assert (room[expected.size :] == 7).all()


@pytest.mark.parametrize("name", GAMES)
def test_exchanged_sides_give_the_same_planes(name):
    some = positions(name)[::31]
    assert (planes_of(name, some) == planes_of(name, [MIRRORS[name](position) for position in some])).all()


def test_the_start_position_of_checkers_fills_three_rows_a_side():
    (planes,) = planes_of("checkers", [game("checkers").start()])
    assert planes[0].sum(axis=1).tolist() == [4, 4, 4, 0, 0, 0, 0, 0]
    assert planes[1].sum(axis=1).tolist() == [0, 0, 0, 0, 0, 4, 4, 4]
    # only dark squares are used, and the own left corner is one
    assert planes[0, 0, 0] == 1
    assert not planes[:, 0::2, 1::2].any()
    assert not planes[:, 1::2, 0::2].any()


def test_a_value_that_is_not_a_position_has_no_planes():
    with pytest.raises(TypeError, match="not a position of a registered game"):
        write_planes((1, 2), None)
