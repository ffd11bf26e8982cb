"""Alpha-beta to depth 1 and 2 without recursion, for kernels: the line being searched is a stack.

Moves, values and nodes are those of `negamax`, which at these depths neither looks positions up nor orders
moves. A frame of the stack holds what a position needs to resume after the search of one of its moves; the
current position is in registers. Its moves follow directly after those of the position before, so that they
take room for the actual number of moves, not for the largest possible one.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, Bool, Moves, Position, jit, jit_inlined
from neche.games import contract
from neche.games.playouts import position_in
from neche.search.evaluator import Evaluator, refresh, update
from neche.search.negamax import NODES, WIN, final_value, quiet_value

DEEPEST = 2
"""Most plies of this search, before captures."""
MAX_FRAMES = 43
"""Most positions of a line: the root, one a ply, and one a capture, each of which takes one of 40 pieces."""
MAX_FIELDS = 4
"""Most fields of a position."""
OVERFLOWN, NUM_COUNTERS = 1, 2
_AT, _END, _ALPHA, _BETA, _BEST, _ACCUMULATOR, FRAME_WORDS = range(7)


class ShallowWorkspace(NamedTuple):
    """Buffers of one search thread.

    moves: [words] of the game's word type – of all positions of a line, with room at the end for the most
    moves of a position. root: see `negamax.Workspace`. counters: [2] int64 – nodes visited so far, and
    positions whose moves found no room: if there is one, the result of the search is meaningless.
    positions: [MAX_FIELDS, frames] uint64. frames: [FRAME_WORDS, frames] int64.
    """

    moves: Moves
    root: Array
    counters: Array
    positions: Array
    frames: Array


@jit_inlined
def _push(work: ShallowWorkspace, ply: I64, position: Position, frame: Any) -> None:
    """Push a position and its frame, six words, see above."""
    for field in range(len(position)):
        work.positions[field, ply] = np.uint64(position[field])
    for word in range(len(frame)):
        work.frames[word, ply] = frame[word]


@jit_inlined
def _write_moves(
    work: ShallowWorkspace, position: Position, begin: I64, ply: I64, is_full: Bool
) -> tuple[I64, I64]:
    """Write the moves of a position, or its captures alone, from row start `begin` on.

    Returns where they end, and the least value that the position can have.
    """
    work.counters[NODES] += 1
    words = contract.move_words(position)
    if ply == MAX_FRAMES or begin + contract.max_moves(position) * words > len(work.moves):
        # No row is written if room may be lacking: the caller plays the game elsewhere.
        work.counters[OVERFLOWN] += 1
        return np.int64(begin), np.int64(0)
    if not is_full:
        # no stand-pat value: there is a capture, and it is compulsory
        captures = contract.generate_captures(position, work.moves, begin)
        return np.int64(begin + captures * words), np.int64(-WIN)
    count = contract.generate(position, work.moves, begin)
    least = np.int64(-WIN) if count > 0 else final_value(position, ply)
    return np.int64(begin + count * words), least


@jit
def search_shallow(
    work: ShallowWorkspace, evaluator: Evaluator, position: Position, count: I64, depth: I64
) -> I64:
    """Search the `count` moves at the start of the move buffer to depth 1 or 2, as `negamax.search_root`."""
    words, ply = np.int64(contract.move_words(position)), np.int64(0)
    at, end, accumulator = np.int64(0), np.int64(count * words), refresh(evaluator, position)
    # No move cuts off the root: its beta is above every value.
    alpha, beta, best = np.int64(-WIN), np.int64(WIN), np.int64(-WIN)
    while True:
        if at < end and best < beta:
            child = contract.successor(position, work.moves, at)
            child_sum = np.int64(update(evaluator, position, child, accumulator))
            at = np.int64(at + words)
            if ply + 1 < depth or not contract.is_quiet(child):
                # down to the child; at the root a tie with the best must show, so its window is wider
                _push(work, ply, position, (at, end, alpha, beta, best, accumulator))
                is_later = ply == 0 and best > -WIN
                floor = np.int64(best - 1) if is_later else np.int64(max(alpha, best))
                position, accumulator, ply = child, child_sum, np.int64(ply + 1)
                alpha, beta, at = np.int64(-beta), np.int64(-floor), end
                end, best = _write_moves(work, position, at, ply, ply < depth)
                continue
            work.counters[NODES] += 1
            value = np.int64(-quiet_value(evaluator, child, child_sum, ply + 1))
        else:
            # up again, with the value of the position to the side that moved there
            if ply == 0:
                return best
            value, ply = np.int64(-best), np.int64(ply - 1)
            position = position_in(position, work.positions, 0, ply)
            at, end, alpha = work.frames[_AT, ply], work.frames[_END, ply], work.frames[_ALPHA, ply]
            beta, best = work.frames[_BETA, ply], work.frames[_BEST, ply]
            accumulator = work.frames[_ACCUMULATOR, ply]
        if ply == 0:
            work.root[at // words - 1] = value
        best = np.int64(max(best, value))


contract.register(
    ShallowWorkspace,
    new_owners_of=np.int64(0),
    search_best=lambda work, evaluator, position, count, depth, owner: search_shallow(
        work, evaluator, position, count, depth
    ),
)
