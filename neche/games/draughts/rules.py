"""Draughts as search and playouts know it: the functions of the contract that all its boards share."""

from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import overload
from neche.games import contract
from neche.games.draughts.board import plays_draughts
from neche.games.draughts.captures import MOVE_WORDS, can_capture, generate_captures
from neche.games.draughts.moves import can_move_quietly, generate, successor


@overload(contract.generate)
def _generate(position: Any, moves: Any, base: Any) -> Any:
    if plays_draughts(position):
        return lambda position, moves, base: generate(position, moves, base)
    return None


@overload(contract.generate_captures)
def _generate_captures(position: Any, moves: Any, base: Any) -> Any:
    if plays_draughts(position):
        return lambda position, moves, base: generate_captures(position, moves, base)
    return None


@overload(contract.is_quiet)
def _is_quiet(position: Any) -> Any:
    if plays_draughts(position):
        return lambda position: not can_capture(position)
    return None


@overload(contract.can_move_quietly)
def _can_move_quietly(position: Any) -> Any:
    if plays_draughts(position):
        return lambda position: can_move_quietly(position)
    return None


@overload(contract.successor)
def _successor(position: Any, moves: Any, at: Any) -> Any:
    if plays_draughts(position):
        return lambda position, moves, at: successor(position, moves, at)
    return None


@overload(contract.outcome)
def _outcome(position: Any) -> Any:
    """Lost: a side that cannot move has lost (FMJD 7.2.2, 7.2.3)."""
    if plays_draughts(position):
        return lambda position: np.int64(-1)
    return None


@overload(contract.move_words)
def _move_words(position: Any) -> Any:
    if plays_draughts(position):
        return lambda position: MOVE_WORDS
    return None


@overload(contract.side_to_move)
def _side_to_move(position: Any) -> Any:
    if plays_draughts(position):
        return lambda position: np.int64(position.turn)
    return None


@overload(contract.is_progress)
def _is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    if plays_draughts(before):
        return _progress
    return None


def _progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    if before.foe != after.own:
        return True
    kings_before = np.uint64(before.own & before.kings)
    kings_after = np.uint64(after.foe & after.kings)
    if kings_before == kings_after:
        return man_moves_count
    return popcount(kings_before) != popcount(kings_after)
