"""American checkers as search and playouts know it: the contract's functions for `Checkers` positions."""

from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import is_record, overload
from neche.games import contract
from neche.games.checkers.board import Checkers
from neche.games.checkers.captures import generate_captures, jumpers
from neche.games.checkers.moves import (
    MAX_MOVES,
    MOVE_WORDS,
    can_move_quietly,
    generate,
    successor,
)


@overload(contract.generate)
def _generate(position: Any, moves: Any, base: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position, moves, base: generate(position, moves, base)
    return None


@overload(contract.generate_captures)
def _generate_captures(position: Any, moves: Any, base: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position, moves, base: generate_captures(position, moves, base)
    return None


@overload(contract.is_quiet)
def _is_quiet(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: jumpers(position) == 0
    return None


@overload(contract.can_move_quietly)
def _can_move_quietly(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: can_move_quietly(position)
    return None


@overload(contract.successor)
def _successor(position: Any, moves: Any, at: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position, moves, at: successor(position, moves, at)
    return None


@overload(contract.move_words)
def _move_words(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: MOVE_WORDS
    return None


@overload(contract.max_moves)
def _max_moves(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: MAX_MOVES
    return None


@overload(contract.side_to_move)
def _side_to_move(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: np.int64(position.turn)
    return None


@overload(contract.outcome)
def _outcome(position: Any) -> Any:
    if is_record(position, Checkers):
        # without a move a side has lost, whether it has pieces or not (WCDF 1.31)
        return lambda position: np.int64(-1)
    return None


@overload(contract.sensed)
def _sensed(position: Any) -> Any:
    if is_record(position, Checkers):
        return lambda position: (position.own, position.foe, position.kings)
    return None


@overload(contract.position_words)
def _position_words(position: Any) -> Any:
    if is_record(position, Checkers):
        return _pack
    return None


def _pack(position: Any) -> Any:
    low = np.uint64(position.own) | np.uint64(np.uint64(position.foe) << np.uint64(32))
    return low, np.uint64(position.kings) | np.uint64(np.uint64(position.turn) << np.uint64(32))


@overload(contract.is_progress)
def _is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    if is_record(before, Checkers):
        return _progress
    return None


def _progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    kings_before = np.uint32(before.own & before.kings)
    kings_after = np.uint32(after.foe & after.kings)
    if before.foe != after.own:
        return True
    if kings_before == kings_after:
        return man_moves_count
    return popcount(kings_before) != popcount(kings_after)
