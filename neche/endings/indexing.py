"""The number of a position in its slice, and the position with a number: one to one, without gaps.

Positions are numbered by their pieces in this order, each kind on the squares that the earlier kinds leave:

    own men on their first row | own men elsewhere | foe men | own kings | foe kings

Men cannot stand on the row that crowns them, so the first row has own men only. The pieces of a kind make one
number in the combinatorial number system: pieces on the squares a < b < c of those left have the number
C(a, 1) + C(b, 2) + C(c, 3). The number of placements of foe men depends on the own men that are not on the
first row, so the positions with none on it come first, then those with one, and so on.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from neche.compiled.bits import invert64, nth_bit, pop_lowest, popcount
from neche.compiled.jit import I64, U64, Array, Position, jit, jit_inlined
from neche.endings.slices import Slice
from neche.games.draughts import board

BINOMIALS = np.array([[comb(n, k) for k in range(8)] for n in range(51)], np.int64)
"""C(n, k) by n and k: [51, 8] int64, enough for 50 squares and 7 pieces of a kind."""


@jit_inlined
def _number_of(pieces: U64, among: U64, binomials: Array) -> I64:
    """Return the number of the set `pieces` among all sets of that size from the squares `among`."""
    number, k = np.int64(0), 1
    while pieces:
        piece, pieces = pop_lowest(pieces)
        below = np.uint64(among & np.uint64(piece - np.uint64(1)))
        number += binomials[popcount(below), k]
        k += 1
    return number


@jit_inlined
def _pieces_of(number: I64, count: I64, among: U64, binomials: Array) -> U64:
    """Return the set of `count` squares with a number, among all such sets from the squares `among`."""
    pieces, place = np.uint64(0), np.int64(popcount(among))
    for k in range(count, 0, -1):
        # The highest place below which there are no more sets than the rest of the number.
        place -= 1
        while binomials[place, k] > number:
            place -= 1
        number -= binomials[place, k]
        pieces |= nth_bit(among, place)
    return np.uint64(pieces)


class BoardRows(NamedTuple):
    """Rows of a board, seen by the side to move.

    home: the first row of own men. middle: all rows but the first and the last. all: every square.
    """

    all: U64
    home: U64
    middle: U64


@jit_inlined
def squares_of(position: Position) -> BoardRows:
    """Return the rows of a board; position: any, for its type."""
    white = board.new_position(position, np.uint64(0), np.uint64(0), np.uint64(0), np.uint32(board.WHITE))
    every, last = np.uint64(board.all_squares(white)), np.uint64(board.king_row(white))
    home = np.uint64(board.turned_around(white, last))
    return BoardRows(every, home, np.uint64(every & invert64(np.uint64(last | home))))


@jit_inlined
def _num_men_placed(squares: BoardRows, home: I64, of: Slice, binomials: Array) -> I64:
    """Return the number of placements of men with `home` own men on their first row."""
    num_row, num_middle = popcount(squares.home), popcount(squares.middle)
    elsewhere = of.own_men - home
    own = binomials[num_row, home] * binomials[num_middle, elsewhere]
    return np.int64(own * binomials[num_row + num_middle - elsewhere, of.foe_men])


@jit
def slice_of(position: Position) -> Slice:
    """Return the slice of a position."""
    own, foe, kings = np.uint64(position.own), np.uint64(position.foe), np.uint64(position.kings)
    num_own, num_foe = popcount(np.uint64(own & kings)), popcount(np.uint64(foe & kings))
    return Slice(popcount(own) - num_own, num_own, popcount(foe) - num_foe, num_foe)


@jit
def seen_upward(position: Position) -> Position:
    """Return a position turned so that the men of the side to move move up."""
    if position.turn == board.WHITE:
        own, foe, kings = np.uint64(position.own), np.uint64(position.foe), np.uint64(position.kings)
    else:
        own = board.turned_around(position, np.uint64(position.own))
        foe = board.turned_around(position, np.uint64(position.foe))
        kings = board.turned_around(position, np.uint64(position.kings))
    return board.new_position(position, own, foe, kings, np.uint32(board.WHITE))


@jit
def number_of(position: Position, of: Slice, binomials: Array) -> I64:
    """Return the number in its slice of a position whose side to move moves up."""
    squares = squares_of(position)
    men, kings = board.own_men(position), board.own_kings(position)
    foe_kings = np.uint64(np.uint64(position.foe) & np.uint64(position.kings))
    foe_men = np.uint64(np.uint64(position.foe) ^ foe_kings)
    at_home, elsewhere = np.uint64(men & squares.home), np.uint64(men & squares.middle)
    num_home = np.int64(popcount(at_home))
    number = np.int64(0)
    for fewer in range(num_home):
        number += _num_men_placed(squares, fewer, of, binomials)
    num_elsewhere = of.own_men - num_home
    num_middle, num_row = popcount(squares.middle), popcount(squares.home)
    men_number = _number_of(at_home, squares.home, binomials) * binomials[num_middle, num_elsewhere]
    men_number += _number_of(elsewhere, squares.middle, binomials)
    foe_among = np.uint64(np.uint64(squares.all ^ squares.home) & invert64(men))
    number += men_number * binomials[num_middle + num_row - num_elsewhere, of.foe_men]
    number += _number_of(foe_men, foe_among, binomials)
    left = np.uint64(squares.all & invert64(np.uint64(men | foe_men)))
    num_left = popcount(left)
    number = number * binomials[num_left, of.own_kings] + _number_of(kings, left, binomials)
    left = np.uint64(left & invert64(kings))
    number = number * binomials[num_left - of.own_kings, of.foe_kings]
    return np.int64(number + _number_of(foe_kings, left, binomials))


@jit
def located(position: Position, binomials: Array) -> tuple[Slice, I64]:
    """Return the slice of a position and its number in it."""
    upward = seen_upward(position)
    of = slice_of(upward)
    return of, number_of(upward, of, binomials)


@jit
def position_of(sample: Position, number: I64, of: Slice, binomials: Array) -> Position:
    """Return the position with a number in a slice; sample: any position, for its type."""
    squares = squares_of(sample)
    num_row, num_middle = popcount(squares.home), popcount(squares.middle)
    num_left = num_row * 2 + num_middle - of.own_men - of.foe_men
    choices = binomials[num_left - of.own_kings, of.foe_kings]
    number, foe_number = number // choices, number % choices
    choices = binomials[num_left, of.own_kings]
    number, own_number = number // choices, number % choices
    home = np.int64(0)
    while number >= _num_men_placed(squares, home, of, binomials):
        number -= _num_men_placed(squares, home, of, binomials)
        home += 1
    num_elsewhere = of.own_men - home
    choices = binomials[num_row + num_middle - num_elsewhere, of.foe_men]
    number, foe_men_number = number // choices, number % choices
    choices = binomials[num_middle, num_elsewhere]
    men = np.uint64(
        _pieces_of(number // choices, home, squares.home, binomials)
        | _pieces_of(number % choices, num_elsewhere, squares.middle, binomials)
    )
    foe_among = np.uint64(np.uint64(squares.all ^ squares.home) & invert64(men))
    foe_men = _pieces_of(foe_men_number, of.foe_men, foe_among, binomials)
    left = np.uint64(squares.all & invert64(np.uint64(men | foe_men)))
    kings = _pieces_of(own_number, of.own_kings, left, binomials)
    left = np.uint64(left & invert64(kings))
    foe_kings = _pieces_of(foe_number, of.foe_kings, left, binomials)
    own, foe = np.uint64(men | kings), np.uint64(foe_men | foe_kings)
    return board.new_position(sample, own, foe, np.uint64(kings | foe_kings), np.uint32(board.WHITE))
