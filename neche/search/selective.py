"""Selective alpha-beta for play by time: deeper where it matters, estimates where it seldom does.

From the top down: `search_selectively` values the moves of the root, within a window around the value of the
depth before (`_search_window`), and `selective` searches below them, captures at the horizon included. What
it leaves out and adds are the figures of a `Selectivity`; with `NOTHING` its values are those of `negamax`. A
position that occurred before, in the line or in the game, is a draw.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, Bool, Position, jit, jit_inlined
from neche.compiled.pointers import address, record_at
from neche.games.contract import (
    can_move_quietly,
    generate,
    is_progress,
    is_quiet,
    is_threatened,
    max_moves,
    move_words,
    outcome,
    position_words,
    successor,
)
from neche.search.evaluator import Evaluator, evaluate, refresh, update
from neche.search.negamax import FINISHED, MAX_PLY, NODES, STOP, WIN
from neche.search.ordering import sort_numbers
from neche.search.selective_ordering import number_at, remember
from neche.search.selectivity import (
    MAX_PAST,
    MAX_WORDS,
    MOST_NODES,
    SelectiveWorkspace,
    Selectivity,
)
from neche.search.transposition import NO_MOVE, probe_deepest, store_deepest

# Values beyond are those of games that are over.
_DECIDED = np.int64(1 << 61)
_LAST_REDUCTION = 63
# A window that was too narrow grows by this factor, and is left open when it is this many scales wide.
_WIDER, _WIDEST = 3, 8
_NO_WINDOW_BELOW = 4


class Selective(NamedTuple):
    """What all nodes of a search share; they are given where it lies, see `compiled.pointers`.

    owner: of table entries, see `transposition.store_deepest`. scale: of margins, see `mean_evaluation`.
    """

    evaluator: Evaluator
    work: SelectiveWorkspace
    owner: I64
    figures: Selectivity
    scale: I64


@jit_inlined
def _margin(search: Any, hundredths: I64) -> I64:
    return np.int64(search.scale * hundredths // 100)


@jit_inlined
def _plies_less(work: Any, depth: I64, turn: I64) -> I64:
    """Return by how many plies the move at `turn` is searched less deep than the first."""
    at = min(depth, _LAST_REDUCTION) * (_LAST_REDUCTION + 1) + min(turn, _LAST_REDUCTION)
    return np.int64(work.reductions[at])


@jit_inlined
def _occurred(work: Any, position: Position, place: I64) -> Bool:
    """Write a position down at a place of line and game; return whether it is there already."""
    words = position_words(position)
    for word in range(len(words)):
        work.past[place * MAX_WORDS + word] = words[word]
    # Only since the last progress, and with the same side to move.
    for back in range(4, work.quiet[place] + 1, 2):
        at = (place - back) * MAX_WORDS
        is_same = work.past[at] == words[0] and work.past[at + 1] == words[1]
        if is_same and (len(words) == 2 or work.past[at + 2] == words[-1]):
            return True
    return False


@jit_inlined
def _count_quiet(work: Any, before: Position, after: Position, place: I64) -> None:
    """Count the quiet plies after a move from the position at a place."""
    work.quiet[place + 1] = 0 if is_progress(before, after, True) else work.quiet[place] + 1


@jit
def _static_value(place: Any, position: Position, accumulator: I64) -> I64:
    """Return what the evaluator says: a call, since it is long and asked for in several places."""
    return np.int64(evaluate(record_at(place).evaluator, position, accumulator))


@jit
def _is_calm(position: Position) -> Bool:
    return is_quiet(position)


@jit
def _is_under_threat(position: Position) -> Bool:
    return is_threatened(position)


@jit
def _horizon_value(place: Any, position: Position, accumulator: I64, ply: I64) -> I64:
    """Value of a quiet position that is not searched."""
    search = record_at(place)
    search.work.counters[NODES] += 1
    if not can_move_quietly(position):
        return np.int64(outcome(position) * (WIN - ply))
    return np.int64(evaluate(search.evaluator, position, accumulator))


@jit
def _known_value(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, accumulator: I64
) -> tuple[Bool, I64, I64]:
    """Return whether a value is known without a search, the value, and the best move that the table knows."""
    search = record_at(place)
    work, no_move = search.work, np.int64(NO_MOVE)
    work.counters[NODES] += 1
    if work.counters[NODES] >= work.counters[MOST_NODES]:
        work.counters[STOP] = 1
    if search.figures.repetitions != 0 and _occurred(work, position, MAX_PAST + ply):
        return True, np.int64(0), no_move
    # The buffers have no room for a longer line.
    if ply >= MAX_PLY - 2:
        return True, _static_value(place, position, accumulator), no_move
    if depth <= 0:
        return False, np.int64(0), no_move
    return probe_deepest(work.table, position, depth, alpha, beta, ply, search.owner)


@jit
def _question(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, accumulator: I64, has_capture: Bool
) -> tuple[I64, I64, Bool]:
    """Return how a search of fewer plies may answer whether the value of a position is above alpha.

    That is how many plies, 0 where there is no such question; the bottom of its null window; and whether the
    value has to be above that, or not.
    """
    search = record_at(place)
    figures, none = search.figures, (np.int64(0), np.int64(0), False)
    if has_capture or depth < figures.cut_depth or beta - alpha > 1 or abs(beta) >= _DECIDED:
        return none
    static, plies = _static_value(place, position, accumulator), np.int64(depth - figures.cut_plies)
    high = np.int64(beta + _margin(search, figures.cut_margin))
    low = np.int64(alpha - _margin(search, figures.low_margin))
    if static >= high:
        return plies, np.int64(high - 1), True
    return (plies, low, False) if static <= low else none


@jit
def _plies_below(place: Any, depth: I64, count: I64, hint: I64, has_capture: Bool) -> tuple[I64, I64]:
    """Return to what depth a position is searched, and to what depth those after its `count` moves."""
    figures = record_at(place).figures
    if hint == NO_MOVE and depth >= figures.internal_depth:
        depth = np.int64(depth - 1)
    is_free = has_capture and (depth <= 0 or (figures.follows_single != 0 and count == 1))
    return np.int64(depth), np.int64(depth if is_free else depth - 1)


@jit
def _first_try(
    place: Any, child: Position, depth: I64, below: I64, turn: I64, has_capture: Bool, floor: I64, beta: I64
) -> tuple[I64, I64]:
    """Return to how many plies a move is tried first, and the low end of its window.

    Of late quiet moves fewer plies than `below`, and all but the first with a null window. A move that makes
    the other side capture is none of those that can wait.
    """
    search = record_at(place)
    figures, plies = search.figures, np.int64(below)
    is_late = depth >= figures.reduce_depth and turn >= figures.reduce_after
    if is_late and not has_capture and _is_calm(child):
        plies = max(np.int64(1), np.int64(below - max(0, _plies_less(search.work, depth, turn))))
    return plies, np.int64(-beta if turn == 0 else -floor - 1)


@jit
def _ends(place: Any, position: Position, depth: I64) -> Bool:
    """Return whether a position with `depth` plies left is valued as it is."""
    if depth > 0 or not _is_calm(position):
        return False
    return depth < 0 or record_at(place).figures.sees_threats == 0 or not _is_under_threat(position)


@jit_inlined
def _generate(work: Any, position: Position, ply: I64) -> tuple[I64, I64]:
    base = np.int64(ply * (max_moves(position) * move_words(position)))
    return base, np.int64(generate(position, work.moves, base))


@jit
def selective(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, accumulator: I64
) -> I64:
    """Search about `depth` more plies; return the value for the side to move, bounds as in `negamax`.

    At a depth of 0 or less all captures are followed, and all moves of a quiet position: it is searched only
    where it is threatened. place: of a `Selective`.
    """
    search = record_at(place)
    work, under = search.work, np.int64(ply + 1)
    is_known, value, hint = _known_value(place, position, depth, alpha, beta, ply, accumulator)
    if is_known:
        return np.int64(value)
    has_capture = not _is_calm(position)
    plies, low, is_above = _question(place, position, depth, alpha, beta, accumulator, has_capture)
    if plies > 0:
        value = np.int64(selective(place, position, plies, low, low + 1, np.int64(ply), accumulator))
        if (value > low) == is_above or work.counters[STOP] != 0:
            return np.int64(value)
    base, count = _generate(work, position, ply)
    if count == 0:
        return np.int64(outcome(position) * (WIN - ply))
    depth, below = _plies_below(place, depth, count, hint, has_capture)
    best, best_move, floor = np.int64(-WIN), np.int64(NO_MOVE), np.int64(alpha)
    for turn in range(count):
        number = number_at(place, position, base, count, turn, hint, depth, ply, accumulator)
        child = successor(position, work.moves, base + number * move_words(position))
        child_sum = np.int64(update(search.evaluator, position, child, accumulator))
        if _ends(place, child, below):
            value = np.int64(-_horizon_value(place, child, child_sum, under))
        else:
            _count_quiet(work, position, child, MAX_PAST + ply)
            plies, low = _first_try(place, child, depth, below, np.int64(turn), has_capture, floor, beta)
            value = np.int64(-selective(place, child, plies, low, np.int64(-floor), under, child_sum))
            # Asked on as long as the answer is yes. Better, with fewer plies? Better? And how good?
            while value > floor and (plies < below or (low > -beta and value < beta)):
                low, plies = np.int64(low if plies < below else -beta), below
                value = np.int64(-selective(place, child, plies, low, np.int64(-floor), under, child_sum))
        if work.counters[STOP] != 0:
            return np.int64(0)
        best = max(best, value)
        floor, best_move = (value, number) if value > floor else (floor, best_move)
        if value >= beta:
            remember(work, position, child, ply, depth, has_capture)
            break
    store_deepest(work.table, position, depth, alpha, beta, ply, search.owner, best, best_move)
    return best


@jit
def _value_of_root_move(
    place: Any, position: Position, number: I64, turn: I64, depth: I64, window: tuple[I64, I64], sum_here: I64
) -> I64:
    """Return the value of a move of the root, the `turn`th; at most window[0] where it is not above it."""
    search = record_at(place)
    work, figures = search.work, search.figures
    child = successor(position, work.moves, number * move_words(position))
    child_sum = np.int64(update(search.evaluator, position, child, sum_here))
    _count_quiet(work, position, child, np.int64(MAX_PAST))
    below, ply, less = np.int64(depth - 1), np.int64(1), np.int64(0)
    if below == 0 and _is_calm(child):
        return np.int64(-_horizon_value(place, child, child_sum, ply))
    is_late = depth >= figures.reduce_depth and turn >= figures.reduce_after
    if is_late and _is_calm(position) and _is_calm(child):
        # one ply less careful than further down: these are the moves to be chosen from
        less = max(np.int64(0), min(np.int64(_plies_less(work, depth, turn) - 1), np.int64(below - 1)))
    floor, high = np.int64(window[0]), np.int64(-window[0])
    value = np.int64(floor + 1)
    if turn > 0:
        null = np.int64(high - 1)
        value = -np.int64(selective(place, child, np.int64(below - less), null, high, ply, child_sum))
        if less > 0 and value > floor and work.counters[STOP] == 0:
            value = -np.int64(selective(place, child, below, null, high, ply, child_sum))
    if value > floor and work.counters[STOP] == 0:
        value = -np.int64(selective(place, child, below, np.int64(-window[1]), high, ply, child_sum))
    return np.int64(value)


@jit
def _search_window(
    place: Any, position: Position, count: I64, depth: I64, window: tuple[I64, I64], sum_here: I64
) -> I64:
    """Search the moves of the root in the order of work.order within a window; return the best value."""
    work = record_at(place).work
    floor, best = np.int64(window[0]), np.int64(-WIN)
    work.counters[FINISHED] = 0
    for turn in range(count):
        number = np.int64(work.order[turn])
        limits = floor, np.int64(window[1])
        value = _value_of_root_move(place, position, number, np.int64(turn), depth, limits, sum_here)
        if work.counters[STOP] != 0:
            break
        work.root[number] = value
        work.counters[FINISHED] = turn + 1
        best = max(best, value)
        if value > floor:
            floor = value
            # First at the next depth, and where a better one comes later in this one.
            for at in range(turn, 0, -1):
                work.order[at] = work.order[at - 1]
            work.order[0] = number
        if value >= window[1]:
            break
    return best


@jit
def search_selectively(
    search: Selective, position: Position, depth: I64, guess: I64, every_value: Bool
) -> I64:
    """Search the moves of a position to `depth` ≥ 1 plies; return the best value.

    `begin_search` comes first, then one depth after the other. guess: the value at the depth before, around
    which the first window lies. work.order receives the moves, the best first, work.root their values: that
    of the best, of the others what they are at most; of all if `every_value`. Where the search is stopped,
    the first of the order is still the best that is known.
    """
    place, work = address(search), search.work
    count = np.int64(generate(position, work.moves, 0))
    sum_here = np.int64(refresh(search.evaluator, position))
    _occurred(work, position, np.int64(MAX_PAST))
    if every_value:
        return _search_every_move(place, position, count, np.int64(depth), sum_here)
    low, high, width = np.int64(-WIN), np.int64(WIN), _margin(search, search.figures.window)
    if depth >= _NO_WINDOW_BELOW and width > 0 and abs(guess) < _DECIDED:
        low, high = np.int64(guess - width), np.int64(guess + width)
    while True:
        best = np.int64(_search_window(place, position, count, np.int64(depth), (low, high), sum_here))
        is_low, is_high = best <= low and low > -WIN, best >= high and high < WIN
        if work.counters[STOP] != 0 or not (is_low or is_high):
            return best
        width = np.int64(width * _WIDER)
        is_wide = width > _WIDEST * search.scale
        if is_low:
            low = np.int64(-WIN) if is_wide else np.int64(best - width)
        else:
            high = np.int64(WIN) if is_wide else np.int64(best + width)


@jit
def _search_every_move(place: Any, position: Position, count: I64, depth: I64, sum_here: I64) -> I64:
    """Search each move of the root with an open window, so that all values are known."""
    work = record_at(place).work
    work.counters[FINISHED] = 0
    best, window = np.int64(-WIN), (np.int64(-WIN), np.int64(WIN))
    for turn in range(count):
        number = np.int64(work.order[turn])
        value = _value_of_root_move(place, position, number, np.int64(0), depth, window, sum_here)
        if work.counters[STOP] != 0:
            return best
        work.root[number] = value
        work.counters[FINISHED] = turn + 1
        best = max(best, value)
    sort_numbers(work.order, work.root, count)
    return best


@jit
def search_on(search: Selective, position: Position, depth: I64, guess: I64) -> None:
    """Search to `depth` and on to greater depths until the search is stopped, for what the table gains."""
    while search.work.counters[STOP] == 0 and depth < MAX_PLY:
        guess = search_selectively(search, position, depth, guess, False)
        depth += 1


@jit
def best_line(search: Selective, position: Position, numbers: Array) -> I64:
    """Write the numbers of the best moves from a position on, as the table knows them; return how many."""
    work, here = search.work, position
    for length in range(len(numbers)):
        hint = probe_deepest(
            work.table, here, np.int64(0), np.int64(-WIN), np.int64(WIN), np.int64(0), search.owner
        )[2]
        if hint >= generate(here, work.moves, 0):
            return np.int64(length)
        numbers[length] = hint
        here = successor(here, work.moves, hint * move_words(here))
    return np.int64(len(numbers))
