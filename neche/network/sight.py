"""Which boards networks can see."""

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.games.contract import SENSED
from neche.network.decode import Network


def require_sight(game: Game, network: Network) -> None:
    """Do nothing if a network can play a game: it sees its board, or, like the blind one, needs no board.

    Raises:
        InputError: it cannot.
    """
    is_blind = not np.any(network.source[network.live] < network.topology.first_bias)
    if type(game.start()) not in SENSED and not is_blind:
        raise InputError(
            f"no network sees the board of {game.name} yet: play it with random, blind, mcrd or uct"
        )
