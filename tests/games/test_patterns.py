"""The states of groups follow from the pieces on their squares, and every square is in one group."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.jit import jit
from neche.compiled.lanes import STATES
from neche.games.catalogue import GAMES, game
from neche.games.contract import patterns, sensor_words
from neche.games.patterns import states_of_fours
from neche.games.sensors import ALL_8X8, SensorLayout
from neche.network.sensors import sensor_layout
from tests.games.random_games import positions
from tests.oracles import patterns_twin as twin
from tests.oracles.boards import SQUARES, board_of


@jit
def seen_by_mover(position):
    own, foe, kings = sensor_words(position)
    return patterns(position, np.uint64(own), np.uint64(foe), np.uint64(kings))


@jit
def fours(own, foe):
    return states_of_fours(own, foe)


def bytes_of(words):
    return np.array(words, "<u8").view(np.uint8).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_states_and_kings_of_positions_equal_those_of_the_twin(name):
    layout = sensor_layout(game(name))
    for position in positions(name)[::7]:
        board, first = board_of(name, game(name).format_fen(position)), int(position.turn) == 0
        expected = twin.sensors(name, board, first_moves=first)
        found = seen_by_mover(position)
        # bytes without a group are empty
        states = [
            state
            for state, group in zip(bytes_of(found[0]), layout.groups, strict=True)
            if max(group) >= 0 or state != 0
        ]
        on = [group * STATES + state for group, state in enumerate(states)]
        count = len(twin.GROUPS[name])
        assert len(states) == count
        for offset, word in zip((0, 64), found[1:], strict=False):
            for bit in (bit for bit in range(64) if int(word) >> bit & 1):
                is_enemy, at = divmod(offset + bit, layout.grouping.king_bits)
                on.append(count * STATES + is_enemy * len(SQUARES[name]) + layout.bits.index(at))
        assert sorted(on) == np.flatnonzero(expected).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_sensors_by_pattern_name_the_squares_they_see(name):
    layout = sensor_layout(game(name))
    sights = layout.sights(layout.num_pattern_sensors)
    count = len(twin.GROUPS[name]) * STATES
    assert len(sights) == layout.num_pattern_sensors == len(twin.sensors(name, {}, first_moves=True))
    for number, group in enumerate(twin.GROUPS[name]):
        seen = sights[number * STATES : (number + 1) * STATES]
        assert {tuple(layout.squares[square] for square in squares) for _, squares in seen} == {tuple(group)}
        # the first square is the lowest digit
        assert seen[1 + 2 * 3][0].split() == ["own", "enemy", "empty", "empty"][: len(group)]
    assert [(piece, squares) for piece, squares in sights[count:]] == [
        (f"{side} king", (square,))
        for side in ("own", "enemy")
        for square in range(len(layout.squares))
        if layout.has_kings
    ]


@pytest.mark.parametrize("name", GAMES)
def test_each_way_that_men_can_stand_on_a_group_is_told_from_all_others(name):
    # the top corner of the board of ten columns has a group of two squares, so nine ways and not 81
    layout = sensor_layout(game(name))
    sights = [sight for sight in layout.sights(layout.num_pattern_sensors) if "never" not in sight[0]]
    kings = 2 * len(layout.squares) * layout.has_kings
    assert len({*sights}) == len(sights) == sum(3 ** len(group) for group in twin.GROUPS[name]) + kings


@pytest.mark.parametrize("name", GAMES)
def test_every_square_is_in_one_group(name):
    layout = sensor_layout(game(name))
    seen = [layout.squares[number] for group in layout.groups for number in group if number >= 0]
    assert sorted(seen) == sorted(SQUARES[name])


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_the_board_of_a_users_game_has_groups_of_adjacent_bits(first, second):
    layout = SensorLayout(ALL_8X8.squares, ALL_8X8.bits, has_kings=False)
    own, foe = first & second, first & ~second
    expected = [
        sum(3**at * ((own >> bit & 1) + 2 * (foe >> bit & 1)) for at, bit in enumerate(bits))
        for bits in layout.grouping.groups
    ]
    assert bytes_of(fours(np.uint64(own), np.uint64(foe))) == expected
    assert sorted(bit for bits in layout.grouping.groups for bit in bits) == list(range(64))
