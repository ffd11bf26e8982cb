"""Rows of groups of squares: one for every state of a group, the sum of the rows of its men."""

import numpy as np
import pytest

from neche.compiled.lanes import STATES
from neche.games.sensors import ALL_8X8, DARK_8X8, DARK_10X10, SensorLayout
from neche.network.groups import (
    empty_groups,
    excited_patterns,
    fill_groups,
    num_rows,
    patterns_of_rows,
    rows_of_men,
)
from neche.network.topology import topology_of

LAYOUTS = {"checkers": DARK_8X8, "international": DARK_10X10, "othello": ALL_8X8}
OWN_BOARD = SensorLayout(ALL_8X8.squares, ALL_8X8.bits, has_kings=False)


def rows_of(layout, seed, lanes):
    """Return the rows of own and enemy men by bit, and those of all groups."""
    by_man = np.random.default_rng(seed).integers(-512, 512, (2, 64, lanes)).astype(np.int16)
    rows = np.zeros((STATES * len(layout.grouping.groups), lanes), np.int16)
    # rows that are filled may hold anything before
    for state in set(range(STATES)) - {1, 2, 3, 6, 9, 18, 27, 54}:
        rows[state::STATES] = 77
    for kind, places in enumerate(rows_of_men(layout)):
        rows[places[places >= 0]] = by_man[kind, places >= 0]
    fill_groups(rows)
    return by_man, rows


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_man_has_a_row_of_its_own(layout):
    rows = rows_of_men(layout)[:, list(layout.bits)]
    assert len(set(rows.ravel().tolist())) == 2 * len(layout.squares)
    assert rows.min() >= 0
    assert rows.max() < num_rows(layout)
    assert (np.delete(rows_of_men(layout), layout.bits, axis=1) == -1).all()


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_the_row_of_a_state_is_the_sum_of_the_rows_of_its_men(layout):
    by_man, rows = rows_of(layout, 3, 5)
    rng = np.random.default_rng(4)
    for _ in range(50):
        men = rng.integers(0, 3, len(layout.squares))
        expected = sum(
            by_man[man - 1, bit].astype(int) for man, bit in zip(men, layout.bits, strict=True) if man
        )
        seen = np.isin(patterns_of_rows(layout)[0], excited_patterns(men[None], layout))
        assert rows[seen].sum(axis=0, dtype=int).tolist() == expected.tolist()


def test_emptied_groups_are_filled_as_before():
    _, rows = rows_of(ALL_8X8, 5, 7)
    kept = rows.copy()
    empty_groups(rows)
    # two rows for each of four squares
    assert np.count_nonzero(rows.any(axis=1)) == 8 * 16
    fill_groups(rows)
    assert rows.tolist() == kept.tolist()


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_row_of_a_state_is_a_sensor_of_its_own(layout):
    (sensors,) = patterns_of_rows(layout)
    used = sensors[sensors < layout.num_pattern_sensors]
    assert used.tolist() == list(range(STATES * sum(max(group) >= 0 for group in layout.groups)))


def test_the_other_side_sees_the_same_men_on_the_squares_opposite():
    """Where the board is not turned, rows of the other side are those of its own view."""
    first, other = patterns_of_rows(OWN_BOARD)
    rng = np.random.default_rng(6)
    for _ in range(50):
        men = rng.integers(0, 3, 64)
        # the rows of the board as it stands, and the patterns of the board turned around
        rows = excited_patterns(men[None], OWN_BOARD)[0]
        assert sorted(other[rows]) == excited_patterns(men[None, ::-1], OWN_BOARD)[0].tolist()
        assert first[rows].tolist() == rows.tolist()


def test_a_board_whose_groups_differ_for_the_two_sides_is_seen_by_kind():
    squares = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "ABC")
    layout = SensorLayout(squares, tuple(range(9)), has_kings=False)
    assert layout.num_pattern_sensors == 0
    assert OWN_BOARD.num_pattern_sensors == 16 * STATES
    # so a recipe with sensors by pattern works on every board
    assert topology_of("patterns-8-1", "tictactoe", 9, 18, layout.num_pattern_sensors).words == "18-8-1"
    assert topology_of("patterns-8-1", "own", 64, 128, OWN_BOARD.num_pattern_sensors).words == "1296-8-1"
