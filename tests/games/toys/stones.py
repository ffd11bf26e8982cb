"""Twenty-one stones: the sides take one, two or three in turn; whoever takes the last one wins."""

from typing import Any, NamedTuple

import numpy as np

from neche.games.generic import new_game


class Stones(NamedTuple):
    """Stones left, and the side to move; uint32."""

    left: Any
    turn: Any


def generate(position: Any, moves: Any, base: Any) -> Any:
    count = np.int64(min(position.left, 3))
    for number in range(count):
        moves[base + number] = number + 1
    return count


def successor(position: Any, moves: Any, at: Any) -> Any:
    return Stones(np.uint32(position.left - moves[at]), np.uint32(position.turn ^ 1))


def can_move(position: Any) -> Any:
    return position.left > 0


GAME = new_game(
    "stones",
    Stones(np.uint32(21), np.uint32(0)),
    sides=("First", "Second"),
    max_moves=3,
    generate=generate,
    successor=successor,
    can_move_quietly=can_move,
)
