"""The value of a new position of the tree: the mean of some playouts, or a network's evaluation.

A logistic curve turns a network's evaluation into an expected score.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F64, I64, U64, Position, jit
from neche.compiled.pointers import address
from neche.compiled.randomness import draw_below
from neche.games.contract import generate, move_words, successor
from neche.games.game import Game
from neche.games.playouts import PlayoutRule
from neche.montecarlo.counting import RULE, ending_rule
from neche.montecarlo.playout import play_many
from neche.network.decode import Network
from neche.network.packing import PackedNetworks, pack_networks, unit
from neche.network.sensors import check_sensors
from neche.search.evaluator import NetworkEvaluator, evaluate, network_evaluator, refresh
from neche.search.negamax import WIN, Workspace, new_search, new_workspace, settle

_SAMPLE_GAMES = 200
_SAMPLE_PLIES = 200
_SAMPLE_KEY = np.uint64(0x6E65636865)
STEEPNESS = 2.0
"""Steepness of the logistic curve, in reciprocals of the spread of a network's evaluations."""


class Simulation(NamedTuple):
    """How new positions are valued.

    playouts: games played from each, int64; 0 for a network. rule: their `PlayoutRule`. evaluator, work: the
    network as `search` evaluates it, and its buffers. unit: the evaluation with an expected score of
    1 / (1 + 1/e) = 0.73, in the network's integers. is_static: 1 if captures are not followed first.
    """

    playouts: I64
    rule: PlayoutRule
    evaluator: NetworkEvaluator
    work: Workspace
    unit: F64
    is_static: I64


@jit
def simulate(simulation: Simulation, position: Position, key: U64, number: I64) -> tuple[F64, I64]:
    """Return the value of leaf `number`, 0 … 1 for the side to move, and the plies of its playouts.

    It plays the games of stream `key` from number · playouts on, as `count_playouts` would play them.
    """
    # each leaf has its own game numbers, so that no game of a stream is played twice
    if simulation.playouts > 0:
        first = np.int64(number * simulation.playouts)
        last = first + simulation.playouts
        wins, draws, _, plies = play_many(position, key, first, last, simulation.rule, simulation.work.moves)
        return (wins + 0.5 * draws) / simulation.playouts, plies
    # a logistic curve of the evaluation
    return 1.0 / (1.0 + np.exp(-_evaluation(simulation, position) / simulation.unit)), np.int64(0)


@jit
def _evaluation(simulation: Simulation, position: Position) -> I64:
    """Return the evaluation of a position for its side to move, in the network's integers."""
    accumulator = refresh(simulation.evaluator, position)
    if simulation.is_static:
        return np.int64(evaluate(simulation.evaluator, position, accumulator))
    # the evaluation after the best captures, as at the horizon of alpha-beta
    place = address(new_search(simulation.evaluator, simulation.work, np.int64(0), np.int64(0)))
    return np.int64(settle(place, position, -WIN, WIN, np.int64(0), accumulator))


def playout_simulation(game: Game, playouts: int, rule: PlayoutRule = RULE) -> Simulation:
    """Value positions by the mean of this many playouts."""
    # compiled code requires a network in the record; this one has no weights and is never evaluated
    unused = NetworkEvaluator(PackedNetworks(np.zeros(1, np.int64), np.zeros(1, np.int32)), 0, 0, 0)
    rule = ending_rule(rule, [game.start()])
    return _new_simulation(game, unused)._replace(playouts=np.int64(playouts), rule=rule)


def network_simulation(
    game: Game, network: Network, side: int, *, scale: float | None = None, is_static: bool = False
) -> Simulation:
    """Value positions by the evaluations of a network, which plays for side `side`.

    scale: the evaluation, in weight units, with an expected score of 0.73; None for `natural_scale`.
    is_static: evaluate positions statically, without following captures first. InputError if the network does
    not see the board of the game.
    """
    check_sensors(game, network)
    evaluator = network_evaluator(pack_networks([network], game.sensors), 0, side)
    weight_units = natural_scale(network, game) if scale is None else scale
    return _new_simulation(game, evaluator)._replace(
        unit=weight_units * unit(evaluator.packed, 0), is_static=np.int64(is_static)
    )


def _new_simulation(game: Game, evaluator: NetworkEvaluator) -> Simulation:
    return Simulation(np.int64(0), RULE, evaluator, new_workspace(game, table_bits=0), 1.0, np.int64(0))


@lru_cache(maxsize=64)
def natural_scale(network: Network, game: Game) -> float:
    """Return the scale of a network in weight units: the spread of its evaluations over `STEEPNESS`.

    The spread is the root mean square over the positions of some random games, so that networks are
    comparable whatever the size of their weights. If it is zero, the scale is 1.
    """
    simulation = _new_simulation(game, network_evaluator(pack_networks([network], game.sensors), 0, 0))
    spread = _spread(game.start(), simulation) / unit(simulation.evaluator.packed, 0)
    return float(spread / STEEPNESS) or 1.0


@jit
def _spread(start: Position, simulation: Simulation) -> F64:
    """Return the root mean square of the evaluations of undecided positions of random games."""
    moves = simulation.work.moves
    total, count = 0.0, 0
    for game in range(_SAMPLE_GAMES):
        position = start
        # positions along the game, as a search would reach them
        for ply in range(_SAMPLE_PLIES):
            number = generate(position, moves, 0)
            if number == 0:
                break
            chosen = draw_below(_SAMPLE_KEY, game * _SAMPLE_PLIES + ply, number)
            position = successor(position, moves, chosen * move_words(position))
            value = _evaluation(simulation, position)
            # a forced win does not depend on the size of the weights
            if abs(value) < WIN // 2:
                total += np.float64(value) * np.float64(value)
                count += 1
    return np.sqrt(total / max(count, 1))
