"""The leaves: captures are followed to their end, then the evaluator speaks.

Captures are compulsory, so a side that has one cannot decline it and take the evaluation of the position as
it is.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit, jit_inlined
from neche.games.contract import (
    can_move_quietly,
    generate_captures,
    is_quiet,
    max_moves,
    move_words,
    outcome,
    successor,
)
from neche.network.forward import evaluate, update
from neche.search.workspace import NODES

WIN = np.int64(1 << 62)
"""Value of a win at the root; one that takes n plies is worth WIN − n. Evaluations stay below half of it."""


class Judge(NamedTuple):
    """Who evaluates, for whom: a bank, a network's index in it, the side it plays for, that side's table."""

    bank: Any
    index: Any
    viewer: Any
    table: Any


@jit_inlined
def row_start(position: Any, ply: Any) -> Any:
    """Where the moves of a position `ply` plies from the root go in the move buffer."""
    return np.int64(ply * (max_moves(position) * move_words(position)))


@jit_inlined
def follow(judge: Any, before: Any, after: Any, sums: Any) -> Any:
    """Return the judge's sums after a move."""
    return np.int64(update(judge.bank.words, judge.table, judge.viewer, before, after, sums))


@jit_inlined
def final_value(position: Any, ply: Any) -> Any:
    """Value of a finished game, `ply` plies from the root, for its side to move."""
    return np.int64(outcome(position) * (WIN - ply))


@jit_inlined
def leaf_value(judge: Any, position: Any, sums: Any, ply: Any) -> Any:
    """Value of a quiet position for its side to move."""
    if not can_move_quietly(position):
        return final_value(position, ply)
    value = evaluate(judge.bank, judge.index, judge.viewer, position, sums)
    return np.int64(value) if np.int64(position.turn) == judge.viewer else np.int64(-value)


@jit
def quiesce(judge: Any, work: Any, position: Any, alpha: Any, beta: Any, ply: Any, sums: Any) -> Any:
    """Value of a position that is not quiet, by captures alone. Bounds as in `negamax`."""
    work.counters[NODES] += 1
    base = row_start(position, ply)
    best = np.int64(-WIN)
    for number in range(generate_captures(position, work.moves, base)):
        child = successor(position, work.moves, base + number * move_words(position))
        child_sums = follow(judge, position, child, sums)
        if is_quiet(child):
            work.counters[NODES] += 1
            value = -leaf_value(judge, child, child_sums, ply + 1)
        else:
            floor, ceiling = np.int64(-beta), np.int64(-max(alpha, best))
            value = -np.int64(quiesce(judge, work, child, floor, ceiling, np.int64(ply + 1), child_sums))
        if value > best:
            best = value
            if value >= beta:
                break
    return np.int64(best)


@jit_inlined
def settle(judge: Any, work: Any, position: Any, alpha: Any, beta: Any, ply: Any, sums: Any) -> Any:
    """Value of a position at the horizon. Bounds as in `negamax`."""
    if is_quiet(position):
        work.counters[NODES] += 1
        return np.int64(leaf_value(judge, position, sums, ply))
    return np.int64(
        quiesce(judge, work, position, np.int64(alpha), np.int64(beta), np.int64(ply), np.int64(sums))
    )
