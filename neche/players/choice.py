"""A player chooses a move in a position."""

from typing import Any, NamedTuple

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.montecarlo.thinking import Seat, Thought
from neche.players.player import Player
from neche.search.analysis import search_position


class Choice(NamedTuple):
    """A chosen move, and what the player thought.

    value: for the side to move, weight units; None for players that do not search.
    seconds: wall time of the search.
    thought: of a player that thinks in another way, such as by playouts.
    """

    move: Move
    value: float | None
    depth: int
    nodes: int
    seconds: float
    thought: Thought | None = None


def choose_move(
    player: Player, game: Game, position: Any, draw: np.random.Generator, *, seat: Seat | None = None
) -> Choice:
    """Return the player's move; `draw` decides among all legal moves (random) or equally good ones.

    seat: of a thinker at this game; without one it takes a fresh seat for this move alone.

    Raises:
        InputError: the game is over, there is no legal move.
    """
    moves = game.legal_moves(position)
    if not moves:
        raise InputError(f"the game is over: {game.side_to_move(position)} has no legal move")
    if player.thinker is not None:
        thought = (seat or player.thinker.sit(game)).think(position, int(draw.integers(1 << 63)))
        chosen = _named(moves, thought.best[draw.integers(len(thought.best))])
        return Choice(chosen, None, 0, thought.playouts, thought.seconds, thought)
    if player.network is None:
        return Choice(moves[draw.integers(len(moves))], None, 0, 0, 0.0)
    result = search_position(game, position, player.network, depth=player.depth, time_ms=player.time_ms)
    best = result.best_moves[draw.integers(len(result.best_moves))]
    return Choice(_named(moves, best), result.value, result.depth, result.nodes, result.seconds)


def _named(moves: list[Move], text: str) -> Move:
    return next(move for move in moves if move.text == text)
