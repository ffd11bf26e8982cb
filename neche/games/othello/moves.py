"""The Othello board as two 64-bit words, and the generation of all legal moves, passes included.

Bit numbers; row 1 is at the top, as on score sheets:

         a   b   c   d   e   f   g   h
    1    0   1   2   3   4   5   6   7
    2    8   9  10  11  12  13  14  15
    3   16  17  18  19  20  21  22  23
    4   24  25  26  27  28  29  30  31
    5   32  33  34  35  36  37  38  39
    6   40  41  42  43  44  45  46  47
    7   48  49  50  51  52  53  54  55
    8   56  57  58  59  60  61  62  63

A step to the right is a shift by 1, down by 8, down and right by 9, down and left by 7; the reverse shifts go
back. A move is one word of the buffer: the own discs after it. A pass leaves them as they are.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import invert64, pop_lowest, popcount, reverse64
from neche.compiled.jit import jit, jit_inlined
from neche.compiled.lanes import Patterns
from neche.games.othello.runs import placements, turned
from neche.games.patterns import states_8x8

MOVE_WORDS = 1
# More than any position has: a placement needs two discs on the board.
MAX_MOVES = 62
BLACK = 0


class Othello(NamedTuple):
    """A position; the fields are uint64. Own and foe are discs; own is the side to move. turn: 0 Black."""

    own: Any
    foe: Any
    turn: Any


@jit
def can_move(position: Any) -> Any:
    """Return whether there is a move: the game goes on while one of the sides can place a disc."""
    return placements(position.own, position.foe) != 0 or placements(position.foe, position.own) != 0


@jit
def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from `base` on, squares from a1 to h8; return their number.

    A side that cannot place a disc has one move, a pass, as long as the other side can.
    """
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    squares = placements(own, foe)
    if squares == 0:
        if placements(foe, own) == 0:
            return np.int64(0)
        moves[base] = own
        return np.int64(1)
    at = np.int64(base)
    while squares != 0:
        square, squares = pop_lowest(squares)
        moves[at] = own | square | turned(square, own, foe)
        at += 1
    return np.int64(at - base)


@jit_inlined
def count_moves(position: Any, moves: Any, base: Any) -> Any:
    """Return the number of legal moves, see `contract.count_moves`; a pass is one."""
    squares = placements(position.own, position.foe)
    if squares == 0:
        return np.int64(placements(position.foe, position.own) != 0)
    return np.int64(popcount(squares))


@jit
def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen from the other side."""
    own = np.uint64(moves[at])
    foe = np.uint64(np.uint64(position.foe) & invert64(own))
    return Othello(foe, own, np.uint64(np.uint64(position.turn) ^ np.uint64(1)))


@jit
def outcome(position: Any) -> Any:
    """Return how a finished game ended for the side to move: more discs win."""
    lead = np.int64(popcount(np.uint64(position.own))) - np.int64(popcount(np.uint64(position.foe)))
    return np.int64(1) if lead > 0 else np.int64(-1) if lead < 0 else np.int64(0)


@jit
def mobility(position: Any) -> Any:
    """Return on how many more squares the side to move can place a disc than the other side."""
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    return np.int64(popcount(placements(own, foe))) - np.int64(popcount(placements(foe, own)))


@jit_inlined
def patterns(position: Any, own: Any, foe: Any, kings: Any) -> Patterns:
    """Implement `contract.patterns` for the board."""
    if position.turn != BLACK:
        own, foe = reverse64(own), reverse64(foe)
    return Patterns(states_8x8(own, foe))
