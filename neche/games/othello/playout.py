"""Random playouts of Othello on the CPU: two words, no move buffer.

Squares are drawn in the order of their bits, as `generate` writes them, so the games are those of
`montecarlo.playout.play_whole_moves`. Limits of quiet plies never hold: every ply is progress.
"""

from typing import Any

import numpy as np

from neche.compiled.bits import invert64, nth_bit, popcount
from neche.compiled.jit import jit, jit_inlined
from neche.compiled.randomness import advance, choose_below
from neche.games.othello.moves import placements, turned

_NEVER = np.int64(2**62)


@jit_inlined
def _sign(own: Any, foe: Any) -> Any:
    """Return who has more discs: 1 own, 0 neither, −1 foe."""
    lead = np.int64(popcount(own)) - np.int64(popcount(foe))
    return np.int64(lead > 0) - np.int64(lead < 0)


@jit
def play_out(position: Any, state: Any, rule: Any, moves: Any) -> Any:
    """Play uniformly random moves to the end; return outcome and plies, see `games.contract.play_out`."""
    own, foe, state = np.uint64(position.own), np.uint64(position.foe), np.uint64(state)
    max_plies = np.int64(rule.max_plies) if rule.max_plies > 0 else _NEVER
    plies, sign = np.int64(0), np.int64(1)
    while True:
        squares = placements(own, foe)
        if squares == 0:
            if placements(foe, own) == 0:
                return sign * _sign(own, foe), plies
        if plies >= max_plies:
            return (sign * _sign(own, foe) if rule.by_count else np.int64(0)), plies
        # Once a ply, at a pass too, where nothing is drawn: the branch-free playout does the same.
        state = advance(state)
        if squares != 0:
            square = nth_bit(squares, choose_below(state, popcount(squares)))
            after = np.uint64(own | square | turned(square, own, foe))
            own, foe = np.uint64(foe & invert64(after)), after
        else:
            own, foe = foe, own
        plies += 1
        sign = -sign
