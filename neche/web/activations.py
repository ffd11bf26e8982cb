"""A network's activations on a position, prepared for a picture: its neurons and its live synapses."""

from typing import Any

import numpy as np

from neche.games.game import Game
from neche.network.decode import Network
from neche.network.sensors import activations
from neche.report.value_words import value_words

TELLING_PLIES = 12
MOST_NEURONS, MOST_SYNAPSES = 24, 400
"""Limits of what is drawn: hidden neurons of a layer that pass on most, and synapses that carry most."""


def telling_position(network: Network, game: Game) -> tuple[Any, list[str]]:
    """Return a position to which a network gives a telling value, and the moves that lead to it.

    The start position is symmetric, so many networks can only call it even. From there each side makes the
    move that leaves it the best value after the opponent's best answer.
    """
    position, moves = game.start(), list[str]()
    for _ in range(TELLING_PLIES):
        legal = game.legal_moves(position)
        side = int(position.turn)
        best = max(legal, key=lambda move: _after_answer(network, game, move.after, side), default=None)
        # Finished games are not telling either.
        if best is None or not game.legal_moves(best.after):
            break
        position, moves = best.after, [*moves, best.text]
    return position, moves


def _after_answer(network: Network, game: Game, position: Any, side: int) -> float:
    """Return a network's value for a side after the answer that is worst for that side."""
    ends = [move.after for move in game.legal_moves(position)] or [position]
    return min(activations(network, game, end, side).value for end in ends)


def activations_of(network: Network, game: Game, position: Any) -> dict[str, Any]:
    """Return neurons with their activations and live synapses with what they carry, for the side to move.

    For a dense network, only sensors that see a piece are included. leftOut: number of hidden neurons that
    are silent here, or pass on less than those drawn.
    """
    side = int(position.turn)
    found = activations(network, game, position, side)
    live = np.flatnonzero(network.live)
    count = len(live)
    if network.topology.is_dense:
        live = live[found.values[network.source[live]] != 0]
    ends = {network.topology.output, *network.source[live].tolist(), *network.sink[live].tolist()}
    left_out = _hidden_left_out(network, np.abs(found.carried), ends)
    ends -= left_out
    kept = [index for index in live.tolist() if {network.source[index], network.sink[index]} <= ends]
    drawn = np.array(sorted(kept, key=lambda index: -abs(found.carried[index]))[:MOST_SYNAPSES], np.int64)
    return {
        "view": game.sides[side],
        "value": round(found.value, 4),
        "words": value_words(found.value),
        "perspective": network.perspective,
        "synapses": count,
        "leftOut": len(left_out),
        "neurons": [
            {
                "id": neuron,
                "kind": network.topology.kind(neuron),
                "square": found.squares[neuron] if neuron < network.topology.sensors else "",
                "piece": found.pieces[neuron] if neuron < network.topology.sensors else "",
                "value": round(float(found.values[neuron]), 4),
            }
            for neuron in sorted(ends)
        ],
        "links": [
            [
                int(network.source[index]),
                int(network.sink[index]),
                round(int(network.weight[index]) / 10_000, 4),
                round(float(found.carried[index]), 4),
            ]
            for index in drawn[np.argsort(np.abs(found.carried[drawn]), kind="stable")]
        ],
    }


def _hidden_left_out(network: Network, carried: Any, ends: set[int]) -> set[int]:
    """Return the neurons of wide hidden layers that are silent, or pass on less than `MOST_NEURONS` others.

    carried: [S] absolute values that the synapses carry. ends: the neurons that have a live synapse.
    """
    passed_on = np.bincount(network.source, carried, network.topology.num_neurons)
    left_out = set[int]()
    for kind in ("layer1", "layer2"):
        layer = [neuron for neuron in ends if network.topology.kind(neuron) == kind]
        if len(layer) > MOST_NEURONS:
            loudest = sorted(layer, key=lambda neuron: (-passed_on[neuron], neuron))[:MOST_NEURONS]
            left_out.update({*layer} - {neuron for neuron in loudest if passed_on[neuron] > 0})
    return left_out
