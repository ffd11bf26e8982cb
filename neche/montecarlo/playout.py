"""Playouts of any game in compiled code, and what is counted of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.jit import jit, overload, record_of
from neche.compiled.randomness import advance, choose_below, draw
from neche.errors import InputError
from neche.games import contract
from neche.games.catalogue import Game
from neche.games.contract import (
    AVOIDING,
    STEPWISE,
    PlayoutRule,
    QuietRule,
    generate,
    is_progress,
    move_words,
    outcome,
    successor,
)

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
    """Return the rule for walks that remember only how long it has been quiet; None if that is not all."""
    if rule.max_plies > 0 or rule.avoid_cycles or rule.whole_moves:
        return None
    return QuietRule(np.int32(min(rule.quiet_plies, _NEVER) if rule.quiet_plies > 0 else _NEVER))


def check_rule(game: Game, positions: Sequence[Any], rule: PlayoutRule) -> None:
    """Do nothing if the playouts of these positions keep to the whole rule.

    Raises:
        InputError: they do not know what it asks for.
    """
    records = {type(position) for position in positions}
    if (rule.whole_moves or records - STEPWISE) and (rule.by_count or rule.avoid_cycles):
        raise InputError("playouts of whole moves know neither a win by count nor cycles of kings")
    if rule.avoid_cycles and records - AVOIDING:
        raise InputError(f"playouts of {game.name} do not know cycles of kings")


@jit
def play_whole_moves(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    """Play uniformly random whole moves to the end; return outcome and plies like `contract.play_out`.

    moves: move buffer of one position. Of the rule, quiet_plies and max_plies hold.
    """
    here, state = position, np.uint64(state)
    plies, quiet, sign = np.int64(0), np.int64(0), np.int64(1)
    while True:
        count = generate(here, moves, 0)
        if count == 0:
            return sign * outcome(here), plies
        if 0 < rule.quiet_plies <= quiet or 0 < rule.max_plies <= plies:
            return np.int64(0), plies
        state = advance(state)
        after = successor(here, moves, choose_below(state, count) * move_words(here))
        quiet = np.int64(0) if is_progress(here, after, True) else quiet + 1
        here = after
        plies += 1
        sign = -sign


def play_out(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    """Play one random game to its end: by steps if the game has them and the rule does not forbid it.

    Compiled code only. state: `draw(key, number of the game)`. Returns outcome and plies for the side to move
    in `position`, see `contract.play_out`. moves: move buffer of one position.
    """
    raise TypeError("a playout runs in compiled code only")


@overload(play_out)
def _play_out(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    if record_of(position) in STEPWISE:
        return _play_steps
    return lambda position, state, rule, moves: play_whole_moves(position, state, rule, moves)


def _play_steps(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    if rule.whole_moves:
        return play_whole_moves(position, state, rule, moves)
    return contract.play_out(position, state, rule)


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
