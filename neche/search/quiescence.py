"""The leaves: captures are followed to their end, then the evaluator speaks.

Captures are compulsory, so a side that has one cannot decline it and take the evaluation of the position as it is.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import can_move_quietly, generate_captures, is_quiet, max_moves, move_words, successor
from neche.network.forward import evaluate, update
from neche.search.workspace import NODES

WIN = np.int64(1 << 62)
"""Value of a win at the root; one that takes n plies is worth WIN − n. Evaluations stay below half of it."""


class Judge(NamedTuple):
    """Who evaluates, for whom: a bank, the network's index in it, the side it plays for, and that side's table."""

    bank: Any
    index: Any
    viewer: Any
    table: Any


@jit
def leaf_value(judge: Any, position: Any, sums: Any, ply: Any) -> Any:
    """Value of a quiet position for its side to move; without a move it has lost."""
    if not can_move_quietly(position):
        return np.int64(ply - WIN)
    value = evaluate(judge.bank, judge.index, judge.viewer, position, sums)
    return value if np.int64(position.turn) == judge.viewer else -value


@jit
def row_start(position: Any, ply: Any) -> Any:
    """Where the moves of a position `ply` plies from the root go in the move buffer."""
    return np.int64(ply * (max_moves(position) * move_words(position)))


@jit
def quiesce(judge: Any, work: Any, position: Any, alpha: Any, beta: Any, ply: Any, sums: Any) -> Any:
    """Value of a position by captures alone. Bounds as in `negamax`."""
    work.counters[NODES] += 1
    if is_quiet(position):
        return np.int64(leaf_value(judge, position, sums, ply))
    base = row_start(position, ply)
    best = np.int64(-WIN)
    for number in range(generate_captures(position, work.moves, base)):
        child = successor(position, work.moves, base + number * move_words(position))
        child_sums = update(judge.bank.words, judge.table, judge.viewer, position, child, sums)
        value = -np.int64(
            quiesce(judge, work, child, np.int64(-beta), np.int64(-alpha), np.int64(ply + 1), np.int64(child_sums))
        )
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if value >= beta:
                    break
    return np.int64(best)
