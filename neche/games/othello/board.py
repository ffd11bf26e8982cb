"""The Othello board as two 64-bit words.

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
back.
"""

from typing import Any, NamedTuple

import numpy as np

BLACK = 0
WHITE = 1


class Othello(NamedTuple):
    """A position; the fields are uint64. Own and foe are discs; own is the side to move. turn: 0 Black."""

    own: Any
    foe: Any
    turn: Any


def _word(*bits: int) -> np.uint64:
    return np.uint64(sum(1 << bit for bit in bits))


def start() -> Othello:
    """Return the start position: Black on e4 and d5, White on d4 and e5, Black to move.

    Source: World Othello Federation rules.
    """
    return Othello(_word(28, 35), _word(27, 36), np.uint64(BLACK))
