"""Text and pictures of Othello: FEN, squares, moves, diagrams, geometry. Plain Python, off every hot path.

A FEN is the board, a1 to h1, then a2 and so on to h8, as `X` (Black), `O` (White) and `-`, a space, and the
side to move. Row 1 is at the top. A move is its square, `d3`, or `pass`.
"""

import numpy as np

from neche.errors import InputError
from neche.games.game import Move
from neche.games.geometry import BoardGeometry, Piece
from neche.games.othello.moves import BLACK, MAX_MOVES, MOVE_WORDS, Othello, generate, successor

PASS = "pass"
SQUARES = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
_MARKS = "XO"
_EMPTY = "-"
START = "---------------------------OX------XO--------------------------- X"
"""FEN of the start position. Source: World Othello Federation rules."""
_EXPECTED = "expected 64 of X, O and -, from a1 to h8, a space, and X or O to move"


def parse_fen(text: str) -> Othello:
    """Read a position: 64 letters for the squares, then the side to move.

    Lower case is accepted, and so are `*` for X and `.` for an empty square; spaces and quotation marks
    around the text are ignored. InputError if it is malformed.
    """
    letters = "".join(text.strip().strip('"').upper().replace("*", "X").replace(".", _EMPTY).split())
    wrong = next((letter for letter in letters if letter not in _MARKS + _EMPTY), None)
    if wrong is not None:
        raise InputError(f"FEN '{text}': {wrong!r} is no disc; {_EXPECTED}")
    if len(letters) != len(SQUARES) + 1 or letters[-1] not in _MARKS:
        raise InputError(f"FEN '{text}': {_EXPECTED}, such as '{START}'")
    turn = _MARKS.index(letters[-1])
    discs = [
        np.uint64(sum(1 << bit for bit, letter in enumerate(letters[:-1]) if letter == mark))
        for mark in _MARKS
    ]
    return Othello(discs[turn], discs[1 - turn], np.uint64(turn))


def format_fen(position: Othello) -> str:
    """Write a position: the exact inverse of `parse_fen`."""
    return f"{''.join(_letters(position))} {_MARKS[int(position.turn)]}"


def _letters(position: Othello) -> list[str]:
    own, foe, turn = map(int, position)
    mine, theirs = _MARKS[turn], _MARKS[1 - turn]
    return [mine if own >> bit & 1 else theirs if foe >> bit & 1 else _EMPTY for bit in range(len(SQUARES))]


def legal_moves(position: Othello) -> list[Move]:
    """List the legal moves, squares from a1 to h8; only `pass` where the rules demand it."""
    moves = np.zeros(MOVE_WORDS * MAX_MOVES, np.uint64)
    count = int(generate(position, moves, 0))
    taken = int(position.own) | int(position.foe)
    named = []
    for number in range(count):
        placed = int(moves[number]) & ~taken
        text = SQUARES[placed.bit_length() - 1] if placed else PASS
        # Compiled code returns plain integers.
        named.append(Move(text, Othello(*map(np.uint64, successor(position, moves, number)))))
    return named


def score(position: Othello) -> int:
    """Return Black's discs minus White's in a game that is over; empty squares count for the winner.

    Source: World Othello Federation, rules of the game.
    """
    own, foe = (int(discs).bit_count() for discs in (position.own, position.foe))
    black, white = (own, foe) if int(position.turn) == BLACK else (foe, own)
    empty = len(SQUARES) - black - white
    return black - white + empty * ((black > white) - (black < white))


def diagram(position: Othello) -> str:
    """Draw the board, row 1 at the top: X Black, O White, + where the side to move may place a disc."""
    cells = _letters(position)
    for move in legal_moves(position):
        if move.text != PASS:
            cells[SQUARES.index(move.text)] = "+"
    shown = ["." if cell == _EMPTY else cell for cell in cells]
    rows = [f"{row + 1} {' '.join(shown[8 * row : 8 * row + 8])}" for row in range(8)]
    discs = [cells.count(mark) for mark in _MARKS]
    return "\n".join(["  a b c d e f g h", *rows, f"  Black X {discs[BLACK]}, White O {discs[1 - BLACK]}"])


def _pieces(position: Othello) -> dict[str, Piece]:
    own, foe, turn = map(int, position)
    return {
        square: Piece(turn if own & (1 << bit) else 1 - turn)
        for bit, square in enumerate(SQUARES)
        if (own | foe) & (1 << bit)
    }


GEOMETRY = BoardGeometry(
    columns=tuple("abcdefgh"),
    rows=tuple("12345678"),
    squares=SQUARES,
    pieces=_pieces,
    is_dark=(True, False),
    letters=("X", "O"),
    dots=((2, 2), (6, 2), (2, 6), (6, 6)),
)
