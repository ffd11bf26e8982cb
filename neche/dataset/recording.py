"""Random games in compiled code that keep every position; some of their moves may be those of a search.

Apart from `making.py` because an edit here makes all compiled code be compiled anew (see `compiled.cache`).
"""

from typing import Any

import numpy as np

from neche.arena.draw_counters import new_draw_counters
from neche.arena.game_loop import choose, make_move, new_owners, survey
from neche.compiled.jit import jit
from neche.compiled.randomness import draw
from neche.games.contract import outcome, side_to_move
from neche.games.draws import MAX_PLIES

# Draws of a game's stream from this number on decide how a move is chosen; those below choose among moves.
_FIRST_TOSS = 1 << 40
_WITH_KINGS = 4
"""Fields of positions that have kings: own, foe, kings, turn."""


@jit
def _put_board(position: Any, boards: Any, ply: Any) -> None:
    """Write own, foe, kings (0 where the game has none) and turn of a position into row `ply`."""
    # the number of fields is known when numba compiles, so it drops the branch that does not type
    kings = np.uint64(position.kings) if len(position) == _WITH_KINGS else np.uint64(0)
    boards[ply, 0], boards[ply, 1] = np.uint64(position.own), np.uint64(position.foe)
    boards[ply, 2], boards[ply, 3] = kings, np.uint64(position.turn)


@jit
def record_positions(
    start: Any, packed: Any, depth: Any, key: Any, rule: Any, workspace: Any, boards: Any
) -> Any:
    """Play one game and keep its positions, the last one too; return the outcome and the length in plies.

    depth: 0, all moves are random; else each with probability ½, the others the best that network 0 of
    `packed` finds at that depth, one of them drawn. boards: [MAX_PLIES + 1, 4] uint64 receives own, foe,
    kings and turn of each position. rule: see `draws.DrawRule`. outcome: 1 the first mover won, 0 draw, −1
    lost; a game that outgrows its record is a draw.
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
