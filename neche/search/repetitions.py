"""Draws along a line of a selective search: by a repeated position, and by too many quiet moves.

Positions of the game and of the line are in one array, the root at `MAX_PAST`; a place is an index into it.
Only positions since the last progress can recur: captures and moves of men are never undone.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from neche.compiled.jit import I64, Bool, Position, jit_inlined
from neche.games.contract import can_move_quietly, is_progress, position_words
from neche.search.selectivity import MAX_PAST, MAX_WORDS


@jit_inlined
def occurred(work: Any, position: Position, place: I64) -> Bool:
    """Record a position at a place of game or line; return whether it occurred before."""
    words = position_words(position)
    for word in range(len(words)):
        work.past[place * MAX_WORDS + word] = words[word]
    # Only since the last progress and with the same side to move; two plies before if both sides passed.
    for back in range(2, min(work.quiet[place], place) + 1, 2):
        at = (place - back) * MAX_WORDS
        is_same = work.past[at] == words[0] and work.past[at + 1] == words[1]
        if is_same and (len(words) == 2 or work.past[at + 2] == words[-1]):
            return True
    return False


@jit_inlined
def count_quiet(work: Any, before: Position, after: Position, place: I64) -> None:
    """Update the count of quiet plies after a move from the position at a place."""
    work.quiet[place + 1] = 0 if is_progress(before, after, True) else work.quiet[place] + 1


@jit_inlined
def quiet_plies_left(search: Any, ply: I64) -> I64:
    """Return after how many more quiet plies the game is a draw."""
    most = search.figures.quiet_plies
    return np.int64(most - search.work.quiet[MAX_PAST + ply] if most > 0 else MAX_PAST)


@jit_inlined
def is_drawn(search: Any, position: Position, place: I64, is_calm: Bool) -> Bool:
    """Return whether the game is drawn here: by a repeated position, or by too many quiet moves."""
    if occurred(search.work, position, place):
        return True
    is_long = 0 < search.figures.quiet_plies <= search.work.quiet[place]
    return is_long and (not is_calm or can_move_quietly(position))


def words_since_progress(positions: Sequence[Any]) -> tuple[int, list[tuple[int, ...]]]:
    """Return how many positions before the last one can recur, and the words of the latest of them."""
    count, found = 0, list[tuple[int, ...]]()
    for after, before in pairwise(reversed(positions)):
        if is_progress(before, after, True):
            break
        count += 1
        if count <= MAX_PAST:
            found.append(tuple(map(int, position_words(before))))
    return count, found
