"""American checkers, slow and obvious: a board is a dict from (column, row) to a letter.

It is written from the rules alone (WCDF 1.15 to 1.20) and shares nothing with the package, so an error in one
of the two shows as a difference. Columns 0–7 are A–H, rows 0–7 are 1–8; White is at the bottom and moves up.

     row 7   .  1  .  2  .  3  .  4
     row 6   5  .  6  .  7  .  8  .
     row 5   .  9  . 10  . 11  . 12
     row 4  13  . 14  . 15  . 16  .
     row 3   . 17  . 18  . 19  . 20
     row 2  21  . 22  . 23  . 24  .
     row 1   . 25  . 26  . 27  . 28
     row 0  29  . 30  . 31  . 32  .

Letters: w, b men; W, B kings.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

Square = tuple[int, int]
Board = dict[Square, str]

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
_FORWARD = {"W": 1, "B": -1}
_KING_ROW = {"W": 7, "B": 0}


class Position(NamedTuple):
    """A board and the side to move, "W" or "B"."""

    board: Board
    turn: str


class Move(NamedTuple):
    """A whole move: from, to, the squares it captured, and the position it leads to."""

    start: int
    end: int
    captured: frozenset[int]
    after: Position

    @property
    def text(self) -> str:
        """Write the move in short notation: `11-15`, or `22x15` for a capture."""
        return f"{self.start}{'x' if self.captured else '-'}{self.end}"


def square(number: int) -> Square:
    """Find the square with a PDN number.

    >>> square(1), square(29), square(32)
    ((1, 7), (0, 0), (6, 0))
    """
    row_from_top, place = divmod(number - 1, 4)
    return 2 * place + (row_from_top + 1) % 2, 7 - row_from_top


def number(place: Square) -> int:
    """Number a dark square as PDN does.

    >>> [number(square(n)) for n in (1, 5, 12, 32)]
    [1, 5, 12, 32]
    """
    column, row = place
    return 4 * (7 - row) + column // 2 + 1


def parse(fen: str) -> Position:
    """Read a faultless FEN without ranges."""
    turn, *lists = fen.split(":")
    board: Board = {}
    for side in lists:
        for piece in filter(None, side[1:].split(",")):
            letter = side[0] if piece.startswith("K") else side[0].lower()
            board[square(int(piece.removeprefix("K")))] = letter
    return Position(board, turn)


def fen(position: Position) -> str:
    """Write a position as FEN, squares in rising order.

    >>> fen(parse("W:WK32,9:B1")), fen(parse(START)) == START
    ('W:W9,K32:B1', True)
    """
    lists = []
    for side in "WB":
        pieces = sorted(
            (number(place), letter) for place, letter in position.board.items() if letter.upper() == side
        )
        lists.append(side + ",".join(("K" if letter.isupper() else "") + str(n) for n, letter in pieces))
    return ":".join([position.turn, *lists])


def moves(position: Position) -> list[Move]:
    """List the legal moves: all captures if there is one (1.18, 1.20), otherwise all quiet moves.

    Routes with the same start, end and captured squares are one move.
    """
    pieces = [place for place, letter in position.board.items() if letter.upper() == position.turn]
    captures = {
        (move.start, move.end, move.captured): move for place in pieces for move in _captures(position, place)
    }
    if captures:
        return list(captures.values())
    return [move for place in pieces for move in _steps(position, place)]


def perft(position: Position, depth: int) -> int:
    """Count the lines of play of exactly `depth` plies."""
    if depth == 0:
        return 1
    return sum(perft(move.after, depth - 1) for move in moves(position))


def random_game(seed: int, *, max_plies: int = 300, start: str = START) -> Iterator[Position]:
    """Yield the positions of one random game, to its end or for `max_plies` positions."""
    rng = random.Random(seed)
    position = parse(start)
    for _ in range(max_plies):
        yield position
        choice = moves(position)
        if not choice:
            return
        position = rng.choice(choice).after


def random_position(seed: int) -> Position:
    """Place up to twelve men and kings of each side at random, with many kings and long captures."""
    rng = random.Random(seed)
    places = rng.sample(range(1, 33), rng.randint(2, 24))
    num_white = rng.randint(max(1, len(places) - 12), min(12, len(places) - 1))
    king_chance = rng.random()
    board: Board = {}
    for index, place in enumerate(places):
        side = "W" if index < num_white else "B"
        is_king = square(place)[1] == _KING_ROW[side] or rng.random() < king_chance
        board[square(place)] = side if is_king else side.lower()
    return Position(board, rng.choice("WB"))


def _directions(letter: str) -> list[Square]:
    forward = _FORWARD[letter.upper()]
    rows = (forward, -forward) if letter.isupper() else (forward,)
    return [(column, row) for row in rows for column in (-1, 1)]


def _is_empty(board: Board, place: Square) -> bool:
    return 0 <= place[0] <= 7 and 0 <= place[1] <= 7 and place not in board


def _steps(position: Position, place: Square) -> Iterator[Move]:
    letter = position.board[place]
    for column, row in _directions(letter):
        target = (place[0] + column, place[1] + row)
        if _is_empty(position.board, target):
            yield _finish(position, place, target, frozenset(), letter)


def _captures(position: Position, place: Square) -> Iterator[Move]:
    """Yield every complete capture of one piece; captured pieces stay on the board until the move ends."""
    letter = position.board[place]
    # the piece's own square is empty during its move, so a king may return to it
    board = {other: piece for other, piece in position.board.items() if other != place}
    unfinished: list[tuple[Square, frozenset[Square]]] = [(place, frozenset())]
    while unfinished:
        here, taken = unfinished.pop()
        further = list(_jumps(board, here, taken, letter))
        # 1.19: a man that reaches the king row by a capture is crowned, and its turn ends
        crowned = letter.islower() and here[1] == _KING_ROW[letter.upper()]
        if further and not crowned:
            unfinished.extend(further)
        elif taken:
            yield _finish(position, place, here, taken, letter)


def _jumps(
    board: Board, here: Square, taken: frozenset[Square], letter: str
) -> Iterator[tuple[Square, frozenset[Square]]]:
    for column, row in _directions(letter):
        over = (here[0] + column, here[1] + row)
        landing = (here[0] + 2 * column, here[1] + 2 * row)
        is_foe = over in board and board[over].upper() != letter.upper()
        if is_foe and over not in taken and _is_empty(board, landing):
            yield landing, taken | {over}


def _finish(position: Position, start: Square, end: Square, taken: frozenset[Square], letter: str) -> Move:
    board = {place: piece for place, piece in position.board.items() if place != start and place not in taken}
    board[end] = letter.upper() if end[1] == _KING_ROW[letter.upper()] else letter
    after = Position(board, "B" if position.turn == "W" else "W")
    return Move(number(start), number(end), frozenset(map(number, taken)), after)
