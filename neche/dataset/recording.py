"""Random games in compiled code that record every position; a search may choose some of their moves.

Separate from `making.py` because an edit here makes all compiled code recompile (see `compiled.cache`).
"""

from typing import Any

import numpy as np

from neche.arena.draw_counters import new_draw_counters
from neche.arena.game_loop import choose, make_move, new_owners, survey
from neche.compiled.jit import jit
from neche.compiled.randomness import draw
from neche.games.contract import outcome, side_to_move
from neche.games.draws import MAX_PLIES

# Draws of a game's stream from this index on decide how a move is chosen; those below choose the move.
_FIRST_TOSS = 1 << 40
_WITH_KINGS = 4
"""Number of fields of positions with kings: own, foe, kings, turn."""


@jit
def _put_board(position: Any, boards: Any, ply: Any) -> None:
    """Write own, foe, kings (0 where the game has none) and turn of a position into row `ply`."""
    # numba knows the number of fields at compile time, so it drops the branch that has no type
    kings = np.uint64(position.kings) if len(position) == _WITH_KINGS else np.uint64(0)
    boards[ply, 0], boards[ply, 1] = np.uint64(position.own), np.uint64(position.foe)
    boards[ply, 2], boards[ply, 3] = kings, np.uint64(position.turn)


@jit
def record_positions(
    start: Any, packed: Any, depth: Any, key: Any, rule: Any, workspace: Any, boards: Any
) -> Any:
    """Play one game and record its positions, including the last; return outcome and length in plies.

    depth: 0: all moves are random; otherwise each is random with probability ½, else drawn among the best
    that network 0 of `packed` finds at that depth. boards: [MAX_PLIES + 1, 4] uint64 receives own, foe, kings
    and turn of each position. rule: see `draws.DrawRule`. outcome: 1 the first mover won, 0 draw, −1 it lost;
    a game longer than MAX_PLIES is a draw.
    """
    position = start
    first_turn = side_to_move(start)
    owner = new_owners(workspace)
    counters = new_draw_counters(0)
    while True:
        ply = np.int64(counters.plies)
        _put_board(position, boards, ply)
        is_first = side_to_move(position) == first_turn
        count, counters, is_drawn = survey(position, counters, rule, workspace)
        if count == 0:
            result = outcome(position)
            return np.int64(result if is_first else -result), ply
        if is_drawn or ply == MAX_PLIES:
            return np.int64(0), ply
        plies = np.int64(0)
        if depth > 0 and np.uint64(draw(key, np.int64(_FIRST_TOSS + ply)) & np.uint64(1)) != 0:
            plies = np.int64(depth)
        side = np.int64(0) if is_first else np.int64(1)
        number = choose(packed, np.int64(0), plies, owner + side, position, count, key, ply, workspace)
        position, counters = make_move(position, number, counters, rule, workspace)
