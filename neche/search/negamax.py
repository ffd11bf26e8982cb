"""Fixed-depth alpha-beta: the value of a full-width minimax search with the same quiescence, never an estimate of it."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import generate, is_quiet, move_words, position_words, successor
from neche.network.forward import update
from neche.search.quiescence import WIN, leaf_value, quiesce, row_start
from neche.search.transposition import (
    EXACT,
    LOWER,
    NO_MOVE,
    UPPER,
    entry_start,
    is_stored,
    store,
    stored_bound,
    stored_depth,
    stored_move,
    stored_value,
)
from neche.search.workspace import NODES, STOP

_PROVEN = np.int64(1 << 61)


@jit
def _from_node(value: Any, ply: Any) -> Any:
    """A win counted from the root, counted from the node instead: what the table can hold."""
    if value > _PROVEN:
        return value + ply
    return value - ply if value < -_PROVEN else value


@jit
def _from_root(value: Any, ply: Any) -> Any:
    if value > _PROVEN:
        return value - ply
    return value + ply if value < -_PROVEN else value


@jit
def negamax(judge: Any, work: Any, position: Any, depth: Any, alpha: Any, beta: Any, ply: Any, sums: Any, owner: Any) -> Any:
    """Search `depth` ≥ 0 more plies; return the value for the side to move.

    With v the minimax value: the result r equals v if alpha < v < beta; v ≤ r ≤ alpha if v ≤ alpha;
    v ≥ r ≥ beta if v ≥ beta. When the stop flag is raised the result means nothing.
    """
    if depth <= 0:
        return np.int64(quiesce(judge, work, position, np.int64(alpha), np.int64(beta), np.int64(ply), np.int64(sums)))
    work.counters[NODES] += 1
    table = work.table
    first, second = position_words(position)
    at = entry_start(table, first, second, owner)
    best_move = np.int64(NO_MOVE)
    if depth > 1 and is_stored(table, at, first, second, owner):
        best_move = stored_move(table, at)
        if stored_depth(table, at) == depth:
            value = _from_root(stored_value(table, at), ply)
            bound = stored_bound(table, at)
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                return np.int64(value)
    base = row_start(position, ply)
    count = generate(position, work.moves, base)
    if count == 0:
        return np.int64(ply - WIN)
    best = np.int64(-WIN)
    floor = np.int64(alpha)
    first_move = best_move if best_move < count else np.int64(0)
    best_move = np.int64(NO_MOVE)
    for turn in range(count):
        number = turn
        if turn == 0:
            number = first_move
        elif turn <= first_move:
            number = turn - 1
        child = successor(position, work.moves, base + number * move_words(position))
        child_sums = update(judge.bank.words, judge.table, judge.viewer, position, child, sums)
        if depth > 1:
            value = -np.int64(
                negamax(
                    judge, work, child, np.int64(depth - 1), np.int64(-beta), np.int64(-floor), np.int64(ply + 1),
                    np.int64(child_sums), np.int64(owner),
                )
            )
        elif is_quiet(child):
            work.counters[NODES] += 1
            value = -np.int64(leaf_value(judge, child, child_sums, ply + 1))
        else:
            value = -np.int64(quiesce(judge, work, child, np.int64(-beta), np.int64(-floor), np.int64(ply+1), np.int64(child_sums)))
        if work.counters[STOP] != 0:
            return np.int64(0)
        if value > best:
            best = value
            if value > floor:
                floor = value
                best_move = np.int64(number)
                if value >= beta:
                    break
    if depth > 1:
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= alpha:
            bound = UPPER
        store(table, at, first, second, owner, depth, bound, best_move, _from_node(best, ply))
    return np.int64(best)
