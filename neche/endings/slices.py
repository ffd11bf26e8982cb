"""Positions with few pieces, divided into slices by the number of men and kings of each side.

Each position is seen by the side to move, with its men moving up. A slice holds all placements of its pieces
on the squares where they can stand, so there are as many positions as boards with either side to move.

A capture leads to fewer pieces, the crowning of a man to fewer men, and every other move to the mirrored
slice, in which the sides have changed places. So slices are solved in pairs, and pairs in stages: by number
of pieces, then by number of men.
"""

from collections.abc import Iterator
from math import comb
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import popcount
from neche.errors import InputError
from neche.games.contract import is_registered
from neche.games.draughts.board import all_squares, king_row
from neche.games.game import Game

FEWEST_PIECES, MOST_PIECES = 2, 6
"""The fewest and the most pieces that endings can be solved for."""


class Slice(NamedTuple):
    """The pieces of the side to move and of the other.

    >>> Slice(1, 2, 0, 1).name
    '1m2k-0m1k'
    """

    own_men: int
    own_kings: int
    foe_men: int
    foe_kings: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.own_men}m{self.own_kings}k-{self.foe_men}m{self.foe_kings}k"

    @property
    def mirrored(self) -> "Slice":
        """The slice of the other side to move."""
        return Slice(self.foe_men, self.foe_kings, self.own_men, self.own_kings)


class BoardSize(NamedTuple):
    """Where pieces can stand. squares: in all. row: squares in a row; no man is on the row that crowns it.

    >>> BoardSize(32, 4).num_positions(Slice(1, 0, 1, 0))
    760
    """

    squares: int
    row: int

    def num_positions(self, of: Slice) -> int:
        """Return the number of placements of a slice's pieces."""
        middle, men = self.squares - 2 * self.row, of.own_men + of.foe_men
        # Foe men can stand on all squares but the first row of own men and the squares of own men.
        placed = sum(
            comb(self.row, home)
            * comb(middle, of.own_men - home)
            * comb(self.squares - self.row - of.own_men + home, of.foe_men)
            for home in range(min(self.row, of.own_men) + 1)
        )
        left = self.squares - men
        return placed * comb(left, of.own_kings) * comb(left - of.own_kings, of.foe_kings)


def board_of(game: Game) -> BoardSize:
    """Return the board of a game; InputError if it is not played with men and kings."""
    start = game.start()
    if not is_registered(type(start), "king_row"):
        raise InputError(f"endings of {game.name} cannot be solved: it is not played with men and kings")
    return BoardSize(popcount(all_squares(start)), popcount(king_row(start)))


def stages(pieces: int) -> Iterator[list[Slice]]:
    """Yield the slices with up to `pieces` pieces, at least one of each side, in the order of solving.

    The slices in a list do not depend on each other; it has one of each pair of mirrored slices.

    >>> list(stages(2))[0]
    [Slice(own_men=0, own_kings=1, foe_men=0, foe_kings=1)]
    """
    for number in range(FEWEST_PIECES, pieces + 1):
        for men in range(number + 1):
            yield [
                of
                for of in _all_slices(number)
                if of.own_men + of.foe_men == men and 0 < sum(of[:2]) < number and of <= of.mirrored
            ]


def slices_of(pieces: int) -> list[Slice]:
    """List all slices with up to `pieces` pieces, at least one of each side."""
    return [one for stage in stages(pieces) for of in stage for one in pair_of(of)]


def pair_of(of: Slice) -> list[Slice]:
    """List a slice and its mirrored slice, if that is a different one."""
    return [of] if of == of.mirrored else [of, of.mirrored]


def first_positions(board: BoardSize, pieces: int) -> tuple[Any, int]:
    """Return where each slice begins if all are laid out one after another, and where the last one ends.

    Returns an array [7, 7, 7, 7] int64 by the numbers of a slice's pieces, −1 for none. Each slice begins at
    a multiple of four, so that no byte of values belongs to two slices.
    """
    first = np.full((MOST_PIECES + 1,) * 4, -1, np.int64)
    end = 0
    for of in slices_of(pieces):
        first[of] = end
        end += -(-board.num_positions(of) // 4) * 4
    return first, end


def _all_slices(pieces: int) -> Iterator[Slice]:
    """Yield the slices of exactly `pieces` pieces, including those of one side only."""
    for own in range(pieces + 1):
        for own_men in range(own + 1):
            for foe_men in range(pieces - own + 1):
                yield Slice(own_men, own - own_men, foe_men, pieces - own - foe_men)
