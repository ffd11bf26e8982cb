"""Every position of at most two white kings and one black king, solved backwards from finished games.

Slow and obvious: moves come from the twin of the rules, and all positions are looked at again until nothing
changes. Those that are then neither won nor lost are drawn.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from tests.oracles import checkers_twin as twin

Kings = tuple[frozenset[int], frozenset[int], str]
"""Squares of the white kings, of the black kings, and the side to move."""


def kings_of(position: twin.Position) -> Kings:
    """Return the kings of a position without men."""
    squares: dict[str, set[int]] = {"W": set(), "B": set()}
    for place, letter in position.board.items():
        squares[letter].add(twin.number(place))
    return frozenset(squares["W"]), frozenset(squares["B"]), position.turn


def position_of(kings: Kings) -> twin.Position:
    """Return the position with these kings."""
    white, black, turn = kings
    board = {twin.square(number): "W" for number in white} | {twin.square(number): "B" for number in black}
    return twin.Position(board, turn)


def all_kings() -> Iterator[Kings]:
    """Yield all positions of at most two white kings and one black king, with either side to move."""
    for num_white in (0, 1, 2):
        for white in combinations(range(1, 33), num_white):
            for black in [(), *((number,) for number in range(1, 33) if number not in white)]:
                for turn in "WB":
                    yield frozenset(white), frozenset(black), turn


@cache
def solved() -> dict[Kings, int]:
    """Map decided positions to n + 1 if the side to move wins in n plies, or to −(n + 1) if it loses in n.

    The winner plays for the shortest game, the loser for the longest.
    """
    after = {
        kings: [kings_of(move.after) for move in twin.moves(position_of(kings))] for kings in all_kings()
    }
    results = {kings: -1 for kings, moves in after.items() if not moves}
    newly = len(results)
    plies = 0
    while newly:
        plies += 1
        found = {}
        for kings, moves in after.items():
            if kings not in results:
                known = [results.get(move, 0) for move in moves]
                if min(known) < 0:
                    found[kings] = plies + 1
                elif min(known) > 0:
                    found[kings] = -(plies + 1)
        newly = len(found)
        results |= found
    return results
