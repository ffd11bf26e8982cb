"""What the Othello board looks like: 64 equal squares, row 1 at the top, dots around the middle."""

from neche.games.geometry import BoardGeometry, Piece
from neche.games.othello.board import Othello
from neche.games.othello.notation import SQUARES


def _pieces(position: Othello) -> dict[str, Piece]:
    own, foe, turn = map(int, position)
    return {
        square: Piece(turn if own & (1 << bit) else 1 - turn)
        for bit, square in enumerate(SQUARES)
        if (own | foe) & (1 << bit)
    }


LOOK = BoardGeometry(
    columns=tuple("abcdefgh"),
    rows=tuple("12345678"),
    squares=SQUARES,
    pieces=_pieces,
    is_dark=(True, False),
    letters=("X", "O"),
    dots=((2, 2), (6, 2), (2, 6), (6, 6)),
)
