"""Slow and obvious twin of sensors by pattern, with the groups of squares written out by name.

It shares nothing with the package.
"""

from collections.abc import Mapping
from itertools import product

from tests.oracles.boards import SQUARES, opposite


def _groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.split(",")]


# two columns wide and four rows high
_DARK_8X8 = _groups(
    "A1 B2 A3 B4,G1 H2 G3 H4,E1 F2 E3 F4,C1 D2 C3 D4,E5 F6 E7 F8,C5 D6 C7 D8,A5 B6 A7 B8,G5 H6 G7 H8"
)
GROUPS: Mapping[str, list[list[str]]] = {
    "checkers": _DARK_8X8,
    "brazilian": _DARK_8X8,
    # four columns wide and two rows high, except in the last two columns
    "international": _groups(
        "A1 B2 C1 D2,A3 B4 C3 D4,E1 F2 G1 H2,E3 F4 G3 H4,A5 B6 C5 D6,A7 B8 C7 D8,E5 F6 G5 H6,E7 F8 G7 H8,"
        "A9 B10 C9 D10,E9 F10 G9 H10,I1 J2 I3 J4,I5 J6 I7 J8,I9 J10"
    ),
    "othello": [
        [f"{column}{row}" for row in (first, first + 1) for column in columns]
        for half in (("AB", "EF"), ("CD", "GH"))
        for first in (1, 3, 5, 7)
        for columns in half
    ],
}
"""The groups of each board in the order of their sensors; squares from the lowest digit to the highest."""


def sensors(name: str, board: Mapping[str, tuple[bool, str]], *, first_moves: bool) -> list[int]:
    """Return all sensors, 0 or 1: one for each group and pattern; then own and enemy kings on each square.

    A pattern is a number in base three, one digit a square, the first square the lowest: 0 empty, 1 own man,
    2 enemy man. A group of fewer than four squares has 81 sensors, too.
    """

    def piece(square: str) -> tuple[bool, str] | None:
        """Return whose piece is on a square of the mover's view, True for the mover's, and its kind."""
        found = board.get(square if first_moves else opposite(square, SQUARES[name]))
        return found and (found[0] == first_moves, found[1])

    numbers: dict[tuple[bool, str] | None, int] = {(True, "m"): 1, (False, "m"): 2}
    seen = []
    for group in GROUPS[name]:
        digits = [numbers.get(piece(square), 0) for square in group]
        digits += [0] * (4 - len(group))
        ways = [way[::-1] for way in product(range(3), repeat=4)]
        seen += [int(list(way) == digits) for way in ways]
    if name != "othello":
        for is_own in (True, False):
            seen += [int(piece(square) == (is_own, "k")) for square in SQUARES[name]]
    return seen
