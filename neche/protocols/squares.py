"""Draughts boards and moves by square numbers, which is what the protocols of draughts have in common."""

import re
from typing import Any, NamedTuple

from neche.errors import InputError
from neche.games.catalogue import Game, Move

_LETTERS = {"w": ("W", ""), "W": ("W", "K"), "b": ("B", ""), "B": ("B", "K")}
_NUMBER = re.compile(r"\d+")
_LONGEST_SHOWN = 80


class Leap(NamedTuple):
    """A move by its first and last square and the captured ones, of which a quiet move has none."""

    start: int
    end: int
    captured: frozenset[int]


def num_squares(game: Game) -> int:
    """Return how many squares the board of a draughts game has.

    The last square is taken in the start position.
    """
    return max(map(int, _NUMBER.findall(game.format_fen(game.start()))))


def read_board(side: str, letters: str, game: Game) -> Any:
    """Return a position. side: W or B. letters: w, b men, W, B kings or e, for each square in order.

    Raises:
        InputError: there are too few or many squares or other letters, or no such position can be.
    """
    count = num_squares(game)
    if side not in ("W", "B") or not re.fullmatch(r"[wbWBe]*", letters) or len(letters) != count:
        raise InputError(
            f"position {shown(side + letters)}: {game.name} needs the side to move and {count} squares"
        )
    lists: dict[str, list[str]] = {"W": [], "B": []}
    for square, letter in enumerate(letters, 1):
        if letter != "e":
            owner, king = _LETTERS[letter]
            lists[owner].append(f"{king}{square}")
    return game.parse_fen(f"{side}:W{','.join(lists['W'])}:B{','.join(lists['B'])}")


def write_board(position: Any, game: Game) -> tuple[str, str]:
    """Return side and letters of a position: the exact inverse of `read_board`."""
    fen = game.format_fen(position)
    letter_at = _letters(fen)
    return fen[0], "".join(letter_at.get(square, "e") for square in range(1, num_squares(game) + 1))


def _letters(fen: str) -> dict[int, str]:
    """Return the letter of each piece in a FEN that the program wrote, by its square."""
    return {
        int(word.lstrip("K")): part[0] if word.startswith("K") else part[0].lower()
        for part in fen.split(":")[1:]
        for word in filter(None, part[1:].split(","))
    }


def leap_of(move: Move, position: Any, game: Game) -> Leap:
    """Return what a legal move of a position does."""
    route = [int(number) for number in _NUMBER.findall(move.text)]
    if "x" not in move.text:
        return Leap(route[0], route[-1], frozenset())
    fen = game.format_fen(position)
    foe = "b" if fen.startswith("W") else "w"
    before, after = _letters(fen), _letters(game.format_fen(move.after))
    gone = {square for square, letter in before.items() if letter.lower() == foe and square not in after}
    # the last square may be one where a piece was captured on the way: then the capturing piece stands there
    gone |= {
        square
        for square, letter in before.items()
        if letter.lower() == foe and after.get(square, foe).lower() != foe
    }
    return Leap(route[0], route[-1], frozenset(gone))


def find_move(wanted: Leap, text: str, position: Any, game: Game) -> Move:
    """Return the legal move that does this; the captured squares may be missing where that is enough.

    text: as it was written, for the complaint.

    Raises:
        InputError: there is none, or there are several.
    """
    near = []
    for move in game.legal_moves(position):
        numbers = _NUMBER.findall(move.text)
        if (int(numbers[0]), int(numbers[-1])) == (wanted.start, wanted.end):
            near.append(move)
    if wanted.captured:
        near = [move for move in near if leap_of(move, position, game).captured == wanted.captured]
    if not near:
        raise InputError(f"{shown(text)} is not legal in {game.format_fen(position)}")
    if len(near) > 1:
        raise InputError(f"{shown(text)} could be {' or '.join(move.text for move in near)}")
    return near[0]


def shown(text: str) -> str:
    """Return a piece of what came in, shortened, to be quoted in a complaint."""
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")
