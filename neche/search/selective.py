"""Selective alpha-beta for play by time: deeper where it matters, estimates where it seldom does.

From the top down: `search_selectively` values the moves of the root, within a window around the value of the
previous depth (`_search_window`), and `selective` searches below them to the horizon, where captures are
followed as in the exact search (`negamax.settle`). The figures of a `Selectivity` say what it leaves out and
adds; with `NOTHING` its values are those of `negamax`. A position that occurred before, in the line or in the
game, is a draw; too many quiet moves are a draw as well.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, Bool, Position, jit, jit_inlined
from neche.compiled.pointers import address, record_at
from neche.endings.probing import known_result
from neche.games.contract import can_move_quietly, generate, is_quiet, move_words, successor
from neche.search.evaluator import Evaluator, evaluate, refresh, update
from neche.search.negamax import FINISHED, MAX_PLY, NODES, STOP, WIN, final_value, row_start, settle
from neche.search.ordering import sort_numbers
from neche.search.repetitions import count_quiet, is_drawn, occurred, quiet_plies_left
from neche.search.selective_ordering import number_at, remember
from neche.search.selectivity import LAST_REDUCTION, MAX_PAST, MOST_NODES, SelectiveWorkspace, Selectivity
from neche.search.transposition import NO_MOVE, probe_deepest, store_deepest

# Values beyond this are those of decided games.
_DECIDED = np.int64(1 << 61)
# A window that was too narrow grows by this factor; beyond this many scales it is opened fully.
_WIDER, _WIDEST = 3, 8
_NO_WINDOW_BELOW = 4
# Beyond this many scales one side has practically won: there the search must find the win, not guess it.
_ONE_SIDED = 4
# Value of a solved win, in scales: more than evaluations, less than a win on the board.
_SOLVED = 64
# Plies that captures may take beyond the deepest search.
_ROOM_FOR_CAPTURES = 36


class Selective(NamedTuple):
    """What all nodes of a search share, passed by address; see `compiled.pointers`.

    owner: of table entries, see `transposition.store_deepest`. scale: of margins, see `mean_evaluation`.
    endings: `SolvedEndings` with fewer pieces than the root has, or `NoEndings`.
    """

    evaluator: Evaluator
    work: SelectiveWorkspace
    owner: I64
    figures: Selectivity
    scale: I64
    endings: Any


@jit_inlined
def _margin(search: Any, hundredths: I64) -> I64:
    return np.int64(search.scale * hundredths // 100)


@jit_inlined
def _plies_less(work: Any, depth: I64, turn: I64) -> I64:
    """Return the reduction of the move at `turn`: how many plies less it is searched than the first."""
    at = min(depth, LAST_REDUCTION) * (LAST_REDUCTION + 1) + min(turn, LAST_REDUCTION)
    return np.int64(work.reductions[at])


@jit
def _static_value(place: Any, position: Position, accumulator: I64) -> I64:
    """Return the evaluation; not inlined, since it is long and needed in several places."""
    return np.int64(evaluate(record_at(place).evaluator, position, accumulator))


@jit_inlined
def _solved_value(search: Any, position: Position, ply: I64) -> tuple[Bool, I64]:
    is_solved, result = known_result(search.endings, position)
    # The sooner the better, since play from a solved ending is known.
    return is_solved, np.int64(result * (_SOLVED * search.scale - ply))


@jit
def _guess(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, accumulator: I64
) -> tuple[Bool, I64]:
    """Return whether a quiet position's evaluation is far enough from a null window to answer; and its value.

    Also known as reverse futility pruning above the window, and razoring below.
    """
    search = record_at(place)
    is_asked = depth <= search.figures.static_depth and beta - alpha == 1
    if not is_asked or abs(beta) >= _ONE_SIDED * search.scale:
        return False, np.int64(0)
    static, margin = _static_value(place, position, accumulator), search.figures.static_margin * depth
    distance = static - beta if static >= beta else alpha - static
    return distance >= _margin(search, np.int64(margin)) and can_move_quietly(position), static


@jit
def _known_value(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, sum_here: I64, is_calm: Bool
) -> tuple[Bool, I64, I64]:
    """Return whether there is a value without a search, the value, and the table's best move."""
    search = record_at(place)
    work = search.work
    if work.counters[NODES] >= work.counters[MOST_NODES]:
        work.counters[STOP] = 1
    is_solved, value = _solved_value(search, position, ply)
    if is_solved:
        return True, np.int64(value), np.int64(NO_MOVE)
    if search.figures.repetitions != 0 and is_drawn(search, position, MAX_PAST + ply, is_calm):
        return True, np.int64(0), np.int64(NO_MOVE)
    if depth == 0:
        return True, np.int64(settle(place, position, alpha, beta, ply, sum_here)), np.int64(NO_MOVE)
    is_known, value, hint = probe_deepest(work.table, position, depth, alpha, beta, ply, search.owner)
    # The table ignores how many quiet moves came before: the game may be drawn before this win.
    is_doubtful = abs(value) > _DECIDED and WIN - abs(value) - ply > quiet_plies_left(search, ply)
    is_known = is_known and not is_doubtful
    if is_calm and not is_known:
        is_known, static = _guess(place, position, depth, alpha, beta, sum_here)
        value = static if is_known else value
    return is_known, value, hint


@jit
def _question(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, accumulator: I64
) -> tuple[I64, I64, Bool]:
    """Return how a shallower search may decide whether the value of a quiet position is above alpha.

    Returns its number of plies, 0 if there is no such search; the bottom of its null window; and whether the
    value must be above that for a cut-off, or must not.
    """
    search = record_at(place)
    figures, none = search.figures, (np.int64(0), np.int64(0), False)
    if beta - alpha > 1 or abs(beta) >= _DECIDED:
        return none
    static, plies = _static_value(place, position, accumulator), np.int64(depth - figures.cut_plies)
    high = np.int64(beta + _margin(search, figures.cut_margin))
    low = np.int64(alpha - _margin(search, figures.low_margin))
    if static >= high:
        return plies, np.int64(high - 1), True
    return (plies, low, False) if static <= low else none


@jit_inlined
def _first_try(search: Any, depth: I64, turn: I64, may_wait: Bool, floor: I64, beta: I64) -> tuple[I64, I64]:
    """Return to how many plies a move is searched first, and the low end of its window.

    Late moves that may wait get fewer plies than depth − 1; all moves but the first get a null window.
    """
    plies = np.int64(depth - 1)
    if may_wait and depth >= search.figures.reduce_depth and turn >= search.figures.reduce_after:
        plies = max(np.int64(1), np.int64(plies - max(0, _plies_less(search.work, depth, turn))))
    return plies, np.int64(-beta if turn == 0 else -floor - 1)


@jit
def _search_one_ply(
    place: Any, position: Position, alpha: I64, beta: I64, ply: I64, sum_here: I64, is_calm: Bool
) -> I64:
    """Return the value of a position one ply above the horizon, like `selective`."""
    # This costs less than looking it up, ordering its moves or detecting repetitions.
    search = record_at(place)
    is_solved, value = _solved_value(search, position, ply)
    if is_calm and not is_solved:
        is_solved, value = _guess(place, position, np.int64(1), alpha, beta, sum_here)
    if is_solved:
        return np.int64(value)
    base = row_start(position, ply)
    count = np.int64(generate(position, search.work.moves, base))
    if count == 0:
        return final_value(position, ply)
    best, low, under = np.int64(-WIN), np.int64(-beta), np.int64(ply + 1)
    for number in range(count):
        child = successor(position, search.work.moves, base + number * move_words(position))
        child_sum = np.int64(update(search.evaluator, position, child, sum_here))
        high = np.int64(-max(alpha, best))
        best = max(best, np.int64(-settle(place, child, low, high, under, child_sum)))
        if best >= beta:
            break
    return best


@jit
def selective(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, sum_here: I64, is_calm: Bool
) -> I64:
    """Search about `depth` more plies; return the value for the side to move, bounds as in `negamax`.

    place: of a `Selective`. depth: ≥ 1, or 0 if quiet moves may end the game here. is_calm: whether the
    position is quiet.
    """
    search = record_at(place)
    work, here, under = search.work, np.int64(ply), np.int64(ply + 1)
    work.counters[NODES] += 1
    if depth == 1 and quiet_plies_left(search, ply) > 1:
        return np.int64(_search_one_ply(place, position, alpha, beta, ply, sum_here, is_calm))
    is_known, value, hint = _known_value(place, position, depth, alpha, beta, ply, sum_here, is_calm)
    if is_known:
        return np.int64(value)
    if is_calm and depth >= search.figures.cut_depth:
        plies, low, is_above = _question(place, position, depth, alpha, beta, sum_here)
        if plies > 0:
            value = np.int64(selective(place, position, plies, low, low + 1, here, sum_here, is_calm))
            if (value > low) == is_above or work.counters[STOP] != 0:
                return np.int64(value)
    base = row_start(position, ply)
    count = np.int64(generate(position, work.moves, base))
    if count == 0:
        return final_value(position, ply)
    best, best_move, floor, below = np.int64(-WIN), np.int64(NO_MOVE), np.int64(alpha), np.int64(depth - 1)
    for turn in range(count):
        number = number_at(place, position, base, count, turn, hint, ply, sum_here)
        child = successor(position, work.moves, base + number * move_words(position))
        child_sum, calm = np.int64(update(search.evaluator, position, child, sum_here)), bool(is_quiet(child))
        count_quiet(work, position, child, MAX_PAST + ply)
        # A move that forces the other side to capture cannot wait.
        plies, low = _first_try(search, depth, np.int64(turn), is_calm and calm, floor, beta)
        value = np.int64(-selective(place, child, plies, low, np.int64(-floor), under, child_sum, calm))
        # Re-search while the move is better: with fewer plies, then full depth, then an open window.
        while value > floor and (plies < below or (low > -beta and value < beta)):
            low, plies = np.int64(low if plies < below else -beta), below
            value = np.int64(-selective(place, child, plies, low, np.int64(-floor), under, child_sum, calm))
        if work.counters[STOP] != 0:
            return np.int64(0)
        best = max(best, value)
        floor, best_move = (value, number) if value > floor else (floor, best_move)
        if value >= beta:
            remember(work, position, child, ply, depth, not is_calm)
            break
    store_deepest(work.table, position, depth, alpha, beta, ply, search.owner, best, best_move)
    return best


@jit
def _value_of_root_move(
    place: Any, position: Position, number: I64, turn: I64, depth: I64, window: tuple[I64, I64], sum_here: I64
) -> I64:
    """Return the value of a root move tried at `turn`; if not above window[0], an upper bound on it."""
    search = record_at(place)
    work, figures = search.work, search.figures
    child = successor(position, work.moves, number * move_words(position))
    child_sum = np.int64(update(search.evaluator, position, child, sum_here))
    count_quiet(work, position, child, np.int64(MAX_PAST))
    below, ply, less = np.int64(depth - 1), np.int64(1), np.int64(0)
    floor, high, is_calm = np.int64(window[0]), np.int64(-window[0]), bool(is_quiet(child))
    # checked here at any depth, so that no move is chosen without knowing that it draws
    if figures.repetitions != 0 and is_drawn(search, child, np.int64(MAX_PAST + 1), is_calm):
        return np.int64(0)
    if below == 0:
        return np.int64(-settle(place, child, np.int64(-window[1]), high, ply, child_sum))
    is_late = depth >= figures.reduce_depth and turn >= figures.reduce_after
    if is_late and is_calm and is_quiet(position):
        # reduced by one ply less than further down: one of these moves will be played
        less = max(np.int64(0), min(np.int64(_plies_less(work, depth, turn) - 1), np.int64(below - 1)))
    value = np.int64(floor + 1)
    if turn > 0:
        low = np.int64(high - 1)
        value = -np.int64(selective(place, child, np.int64(below - less), low, high, ply, child_sum, is_calm))
        if less > 0 and value > floor and work.counters[STOP] == 0:
            value = -np.int64(selective(place, child, below, low, high, ply, child_sum, is_calm))
    if value > floor and work.counters[STOP] == 0:
        value = -np.int64(selective(place, child, below, np.int64(-window[1]), high, ply, child_sum, is_calm))
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
            # First at the next depth, unless a better one comes later at this depth.
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

    Call `begin_search` first, then one depth after the other. guess: the value at the previous depth, around
    which the first window lies. work.order receives the moves, best first, and work.root their values: exact
    for the best, upper bounds for the others; exact for all if `every_value`. If the search is stopped, the
    first of the order is still the best known move.
    """
    place, work = address(search), search.work
    count = np.int64(generate(position, work.moves, 0))
    sum_here = np.int64(refresh(search.evaluator, position))
    occurred(work, position, np.int64(MAX_PAST))
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
    """Search every root move with an open window, so that all values are known."""
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
    """Search to `depth` and then deeper until the search is stopped, to fill the table."""
    while search.work.counters[STOP] == 0 and depth <= MAX_PLY - _ROOM_FOR_CAPTURES:
        guess = search_selectively(search, position, depth, guess, False)
        depth += 1


@jit
def best_line(search: Selective, position: Position, numbers: Array) -> I64:
    """Write the numbers of the table's best moves from a position on; return how many there are."""
    work, here = search.work, position
    for length in range(len(numbers)):
        hint = probe_deepest(
            work.table, here, np.int64(0), np.int64(-WIN), np.int64(WIN), np.int64(0), search.owner
        )[2]
        if hint == NO_MOVE or hint >= generate(here, work.moves, 0):
            return np.int64(length)
        numbers[length] = hint
        here = successor(here, work.moves, hint * move_words(here))
    return np.int64(len(numbers))
