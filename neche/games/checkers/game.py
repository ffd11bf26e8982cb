"""American checkers under the contract and in the catalogue."""

import numpy as np

from neche.compiled.bits import join
from neche.games.catalogue import PdnNotation
from neche.games.checkers import wary_walk
from neche.games.checkers.board import BIT_ROWS, Checkers, start
from neche.games.checkers.captures import generate_captures, jumpers
from neche.games.checkers.lanes import NUM_WORDS, load, store
from neche.games.checkers.moves import (
    MAX_MOVES,
    MOVE_WORDS,
    can_move_quietly,
    generate,
    is_progress,
    successor,
)
from neche.games.checkers.perft import count_leaves
from neche.games.checkers.playout import play_out
from neche.games.checkers.walk import CheckersPlayout, begin, lost, step, steps_of
from neche.games.checkers.wary_walk import CautiousPlayout
from neche.games.contract import PlayoutRule, QuietRule, register
from neche.games.draughts.game import draughts_game
from neche.games.draughts.notation import DraughtsNotation
from neche.games.sensors import DARK_8X8

register(
    Checkers,
    generate=generate,
    generate_captures=generate_captures,
    is_quiet=lambda position: jumpers(position) == 0,
    can_move_quietly=can_move_quietly,
    successor=successor,
    move_words=MOVE_WORDS,
    max_moves=MAX_MOVES,
    position_words=lambda position: (join(position.own, position.foe), join(position.kings, position.turn)),
    is_progress=is_progress,
    play_out=play_out,
    avoids_cycles=True,
    position_at=lambda columns, index: Checkers(
        columns.own[index], columns.foe[index], columns.kings[index], columns.turn[index]
    ),
    position_in=lambda sample, table, row, index: Checkers(
        np.uint32(table[row, index]),
        np.uint32(table[row + 1, index]),
        np.uint32(table[row + 2, index]),
        np.uint32(table[row + 3, index]),
    ),
    playout_words=NUM_WORDS,
    playout_load=load,
)
register(Checkers, rule=QuietRule, playout_init=lambda position, plies, rule: begin(position, plies))
register(
    CheckersPlayout,
    playout_draws=True,
    playout_steps=lambda playout, rule: steps_of(playout),
    playout_is_over=lambda playout, steps, rule: steps.total == 0 or playout.quiet >= rule.quiet_plies,
    playout_result=lambda playout, steps, rule: (
        lost(playout) if steps.total == 0 else np.int32(0),
        playout.plies,
    ),
    playout_step=step,
    playout_store=store,
)
register(
    Checkers, rule=PlayoutRule, playout_init=lambda position, plies, rule: wary_walk.begin(position, plies)
)
register(
    CautiousPlayout,
    playout_draws=True,
    playout_steps=wary_walk.steps_of,
    playout_is_over=wary_walk.is_over,
    playout_result=lambda playout, steps, rule: (
        wary_walk.outcome(playout.inner, steps, rule),
        playout.inner.plies,
    ),
    playout_step=wary_walk.step,
)

# Squares are numbered 1 = b8, 4 = h8, 29 = a1, 32 = g1. Source: WCDF rules.
NOTATION = DraughtsNotation(
    record=Checkers,
    word=np.uint32,
    generate=generate,
    max_moves=MAX_MOVES,
    rows=BIT_ROWS,
    max_pieces=12,
    start="B:W21-32:B1-12",
    kings_fly=False,
    men_capture_backward=False,
)
GAME = draughts_game(
    "checkers",
    NOTATION,
    start=start,
    count_leaves=count_leaves,
    sensors=DARK_8X8,
    champion="network:file=champion",
    pdn=PdnNotation(21, "B,8,8,N1,0", ("1-0", "1/2-1/2", "0-1"), False),
)
