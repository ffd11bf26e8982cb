"""The transposition table: values of positions already searched, each with the bound it is.

An entry is three words: the position (two words, exact, so that no two positions are ever taken for each other) with
depth, bound, best move and owner in the free bits of the second, and the value. The owner is whoever's evaluations
they are, one network playing for one side in one game: nothing is shared between the two points of view. A value is
used only at the very depth it was searched to, since a deeper one is not the value of the shallower search.

    second word    bits 0–32 position | 33–38 depth | 39–40 bound | 41–47 best move | 48–63 owner
"""

from typing import Any

import numpy as np

from neche.compiled.jit import jit

ENTRY_WORDS = 3
EXACT, LOWER, UPPER = 0, 1, 2
NO_MOVE = 127
MAX_OWNER = 0xFFFF
_POSITION = np.uint64((1 << 33) - 1)
_OWNED_POSITION = np.uint64(0xFFFF0001FFFFFFFF)


@jit
def entry_start(table: Any, first: Any, second: Any, owner: Any) -> Any:
    """Where the entry for a position of an owner is, in words."""
    mixed = np.uint64(first * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(second * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = np.uint64(mixed + np.uint64(np.uint64(owner) * np.uint64(0x165667B19E3779F9)))
    mixed = np.uint64(mixed ^ np.uint64(mixed >> np.uint64(29)))
    mixed = np.uint64(mixed * np.uint64(0xBF58476D1CE4E5B9))
    slot = np.uint64(mixed >> np.uint64(40)) & np.uint64(len(table) // ENTRY_WORDS - 1)
    return np.int64(slot) * ENTRY_WORDS


@jit
def is_stored(table: Any, at: Any, first: Any, second: Any, owner: Any) -> Any:
    """Tell whether the entry at `at` is this position of this owner."""
    wanted = np.uint64(second | np.uint64(np.uint64(owner) << np.uint64(48)))
    return table[at] == first and np.uint64(table[at + 1] & _OWNED_POSITION) == wanted


@jit
def stored_depth(table: Any, at: Any) -> Any:
    """Depth of the entry."""
    return np.int64(np.uint64(table[at + 1] >> np.uint64(33)) & np.uint64(63))


@jit
def stored_bound(table: Any, at: Any) -> Any:
    """Bound of the entry: EXACT, LOWER or UPPER."""
    return np.int64(np.uint64(table[at + 1] >> np.uint64(39)) & np.uint64(3))


@jit
def stored_move(table: Any, at: Any) -> Any:
    """Number of the best move in generation order, or NO_MOVE."""
    return np.int64(np.uint64(table[at + 1] >> np.uint64(41)) & np.uint64(127))


@jit
def stored_value(table: Any, at: Any) -> Any:
    """Value of the entry."""
    return np.int64(table[at + 2])


@jit
def store(table: Any, at: Any, first: Any, second: Any, owner: Any, depth: Any, bound: Any, move: Any, value: Any) -> None:
    """Overwrite the entry at `at`."""
    note = np.uint64(np.uint64(depth) << np.uint64(33)) | np.uint64(np.uint64(bound) << np.uint64(39))
    note |= np.uint64(np.uint64(move) << np.uint64(41)) | np.uint64(np.uint64(owner) << np.uint64(48))
    table[at] = first
    table[at + 1] = np.uint64(second | note)
    table[at + 2] = np.uint64(np.int64(value))
