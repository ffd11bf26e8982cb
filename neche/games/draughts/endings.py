"""Endings of few pieces, in which a game is drawn sooner, and the draw rules of the two boards.

| rule | FMJD, annex 1 (10×10) | CBJD (8×8) |
|---|---|---|
| the third occurrence of a position, with the same side to move | 6.1 | 98 |
| only kings move, nothing is captured | 6.2: 25 moves each | 97b: 20 moves each |
| three pieces, a king among them, against a king | 6.3: 16 moves each | – |
| the same, the single king on the main diagonal | – | 100: 5 moves each |
| two pieces, a king among them, or a king, against a king | 6.4: 5 moves each | 99: 5 moves each |
| two kings against two pieces, a king among them | – | summary, 18: 5 moves each |

A count begins when the ending is reached and goes on whatever moves. Sources: FMJD, annex 1, official rules
of international draughts, version of November 2015; Confederação Brasileira de Jogo de Damas, official rules
and their summary, as quoted by others (docs/decisions says where).
"""

from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import jit
from neche.games.draughts.board import main_diagonal

TWO_AT_MOST, THREE, THREE_ON_DIAGONAL, TWO_KINGS = range(1, 5)
"""Endings by number: the pieces against a single king, or against two pieces with a king."""


@jit
def ending(position: Any, limits: Any) -> Any:
    """Return the number of this ending, see `contract.ending`."""
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    kings = np.uint64(position.kings)
    num_own, num_foe = np.int64(popcount(own)), np.int64(popcount(foe))
    own_kings, foe_kings = np.int64(popcount(own & kings)), np.int64(popcount(foe & kings))
    # Most positions return here: such endings have few pieces and a king on each side.
    if own_kings == 0 or foe_kings == 0 or min(num_own, num_foe) > 2 or max(num_own, num_foe) > 3:
        return np.int64(0)
    if num_own == 2 and num_foe == 2:
        return np.int64(TWO_KINGS if own_kings + foe_kings > 2 else 0)
    if min(num_own, num_foe) == 2:
        return np.int64(0)
    if max(num_own, num_foe) <= 2:
        return np.int64(TWO_AT_MOST)
    # Three against one from here on; the place of the single king decides.
    single = own if num_own == 1 else foe
    if limits[THREE_ON_DIAGONAL - 1] > 0 and single & main_diagonal(position):
        return np.int64(THREE_ON_DIAGONAL)
    return np.int64(THREE if limits[THREE - 1] > 0 else 0)
