"""The root: every move's value where it matters, the exact best value, and all moves that share it."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import generate, move_words, successor
from neche.network.forward import refresh, table_start
from neche.search.negamax import negamax
from neche.search.quiescence import WIN, Judge, follow, settle
from neche.search.workspace import STOP


@jit
def judge_for(bank: Any, index: Any, viewer: Any) -> Any:
    """Return the judge of network `index` playing for side `viewer`."""
    return Judge(bank, np.int64(index), np.int64(viewer), table_start(bank, index, viewer))


@jit
def search_root(
    judge: Any, work: Any, position: Any, count: Any, depth: Any, owner: Any, every_value: Any
) -> Any:
    """Search the `count` moves at the start of the move buffer to `depth` ≥ 1 plies; return the best value.

    work.root receives the value of each move in generation order: exact for the best ones, all of them; for
    the others exact if `every_value`, else an upper bound below the best. Later moves are searched with a
    window that starts just below the best value so far: that keeps exact ties and cuts the rest. The moves
    are left in place.
    """
    sums = refresh(judge.bank, judge.index, judge.viewer, position)
    best = np.int64(-WIN)
    for number in range(count):
        child = successor(position, work.moves, number * move_words(position))
        child_sums = follow(judge, position, child, sums)
        floor = np.int64(-WIN) if every_value or number == 0 else np.int64(best - 1)
        low, high, ply = np.int64(-WIN), np.int64(-floor), np.int64(1)
        if depth > 1:
            plies = np.int64(depth - 1)
            value = -np.int64(negamax(judge, work, child, plies, low, high, ply, child_sums, np.int64(owner)))
        else:
            value = -settle(judge, work, child, low, high, ply, child_sums)
        work.root[number] = value
        best = max(best, value)
        if work.counters[STOP] != 0:
            break
    return best


@jit
def search_moves(judge: Any, work: Any, position: Any, depth: Any, owner: Any, every_value: Any) -> Any:
    """Generate the moves of a position and search them, as `search_root`; return how many there are."""
    count = np.int64(generate(position, work.moves, 0))
    search_root(judge, work, position, count, np.int64(depth), np.int64(owner), every_value)
    return count
