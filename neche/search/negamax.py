"""Fixed-depth alpha-beta: the value of full-width minimax with quiescence, never an estimate.

From the top down: `search_moves` values the moves of the root, `negamax` searches below them, `settle`
follows captures at the horizon (`_quiesce`) until the position is quiet, and evaluates it.
Every value is for the side to move. `ordering` decides in which order moves are tried; it changes no value.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, Bool, Moves, Position, jit, jit_inlined
from neche.compiled.pointers import address, record_at
from neche.games import contract
from neche.games.game import Game
from neche.search.evaluator import Evaluator, evaluate, refresh, update
from neche.search.ordering import number_at, remember_cut, score_moves, sort_numbers
from neche.search.transposition import MAX_ENTRY_WORDS, MAX_OWNER, NO_MOVE, probe, store

# A power of two below the largest int64: values can be negated, and plies added, without an overflow.
WIN = np.int64(1 << 62)
"""Value of a win at the root; one that takes n plies is worth WIN − n. Evaluations stay below half of it."""
MAX_PLY = 96
"""Most plies of a line from the root: the deepest search and the longest run of captures after it."""
NODES, STOP, OWNER, FINISHED = 0, 1, 2, 3
DEPTH_SEARCHED_AT_ONCE = 6
"""Deeper searches begin with shallower ones, which order the moves of the root, and keep no killers: where
all positions have equal values, such as those of lone kings for a network that sees nothing, killers would
lead each line elsewhere, and transpositions would be rare."""


class Workspace(NamedTuple):
    """Buffers of one search thread.

    moves: [MAX_PLY · moves a position · words a move], the game's word type. table: [entries · 4] uint64.
    counters: [4] int64 – nodes visited so far, a flag that stops the search when another thread sets it, the
    owner of table entries assigned last, and how many root moves the last search finished, in the order in
    which they were tried. root: [moves a position] int64 – values of the root moves in the last search.
    order: [moves a position] int64 – the root moves as they were tried. scores:
    [MAX_PLY · moves a position] int64 and killers: [MAX_PLY · 2] int64, see `ordering`.
    """

    moves: Moves
    table: Array
    counters: Array
    root: Array
    order: Array
    scores: Array
    killers: Array


def new_workspace(game: Game, *, table_bits: int) -> Workspace:
    """Allocate buffers with a transposition table of 2^table_bits entries."""
    return Workspace(
        np.zeros(MAX_PLY * game.max_moves * game.move_words, game.move_type),
        np.zeros(MAX_ENTRY_WORDS << table_bits, np.uint64),
        np.zeros(4, np.int64),
        np.zeros(game.max_moves, np.int64),
        np.zeros(game.max_moves, np.int64),
        np.zeros(MAX_PLY * game.max_moves, np.int64),
        np.zeros(2 * MAX_PLY, np.int64),
    )


class Search(NamedTuple):
    """What all nodes of a search share, passed by address; see `compiled.pointers`.

    owner: of table entries, see `transposition`. keeps_killers: see `ordering`.
    """

    evaluator: Evaluator
    work: Workspace
    owner: I64
    keeps_killers: Bool


@jit_inlined
def new_search(evaluator: Evaluator, work: Workspace, depth: I64, owner: I64) -> Search:
    """Return the shared record of a search to `depth`."""
    return Search(evaluator, work, np.int64(owner), depth <= DEPTH_SEARCHED_AT_ONCE)


@jit_inlined
def row_start(position: Position, ply: I64) -> I64:
    """Return where the move buffer holds the moves of a position `ply` plies from the root."""
    # One row per ply: a position's moves stay in place while the searches below it write theirs.
    return np.int64(ply * (contract.max_moves(position) * contract.move_words(position)))


@jit_inlined
def final_value(position: Position, ply: I64) -> I64:
    """Return the value of a finished game, `ply` plies from the root."""
    # A win in fewer plies is worth more, so that a search that sees a win also makes progress towards it.
    return np.int64(contract.outcome(position) * (WIN - ply))


@jit_inlined
def quiet_value(evaluator: Evaluator, position: Position, accumulator: I64, ply: I64) -> I64:
    """Return the value of a quiet position: its evaluation, unless there is no move."""
    if not contract.can_move_quietly(position):
        return final_value(position, ply)
    return np.int64(evaluate(evaluator, position, accumulator))


@jit
def _quiesce(place: Any, position: Position, alpha: I64, beta: I64, ply: I64, accumulator: I64) -> I64:
    """Return the value of a position that is not quiet, by captures alone; bounds as in `negamax`.

    Captures are compulsory, so a side that has one cannot decline it for the static evaluation.
    """
    search = record_at(place)
    evaluator, work = search.evaluator, search.work
    work.counters[NODES] += 1
    base = row_start(position, ply)
    # no stand-pat value: there is a capture, and it is compulsory
    best = np.int64(-WIN)
    for number in range(contract.generate_captures(position, work.moves, base)):
        child = contract.successor(position, work.moves, base + number * contract.move_words(position))
        child_sum = update(evaluator, position, child, accumulator)
        # A quiet child is valued here, not two calls deeper: a search to depth 10 takes 3.9 ms instead of 4.7
        # (docs/performance.md).
        if contract.is_quiet(child):
            work.counters[NODES] += 1
            value = -quiet_value(evaluator, child, child_sum, ply + 1)
        elif ply + 1 == MAX_PLY:
            value = np.int64(0)  # no room for its moves: even, as a game that never ends
        else:
            # int64 explicitly, as in `negamax`
            low, high = np.int64(-beta), np.int64(-max(alpha, best))
            value = -np.int64(_quiesce(place, child, low, high, np.int64(ply + 1), child_sum))
        if value > best:
            best = value
            if value >= beta:
                break
    return np.int64(best)


@jit_inlined
def settle(place: Any, position: Position, alpha: I64, beta: I64, ply: I64, accumulator: I64) -> I64:
    """Return the value of a position at the horizon; bounds as in `negamax`."""
    search = record_at(place)
    if contract.is_quiet(position):
        search.work.counters[NODES] += 1
        return np.int64(quiet_value(search.evaluator, position, accumulator, ply))
    low, high = np.int64(alpha), np.int64(beta)
    return np.int64(_quiesce(place, position, low, high, np.int64(ply), np.int64(accumulator)))


@jit
def negamax(
    place: Any, position: Position, depth: I64, alpha: I64, beta: I64, ply: I64, accumulator: I64
) -> I64:
    """Search `depth` ≥ 1 more plies; return the value for the side to move.

    With v the minimax value: the result r equals v if alpha < v < beta; v ≤ r ≤ alpha if v ≤ alpha;
    v ≥ r ≥ beta if v ≥ beta. Once the stop flag is raised, the result is meaningless. place: of a `Search`.
    """
    search = record_at(place)
    evaluator, work, owner = search.evaluator, search.work, search.owner
    work.counters[NODES] += 1
    # Probe first: an entry for this depth ends the search of the position before a move is generated.
    is_known, value, hint = probe(work.table, position, depth, alpha, beta, ply, owner)
    if is_known:
        return np.int64(value)
    base = row_start(position, ply)
    # All moves are generated before any is searched: having none ends the game, and the hint is an index.
    count = contract.generate(position, work.moves, base)
    if count == 0:
        return final_value(position, ply)
    # `best` may stay below alpha, `floor` may not, so the result is a bound if all moves fail low.
    best, best_move, floor = np.int64(-WIN), np.int64(NO_MOVE), np.int64(alpha)
    for turn in range(count):
        number = number_at(place, position, base, count, turn, hint, depth, ply, accumulator)
        # make the move; copies need no undoing
        child = contract.successor(position, work.moves, base + number * contract.move_words(position))
        child_sum = update(evaluator, position, child, accumulator)
        # Arguments of recursive calls are cast to int64: each other integer type would be compiled again. And
        # functions call themselves directly, never through another: numba cannot cache mutual recursion.
        low, high, below = np.int64(-beta), np.int64(-floor), np.int64(ply + 1)
        if depth > 1:
            value = -np.int64(negamax(place, child, np.int64(depth - 1), low, high, below, child_sum))
        else:
            value = -settle(place, child, low, high, below, child_sum)
        # Another thread raised the flag: no value from here up is meaningful, so none may reach the table,
        # which outlives the search.
        if work.counters[STOP] != 0:
            return np.int64(0)
        if value > best:
            best = np.int64(value)
            # Only a move above alpha is stored as best: bounds of moves that failed low do not order them.
            if value > floor:
                floor, best_move = np.int64(value), np.int64(number)
                if value >= beta:
                    # A move that cuts off when tried first is tried early in sibling nodes anyway.
                    if depth > 1 and turn > 0 and search.keeps_killers:
                        remember_cut(work, position, child, ply)
                    break
    store(work.table, position, depth, alpha, beta, ply, owner, best, best_move)
    return np.int64(best)


@jit
def _search_in_order(
    place: Any, position: Position, count: I64, depth: I64, accumulator: I64, every_value: Bool
) -> I64:
    """Search the moves of the root in the order of work.order, otherwise like `search_root`."""
    search = record_at(place)
    evaluator, work = search.evaluator, search.work
    best = np.int64(-WIN)
    work.counters[FINISHED] = 0
    for turn in range(count):
        number = work.order[turn]
        child = contract.successor(position, work.moves, number * contract.move_words(position))
        child_sum = update(evaluator, position, child, accumulator)
        # One below the best: an equally good move lies inside the window and gets its exact value, so that
        # all best moves are known and one of them can be drawn.
        floor = np.int64(-WIN) if every_value or turn == 0 else np.int64(best - 1)
        low, high, ply = np.int64(-WIN), np.int64(-floor), np.int64(1)
        if depth > 1:
            value = -np.int64(negamax(place, child, np.int64(depth - 1), low, high, ply, child_sum))
        else:
            value = -np.int64(settle(place, child, low, high, ply, child_sum))
        # In a stopped search the last value is meaningless; those before it are valid.
        if work.counters[STOP] != 0:
            break
        work.root[number] = value
        work.counters[FINISHED] = turn + 1
        best = max(best, value)
    return best


@jit
def _order_root(place: Any, position: Position, count: I64, depth: I64, accumulator: I64) -> None:
    """Order the moves of the root by what is known before searching any."""
    search = record_at(place)
    work = search.work
    for number in range(count):
        work.order[number] = number
    if depth > 2 and count > 1:
        # First the move that a search two plies earlier in the game found best here, then the most promising;
        # searching two plies takes no longer than ordering them.
        window = np.int64(-WIN), np.int64(WIN)
        hint = probe(work.table, position, depth, window[0], window[1], np.int64(0), search.owner)[2]
        score_moves(place, position, np.int64(0), count, depth, np.int64(0), accumulator)
        if hint < count and hint != NO_MOVE:
            work.scores[hint] = WIN
        sort_numbers(work.order, work.scores, count)


@jit
def search_root(place: Any, position: Position, count: I64, depth: I64, every_value: Bool) -> I64:
    """Search the `count` moves at the start of the move buffer to `depth` ≥ 1 plies; return the best value.

    work.root receives the value of each move in generation order: exact for all best moves; for the others
    exact if `every_value`, else an upper bound below the best. Later moves are searched with a window that
    starts just below the best value so far, which keeps exact ties and cuts off the rest. The moves stay in
    the buffer.
    """
    search = record_at(place)
    work = search.work
    # Computed from scratch at the root only; below, every move updates it incrementally.
    accumulator = refresh(search.evaluator, position)
    plies = np.int64(depth)
    _order_root(place, position, count, plies, accumulator)
    # Iterative deepening pays in a deep search, through better move order; every second depth is enough.
    if depth > DEPTH_SEARCHED_AT_ONCE:
        plies = np.int64(4 + depth % 2)
    while plies < depth:
        _search_in_order(place, position, count, plies, accumulator, False)
        if work.counters[STOP] != 0:
            return np.int64(0)
        sort_numbers(work.order, work.root, count)
        plies += 2
    return np.int64(_search_in_order(place, position, count, plies, accumulator, every_value))


@jit
def search_moves(
    evaluator: Evaluator, work: Workspace, position: Position, depth: I64, owner: I64, every_value: Bool
) -> I64:
    """Generate the moves of a position and search them like `search_root`; return how many there are."""
    count = np.int64(contract.generate(position, work.moves, 0))
    place = address(new_search(evaluator, work, depth, owner))
    search_root(place, position, count, np.int64(depth), every_value)
    return count


@jit
def search_deeper(
    evaluator: Evaluator, work: Workspace, position: Position, depth: I64, owner: I64, every_value: Bool
) -> I64:
    """Search like `search_moves`, but directly to `depth` and with the moves in the order of work.order."""
    count = np.int64(contract.generate(position, work.moves, 0))
    place = address(Search(evaluator, work, np.int64(owner), False))
    _search_in_order(place, position, count, np.int64(depth), refresh(evaluator, position), every_value)
    return count


@contract.needed
def new_owners_of(work: Any) -> I64:
    """Return the first of two new, consecutive owners of table entries; clear the killers of other games."""


@contract.needed
def search_best(
    work: Any, evaluator: Evaluator, position: Position, count: I64, depth: I64, owner: I64
) -> I64:
    """Search the `count` moves at the start of the move buffer; return the best value, like `search_root`.

    work: buffers, whose type selects the search; work.root receives the values.
    """


@jit
def _new_owners(work: Workspace) -> I64:
    # Two at a time, even and odd: the lowest bit of an owner is 0 for the first mover, 1 for the other.
    # New owners for each game make it unnecessary to clear the table before it.
    owner = work.counters[OWNER] + 2
    # Owners have 16 bits: once they are used up, clearing the table makes all of them available again.
    if owner >= MAX_OWNER:
        work.table[:] = 0
        owner = np.int64(2)
    work.counters[OWNER] = owner
    # Nor may the order of moves depend on earlier games.
    work.killers[:] = 0
    return owner


@jit_inlined
def _search_best(
    work: Workspace, evaluator: Evaluator, position: Position, count: I64, depth: I64, owner: I64
) -> I64:
    place = address(new_search(evaluator, work, depth, owner))
    return search_root(place, position, np.int64(count), np.int64(depth), False)


contract.register(Workspace, new_owners_of=_new_owners, search_best=_search_best)
