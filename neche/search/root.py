"""The root: every move's value where it matters, the exact best value, and all moves that share it."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import generate, move_words, successor
from neche.network.forward import refresh, table_start, update
from neche.search.negamax import negamax
from neche.search.quiescence import WIN, Judge, row_start
from neche.search.workspace import STOP


@jit
def judge_for(bank: Any, index: Any, viewer: Any) -> Any:
    """The judge of network `index` playing for side `viewer`."""
    return Judge(bank, np.int64(index), np.int64(viewer), table_start(bank, index, viewer))


@jit
def search_root(judge: Any, work: Any, position: Any, depth: Any, owner: Any, every_value: Any) -> Any:
    """Search all moves to `depth` ≥ 1 plies; return the best value.

    work.root receives the value of each move in generation order: exact for the best ones, all of them; for the others
    exact if `every_value`, else an upper bound below the best. Later moves are searched with a window that starts just
    below the best value so far: that keeps exact ties and cuts the rest.
    """
    base = row_start(position, 0)
    count = generate(position, work.moves, base)
    sums = refresh(judge.bank, judge.index, judge.viewer, position)
    best = np.int64(-WIN)
    for number in range(count):
        child = successor(position, work.moves, base + number * move_words(position))
        child_sums = update(judge.bank.words, judge.table, judge.viewer, position, child, sums)
        floor = np.int64(-WIN) if every_value or number == 0 else np.int64(best - 1)
        value = -np.int64(
            negamax(
                judge, work, child, np.int64(depth - 1), np.int64(-WIN), np.int64(-floor), np.int64(1),
                np.int64(child_sums), np.int64(owner),
            )
        )
        work.root[number] = value
        best = max(best, value)
        if work.counters[STOP] != 0:
            break
    return best
