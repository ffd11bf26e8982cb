"""The order in which moves are tried: it changes no value, and decides how many nodes a search visits.

First comes the table's best move, then, in shallow searches, the killers (moves that refuted a sibling of the
position), then the others by the evaluation of the positions after them or, close to the horizon, by what
the accumulator promises: the sum over squares, without the hidden neurons. The order is a function of the
game so far, never of other games. docs/performance-tried.md has the nodes saved. Null windows, cut-off counts
by move (history) and ordering the leaves were also tried: they took as much time as they saved.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import I64, Array, Position, jit, jit_inlined
from neche.compiled.pointers import record_at
from neche.games.contract import max_moves, move_words, sensor_words, successor
from neche.search.evaluator import evaluate, promise, update
from neche.search.transposition import NO_MOVE

# Above all promises; the newest killer scores twice as much.
_KILLER = np.int64(1 << 60)
TRIED = np.int64(-(1 << 62))
_EVALUATED_DEPTH = np.int64(3)
"""Least depth at which moves are ordered by evaluations: these save a third of the nodes in Othello, a sixth
in checkers. At depth 2 they take as much time as they save."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@jit_inlined
def move_key(before: Position, after: Position) -> I64:
    """Return a hash below 2^16 of the squares that a move changes, almost unique to the move.

    It recognises a move in another position: a quiet move by where it starts and ends, a placement by its
    square. A game without sensors has one key for all moves.
    """
    own, foe, _ = sensor_words(before)
    own_then, foe_then, _ = sensor_words(after)
    changed = np.uint64(np.uint64(own | foe) ^ np.uint64(own_then | foe_then))
    return np.int64(np.uint64(np.uint64(changed * _FACTOR) >> np.uint64(48)))


@jit
def remember_cut(work: Any, before: Position, after: Position, ply: I64) -> None:
    """Remember a move that caused a cut-off as a killer."""
    key = move_key(before, after)
    if work.killers[2 * ply] != key:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = key


@jit_inlined
def score_or_killer(work: Any, key: I64, ply: I64, score: I64) -> I64:
    """Return the score of the move with this key, above all promises if it is a killer."""
    if key == work.killers[2 * ply]:
        return np.int64(2 * _KILLER)
    return np.int64(_KILLER if key == work.killers[2 * ply + 1] else score)


@jit_inlined
def _score(search: Any, position: Position, at: I64, depth: I64, ply: I64, accumulator: I64) -> I64:
    """Return the ordering score of the move in row `at`: higher ones are tried earlier."""
    work, evaluator = search.work, search.evaluator
    child = successor(position, work.moves, at)
    child_sum = update(evaluator, position, child, accumulator)
    if depth >= _EVALUATED_DEPTH:
        # an evaluation is exact for quiet positions alone, but a guess will do
        score = np.int64(-evaluate(evaluator, child, child_sum))
    else:
        score = np.int64(promise(evaluator, position, child_sum))
    if not search.keeps_killers:
        return np.int64(score)
    return score_or_killer(work, move_key(position, child), ply, score)


@jit
def score_moves(
    place: Any, position: Position, base: I64, count: I64, depth: I64, ply: I64, accumulator: I64
) -> None:
    """Score the moves of a position `ply` plies from the root into work.scores, for `number_at`."""
    search = record_at(place)
    start = ply * max_moves(position)
    for number in range(count):
        at = base + number * move_words(position)
        search.work.scores[start + number] = _score(search, position, at, depth, ply, accumulator)


@jit_inlined
def next_number(work: Any, position: Position, count: I64, ply: I64, but: I64) -> I64:
    """Return the number of the best move not yet returned; but: number of a move to skip."""
    start = ply * max_moves(position)
    best, found = TRIED, np.int64(0)
    for number in range(count):
        if work.scores[start + number] > best and number != but:
            best, found = work.scores[start + number], np.int64(number)
    work.scores[start + found] = TRIED
    return found


@jit_inlined
def number_at(
    place: Any,
    position: Position,
    base: I64,
    count: I64,
    turn: I64,
    hint: I64,
    depth: I64,
    ply: I64,
    accumulator: I64,
) -> I64:
    """Return the number of the move to try at `turn`, from 0 on; hint: the table's move, or NO_MOVE."""
    # Leaves are too cheap to be ordered: finding the best costs what it saves.
    if depth == 1:
        return np.int64(turn)
    # The hinted move is tried before the others are scored: it usually ends the search of the position.
    is_hinted = hint < count and hint != NO_MOVE
    if turn == 0 and is_hinted:
        return np.int64(hint)
    if turn == (1 if is_hinted else 0):
        score_moves(place, position, base, count, depth, ply, accumulator)
    return next_number(record_at(place).work, position, count, ply, hint if is_hinted else np.int64(-1))


@jit
def sort_numbers(numbers: Array, values: Array, count: I64) -> None:
    """Sort the first `count` numbers by their values, the highest first; equal ones keep their order."""
    for at in range(1, count):
        number, to = numbers[at], at
        while to > 0 and values[numbers[to - 1]] < values[number]:
            numbers[to] = numbers[to - 1]
            to -= 1
        numbers[to] = number
