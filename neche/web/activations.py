"""A network's activations on a position, as a picture needs them: its neurons and its live synapses."""

from typing import Any

import numpy as np

from neche.games.game import Game
from neche.network.decode import Network
from neche.network.sensors import activations
from neche.web.analyses import value_words

TELLING_PLIES = 12
MOST_SYNAPSES = 1500
"""Most synapses drawn: those that carry most."""


def telling_position(network: Network, game: Game) -> tuple[Any, list[str]]:
    """Return a position of which a network has something to say, and the moves that lead to it.

    In the first position the sides are alike, and many a network cannot but call it even. From there each
    side makes the move after whose best answer the network likes its position best.
    """
    position, moves = game.start(), list[str]()
    for _ in range(TELLING_PLIES):
        legal = game.legal_moves(position)
        side = int(position.turn)
        best = max(legal, key=lambda move: _after_answer(network, game, move.after, side), default=None)
        # The end of a game tells nothing either.
        if best is None or not game.legal_moves(best.after):
            break
        position, moves = best.after, [*moves, best.text]
    return position, moves


def _after_answer(network: Network, game: Game, position: Any, side: int) -> float:
    """Return what a network says for a side after the answer that is worst for that side."""
    ends = [move.after for move in game.legal_moves(position)] or [position]
    return min(activations(network, game, end, side).value for end in ends)


def activations_of(network: Network, game: Game, position: Any) -> dict[str, Any]:
    """Return neurons with their activations and live synapses with what they carry, for the side to move.

    Of a dense network only the sensors that see a piece are there.
    """
    side = int(position.turn)
    found = activations(network, game, position, side)
    live = np.flatnonzero(network.live)
    count = len(live)
    if network.topology.is_dense:
        live = live[found.values[network.source[live]] != 0]
    drawn = live[np.argsort(-np.abs(found.carried[live]), kind="stable")[:MOST_SYNAPSES]]
    ends = {network.topology.output, *network.source[live].tolist(), *network.sink[live].tolist()}
    return {
        "view": game.sides[side],
        "value": round(found.value, 4),
        "words": value_words(found.value),
        "perspective": network.perspective,
        "synapses": count,
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
