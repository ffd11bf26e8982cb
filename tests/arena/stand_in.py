"""A fast stand-in for `play_games`: outcomes follow from keys and depths alone."""

from collections.abc import Callable
from typing import Any

import numpy as np

from neche.arena.playing import Contestants, GameResults, Schedule
from neche.games.draws import DrawRule
from neche.players.engine import Player
from neche.players.spec import parse_player


def players(*depths: int) -> list[Player]:
    return [parse_player(f"blind:depth={depth}") for depth in depths]


def play(
    contestants: Contestants,
    schedule: Schedule,
    rule: DrawRule,
    *,
    notify: Callable[[int], None] | None = None,
) -> GameResults:
    """Return results in which the deeper player scores 0.59 on average, whichever moves first."""
    edge = np.sign(contestants.depths[schedule.first] - contestants.depths[schedule.second]) * 12
    chance = ((schedule.opening_key ^ schedule.game_key) >> np.uint64(58)).astype(np.int64)
    outcome = np.where(chance < 24 + edge, 1, np.where(chance < 40, 0, -1)).astype(np.int8)
    if notify is not None:
        for _ in outcome:
            notify(1)
    return GameResults(outcome, np.full(len(outcome), 50, np.int32), np.zeros(len(outcome), np.int64))


class Killed(Exception):  # noqa: N818
    """Raised by `dying` in the middle of a tournament."""


def dying(after: int) -> Callable[..., GameResults]:
    """Return a stand-in that plays `after` batches and then dies."""
    left = [after]

    def play_some(*args: Any, **kwargs: Any) -> GameResults:
        if not left[0]:
            raise Killed
        left[0] -= 1
        return play(*args, **kwargs)

    return play_some
