"""Fixed-depth alpha-beta: the value of full-width minimax with the same quiescence, never an estimate."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit, jit_inlined
from neche.games.contract import generate, move_words, side_to_move, successor
from neche.search.quiescence import WIN, final_value, follow, row_start, settle
from neche.search.transposition import NO_MOVE, recall, remember
from neche.search.workspace import NODES, STOP


@jit_inlined
def _in_order(turn: Any, hint: Any) -> Any:
    """Return the number of the move to try at `turn`: the hinted one, then the others as generated."""
    if turn == 0:
        return hint
    return turn - 1 if turn <= hint else turn


@jit
def _most_promising(judge: Any, work: Any, position: Any, base: Any, count: Any, sums: Any) -> Any:
    """Return the number of the move after which the squares alone look best to the side to move."""
    sign = np.int64(1) if side_to_move(position) == judge.viewer else np.int64(-1)
    best, best_number = np.int64(-WIN), np.int64(0)
    for number in range(count):
        child = successor(position, work.moves, base + number * move_words(position))
        value = sign * follow(judge, position, child, sums)
        if value > best:
            best, best_number = value, np.int64(number)
    return best_number


@jit
def negamax(
    judge: Any, work: Any, position: Any, depth: Any, alpha: Any, beta: Any, ply: Any, sums: Any, owner: Any
) -> Any:
    """Search `depth` ≥ 1 more plies; return the value for the side to move.

    With v the minimax value: the result r equals v if alpha < v < beta; v ≤ r ≤ alpha if v ≤ alpha;
    v ≥ r ≥ beta if v ≥ beta. When the stop flag is raised the result means nothing.
    """
    work.counters[NODES] += 1
    is_known, value, hint = recall(work.table, position, depth, alpha, beta, ply, owner)
    if is_known:
        return np.int64(value)
    base = row_start(position, ply)
    count = generate(position, work.moves, base)
    if count == 0:
        return final_value(position, ply)
    best, best_move, floor = np.int64(-WIN), np.int64(NO_MOVE), np.int64(alpha)
    if hint >= count:
        hint = _most_promising(judge, work, position, base, count, sums) if depth > 1 else np.int64(0)
    for turn in range(count):
        number = _in_order(turn, hint)
        child = successor(position, work.moves, base + number * move_words(position))
        child_sums = follow(judge, position, child, sums)
        if depth > 1:
            plies, low, high = np.int64(depth - 1), np.int64(-beta), np.int64(-floor)
            value = -np.int64(
                negamax(judge, work, child, plies, low, high, np.int64(ply + 1), child_sums, owner)
            )
        else:
            value = -settle(judge, work, child, -beta, -floor, ply + 1, child_sums)
        if value > best:
            best = np.int64(value)
            if value > floor:
                floor, best_move = np.int64(value), np.int64(number)
                if value >= beta:
                    break
        if work.counters[STOP] != 0:
            return np.int64(0)
    remember(work.table, position, depth, alpha, beta, ply, owner, best, best_move)
    return np.int64(best)
