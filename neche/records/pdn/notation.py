"""Shared by reading and writing PDN: squares by number or by letters, positions, results.

A result is written from the view of the side that begins games of its kind, as the standard's page of results
says; so in American checkers `1-0` is a win for Black. Many spellings are read, the two of the standard are
written.
"""

import re
from collections.abc import Mapping
from functools import cache

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draughts.notation import CLOCK_IN_FEN
from neche.games.game import Game, PdnNotation, geometry_of
from neche.games.geometry import GridPlace
from neche.records.record import BOTH_LOST, DRAWN, FIRST_WON, SECOND_WON, UNKNOWN, result_won_by

Numbering = Mapping[int, int]
"""The game's own square number for each number that a file may use."""

ENDING = (
    r"(?i:(?P<side>white|black)\s+(?:(?P<wins>wins|won)|resigns|resigned|loses|lost)|drawn?(?:\s+agreed)?)"
)
"""A pattern of the words that people write instead of the standard's results."""
DASHES = r"\u2010-\u2015\u2212"
"""Unicode dashes, for a character class: word processors write them instead of hyphens."""
_ITEM = re.compile(r"(K?)([A-Z]?[0-9]{1,2})(?:-\1?([A-Z]?[0-9]{1,2}))?", re.IGNORECASE)
_SPELLINGS = {
    FIRST_WON: "1-0 2-0",
    DRAWN: "1/2-1/2 1-1 1/2 = =-= draw drawn",
    SECOND_WON: "0-1 0-2",
    BOTH_LOST: "0-0",
    UNKNOWN: "* ? - 0 unknown",
}
_MEANING = {"": UNKNOWN} | {text: result for result, texts in _SPELLINGS.items() for text in texts.split()}


@cache
def square_number(name: str) -> Mapping[str, int]:
    """Return the number of each square of a game by its name in letters, `a1`."""
    return {square: number for number, square in square_name(name).items()}


@cache
def square_name(name: str) -> Mapping[int, str]:
    """Return the name in letters of each square of a game by its number."""
    coordinates = geometry_of(game(name)).coordinates
    return {int(number): square for number, square in coordinates.items()}


@cache
def numbering(name: str, attributes: str) -> Numbering | None:
    """Return the numbering of a game type with these attributes (`W,8,8,A0,0`).

    The digit gives the corner of the first square, seen by the side that begins: 0 bottom left, 1 bottom
    right, 2 top left, 3 top right; numbers run along the rows. None: the attributes are not of that form.
    """
    found = re.fullmatch(r"([WB]),[0-9]+,[0-9]+,[ANS]([0-3])(?:,[01])?", attributes.replace(" ", "").upper())
    if found is None:
        return None
    corner = int(found[2]) if found[1] == "W" else 3 - int(found[2])
    from_top, from_right = corner >= 2, corner % 2 == 1

    def order(item: tuple[str, GridPlace]) -> tuple[int, int]:
        column, row = item[1]
        return (row if from_top else -row), (-column if from_right else column)

    listed = sorted(geometry_of(game(name)).places.items(), key=order)
    return {position: int(number) for position, (number, _) in enumerate(listed, start=1)}


def own_numbering(name: str) -> Numbering:
    """Return the game's own numbering."""
    return {number: number for number in square_name(name)}


def read_square(text: str, rules: Game, numbers: Numbering) -> int:
    """Return the game's own number of a square; InputError if it does not exist or no piece stands there."""
    if text[0].isalpha():
        found = square_number(rules.name).get(text.lower())
        if found is None:
            raise InputError(f"{text} is no square that pieces stand on")
        return found
    found = numbers.get(int(text))
    if found is None:
        raise InputError(f"{text} is no square: they are numbered 1 to {len(numbers)}")
    return found


def read_positions(text: str, rules: Game, numbers: Numbering) -> list[str]:
    """Return the FENs in the game's own form that a PDN FEN may mean: one, or two if it names no side.

    Squares may be numbers, ranges of numbers, or column and row; clock fields that programs add are dropped.
    InputError if it is malformed, or the position is impossible.
    """
    # A space between digits stays and is a fault: `2 1` is not square 21.
    fields = re.sub('(?<![0-9]) | (?![0-9])|"', "", " ".join(text.split())).rstrip(".").split(":")
    while len(fields) > 1 and CLOCK_IN_FEN.fullmatch(fields[-1]):
        fields.pop()
    sides = {"W": "W", "B": "B", "?": "WB"}.get(fields[0].upper())
    lists: dict[str, str] = {}
    for part in fields[1:]:
        colour = part[:1].upper()
        if colour not in ("W", "B") or colour in lists:
            raise InputError(f"FEN '{text}': expected one list for W and one for B, found '{part}'")
        lists[colour] = ",".join(_pieces(part[1:], text, rules, numbers))
    if sides is None or not 2 <= len(fields) <= 3:
        raise InputError(f"FEN '{text}': expected SIDE:W…:B… with SIDE W or B")
    listed = f"W{lists.get('W', '')}:B{lists.get('B', '')}"
    return [rules.format_fen(rules.parse_fen(f"{side}:{listed}")) for side in sides]


def _pieces(listed: str, text: str, rules: Game, numbers: Numbering) -> list[str]:
    pieces = []
    for item in filter(None, listed.split(",")):
        found = _ITEM.fullmatch(item)
        if found is None:
            raise InputError(f"FEN '{text}': '{item}' is no square")
        king, low, high = found.groups()
        if high and not (low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
            raise InputError(f"FEN '{text}': '{item}' is no range of squares")
        squares = [low] if not high else [str(square) for square in range(int(low), int(high) + 1)]
        try:
            pieces += [f"{king.upper()}{read_square(square, rules, numbers)}" for square in squares]
        except InputError as fault:
            raise InputError(f"FEN '{text}': {fault}") from None
    return pieces


def write_position(fen: str, rules: Game) -> str:
    """Return the game's own FEN with squares as its PDN game type writes them."""
    if rules.pdn is None or not rules.pdn.is_algebraic:
        return fen
    side, *lists = fen.split(":")
    letters = square_name(rules.name)
    return ":".join([side, *(re.sub("[0-9]+", lambda found: letters[int(found[0])], part) for part in lists)])


def read_result(text: str) -> str | None:
    """Return the result that a text means, None for an unknown spelling.

    >>> read_result("0.5 : .5"), read_result("2–0"), read_result("1-0f"), read_result("1+ - 1-")
    ('1/2-1/2', '1-0', '1-0', None)
    """
    plain = re.sub(f"[{DASHES}]|(?<=.):", "-", re.sub(r"\s|(?<=[0-9])f$", "", text.lower()))
    return _MEANING.get(re.sub(r"½|(?<![0-9])0?[.,]5", "1/2", plain))


def read_ending(text: str, rules: Game) -> str | None:
    """Return the result that words express, None if they do not match `ENDING`."""
    found = re.fullmatch(ENDING, text.strip(" ."))
    if found is None:
        return None
    if not found["side"]:
        return DRAWN
    side = found["side"].capitalize()
    winner = side if found["wins"] else next(other for other in rules.sides if other != side)
    return result_won_by(rules, winner)


def write_result(result: str, notation: PdnNotation) -> str:
    """Return a result as written in the `Result` tag of a game."""
    won, drawn, lost = notation.results
    return {FIRST_WON: won, DRAWN: drawn, SECOND_WON: lost}.get(result, result)
