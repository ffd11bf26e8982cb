"""A player chooses a move in a position."""

from typing import Any, NamedTuple

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.players.spec import Player
from neche.search.analysis import search_position


class Choice(NamedTuple):
    """A chosen move, and what the player thought.

    value: for the side to move, weight units; None for the random player, who thinks nothing.
    seconds: wall time of the search.
    """

    move: Move
    value: float | None
    depth: int
    nodes: int
    seconds: float


def choose_move(player: Player, game: Game, position: Any, draw: np.random.Generator) -> Choice:
    """Return the player's move; `draw` decides among all legal moves (random) or equally good ones.

    Raises:
        InputError: the game is over, there is no legal move.
    """
    moves = game.legal_moves(position)
    if not moves:
        raise InputError(f"the game is over: {game.side_to_move(position)} has no legal move")
    if player.network is None:
        return Choice(moves[draw.integers(len(moves))], None, 0, 0, 0.0)
    result = search_position(game, position, player.network, depth=player.depth, time_ms=player.time_ms)
    best = result.best_moves[draw.integers(len(result.best_moves))]
    chosen = next(move for move in moves if move.text == best)
    return Choice(chosen, result.value, result.depth, result.nodes, result.seconds)
