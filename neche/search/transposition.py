"""The transposition table: values of positions already searched, each with the bound it is.

An entry is three words: the position (two words, exact, so that no two positions are ever taken for each
other) with depth, bound, best move and owner in the free bits of the second, and the value. The owner is
whoever's evaluations they are, one network playing for one side in one game: nothing is shared between the
two points of view. A value is used only at the very depth it was searched to, since a deeper one is not the
value of the shallower search.

    second word    bits 0–32 position | 33–38 depth | 39–40 bound | 41–47 best move | 48–63 owner

Depth 1 is not kept: searching it again costs less than the table's cache misses.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import position_words

ENTRY_WORDS = 3
EXACT, LOWER, UPPER = 0, 1, 2
NO_MOVE = 127
MAX_OWNER = 0xFFFF
_OWNED_POSITION = np.uint64(0xFFFF0001FFFFFFFF)
_PLACED_BY = np.uint64(0x0001FFFFFFFFFFFF)
# Values beyond this are decided games; evaluations stay below it.
_DECIDED = np.int64(1 << 61)


@jit
def _entry_start(table: Any, first: Any, second: Any) -> Any:
    """Where the entry for a position, with its owner in the top bits of `second`, is in the table.

    Of the owner only the side counts, its lowest bit: which entries replace each other must not depend on the
    games this table served before, or the nodes visited would depend on how games are shared out to workers.
    """
    second = np.uint64(second & _PLACED_BY)
    mixed = np.uint64(first * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(
        second * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    mixed = np.uint64(mixed ^ np.uint64(mixed >> np.uint64(29)))
    mixed = np.uint64(np.uint64(mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(32))
    return np.int64(mixed & np.uint64(len(table) // ENTRY_WORDS - 1)) * ENTRY_WORDS


@jit
def _owned_words(position: Any, owner: Any) -> Any:
    first, second = position_words(position)
    return first, np.uint64(second | np.uint64(np.uint64(owner) << np.uint64(48)))


@jit
def _shifted(value: Any, plies: Any) -> Any:
    """Return a decided value, counted from a node `plies` plies nearer to the end."""
    if value > _DECIDED:
        return np.int64(value + plies)
    return np.int64(value - plies) if value < -_DECIDED else np.int64(value)


@jit
def recall(table: Any, position: Any, depth: Any, alpha: Any, beta: Any, ply: Any, owner: Any) -> Any:
    """Look a position up; return whether its value is known well enough, the value, the best move."""
    if depth < 2:
        return False, np.int64(0), np.int64(NO_MOVE)
    first, second = _owned_words(position, owner)
    at = _entry_start(table, first, second)
    stored = table[at + 1]
    if table[at] != first or np.uint64(stored & _OWNED_POSITION) != second:
        return False, np.int64(0), np.int64(NO_MOVE)
    move = np.int64(np.uint64(stored >> np.uint64(41)) & np.uint64(127))
    bound = np.int64(np.uint64(stored >> np.uint64(39)) & np.uint64(3))
    value = _shifted(np.int64(table[at + 2]), -ply)
    fits = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    is_same_depth = np.int64(np.uint64(stored >> np.uint64(33)) & np.uint64(63)) == depth
    return is_same_depth and fits, value, move


@jit
def remember(
    table: Any, position: Any, depth: Any, alpha: Any, beta: Any, ply: Any, owner: Any, value: Any, move: Any
) -> None:
    """Store what a search of a position with window (alpha, beta) returned; the newest entry replaces."""
    if depth < 2:
        return
    first, second = _owned_words(position, owner)
    at = _entry_start(table, first, second)
    bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    note = np.uint64(np.uint64(depth) << np.uint64(33)) | np.uint64(np.uint64(bound) << np.uint64(39))
    table[at] = first
    table[at + 1] = np.uint64(second | note | np.uint64(np.uint64(move) << np.uint64(41)))
    table[at + 2] = np.uint64(_shifted(value, ply))
