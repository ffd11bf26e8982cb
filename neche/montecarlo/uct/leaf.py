"""What a new position is worth: the mean of some playouts, or what an evaluator says of it."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import side_to_move
from neche.montecarlo.playout import play_many
from neche.network.forward import evaluate, refresh
from neche.search.quiescence import WIN, settle


class Leaf(NamedTuple):
    """Who values new positions.

    playouts: games played from each, int64; 0 for an evaluator. rule: their `PlayoutRule`. judge, work: the
    evaluator and its buffers, see `search`. unit: the evaluation that is worth 1 / (1 + 1/e) = 0.73, in the
    judge's integers. is_static: 1 where captures are not followed first.
    """

    playouts: Any
    rule: Any
    judge: Any
    work: Any
    unit: Any
    is_static: Any


@jit
def judged(leaf: Any, position: Any) -> Any:
    """Return the evaluation of a position for its side to move, in the judge's integers."""
    sums = refresh(leaf.judge.bank, leaf.judge.index, leaf.judge.viewer, position)
    if leaf.is_static:
        value = np.int64(evaluate(leaf.judge.bank, leaf.judge.index, leaf.judge.viewer, position, sums))
        return value if side_to_move(position) == leaf.judge.viewer else -value
    return np.int64(settle(leaf.judge, leaf.work, position, -WIN, WIN, np.int64(0), sums))


@jit
def expected_score(leaf: Any, position: Any, key: Any, number: Any) -> Any:
    """Return the value of leaf `number`, 0 … 1 for the side to move, and the plies of its playouts.

    Games number · playouts … of stream `key` are played, as `count_playouts` would play them.
    """
    if leaf.playouts > 0:
        first = np.int64(number * leaf.playouts)
        wins, draws, _, plies = play_many(
            position, key, first, first + leaf.playouts, leaf.rule, leaf.work.moves
        )
        return (wins + 0.5 * draws) / leaf.playouts, plies
    return 1.0 / (1.0 + np.exp(-judged(leaf, position) / leaf.unit)), np.int64(0)
