"""The functions that draughts needs of a board, dispatched on the type of the position.

A position has the fields own, foe, kings and turn: own is the side to move, kings a subset of own | foe, turn
0 for White, who goes up, and 1 for Black. Here squares are always bits of a uint64, whatever the type of the
fields. Directions: 0 up-right, 1 up-left, 2 down-right, 3 down-left, so that 3 − d is the way back of d.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from neche.compiled.bits import invert64
from neche.compiled.jit import Bool, Position, jit_inlined
from neche.compiled.lanes import PatternsAndKings
from neche.games.contract import needed, optional, register

Squares: TypeAlias = Any
"""A set of squares, a word of the board's type."""
WHITE = 0
BLACK = 1


class Traits(NamedTuple):
    """How the games differ, see the functions of these names; each game cites its rules beside them."""

    kings_fly: bool
    men_capture_backward: bool
    most_must_be_taken: bool


@needed
def step(position: Any, squares: Any, direction: Any) -> Any:
    """Return the squares one step on, or bits of no square beyond the edge; position: any, for its type."""


@needed
def all_squares(position: Any) -> Any:
    """Return the squares of the board; position: any, for its type."""


@needed
def king_row(position: Any) -> Any:
    """Return the row on which men of the side to move are crowned."""


@needed
def turned_around(position: Any, squares: Any) -> Any:
    """Return squares as the other side sees them, the board turned by 180 degrees; position: for its type."""


@needed
def main_diagonal(position: Any) -> Any:
    """Return the squares of the longest diagonal; position: any, for its type."""


@needed
def word(position: Any, squares: Any) -> Any:
    """Return squares, or any integer, in the type of the fields of the position."""


@needed
def turned(position: Any, squares: Any, places: Any) -> Any:
    """Return squares whose bits are rotated left by a number of places; words of the board's type."""


@needed
def places(position: Any, direction: Any) -> Any:
    """Return the rotation, uint32, that makes a step in a direction; direction: uint32, constant or not."""


@needed
def entered(position: Any, direction: Any) -> Any:
    """Return the squares that a step in a direction can end on; a rotation wraps around to others."""


@needed
def nth_index(position: Any, squares: Any, number: Any) -> Any:
    """Return the index, uint32, of square `number` of some squares, the lowest being 0; branch-free."""


@needed
def path_words(position: Any) -> Any:
    """Return how many 32-bit words hold the jumps of a capture, at most 5: a byte for each enemy piece."""


@needed
def kings_fly(position: Position) -> Bool:
    """Return whether kings move and capture over any distance."""


@needed
def men_capture_backward(position: Position) -> Bool:
    """Return whether men capture in all four directions."""


@needed
def most_must_be_taken(position: Position) -> Bool:
    """Return whether only the captures of the most pieces are legal."""


@needed
def pattern_states(position: Any, own: Any, foe: Any) -> Any:
    """Return the states of the groups of the board, see `games.patterns`; position: any, for its type."""


@optional
def king_words(position: Any, own: Any, foe: Any) -> Any:
    """Return own and enemy kings as `lanes.PatternsAndKings` has them; position: any, for its type."""
    return own, foe


@needed
def new_position(position: Any, own: Any, foe: Any, kings: Any, turn: Any) -> Any:
    """Return a position of the same board; position: any, for its type."""


def register_board(
    record: Any,
    *,
    word: Callable[[Any], Any],
    all_squares: np.uint64,
    main_diagonal: np.uint64,
    king_rows: tuple[np.uint64, np.uint64],
    **functions: Any,
) -> None:
    """Register a board from its data. king_rows: of White and Black. functions: the others declared here."""
    white_row, black_row = king_rows
    register(
        record,
        word=lambda position, squares: word(squares),
        all_squares=all_squares,
        main_diagonal=main_diagonal,
        king_row=lambda position: white_row if position.turn == WHITE else black_row,
        new_position=lambda position, own, foe, kings, turn: record(
            word(own), word(foe), word(kings), word(turn)
        ),
        patterns=patterns,
        **functions,
    )


@jit_inlined
def patterns(position: Any, own: Any, foe: Any, kings: Any) -> PatternsAndKings:
    """Implement `contract.patterns` for a board."""
    if position.turn != WHITE:
        own, foe = turned_around(position, own), turned_around(position, foe)
        kings = turned_around(position, kings)
    own_kings, foe_kings = np.uint64(own & kings), np.uint64(foe & kings)
    states = pattern_states(position, np.uint64(own ^ own_kings), np.uint64(foe ^ foe_kings))
    low, high = king_words(position, own_kings, foe_kings)
    return PatternsAndKings(states, low, high)


@jit_inlined
def empty_squares(position: Any) -> Any:
    """Return the free squares."""
    return np.uint64(all_squares(position) & invert64(np.uint64(position.own) | np.uint64(position.foe)))


@jit_inlined
def own_men(position: Any) -> Any:
    """Return the men of the side to move."""
    return np.uint64(np.uint64(position.own) & invert64(np.uint64(position.kings)))


@jit_inlined
def own_kings(position: Any) -> Any:
    """Return the kings of the side to move."""
    return np.uint64(np.uint64(position.own) & np.uint64(position.kings))


@jit_inlined
def passed_on(position: Any, own: Any, foe: Any, kings: Any) -> Any:
    """Return the position with the other side to move; own, foe: pieces of the mover and of its opponent."""
    return new_position(position, foe, own, kings, position.turn ^ np.uint32(1))
