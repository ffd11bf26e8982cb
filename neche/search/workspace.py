"""What a search works in: move buffer, transposition table, counters. One for each thread."""

from typing import Any, NamedTuple

import numpy as np

from neche.games.catalogue import Game
from neche.search.transposition import MAX_ENTRY_WORDS

MAX_PLY = 96
"""Plies from the root that a line can have: the deepest search and the longest run of captures after it."""
NODES, STOP, OWNER = 0, 1, 2


class Workspace(NamedTuple):
    """Buffers of one search thread.

    moves: [MAX_PLY · moves a position · words a move], the game's word type. table: [entries · 4] uint64.
    counters: [4] int64 – nodes visited so far, a flag that stops the search when another thread sets it, and
    the last owner of table entries that was given out. root: [moves a position] int64 – values of the root
    moves of the last search.
    """

    moves: Any
    table: Any
    counters: Any
    root: Any


def new_workspace(game: Game, *, table_bits: int) -> Workspace:
    """Allocate buffers with a transposition table of 2^table_bits entries."""
    return Workspace(
        game.move_buffer(MAX_PLY * game.max_moves),
        np.zeros(MAX_ENTRY_WORDS << table_bits, np.uint64),
        np.zeros(4, np.int64),
        np.zeros(game.max_moves, np.int64),
    )
