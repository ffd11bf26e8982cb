"""A network at work on a position, for a picture: its live synapses, and what each neuron says."""

from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.uct.player import Evaluator, Uct
from neche.network.activity import activity
from neche.network.decode import Network
from neche.players.player import Player
from neche.web.thinking import value_words

MOST_SYNAPSES = 1500
"""Drawn at most, those that carry most first."""


def network_of_player(player: Player) -> Network:
    """Return the network by which a player judges.

    Raises:
        InputError: it has none.
    """
    if player.network is not None:
        return player.network
    if isinstance(player.thinker, Uct) and isinstance(player.thinker.leaf, Evaluator):
        return player.thinker.leaf.network
    raise InputError("this player judges without a network")


def lit_network(network: Network, game: Game, position: Any, viewer: int) -> dict[str, Any]:
    """Return neurons and live synapses with what they say and carry; viewer: the side that is played for."""
    found = activity(network, game, position, viewer)
    live = [int(index) for index in network.live.nonzero()[0]]
    drawn = sorted(live, key=lambda index: -abs(float(found.carried[index])))[:MOST_SYNAPSES]
    ends = {int(end) for index in live for end in (network.source[index], network.sink[index])}
    ends.add(network.topology.output)
    return {
        "view": game.sides[viewer],
        "value": round(found.value, 4),
        "words": value_words(found.value),
        "perspective": network.perspective,
        "synapses": len(live),
        "neurons": [
            {
                "id": neuron,
                "kind": network.topology.kind(neuron),
                "square": found.squares[neuron] if neuron < network.topology.sensors else "",
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
            for index in sorted(drawn, key=lambda index: abs(float(found.carried[index])))
        ],
    }
