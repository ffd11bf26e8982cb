"""No side is favoured: with the sides exchanged, a position has the same value for the side to move.

If a game declares symmetries, no corner is favoured: a turned or mirrored position has the same moves.
"""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.sensors import ALL_8X8, DARK_8X8, SensorLayout, square_symmetries
from neche.montecarlo.playouts_cpu import count_playouts
from neche.network.decode import blind_network
from neche.players.alpha_beta import search_position
from tests.games.mirrors import MIRRORS
from tests.games.random_games import as_integers, games, positions
from tests.games.toys.loading import EVERY_GAME


@pytest.mark.parametrize("name", EVERY_GAME)
def test_exchanged_sides_have_the_same_moves_and_outcomes(name):
    rules, mirror = game(name), MIRRORS[name]
    for position in positions(name)[::11]:
        other = mirror(position)
        assert as_integers(mirror(other)) == as_integers(position)
        assert rules.side_to_move(other) != rules.side_to_move(position)
        moves, others = rules.legal_moves(position), rules.legal_moves(other)
        # captures that differ only in their way may have different names
        after = {as_integers(mirror(move.after)) for move in moves}
        assert after == {as_integers(move.after) for move in others}
        assert len(moves) == len(others)
        assert rules.perft(position, 3) == rules.perft(other, 3)
        if not moves:
            assert rules.outcome(position) == rules.outcome(other)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_exchanged_sides_have_the_same_value_in_a_search(name):
    for line in games(name)[:3]:
        values = [
            search_position(game(name), position, blind_network(), depth=4).value
            for position in (line[-4], MIRRORS[name](line[-4]))
        ]
        assert values[0] == values[1]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_exchanged_sides_have_the_same_chances_in_playouts(name):
    count = 4000
    position = games(name)[0][len(games(name)[0]) // 2]
    pair = [position, MIRRORS[name](position)]
    counts = count_playouts(game(name), pair, [count, count], [1, 2])
    for column in (counts.wins, counts.draws, counts.losses):
        chance = column.sum() / (2 * count)
        assert abs(column[0] - column[1]) <= 4.5 * sqrt(2 * count * chance * (1 - chance))


def turned_or_mirrored(position, symmetry):
    """Return an Othello position with each disc moved to the image of its square."""
    own, foe = (
        sum(1 << symmetry[square] for square in range(64) if int(word) >> square & 1)
        for word in (position.own, position.foe)
    )
    return position._replace(own=np.uint64(own), foe=np.uint64(foe))


def test_othello_favours_no_corner():
    rules = game("othello")
    assert len(rules.symmetries) == 7
    for position in positions("othello")[::23]:
        for symmetry in rules.symmetries:
            other = turned_or_mirrored(position, symmetry)
            after = {
                as_integers(turned_or_mirrored(move.after, symmetry)) for move in rules.legal_moves(position)
            }
            assert after == {as_integers(move.after) for move in rules.legal_moves(other)}
            assert rules.perft(position, 3) == rules.perft(other, 3)
            if not after:
                assert rules.outcome(position) == rules.outcome(other)


def test_a_square_board_has_eight_symmetries():
    # those of a square: all combinations of quarter turns and mirrors
    board = tuple(range(9))
    quarter, mirror = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
    made = {board}
    while len(made) < len(
        grown := made | {tuple(one[s] for s in two) for one in (quarter, mirror) for two in made}
    ):
        made = grown
    assert sorted(square_symmetries(3)) == sorted(made - {board})
    assert len(made) == 8


def test_draughts_boards_have_no_symmetry():
    # men move up, and the neighbouring corners are light
    assert [name for name in GAMES if game(name).symmetries] == ["othello"]


@pytest.mark.parametrize("wrong", [(0,) * 64, tuple(range(63)), tuple(range(1, 65))])
def test_a_wrong_symmetry_is_refused(wrong):
    with pytest.raises(InputError, match=r"game 'othello': a symmetry is \(.* each of the 64 sensor squares"):
        replace(game("othello"), symmetries=(wrong,))


@pytest.mark.parametrize("columns", ["AB", "BC", "kl", "YZ"])
def test_a_board_is_turned_whatever_the_names_of_its_columns(columns):
    squares = tuple(f"{column}{row}" for row in (3, 4, 5) for column in columns)
    assert SensorLayout(squares, tuple(range(6))).turned == (5, 4, 3, 2, 1, 0)


@pytest.mark.parametrize(
    ("squares", "bits", "fault"),
    [
        (("A1", "B1", "A2"), (0, 1, 2), r"turned is \(-1, 2, 1\): it must name each of the 3"),
        (("A1", "B1"), (0,), r"2 sensor squares need as many bits, not \(0,\)"),
        (("A1", "B1"), (0, 0), "2 sensor squares need as many bits"),
    ],
)
def test_impossible_sensors_are_refused(squares, bits, fault):
    with pytest.raises(InputError, match=f"game 'othello': {fault}"):
        replace(game("othello"), sensors=SensorLayout(squares, bits), symmetries=())


def test_sensors_by_pattern_have_only_the_symmetries_of_their_groups():
    # groups of four squares in a row are still groups when mirrored, but not after a quarter turn
    mirrored, quarter = ALL_8X8.turned, tuple(8 * (square % 8) + 7 - square // 8 for square in range(64))
    rows = SensorLayout(ALL_8X8.squares, ALL_8X8.bits, has_kings=False)
    for layout, count in ((ALL_8X8, 3), (rows, 2)):
        assert len(layout.symmetric_sensors((mirrored, quarter), layout.num_pattern_sensors)) == count
        assert len(layout.symmetric_sensors((mirrored, quarter), layout.num_kind_sensors)) == 3
    assert DARK_8X8.symmetric_sensors((), 128) == (tuple(range(128)),)


def test_a_pattern_on_a_group_of_fewer_squares_keeps_its_sensor():
    # three columns: a row is a group of three squares, and 27 of its 81 sensors can be on
    squares = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "ABC")
    layout = SensorLayout(squares, (0, 1, 2, 8, 9, 10, 16, 17, 18), has_kings=False)
    kept, mirrored = layout.symmetric_sensors(((2, 1, 0, 5, 4, 3, 8, 7, 6),), layout.num_pattern_sensors)
    for row in (0, 81, 162):
        assert kept[row : row + 27] == tuple(range(row, row + 27))
        # an own man on the first square, and on the last
        assert (mirrored[row + 1], mirrored[row + 9]) == (row + 9, row + 1)
