"""A network as the value of leaves: its evaluation, made an expected score by a logistic curve."""

from functools import lru_cache
from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.randomness import draw_below
from neche.games.catalogue import Game
from neche.games.contract import PlayoutRule, generate, move_words, successor
from neche.montecarlo.playout import RULE
from neche.montecarlo.uct.leaf import Leaf, judged
from neche.montecarlo.uct.player import Evaluator
from neche.network.bank import Bank, build_bank, unit
from neche.network.decode import Network
from neche.network.sight import layout_of, require_sight
from neche.search.quiescence import WIN, Judge
from neche.search.root import judge_for
from neche.search.workspace import new_workspace

_SAMPLE_GAMES = 200
_SAMPLE_PLIES = 200
_SAMPLE_KEY = np.uint64(0x6E65636865)
STEEPNESS = 2.0
"""By how much the logistic curve is steeper than the spread of a network's evaluations would have it."""


def playout_leaf(game: Game, playouts: int, rule: PlayoutRule = RULE) -> Leaf:
    """Return the leaf that is worth the mean of so many playouts."""
    nobody = Judge(Bank(np.zeros(1, np.int64), np.zeros(1, np.int32), 0, 0, 0), 0, 0, 0)
    return _leaf(game, nobody)._replace(playouts=np.int64(playouts), rule=rule)


def evaluator_leaf(game: Game, evaluator: Evaluator, viewer: int) -> Leaf:
    """Return the leaf that is worth what an evaluator says, playing for side `viewer`."""
    require_sight(game, evaluator.network)
    judge = judge_for(build_bank([evaluator.network], layout_of(game)), 0, viewer)
    scale = natural_scale(evaluator.network, game) if evaluator.scale is None else evaluator.scale
    return _leaf(game, judge)._replace(
        unit=scale * unit(judge.bank, 0), is_static=np.int64(evaluator.is_static)
    )


def _leaf(game: Game, judge: Judge) -> Leaf:
    work = new_workspace(game, table_bits=0)
    return Leaf(np.int64(0), RULE, judge, work, 1.0, np.int64(0))


@lru_cache(maxsize=64)
def natural_scale(network: Network, game: Game) -> float:
    """Return the scale of a network in weight units: the spread of its evaluations over `STEEPNESS`.

    The spread is the root mean square over the positions of some random games, so that networks are
    comparable whatever the size of their weights; 1 if it is zero.
    """
    leaf = _leaf(game, judge_for(build_bank([network], layout_of(game)), 0, 0))
    spread = _spread(game.start(), leaf) / unit(leaf.judge.bank, 0)
    return float(spread / STEEPNESS) or 1.0


@jit
def _spread(start: Any, leaf: Any) -> Any:
    """Root mean square of the evaluations of undecided positions of random games, in the judge's integers."""
    total, count = 0.0, 0
    for game in range(_SAMPLE_GAMES):
        position = start
        for ply in range(_SAMPLE_PLIES):
            number = generate(position, leaf.work.moves, 0)
            if number == 0:
                break
            chosen = draw_below(_SAMPLE_KEY, game * _SAMPLE_PLIES + ply, number)
            position = successor(position, leaf.work.moves, chosen * move_words(position))
            value = judged(leaf, position)
            if abs(value) < WIN // 2:
                total += np.float64(value) * np.float64(value)
                count += 1
    return np.sqrt(total / max(count, 1))
