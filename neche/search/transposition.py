"""The transposition table: values of positions already searched, each with the kind of its bound.

An entry is the position (two or three words, stored exactly, so that no two positions are ever confused)
with depth, bound, best move and owner in the free bits of its last word, and the value. The owner identifies
the evaluator: one network playing for one side in one game; nothing is shared between the two points of view.
A value is used only at the exact depth of its search, since a deeper one is not the value of the shallower
search.

    last word    bits 0–32 position | 33–38 depth | 39–40 bound | 41–47 best move | 48–63 owner

Depth 1 is not kept: searching it again costs less than the table's cache misses.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import I64, U64, Array, Bool, Position, jit, jit_inlined
from neche.games.contract import position_words

MAX_ENTRY_WORDS = 4
"""Words per entry of a table; positions of two words leave a quarter of the table untouched."""
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))
# The stored value is v itself, at most v, or at least v.
EXACT, LOWER, UPPER = 0, 1, 2
NO_MOVE = 127
MAX_OWNER = 0xFFFF
# Masks of the last word: an entry belongs to a position and a whole owner, but only the position and the
# lowest bit of the owner choose its place.
_OWNED_POSITION = np.uint64(0xFFFF0001FFFFFFFF)
_PLACED_BY = np.uint64(0x0001FFFFFFFFFFFF)
_OF_SIDE = np.uint64(0x00010001FFFFFFFF)
# Values beyond this are those of decided games; evaluations stay below it.
_DECIDED = np.int64(1 << 61)


@jit_inlined
def hash_words(first: U64, second: U64, third: U64) -> U64:
    """Return a 32-bit hash of three words, as uint64, that depends on every bit."""
    # Operands are uint64 throughout: numba turns a uint64 and a signed number into a float64.
    mixed = np.uint64(np.uint64(first * _FACTORS[0]) ^ np.uint64(second * _FACTORS[1]))
    mixed = np.uint64(mixed ^ np.uint64(third * _FACTORS[2]))
    # A product carries only upwards: fold its high bits down before the next one, and take the high half.
    mixed = np.uint64(mixed ^ np.uint64(mixed >> np.uint64(29)))
    return np.uint64(np.uint64(mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(32))


@jit
def _entry_start(table: Array, words: Any, last: U64) -> I64:
    """Return where the table holds the entry of a position; last: its last word, with the owner on top.

    Only the owner's lowest bit, the side, counts: which entries replace each other must not depend on earlier
    games on this table, or the nodes visited would depend on how games are distributed to workers.
    """
    third = words[1] if len(words) == 3 else np.uint64(0)
    mixed = hash_words(words[0], np.uint64(last & _PLACED_BY), third)
    # 2^table_bits entries whatever their length, so that a mask replaces a division.
    return np.int64(mixed & np.uint64(len(table) // MAX_ENTRY_WORDS - 1)) * (len(words) + 1)


@jit
def _owned_words(position: Position, owner: I64) -> tuple[Any, U64]:
    """Return the words of a position, and the last of them with the owner."""
    words = position_words(position)
    # Bits 48 to 63 are free in the last word of every game.
    return words, np.uint64(words[-1] | np.uint64(np.uint64(owner) << np.uint64(48)))


@jit_inlined
def _is_there(table: Array, at: I64, words: Any) -> Bool:
    """Return whether an entry begins with all words but the last."""
    # The words themselves are compared, not a hash: two positions are never confused.
    return table[at] == words[0] and (len(words) == 2 or table[at + 1] == words[1])


@jit
def _shifted(value: I64, plies: I64) -> I64:
    """Return a value; a decided one is now counted from a node `plies` plies nearer to the end."""
    # The table counts a win from the stored position, the search from the root: else a position reached at
    # another ply would keep the distance of the other line.
    if value > _DECIDED:
        return np.int64(value + plies)
    return np.int64(value - plies) if value < -_DECIDED else np.int64(value)


@jit_inlined
def _note(depth: I64, alpha: I64, beta: I64, value: I64, move: I64) -> U64:
    """Return depth, bound and best move of an entry as bits of its last word."""
    # A result outside the window of its search is a bound on v, and tighter than alpha or beta.
    bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    note = np.uint64(np.uint64(depth) << np.uint64(33)) | np.uint64(np.uint64(bound) << np.uint64(39))
    # Seven bits hold the move: one with a higher number (possible on 10×10 boards) is not stored.
    hint = np.uint64(move if move < NO_MOVE else NO_MOVE)
    return np.uint64(note | np.uint64(hint << np.uint64(41)))


@jit_inlined
def _depth_of(note: U64) -> I64:
    return np.int64(np.uint64(note >> np.uint64(33)) & np.uint64(63))


@jit_inlined
def _move_of(note: U64) -> I64:
    return np.int64(np.uint64(note >> np.uint64(41)) & np.uint64(127))


@jit_inlined
def _decides(note: U64, value: I64, alpha: I64, beta: I64) -> Bool:
    """Return whether a value ends a search with this window: a bound must lie outside on its own side."""
    bound = np.int64(np.uint64(note >> np.uint64(39)) & np.uint64(3))
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@jit
def probe(
    table: Array, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, owner: I64
) -> tuple[Bool, I64, I64]:
    """Look a position up; return whether its value is known well enough, the value, the best move."""
    # Searching depth 1 again costs less than a cache miss in the table (docs/decisions/0005).
    if depth < 2:
        return False, np.int64(0), np.int64(NO_MOVE)
    words, last = _owned_words(position, owner)
    at = _entry_start(table, words, last)
    note = at + len(words) - 1
    stored = table[note]
    if not _is_there(table, at, words) or np.uint64(stored & _OWNED_POSITION) != last:
        return False, np.int64(0), np.int64(NO_MOVE)
    # The best move is useful from any depth, the value only from the same depth.
    value = _shifted(np.int64(table[note + 1]), -ply)
    is_known = _depth_of(stored) == depth and _decides(stored, value, alpha, beta)
    return is_known, value, _move_of(stored)


@jit
def store(
    table: Array,
    position: Position,
    depth: I64,
    alpha: I64,
    beta: I64,
    ply: I64,
    owner: I64,
    value: I64,
    move: I64,
) -> None:
    """Store the result of a search of a position with window (alpha, beta); always replace."""
    if depth < 2:
        return
    words, last = _owned_words(position, owner)
    at = _entry_start(table, words, last)
    # The newest entry always replaces the old one: neither age nor depth is compared.
    table[at] = words[0]
    if len(words) == 3:
        table[at + 1] = words[1]
    at += len(words) - 1
    table[at] = np.uint64(last | _note(depth, alpha, beta, value, move))
    table[at + 1] = np.uint64(_shifted(value, ply))


@jit_inlined
def _sealed(word: U64, note: U64, value: U64) -> U64:
    """Return the first word of an entry that several threads may write, XORed so that torn entries show."""
    return np.uint64(np.uint64(word ^ note) ^ value)


@jit
def probe_deepest(
    table: Array, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, owner: I64
) -> tuple[Bool, I64, I64]:
    """Look a position up as `probe` does, but accept an entry of `depth` or deeper.

    Entries are those of `store_deepest`. owner: its lowest bit must match, the other bits are its age.
    """
    words, last = _owned_words(position, owner & 1)
    first = _entry_start(table, words, last)
    for slot in range(2):
        at = first if slot == 0 else _other_slot(first, len(words))
        note = table[at + len(words) - 1]
        stored = table[at + len(words)]
        if table[at] != _sealed(words[0], note, stored) or (len(words) == 3 and table[at + 1] != words[1]):
            continue
        if np.uint64(note & _OF_SIDE) != last:
            continue
        value = _shifted(np.int64(stored), -ply)
        is_known = _depth_of(note) >= depth and _decides(note, value, alpha, beta)
        return is_known, value, _move_of(note)
    return False, np.int64(0), np.int64(NO_MOVE)


@jit
def store_deepest(
    table: Array,
    position: Position,
    depth: I64,
    alpha: I64,
    beta: I64,
    ply: I64,
    owner: I64,
    value: I64,
    move: I64,
) -> None:
    """Store as `store` does, in one of two slots: the position's own, else the older or shallower one."""
    if depth < 1:
        return
    words, last = _owned_words(position, owner & 1)
    at = _entry_start(table, words, last)
    other = _other_slot(at, len(words))
    if not _holds(table, at, words, last) and (
        _holds(table, other, words, last)
        or _worth(table, other, words, owner) < _worth(table, at, words, owner)
    ):
        at = other
    age = np.uint64(np.uint64(owner & MAX_OWNER) << np.uint64(48))
    note = np.uint64(words[-1] | age | _note(depth, alpha, beta, value, move))
    kept = np.uint64(_shifted(value, ply))
    table[at] = _sealed(words[0], note, kept)
    if len(words) == 3:
        table[at + 1] = words[1]
    table[at + len(words) - 1] = note
    table[at + len(words)] = kept


@jit_inlined
def _other_slot(at: I64, num_words: I64) -> I64:
    """Return where the other entry of the pair begins: even and odd entries are paired."""
    size = num_words + 1
    return np.int64(at + size if (at // size) % 2 == 0 else at - size)


@jit_inlined
def _holds(table: Array, at: I64, words: Any, last: U64) -> Bool:
    """Return whether the entry at `at` belongs to the position, whatever its age."""
    note = table[at + len(words) - 1]
    is_it = table[at] == _sealed(words[0], note, table[at + len(words)])
    return is_it and (len(words) == 2 or table[at + 1] == words[1]) and np.uint64(note & _OF_SIDE) == last


@jit_inlined
def _worth(table: Array, at: I64, words: Any, owner: I64) -> I64:
    """Return how much an entry is worth keeping: its depth, less for each search since."""
    note = table[at + len(words) - 1]
    age = (np.int64(np.uint64(note >> np.uint64(48))) >> 1) - (np.int64(owner & MAX_OWNER) >> 1)
    return np.int64(_depth_of(note) + 4 * age)
