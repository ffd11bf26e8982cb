"""Rules that are incomplete or do not fit the contract are refused at registration."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from neche.compiled.jit import jit
from neche.games import contract, playouts
from neche.games.contract import register
from neche.games.generic import new_game


class Wide(NamedTuple):
    first: Any
    second: Any
    third: Any
    turn: Any


class Turnless(NamedTuple):
    own: Any
    foe: Any


def generate(position, moves, base):
    return np.int64(0)


def successor(position, moves, at):
    return position


def can_move(position):
    return False


RULES: dict[str, Any] = {
    "generate": generate,
    "successor": successor,
    "can_move_quietly": can_move,
    "max_moves": 1,
}


def test_a_rule_that_is_missing_is_named():
    with pytest.raises(TypeError, match=r"Wide: generate, can_move_quietly is needed"):
        register(Wide, max_moves=1, successor=successor)


def test_a_function_outside_the_contract_is_refused():
    with pytest.raises(TypeError, match="Wide: the contract has no function genrate"):
        register(Wide, genrate=generate, **RULES)
    with pytest.raises(TypeError, match="the contract has no function LANES"):
        register(Wide, LANES=generate, **RULES)


def test_parameters_must_be_those_of_the_contract():
    with pytest.raises(TypeError, match=r"Wide: is_quiet must take \(position\)"):
        register(Wide, is_quiet=lambda board: True, **RULES)


def test_a_record_without_a_turn_is_refused():
    with pytest.raises(TypeError, match="Turnless is not a NamedTuple whose last field is turn"):
        register(Turnless, **RULES)


@jit
def _asked(position):
    return contract.is_quiet(position), contract.position_words(position), contract.side_to_move(position)


@jit
def _never_quiet(position):
    return position.first == 0


def test_functions_may_be_compiled_and_records_of_more_fields_have_their_own_words():
    class Four(Wide):
        pass

    def two_words(position: Any) -> Any:
        return np.uint64(position.first), np.uint64(position.turn)

    register(Four, is_quiet=_never_quiet, position_words=two_words, **RULES)
    assert _asked(Four(*map(np.uint32, (5, 6, 7, 1)))) == (False, (5, 1), 1)
    names = (playouts.random_ply.__name__, "mobility", playouts.playout_init.__name__)
    assert not any(contract.is_registered(Four, name) for name in names)


@pytest.mark.parametrize("word", [np.uint32, np.uint64])
def test_moves_are_as_wide_as_the_widest_field_of_a_position(word):
    class Board(NamedTuple):
        squares: Any
        turn: Any

    start = Board(word(1), np.uint32(0))
    assert new_game("board", start, sides=("A", "B"), **RULES).move_type is word
