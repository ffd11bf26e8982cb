import random

import numpy as np
import pytest

from neche.compiled.bits import popcount
from neche.endings.indexing import BINOMIALS, number_of, seen_upward, slice_of
from neche.endings.slices import Slice, board_of, slices_of
from neche.games.catalogue import game
from tests.endings.bases import position_at, random_positions
from tests.games.mirrors import MIRRORS
from tests.games.random_games import as_integers

GAMES = ("checkers", "brazilian", "international")


def numbered(position, of):
    return int(number_of(position, Slice._make(map(np.int64, of)), BINOMIALS))


@pytest.mark.parametrize("of", [(1, 0, 1, 0), (2, 0, 1, 0), (0, 1, 1, 0), (0, 1, 0, 1), (1, 0, 0, 1)])
def test_all_numbers_of_a_slice_are_different_positions(of):
    size = board_of(game("checkers")).num_positions(Slice(*of))
    found = set()
    for number in range(size):
        position = position_at("checkers", of, number)
        assert numbered(position, of) == number
        found.add(as_integers(position))
    assert len(found) == size


@pytest.mark.parametrize("name", GAMES)
def test_positions_and_numbers_belong_together(name):
    draw = random.Random(5)
    for of in slices_of(6):
        size = board_of(game(name)).num_positions(of)
        for number in (0, size - 1, *(draw.randrange(size) for _ in range(20))):
            position = position_at(name, of, number)
            assert tuple(slice_of(position)) == of
            assert numbered(position, of) == number
            # no two pieces on a square, and no man where it would be a king
            assert popcount(position.own & position.foe) == 0
            assert popcount(position.own) + popcount(position.foe) == sum(of)
            fen = game(name).format_fen(position)
            assert as_integers(game(name).parse_fen(fen)) == as_integers(position)


@pytest.mark.parametrize("name", GAMES)
def test_the_other_side_sees_the_board_turned(name):
    for position in random_positions(name, 5, 200, seed=1):
        other = MIRRORS[name](position)
        assert as_integers(seen_upward(other)) == as_integers(position)
        assert as_integers(seen_upward(position)) == as_integers(position)
