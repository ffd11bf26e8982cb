"""Self-play in compiled code that records positions for learning, each with the value of a deeper search.

It is separate from `samples.py`, since an edit here recompiles all compiled code (see `compiled.cache`).
"""

from typing import Any, NamedTuple

import numpy as np

from neche.arena.draw_counters import new_draw_counters
from neche.arena.game_loop import GameWorkspace, choose, make_move, new_owners, random_opening, survey
from neche.compiled.jit import F64, I64, U64, Array, Bool, Position, jit
from neche.compiled.pointers import address, record_at
from neche.compiled.randomness import draw
from neche.games.contract import is_quiet, outcome, sensor_words, side_to_move
from neche.games.draws import MAX_PLIES, DrawRule
from neche.network.packing import PackedNetworks
from neche.search.evaluator import evaluate, network_evaluator, refresh
from neche.search.negamax import new_search, search_root

# In a game's stream, draws from these numbers on decide which moves are random and which positions are kept;
# lower ones choose among equal moves.
_FIRST_MOVE_TOSS, _FIRST_KEEP_TOSS = 1 << 40, 1 << 41
_TOSS = 2.0**-64


class RecordingPlan(NamedTuple):
    """How games are played and which positions are kept.

    play_depth: plies searched for a move; 0: all moves are random. label_depth: plies searched for the value
    of a kept position; 0: it gets none. random_share: probability that a move is random.
    keep_share: probability that a quiet position is kept.
    """

    play_depth: I64
    label_depth: I64
    random_share: F64
    keep_share: F64


class Recorded(NamedTuple):
    """Positions that were kept, one per row, appended in order.

    boards: [N, 4] uint64 – own and foe's pieces, kings, side to move. values, evaluations: [N] int64, unit of
    the network – by search, and of the position alone. results: [N] int8 – of the game, for the side to move.
    """

    boards: Array
    values: Array
    evaluations: Array
    results: Array


@jit
def _bernoulli(key: U64, number: I64, share: F64) -> Bool:
    return np.float64(draw(key, number)) * _TOSS < share


@jit
def _keep(
    position: Position, count: I64, packed: Any, owner: I64, depth: I64, buffers: Any, kept: Recorded, at: I64
) -> None:
    """Write a position into row `at`, with the value of a search; its moves are in the move buffer."""
    own, foe, kings = sensor_words(position)
    kept.boards[at, 0], kept.boards[at, 1] = np.uint64(own), np.uint64(foe)
    kept.boards[at, 2], kept.boards[at, 3] = np.uint64(kings), np.uint64(side_to_move(position))
    kept.values[at] = kept.evaluations[at] = 0
    if depth > 0:
        evaluator = network_evaluator(record_at(packed), np.int64(0), side_to_move(position))
        kept.evaluations[at] = evaluate(evaluator, position, refresh(evaluator, position))
        place = address(new_search(evaluator, record_at(buffers).work, depth, owner))
        kept.values[at] = search_root(place, position, count, np.int64(depth), False)


@jit
def record_game(
    start: Position,
    packed: PackedNetworks,
    plan: RecordingPlan,
    opening: tuple[U64, I64],
    key: U64,
    rule: DrawRule,
    workspace: GameWorkspace,
    recorded: Recorded,
    row: I64,
) -> tuple[I64, I64]:
    """Play one game of network 0 of `packed` against itself; keep positions from `row` on.

    Returns the row after the last one kept, and the outcome for the first mover, 1, 0 or −1. opening: key and
    number of random plies. rule: see `draws.DrawRule`. Positions for which no row is left are not kept.
    """
    first_row, first_turn = row, side_to_move(start)
    packed_place, place = address(packed), address(workspace)
    position, ply = random_opening(start, opening[1], opening[0], place)
    owner = new_owners(place)
    counters = new_draw_counters(ply)
    result = np.int64(0)
    while True:
        ply = np.int64(counters.plies)
        is_first = side_to_move(position) == first_turn
        side = np.int64(0) if is_first else np.int64(1)
        count, counters, is_drawn = survey(position, counters, rule, place)
        if count == 0:
            result = np.int64(outcome(position)) if is_first else np.int64(-outcome(position))
            break
        if is_drawn or ply >= MAX_PLIES:
            break
        # a full record does not end the game, which would count as a draw
        has_room = row < len(recorded.values)
        if has_room and is_quiet(position) and _bernoulli(key, _FIRST_KEEP_TOSS + ply, plan.keep_share):
            _keep(position, count, packed_place, owner + side, plan.label_depth, place, recorded, row)
            row += 1
        plies = np.int64(plan.play_depth)
        if plies > 0 and _bernoulli(key, _FIRST_MOVE_TOSS + ply, plan.random_share):
            plies = np.int64(0)
        number = choose(packed_place, np.int64(0), plies, owner + side, position, count, key, ply, place)
        position, counters = make_move(position, number, counters, rule, place)
    # The result for the side to move is known only now.
    for kept in range(first_row, row):
        is_first = np.int64(recorded.boards[kept, 3]) == first_turn
        recorded.results[kept] = result if is_first else -result
    return row, result
