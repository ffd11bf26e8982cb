"""The counters of the draw rules during a game: written once, for compiled games and all others."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, Bool, Position, jit
from neche.games import contract
from neche.games.contract import is_progress, position_words
from neche.games.draws import MAX_PLIES, DrawRule

MAX_HISTORY = 512
"""Most positions remembered since the last progress; when full, the history begins anew."""
MAX_POSITION_WORDS = 3

GOES_ON, REPEATED, QUIET, FEW_PIECES, TOO_LONG = range(5)
"""Why a game is drawn."""


class DrawCounters(NamedTuple):
    """The state of a game for the draw rules; int64.

    plies: total, with the opening. quiet: plies since the last progress. ending: plies since this ending of
    few pieces began. seen: positions in the history, those since the last progress. The last three count from
    the end of the opening.
    """

    plies: I64
    quiet: I64
    ending: I64
    seen: I64


@jit
def new_draw_counters(plies: I64) -> DrawCounters:
    """Return the counters of a game after an opening of `plies` plies."""
    return DrawCounters(np.int64(plies), np.int64(0), np.int64(0), np.int64(0))


@jit
def count_move(before: Position, after: Position, counters: DrawCounters, rule: DrawRule) -> DrawCounters:
    """Return the counters after the move from `before` to `after`."""
    quiet = np.int64(0) if is_progress(before, after, rule.man_moves_reset) else np.int64(counters.quiet + 1)
    goes_on = contract.ending(before, rule.endings) == contract.ending(after, rule.endings)
    ending = np.int64(counters.ending + 1) if goes_on else np.int64(0)
    # Positions before progress cannot recur. A full history begins anew, too, which may miss a repetition
    # across the border but never invents one.
    seen = np.int64(0) if quiet == 0 or counters.seen == MAX_HISTORY else np.int64(counters.seen)
    return DrawCounters(np.int64(counters.plies + 1), quiet, ending, seen)


@jit
def draw_reason(
    position: Position, counters: DrawCounters, rule: DrawRule, history: Array
) -> tuple[DrawCounters, I64]:
    """Return the counters with this position in the history, and why the game is drawn here if it has a move.

    history: [MAX_POSITION_WORDS · MAX_HISTORY] uint64, words of earlier positions. Call once per position.
    """
    seen = np.int64(counters.seen)
    if rule.repetition > 0:
        words = position_words(position)
        for word in range(len(words)):
            # Whole positions, not hashes: different ones are never taken for a repetition.
            history[len(words) * seen + word] = words[word]
        seen += 1
    counted = DrawCounters(counters.plies, counters.quiet, counters.ending, seen)
    if rule.repetition > 0 and _is_repeated(history, seen, rule.repetition, len(position_words(position))):
        return counted, REPEATED
    # A limit of 0 switches a rule off.
    if 0 < rule.quiet_plies <= counters.quiet:
        return counted, QUIET
    number = contract.ending(position, rule.endings)
    if number > 0 and 0 < rule.endings[number - 1] <= counters.ending:
        return counted, FEW_PIECES
    if 0 < rule.max_plies <= counters.plies or counters.plies >= MAX_PLIES:
        return counted, TOO_LONG
    return counted, GOES_ON


@jit
def _is_repeated(history: Array, length: I64, times: I64, size: I64) -> Bool:
    """Return whether the last of `length` positions of `size` words has occurred `times` times."""
    last = size * (length - 1)
    seen = 0
    # Every second position only: the other half has the other side to move.
    for at in range(last, -1, -2 * size):
        is_same = history[at] == history[last] and history[at + 1] == history[last + 1]
        seen += is_same and (size == 2 or history[at + 2] == history[last + 2])
    return seen >= times


def reason_after(positions: Sequence[Any], rule: DrawRule) -> int:
    """Return why a game with these positions is drawn at the last one: `GOES_ON` if it is not."""
    # The whole game is counted again from its positions: no state is kept between moves.
    history = np.zeros(MAX_POSITION_WORDS * MAX_HISTORY, np.uint64)
    counters, reason = draw_reason(positions[0], new_draw_counters(0), rule, history)
    for before, after in pairwise(positions):
        counters, reason = draw_reason(after, count_move(before, after, counters, rule), rule, history)
    return int(reason)
