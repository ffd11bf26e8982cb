"""Counting playouts: what is counted, the rule by which they end, and the choice of the device."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.batches import check_device
from neche.errors import InputError
from neche.games.contract import is_registered
from neche.games.draws import MAX_PLIES
from neche.games.game import Game
from neche.games.playouts import PlayoutRule, QuietRule, avoids_cycles

RULE = PlayoutRule()
"""Playouts to the end of the game, drawn after 80 plies without capture or man move (WCDF 1.32)."""
MAX_COUNT = 10**12
"""Most playouts of a position in one call; they take days."""
_MODULES = {"cpu": "playouts_cpu", "cuda": "playouts_gpu"}
"""The module of this package that counts playouts, by device."""
_NEVER = 2**31 - 1


class PlayoutCounts(NamedTuple):
    """The results of the playouts of K positions, each for the side to move in its position.

    wins, draws, losses: [K] int64, playouts. plies: [K] int64, sum over the position's playouts.
    """

    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]
    plies: NDArray[np.int64]

    @property
    def visits(self) -> NDArray[np.int64]:
        """Playouts of each position: [K]."""
        return self.wins + self.draws + self.losses

    @property
    def values(self) -> NDArray[np.float64]:
        """Mean score of each position, 0.5 without playouts: [K]."""
        visits = self.visits
        return np.where(visits > 0, (self.wins + 0.5 * self.draws) / np.maximum(visits, 1), 0.5)


CountPlayouts = Callable[..., PlayoutCounts]
"""Counts the playouts of K positions; takes what `playouts_cpu.count_playouts` takes."""


def count_playouts_on(device: str) -> CountPlayouts:
    """Return the function that counts playouts on `device`; InputError if unknown or absent: no fallback."""
    check_device(device)
    if device == "cuda":
        from neche.compiled.cuda import require_device  # slow to import, so only if CUDA is requested

        require_device()
    found: CountPlayouts = import_module(f"neche.montecarlo.{_MODULES[device]}").count_playouts
    return found


def ending_rule(rule: PlayoutRule, positions: Sequence[Any]) -> PlayoutRule:
    """Return a rule that ends every playout: after `MAX_PLIES` quiet plies, or plies in plugged-in games."""
    is_own = all(map(is_branch_free, map(type, positions)))
    return rule._replace(
        quiet_plies=min(rule.quiet_plies or MAX_PLIES, MAX_PLIES),
        max_plies=rule.max_plies if is_own else min(rule.max_plies or MAX_PLIES, MAX_PLIES),
    )


def quiet_rule(rule: PlayoutRule) -> QuietRule | None:
    """Return the rule for playouts that track only quiet plies; None if the rule needs more."""
    if rule.max_plies > 0 or rule.avoid_cycles or rule.whole_moves:
        return None
    # No limit becomes a limit that is never reached, so that kernels need no special case.
    return QuietRule(np.int32(min(rule.quiet_plies, _NEVER) if rule.quiet_plies > 0 else _NEVER))


def check_rule(game: Game, positions: Sequence[Any], rule: PlayoutRule) -> None:
    """Raise InputError if the playouts of these positions do not support the rule."""
    if not (rule.by_count or rule.avoid_cycles):
        return
    if rule.whole_moves or not all(is_registered(type(one), "random_ply") for one in positions):
        raise InputError("playouts of whole moves detect neither a win by count nor cycles of kings")
    if rule.avoid_cycles and not all(map(avoids_cycles, positions)):
        raise InputError(f"playouts of {game.name} do not detect cycles of kings")


@cache
def is_branch_free(record: type) -> bool:
    """Return whether the game with these positions registers branch-free playouts."""
    return is_registered(record, "playout_init")
