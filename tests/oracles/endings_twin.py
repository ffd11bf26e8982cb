"""Slow and obvious solution of endings: all positions are looked at again until nothing changes.

It shares nothing with the package: moves come from `checkers_twin` or `draughts_twin`. A position is won as
soon as a move leads to a lost one, and lost as soon as every move leads to a won one; the others are drawn.
"""

import random
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

Moves = Callable[[Any], list[Any]]
"""The legal moves of a position, each with the position `after` it."""


def key(position: Any) -> tuple[Any, str]:
    return frozenset(position.board.items()), position.turn


def solve(moves: Moves, starts: Iterable[Any]) -> dict[tuple[Any, str], int | None]:
    """Return the distances of the positions `starts` and of all that can follow them.

    A distance is the number of plies to the end of the game: odd for a win of the side to move, even for a
    loss, None for a draw.
    """
    following: dict[tuple[Any, str], list[tuple[Any, str]]] = {}
    waiting = list(starts)
    while waiting:
        position = waiting.pop()
        if key(position) not in following:
            after = [move.after for move in moves(position)]
            following[key(position)] = [key(one) for one in after]
            waiting += after
    found: dict[tuple[Any, str], int | None] = {}
    plies, is_changing = 0, True
    # Odd rounds find wins, even rounds losses: it takes two rounds without news to end.
    while is_changing or plies % 2:
        news = {
            position: plies
            for position, after in following.items()
            if position not in found and _is_decided(found, after, plies)
        }
        is_changing = bool(news) or (is_changing and plies % 2 == 0)
        found.update(news)
        plies += 1
    return {position: found.get(position) for position in following}


def _is_decided(found: dict[Any, Any], after: list[Any], plies: int) -> bool:
    distances = [found.get(position) for position in after]
    if plies % 2:
        return plies - 1 in distances
    return all(distance is not None and distance % 2 for distance in distances)


def placements(
    make: Callable[[dict[Any, str], str], Any],
    places: Iterable[Any],
    crowned_on: dict[str, int],
    letters: str,
) -> list[Any]:
    """List all positions with these pieces, one letter each, and either side to move.

    make: builds a position of a board and a side. places: (column, row) of the squares. crowned_on: the row
    on which a man of W, or of B, would be a king.
    """
    found = set()
    for chosen in combinations(sorted(places), len(letters)):
        for order in _orders(letters):
            board = dict(zip(chosen, order, strict=True))
            if all(
                letter.isupper() or row != crowned_on[letter.upper()] for (_, row), letter in board.items()
            ):
                found |= {(frozenset(board.items()), turn) for turn in "WB"}
    return [make(dict(board), turn) for board, turn in sorted(found, key=_text)]


def _orders(letters: str) -> set[tuple[str, ...]]:
    if len(letters) < 2:
        return {tuple(letters)}
    return {
        (letter, *rest)
        for index, letter in enumerate(letters)
        for rest in _orders(letters[:index] + letters[index + 1 :])
    }


def _text(placed: tuple[frozenset[Any], str]) -> str:
    board, turn = placed
    return f"{sorted(board)} {turn}"


def sample(positions: list[Any], count: int, seed: int) -> list[Any]:
    return random.Random(seed).sample(positions, count)
