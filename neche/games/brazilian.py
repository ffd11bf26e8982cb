"""Brazilian draughts: international rules on 8×8 squares.

The board is that of American checkers (`games/checkers/board.py`): bits, steps, and the numbers of the
squares, 1 = b8, 4 = h8, 29 = a1, 32 = g1. So bit i is what sensor i of a network sees.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import join, nth_index32, rotate_left
from neche.games.catalogue import PdnNotation
from neche.games.checkers.board import (
    BIT_ROWS,
    BLACK_START,
    INTO_DOWN_LEFT,
    INTO_DOWN_RIGHT,
    INTO_UP_LEFT,
    INTO_UP_RIGHT,
    ROW_1,
    ROW_8,
    WHITE_START,
    down_left,
    down_right,
    up_left,
    up_right,
)
from neche.games.draughts.board import WHITE, register_board
from neche.games.draughts.game import draughts_game
from neche.games.draughts.moves import generate
from neche.games.draughts.notation import DraughtsNotation
from neche.games.draughts.perft import count_leaves
from neche.games.draughts.rules import register_draughts
from neche.games.draws import DrawRule
from neche.games.sensors import DARK_8X8


class Brazilian(NamedTuple):
    """A position; the fields are uint32. Own is the side to move; kings is a subset of own | foe."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


def start() -> Brazilian:
    """Return the start position: twelve men a side, White to move."""
    return Brazilian(WHITE_START, BLACK_START, np.uint32(0), np.uint32(WHITE))


def _step(position: Any, squares: Any, direction: Any) -> Any:
    if direction == 0:
        return np.uint64(up_right(squares))
    if direction == 1:
        return np.uint64(up_left(squares))
    if direction == 2:
        return np.uint64(down_right(squares))
    return np.uint64(down_left(squares))


def _places(position: Any, direction: Any) -> Any:
    """1, 9, 23, 31, see `games/checkers/board.py`."""
    right = np.uint32(23) if direction > np.uint32(1) else np.uint32(1)
    return np.uint32(right + (np.uint32(8) if direction & np.uint32(1) else np.uint32(0)))


def _entered(position: Any, direction: Any) -> Any:
    right = INTO_DOWN_RIGHT if direction > np.uint32(1) else INTO_UP_RIGHT
    left = INTO_DOWN_LEFT if direction > np.uint32(1) else INTO_UP_LEFT
    return left if direction & np.uint32(1) else right


register_board(
    Brazilian,
    word=np.uint32,
    all_squares=np.uint64(0xFFFFFFFF),
    main_diagonal=np.uint64(0b11111111),
    king_rows=(np.uint64(ROW_8), np.uint64(ROW_1)),
    step=_step,
    turned=lambda position, squares, places: rotate_left(np.uint32(squares), np.uint32(places)),
    places=_places,
    entered=_entered,
    nth_index=lambda position, squares, number: nth_index32(squares, number),
    path_words=3,
)


# Quiet moves are 156 at most: twelve kings on an empty board have 13 each. The most captures known are 40
# (docs/decisions/0021).
MAX_MOVES = 160

register_draughts(
    Brazilian,
    max_moves=MAX_MOVES,
    position_words=lambda position: (join(position.own, position.foe), join(position.kings, position.turn)),
)

NOTATION = DraughtsNotation(
    record=Brazilian,
    word=np.uint32,
    generate=generate,
    max_moves=MAX_MOVES,
    rows=BIT_ROWS,
    max_pieces=12,
    start="W:W21-32:B1-12",
)
GAME = draughts_game(
    "brazilian",
    NOTATION,
    start=start,
    count_leaves=count_leaves,
    sensors=DARK_8X8,
    # CBJD 97b, 98, 99 with item 18 of the summary, and 100: see `draughts/endings.py`
    draws=DrawRule(40, True, 3, endings=(10, 0, 10, 10)),
    pdn=PdnNotation(26, "W,8,8,A0,0", ("1-0", "1/2-1/2", "0-1"), True),
)
