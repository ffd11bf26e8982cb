"""The order of moves in a selective search: the table's move, killers, then promise and history.

History counts, over the whole search, how often a move caused a cut-off, in whatever position.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import F64, I64, Bool, Moves, Position, jit, jit_inlined
from neche.compiled.pointers import record_at
from neche.compiled.randomness import draw_below
from neche.games.contract import generate, is_quiet, max_moves, move_words, successor
from neche.search.evaluator import Evaluator, evaluate, promise, refresh, update
from neche.search.negamax import WIN
from neche.search.ordering import TRIED, move_key, next_number, remember_cut, score_or_killer, sort_numbers
from neche.search.selectivity import HISTORY_KEYS, SelectiveWorkspace
from neche.search.transposition import NO_MOVE

_HISTORY_LIMIT = np.int64(1 << 14)
_SAMPLE_GAMES, _SAMPLE_PLIES, _SAMPLE_KEY = 30, 60, np.uint64(0x5E1EC71FE)


@jit
def _score_moves(place: Any, position: Position, base: I64, count: I64, ply: I64, accumulator: I64) -> None:
    """Score the moves of a position: killers, then the others by promise and by how often they cut off."""
    search = record_at(place)
    work, evaluator = search.work, search.evaluator
    start, weight = ply * max_moves(position), np.int64(search.scale * search.figures.history_weight // 100)
    for number in range(count):
        child = successor(position, work.moves, base + number * move_words(position))
        score = np.int64(promise(evaluator, position, update(evaluator, position, child, accumulator)))
        key = move_key(position, child)
        score += work.history[key % HISTORY_KEYS] * weight // _HISTORY_LIMIT
        work.scores[start + number] = score_or_killer(work, key, ply, score)


@jit_inlined
def number_at(
    place: Any, position: Position, base: I64, count: I64, turn: I64, hint: I64, ply: I64, accumulator: I64
) -> I64:
    """Return the number of the move to try at `turn`; hint: the table's move, or NO_MOVE."""
    is_hinted = hint < count and hint != NO_MOVE
    if turn == 0 and is_hinted:
        return np.int64(hint)
    if count == 1:
        return np.int64(0)
    work = record_at(place).work
    if turn == (1 if is_hinted else 0):
        _score_moves(place, position, base, count, ply, accumulator)
        if is_hinted:
            work.scores[ply * max_moves(position) + hint] = TRIED
    return next_number(work, position, count, ply, np.int64(-1))


@jit
def remember(work: Any, before: Position, after: Position, ply: I64, depth: I64, is_capture: Bool) -> None:
    """Remember a quiet move that caused a cut-off: as a killer for siblings, in history for all positions."""
    if is_capture:
        return
    remember_cut(work, before, after, ply)
    at = move_key(before, after) % HISTORY_KEYS
    # The nearer to the limit, the less is added: recent cut-offs count more than old ones.
    gain = np.int64(min(8 * depth * depth, 2048))
    work.history[at] += gain - work.history[at] * gain // _HISTORY_LIMIT


@jit
def begin_search(evaluator: Evaluator, work: SelectiveWorkspace, position: Position) -> I64:
    """Order the root moves by their promise, before the first depth; return how many there are."""
    count = np.int64(generate(position, work.moves, 0))
    accumulator = np.int64(refresh(evaluator, position))
    for number in range(count):
        child = successor(position, work.moves, number * move_words(position))
        work.scores[number] = promise(evaluator, position, update(evaluator, position, child, accumulator))
        work.order[number] = number
        work.root[number] = -WIN
    sort_numbers(work.order, work.scores, count)
    # Cut-offs from earlier moves of the game count half.
    for at in range(len(work.history)):
        work.history[at] //= 2
    work.killers[:] = 0
    return count


@jit
def mean_evaluation(evaluator: Evaluator, start: Position, moves: Moves) -> F64:
    """Return the root mean square of the evaluations of quiet positions from some random games.

    It makes margins comparable, whatever the size of the weights. moves: room for the moves of a position.
    """
    total, count = 0.0, 0
    for game in range(_SAMPLE_GAMES):
        position = start
        for ply in range(_SAMPLE_PLIES):
            number = generate(position, moves, 0)
            if number == 0:
                break
            chosen = draw_below(_SAMPLE_KEY, np.int64(game * _SAMPLE_PLIES + ply), np.int64(number))
            position = successor(position, moves, chosen * move_words(position))
            if is_quiet(position):
                value = np.float64(evaluate(evaluator, position, refresh(evaluator, position)))
                total += value * value
                count += 1
    return np.sqrt(total / max(count, 1))
