"""Slow and obvious twin of sensors by pattern: the groups of squares by name, and what stands on them.

It shares nothing with the package.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from tests.oracles.boards import SQUARES, opposite


def _tall(size: int, columns: Sequence[int], rows: Sequence[int]) -> list[list[str]]:
    """Two columns wide and four rows high: the dark squares of each, from the bottom."""
    letters = "ABCDEFGHIJ"[:size]
    return [
        [f"{letters[2 * pair + (row + 1) % 2]}{row}" for row in range(first, min(first + 4, size + 1))]
        for first in rows
        for pair in columns
    ]


_DARK_8X8 = _tall(8, (0, 3, 2, 1), (1,)) + _tall(8, (2, 1, 0, 3), (5,))
GROUPS: Mapping[str, list[list[str]]] = {
    "checkers": _DARK_8X8,
    "brazilian": _DARK_8X8,
    "international": [
        *_tall(10, (0, 1, 2, 3), (1, 5, 9)),
        *_tall(10, (4,), (1, 5, 9)),
    ],
    "othello": [
        [f"{a}{row}", f"{b}{row}", f"{a}{row + 1}", f"{b}{row + 1}"]
        for half in ("AB EF", "CD GH")
        for row in (1, 3, 5, 7)
        for a, b in half.split()
    ],
}
"""The groups of each board in the order of their sensors, and of their squares."""


def sensors(name: str, board: Mapping[str, tuple[bool, str]], *, first_moves: bool) -> list[int]:
    """One number a group and way that men can stand on it; then one a square for own and enemy kings.

    Ways are numbers to base three, one digit a square, the first square the lowest: 0 empty, 1 own, 2 the
    enemy's. A group of fewer than four squares has as many ways.
    """

    def piece(square: str) -> tuple[bool, str] | None:
        """Is it the mover's, and which is it, as the side to move sees the board?"""
        found = board.get(square if first_moves else opposite(square, SQUARES[name]))
        return found and (found[0] == first_moves, found[1])

    seen = []
    for group in GROUPS[name]:
        digits = [{(True, "m"): 1, (False, "m"): 2}.get(piece(square), 0) for square in group]
        digits += [0] * (4 - len(group))
        ways = [way[::-1] for way in product(range(3), repeat=4)]
        seen += [int(list(way) == digits) for way in ways]
    if name != "othello":
        for is_own in (True, False):
            seen += [int(piece(square) == (is_own, "k")) for square in SQUARES[name]]
    return seen
