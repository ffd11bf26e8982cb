"""The figures of a selective search, which say what it omits and adds, and the buffers of one thread."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Array, Moves
from neche.games.game import Game
from neche.search.negamax import MAX_PLY, new_workspace
from neche.search.transposition import MAX_ENTRY_WORDS

MAX_PAST = 256
"""Positions of the game before the root that are checked for repetitions."""
MAX_WORDS = 3
"""Most words of a position."""
HISTORY_KEYS = 1 << 12
NEVER = 99
"""A depth that no search reaches."""
MOST_NODES = 4
"""Index of the workspace counter that holds the node limit of a search."""
LAST_REDUCTION = 63
"""The largest depth and move number with a reduction of their own; larger ones have the same."""


class Selectivity(NamedTuple):
    """What a selective search leaves out and adds; int64. Margins are hundredths of `Selective.scale`.

    reduce_depth: least depth at which late quiet moves are reduced. reduce_after: number of moves that are
    not late. reduce_slope: reduction, hundredths of a ply, per product of the logarithms of depth and move
    number. static_depth: greatest depth at which the evaluation alone may answer, if it is `static_margin`
    per ply of depth above or below the window. cut_depth: least depth at which a search `cut_plies` shallower
    may answer, if it and the evaluation put the position `cut_margin` above the window, or `low_margin` below
    it. history_weight: largest bonus of counted cut-offs in move ordering. window: half-width of the first
    window of a depth, around the previous value. repetitions: whether they are draws. quiet_plies: plies
    without progress that are a draw, by the game's rule; 0: no such rule. endings_pieces: most pieces of
    solved endings that are looked up below the root, if the player has any.
    """

    reduce_depth: I64
    reduce_after: I64
    reduce_slope: I64
    static_depth: I64
    static_margin: I64
    cut_depth: I64
    cut_plies: I64
    cut_margin: I64
    low_margin: I64
    history_weight: I64
    window: I64
    repetitions: I64
    quiet_plies: I64
    endings_pieces: I64


NOTHING = Selectivity(*map(np.int64, (NEVER, *[0] * 4, NEVER, *[0] * 8)))
"""All moves are searched to one depth: the values of `negamax`."""
USUAL = {
    "reduce_depth": 3,
    "reduce_after": 3,
    "reduce_slope": 50,
    "static_margin": 25,
    "cut_depth": 5,
    "cut_plies": 4,
    "cut_margin": 30,
    "low_margin": 30,
    "history_weight": 50,
    "window": 25,
    "repetitions": 1,
    "endings_pieces": NEVER,
}
"""Differences from `NOTHING` in all games; docs/studies/selective-search.md has the value of each."""


def selectivity_of(game: Game, **others: int) -> Selectivity:
    """Return the figures for a game, tuned by play; others: figures that override them."""
    # From the official rule, if man moves reset its count, as they do in this search.
    quiet_plies = game.draws.quiet_plies if game.draws.man_moves_reset else 0
    figures = {**USUAL, "quiet_plies": quiet_plies, **game.selectivity, **others}
    return NOTHING._replace(**{name: np.int64(figure) for name, figure in figures.items()})


class SelectiveWorkspace(NamedTuple):
    """Buffers of one thread of a selective search.

    moves, root, order, scores, killers: as in `negamax.Workspace`. table: shared by the threads of a search.
    counters: as there, and the node limit of the search. history: [HISTORY_KEYS] int64, how often a move
    caused a cut-off, by its key. past: [(MAX_PAST + MAX_PLY) · MAX_WORDS] uint64, words of the positions of
    game and line, the root at MAX_PAST. quiet: [MAX_PAST + MAX_PLY] int64, plies since the last progress.
    reductions: [64 · 64] int64, plies by depth and move number.
    """

    moves: Moves
    table: Array
    counters: Array
    root: Array
    order: Array
    scores: Array
    killers: Array
    history: Array
    past: Array
    quiet: Array
    reductions: Array


def new_table(table_bits: int) -> Any:
    """Return a transposition table of 2^table_bits entries."""
    return np.zeros(MAX_ENTRY_WORDS << table_bits, np.uint64)


def new_selective_workspace(game: Game, figures: Selectivity, table: Any) -> SelectiveWorkspace:
    """Allocate buffers around a table."""
    logarithms = np.log(np.maximum(1, np.arange(LAST_REDUCTION + 1)))
    reductions = 0.5 + np.outer(logarithms, logarithms) * int(figures.reduce_slope) / 100
    base = new_workspace(game, table_bits=0)
    return SelectiveWorkspace(
        *base._replace(table=table, counters=np.zeros(MOST_NODES + 1, np.int64)),
        np.zeros(HISTORY_KEYS, np.int64),
        np.zeros((MAX_PAST + MAX_PLY) * MAX_WORDS, np.uint64),
        np.zeros(MAX_PAST + MAX_PLY, np.int64),
        reductions.astype(np.int64).ravel(),
    )
