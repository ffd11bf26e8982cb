"""A network's activations on a position, as a picture needs them: its neurons and its live synapses."""

from typing import Any

import numpy as np

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.uct.player import Evaluator, Uct
from neche.network.decode import Network
from neche.network.sensors import activations
from neche.players.player import Player
from neche.search.analysis import WIN_VALUE

MOST_SYNAPSES = 1500
"""Most synapses drawn: those that carry most."""
_MOST_SIZES = 256


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


_SAMPLE_GAMES, _SAMPLE_PLIES = 4, 40
_sizes: dict[tuple[str, str], float] = {}


def usual_size(network: Network, game: Game) -> float:
    """Return how large a network's values usually are in a game: the root mean square over random games.

    So the bar beside a board says the same of networks whose weights differ in size. 1 if all are zero.
    """
    key = network.digest, game.name
    if key not in _sizes:
        draw, squares = stream(0, 0, "web: usual size"), []
        for _ in range(_SAMPLE_GAMES):
            position = game.start()
            for _ in range(_SAMPLE_PLIES):
                moves = game.legal_moves(position)
                if not moves:
                    break
                position = moves[draw.integers(len(moves))].after
                squares.append(activations(network, game, position, int(position.turn)).value ** 2)
        if len(_sizes) >= _MOST_SIZES:
            _sizes.clear()
        _sizes[key] = float(np.sqrt(np.mean(squares))) or 1.0
    return _sizes[key]


def activations_of(network: Network, game: Game, position: Any) -> dict[str, Any]:
    """Return neurons with their activations and live synapses with what they carry, for the side to move."""
    side = int(position.turn)
    found = activations(network, game, position, side)
    live = [int(index) for index in network.live.nonzero()[0]]
    drawn = sorted(live, key=lambda index: -abs(float(found.carried[index])))[:MOST_SYNAPSES]
    ends = {int(end) for index in live for end in (network.source[index], network.sink[index])}
    ends.add(network.topology.output)
    return {
        "view": game.sides[side],
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


def value_words(value: float) -> str:
    """Write a value of a search for people.

    >>> value_words(0.25), value_words(4 - WIN_VALUE)
    ('+0.25', 'loses in 4')
    """
    if abs(value) > WIN_VALUE / 2:
        return f"{'wins' if value > 0 else 'loses'} in {round(WIN_VALUE - abs(value))}"
    return f"{value:+.2f}".replace("-", "−")
