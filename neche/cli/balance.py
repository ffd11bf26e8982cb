"""Who stands better, as a bar: an expected score for people, whatever units a player thinks in."""

import math
from functools import lru_cache

import numpy as np

from neche.games.catalogue import Game
from neche.network.decode import Network
from neche.network.folding import HEADER
from neche.network.packing import pack_networks, unit
from neche.network.sensors import sensor_layout
from neche.players.choice import Choice
from neche.players.player import Player
from neche.search.analysis import WIN_VALUE

_WIDTH = 20


def expected_score(choice: Choice, player: Player, game: Game) -> float | None:
    """Return the score that a player expects for itself, 0 … 1; None for one without an opinion.

    Of a value in weight units it is a guess: a lead of one man is worth 0.73, of two 0.88 (logistic).
    """
    if choice.thought is not None:
        return choice.thought.value
    if choice.value is None or player.network is None:
        return None
    if abs(choice.value) > WIN_VALUE / 2:
        return 1.0 if choice.value > 0 else 0.0
    man = _worth_of_a_man(player.network, game)
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, choice.value / man)))) if man else 0.5


@lru_cache(maxsize=8)
def _worth_of_a_man(network: Network, game: Game) -> float:
    """Return what a man is worth on a mean square, weight units, leaving out neurons that combine squares."""
    layout = sensor_layout(game)
    packed = pack_networks([network], layout)
    men = packed.words[HEADER + np.array(layout.bits)]
    return float(np.abs(men).mean()) / unit(packed, 0)


def balance_bar(first: str, second: str, score: float) -> str:
    """Draw the score of the first side, 0 … 1, between the names of both.

    >>> balance_bar("Black", "White", 0.75)
    'Black ███████████████▁▁▁▁▁ White  0.75'
    """
    filled = round(_WIDTH * min(1.0, max(0.0, score)))
    return f"{first} {'█' * filled}{'▁' * (_WIDTH - filled)} {second}  {score:.2f}"
