"""Games that are decided without a board."""

from collections.abc import Callable, Sequence

import numpy as np

from neche.arena.playing import GameResults, Schedule


def fake_play(
    strengths: Sequence[float] | np.ndarray, *, noise: bool = False
) -> Callable[[Schedule], GameResults]:
    """Return games in which the stronger wins; with noise half of the games between unequals are drawn.

    Every game takes 10 plies and 100 nodes.
    """
    strength = np.asarray(strengths, dtype=np.float64)

    def play(pairings: Schedule) -> GameResults:
        outcome = np.sign(strength[pairings.first] - strength[pairings.second]).astype(np.int8)
        if noise:
            outcome = np.where(pairings.game_key % np.uint64(2) == 0, outcome, np.int8(0))
        count = len(outcome)
        return GameResults(outcome, np.full(count, 10, dtype=np.int32), np.full(count, 100, dtype=np.int64))

    return play
