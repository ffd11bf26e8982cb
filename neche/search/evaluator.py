"""Evaluators for negamax: records, on whose type compiled code dispatches the functions below.

An evaluator values quiet positions. What it can update from move to move, such as a sum over squares, is its
accumulator: `refresh` computes it from a position, `update` from the accumulator before the last move.
Values are exact integers below half of `negamax.WIN`. A new kind of evaluator is a new record type,
registered like those here.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from neche.compiled.jit import I64, Array, Position, jit, jit_inlined
from neche.games.contract import needed, register, write_planes
from neche.network import forward
from neche.network.convolution import Convolution, value_of_planes
from neche.network.folding import BEYOND, MOVER, RECORD
from neche.network.packing import PackedNetworks

Evaluator: TypeAlias = Any
"""A record for which the functions below are registered."""
CONVOLUTION_UNIT = np.float64(1 << 60)
"""A convolutional network's value of 1 in integers: finer than its sums, so that equal values stay equal."""


@needed
def refresh(evaluator: Evaluator, position: Position) -> I64:
    """Return the accumulator of a position, computed from scratch; int64."""


@needed
def update(evaluator: Evaluator, before: Position, after: Position, accumulator: I64) -> I64:
    """Return the accumulator after a move, from that before it; each position is seen by its side to move."""


@needed
def promise(evaluator: Evaluator, position: Position, accumulator: I64) -> I64:
    """Return a first guess of a move's value to the side making it, from the accumulator after the move."""


@needed
def evaluate(evaluator: Evaluator, position: Position, accumulator: I64) -> I64:
    """Return the value of a quiet position for its side to move; int64."""


class NetworkEvaluator(NamedTuple):
    """A packed network that plays for one side.

    packed: the packed networks. number: index of this one; not called `index`, a method of tuples, which
    numba-cuda would find first. side: 0 White, 1 Black. table: start of its values by square, for this side.
    """

    packed: PackedNetworks
    number: I64
    side: I64
    table: I64


@jit
def network_evaluator(packed: PackedNetworks, index: I64, side: I64) -> NetworkEvaluator:
    """Return the evaluator of network `index` playing for `side`."""
    return NetworkEvaluator(packed, np.int64(index), np.int64(side), forward.table_start(packed, index, side))


@jit_inlined
def _promise_of_network(evaluator: Evaluator, position: Position, accumulator: I64) -> I64:
    # The accumulator alone, without hidden neurons: it only orders moves, which changes no value.
    if evaluator.packed.words[evaluator.number * RECORD + BEYOND] == MOVER:
        # the half of the accumulator for the other side, which is to move now
        return -forward.half_of(accumulator, np.int64(position.turn) != evaluator.side)
    return accumulator if np.int64(position.turn) == evaluator.side else -accumulator


@jit_inlined
def _evaluate_network(evaluator: Evaluator, position: Position, accumulator: I64) -> I64:
    value = forward.evaluate(evaluator.packed, evaluator.number, evaluator.side, position, accumulator)
    # The network's value is from the view of the side for which it plays.
    return np.int64(value) if np.int64(position.turn) == evaluator.side else np.int64(-value)


register(
    NetworkEvaluator,
    refresh=lambda evaluator, position: forward.refresh(
        evaluator.packed, evaluator.number, evaluator.side, position
    ),
    update=lambda evaluator, before, after, accumulator: forward.update(
        evaluator.packed.words, evaluator.table, evaluator.side, before, after, accumulator
    ),
    promise=_promise_of_network,
    evaluate=_evaluate_network,
)


class ConvolutionalEvaluator(NamedTuple):
    """A convolutional network, which sees every board from the side to move and has no accumulator.

    network: `convolution.Convolution`, with its working memory. boards: [1] int64, evaluated so far.
    """

    network: Convolution
    boards: Array


@jit
def _evaluate_convolution(evaluator: Evaluator, position: Position, accumulator: I64) -> I64:
    # An array of one element, since compiled code cannot change a record.
    evaluator.boards[0] += 1
    write_planes(position, evaluator.network.squares)
    # A product with a power of two is exact, so that equal values stay equal.
    return np.int64(value_of_planes(evaluator.network) * CONVOLUTION_UNIT)


# A convolution is computed from scratch at every leaf.
_NONE = np.int64(0)
register(ConvolutionalEvaluator, refresh=_NONE, update=_NONE, promise=_NONE, evaluate=_evaluate_convolution)
