"""Random games in compiled code that keep every position; each move may also be that of a search."""

from typing import Any

import numpy as np

from neche.arena.game_loop import MAX_PLIES, choose, make_move, new_owners, survey
from neche.arena.tally import new_tally
from neche.compiled.jit import jit
from neche.compiled.randomness import draw
from neche.games.contract import outcome, position_words, side_to_move

# Draws of a game's stream from this number on decide who chooses; those below choose among moves.
_FIRST_TOSS = 1 << 40


@jit
def record_positions(start: Any, bank: Any, depth: Any, key: Any, rule: Any, desk: Any, words: Any) -> Any:
    """Play one game and keep its positions, the last one too; return the outcome and the length in plies.

    depth: 0, all moves are random; else each with probability ½, the others the best that network 0 of the
    bank finds at that depth, one of them drawn. words: [MAX_PLIES + 1, 2] uint64 receives each position as
    `contract.position_words`. rule: see `draws.DrawRule`. outcome: 1 the first mover won, 0 draw, −1 lost;
    a game that outgrows its record is a draw.
    """
    position = start
    first_turn = side_to_move(start)
    owner = new_owners(desk.work)
    tally = new_tally(0)
    while True:
        ply = np.int64(tally.plies)
        words[ply, 0], words[ply, 1] = position_words(position)
        is_first = side_to_move(position) == first_turn
        count, tally, is_drawn = survey(position, tally, rule, desk)
        if count == 0:
            result = outcome(position)
            return np.int64(result if is_first else -result), ply
        if is_drawn or ply == MAX_PLIES:
            return np.int64(0), ply
        plies = np.int64(0)
        if depth > 0 and np.uint64(draw(key, np.int64(_FIRST_TOSS + ply)) & np.uint64(1)) != 0:
            plies = np.int64(depth)
        side = np.int64(0) if is_first else np.int64(1)
        number = choose(bank, np.int64(0), plies, owner + side, position, count, key, ply, desk.work)
        position, tally = make_move(position, number, tally, rule, desk)
