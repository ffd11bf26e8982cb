"""Playouts of any game in compiled code, and what is counted of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.jit import jit
from neche.compiled.randomness import draw
from neche.errors import InputError
from neche.games import contract
from neche.games.catalogue import Game
from neche.games.contract import PlayoutRule, QuietRule, avoids_cycles, is_registered, play_whole_moves

RULE = PlayoutRule()
"""Playouts to the end of the game, drawn after 80 plies without capture or man move (WCDF 1.32)."""
_NEVER = 2**31 - 1


class Counts(NamedTuple):
    """What the playouts of K positions came to, each for the side to move in its position.

    wins, draws, losses: [K] int64, playouts. plies: [K] int64, sum over the position's playouts.
    """

    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]
    plies: NDArray[np.int64]


def quiet_rule(rule: PlayoutRule) -> QuietRule | None:
    """Return the rule for playouts that remember only how long it has been quiet; None if that is not all."""
    if rule.max_plies > 0 or rule.avoid_cycles or rule.whole_moves:
        return None
    return QuietRule(np.int32(min(rule.quiet_plies, _NEVER) if rule.quiet_plies > 0 else _NEVER))


def check_rule(game: Game, positions: Sequence[Any], rule: PlayoutRule) -> None:
    """Check that the playouts of these positions keep to the whole rule.

    Raises:
        InputError: they do not know what it asks for.
    """
    by_whole_moves = rule.whole_moves or not all(is_registered(type(one), "play_out") for one in positions)
    if by_whole_moves and (rule.by_count or rule.avoid_cycles):
        raise InputError("playouts of whole moves know neither a win by count nor cycles of kings")
    if rule.avoid_cycles and not all(map(avoids_cycles, positions)):
        raise InputError(f"playouts of {game.name} do not know cycles of kings")


@jit
def play_out(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    """Play one random game to its end, see `contract.play_out`; by whole moves where the rule asks for them.

    state: `draw(key, number of the game)`. Returns outcome and plies for the side to move in `position`.
    """
    if rule.whole_moves:
        return play_whole_moves(position, state, rule, moves)
    return contract.play_out(position, state, rule, moves)


@jit
def play_many(position: Any, key: Any, first: Any, last: Any, rule: Any, moves: Any) -> Any:
    """Play games number `first` up to, not including, `last` of a stream; return the sums of `Counts`."""
    wins, draws, losses, plies = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for number in range(first, last):
        outcome, length = play_out(position, draw(key, np.uint64(number)), rule, moves)
        wins += outcome == 1
        draws += outcome == 0
        losses += outcome == -1
        plies += length
    return wins, draws, losses, plies
