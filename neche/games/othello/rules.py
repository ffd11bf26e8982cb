"""Othello as search and playouts know it: the contract's functions for `Othello` positions."""

from typing import Any

import numpy as np

from neche.compiled.jit import is_record, overload
from neche.games import contract
from neche.games.othello.board import Othello
from neche.games.othello.moves import MAX_MOVES, MOVE_WORDS, can_move, generate, mobility, outcome, successor

contract.MOBILE.add(Othello)


@overload(contract.generate)
def _generate(position: Any, moves: Any, base: Any) -> Any:
    if is_record(position, Othello):
        return lambda position, moves, base: generate(position, moves, base)
    return None


@overload(contract.generate_captures)
def _generate_captures(position: Any, moves: Any, base: Any) -> Any:
    if is_record(position, Othello):
        # every placement turns discs: none is more forced than the others
        return lambda position, moves, base: np.int64(0)
    return None


@overload(contract.is_quiet)
def _is_quiet(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: True
    return None


@overload(contract.can_move_quietly)
def _can_move_quietly(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: can_move(position)
    return None


@overload(contract.outcome)
def _outcome(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: outcome(position)
    return None


@overload(contract.successor)
def _successor(position: Any, moves: Any, at: Any) -> Any:
    if is_record(position, Othello):
        return lambda position, moves, at: successor(position, moves, at)
    return None


@overload(contract.move_words)
def _move_words(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: MOVE_WORDS
    return None


@overload(contract.max_moves)
def _max_moves(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: MAX_MOVES
    return None


@overload(contract.side_to_move)
def _side_to_move(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: np.int64(position.turn)
    return None


@overload(contract.position_words)
def _position_words(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: (np.uint64(position.own), np.uint64(position.foe), np.uint64(position.turn))
    return None


@overload(contract.sensed)
def _sensed(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: (np.uint64(position.own), np.uint64(position.foe), np.uint64(0))
    return None


@overload(contract.mobility)
def _mobility(position: Any) -> Any:
    if is_record(position, Othello):
        return lambda position: mobility(position)
    return None


@overload(contract.is_progress)
def _is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    if is_record(before, Othello):
        # no position ever comes back: discs are only added, and no side passes twice without a placement
        return lambda before, after, man_moves_count: True
    return None
