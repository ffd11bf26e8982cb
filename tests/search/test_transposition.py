"""The table returns a value only for the same position, owner and depth, and as the same bound."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.games.catalogue import game
from neche.search.negamax import WIN, new_workspace
from neche.search.transposition import MAX_OWNER, NO_MOVE, probe, store
from tests.oracles import checkers_twin as twin

CHECKERS = game("checkers")
LARGEST = 2**61
FULL = (-int(WIN), int(WIN))
POSITIONS = st.integers(0, 10_000).map(lambda seed: CHECKERS.parse_fen(twin.fen(twin.random_position(seed))))
OWNERS = st.integers(1, MAX_OWNER)
DEPTHS = st.integers(2, 60)
VALUES = st.integers(-LARGEST, LARGEST)


def empty(table_bits=0):
    return new_workspace(CHECKERS, table_bits=table_bits).table


def put(table, position, value, *, depth=5, window=FULL, ply=3, owner=7, move=2):
    store(table, position, *map(np.int64, (depth, *window, ply, owner, value, move)))


def get(table, position, *, depth=5, window=FULL, ply=3, owner=7):
    is_known, value, move = probe(table, position, *map(np.int64, (depth, *window, ply, owner)))
    return int(value) if is_known else None, int(move)


@given(POSITIONS, VALUES, DEPTHS, OWNERS, st.integers(0, NO_MOVE))
def test_an_exact_value_is_returned_with_its_move(position, value, depth, owner, move):
    table = empty()
    put(table, position, value, depth=depth, owner=owner, move=move)
    assert get(table, position, depth=depth, owner=owner) == (value, move)


@given(POSITIONS, OWNERS, POSITIONS, OWNERS)
def test_an_entry_is_never_used_for_another_position_or_owner(position, owner, other, another):
    table = empty()
    put(table, position, 11, owner=owner)
    assert get(table, other, owner=owner) == ((11, 2) if other == position else (None, NO_MOVE))
    assert get(table, position, owner=another) == ((11, 2) if another == owner else (None, NO_MOVE))


@given(POSITIONS)
def test_the_other_side_to_move_is_another_position(position):
    table = empty()
    put(table, position, 11)
    turned = position._replace(turn=np.uint32(1 - int(position.turn)))
    assert get(table, turned) == (None, NO_MOVE)


@given(POSITIONS, DEPTHS, DEPTHS)
def test_a_value_of_another_depth_only_names_the_move_to_try_first(position, depth, other):
    table = empty()
    put(table, position, 11, depth=depth)
    assert get(table, position, depth=other) == (11 if other == depth else None, 2)


@given(POSITIONS, VALUES)
def test_a_value_that_reached_beta_is_used_only_as_a_lower_bound(position, value):
    table = empty()
    put(table, position, value, window=(value - 10, value))
    assert get(table, position, window=(value - 10, value - 1))[0] == value
    assert get(table, position, window=(value - 10, value))[0] == value
    assert get(table, position, window=(value - 10, value + 1))[0] is None


@given(POSITIONS, VALUES)
def test_a_value_that_stayed_at_alpha_is_used_only_as_an_upper_bound(position, value):
    table = empty()
    put(table, position, value, window=(value, value + 10))
    assert get(table, position, window=(value + 1, value + 10))[0] == value
    assert get(table, position, window=(value, value + 10))[0] == value
    assert get(table, position, window=(value - 1, value + 10))[0] is None


@pytest.mark.parametrize("sign", [1, -1])
@given(POSITIONS, st.integers(0, 30), st.integers(0, 30), st.integers(1, 30))
def test_a_win_is_counted_from_the_root_of_the_current_search(sign, position, ply, other, plies):
    table = empty()
    put(table, position, sign * (int(WIN) - ply - plies), ply=ply)
    assert get(table, position, ply=other)[0] == sign * (int(WIN) - other - plies)


def test_a_table_of_some_size_keeps_many_positions():
    table = empty(12)
    positions = [CHECKERS.parse_fen(twin.fen(twin.random_position(seed))) for seed in range(400)]
    for value, position in enumerate(positions):
        put(table, position, value)
    kept = [get(table, position)[0] == value for value, position in enumerate(positions)]
    assert sum(kept) > 330


def test_an_empty_table_holds_no_position_of_any_owner():
    nothing = CHECKERS.parse_fen("W:W:B")
    assert get(empty(), nothing, owner=1) == (None, NO_MOVE)


@given(POSITIONS, OWNERS, st.integers(NO_MOVE + 1, 500))
def test_a_move_whose_number_is_too_large_is_not_kept_and_changes_no_other_field(position, owner, move):
    table = empty()
    put(table, position, 11, owner=owner, move=move)
    assert get(table, position, owner=owner) == (11, NO_MOVE)
