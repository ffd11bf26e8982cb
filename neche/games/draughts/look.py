"""What draughts boards look like: pieces on the dark squares, which are numbered from the top left."""

from typing import Any

from neche.games.draughts.notation import Layout, placement
from neche.games.geometry import BoardGeometry, Piece

_COLUMNS = "abcdefghij"


def draughts_look(layout: Layout) -> BoardGeometry:
    """Return the look of a board with White at the bottom."""
    size = len(layout.rows)
    square_of_place = {place: layout.square_of_bit[bit] for bit, place in layout.place_of_bit.items()}
    names = [
        str(square_of_place.get((column, row), "")) for row in reversed(range(size)) for column in range(size)
    ]

    def pieces(position: Any) -> dict[str, Piece]:
        board = placement(position)
        return {
            str(square): Piece(side, bool(board.kings & (1 << layout.bit_of_square[square])))
            for side, word in enumerate((board.white, board.black))
            for square in layout.squares_of(word)
        }

    return BoardGeometry(
        columns=tuple(_COLUMNS[:size]),
        rows=tuple(str(row) for row in range(size, 0, -1)),
        squares=tuple(names),
        pieces=pieces,
        is_checkered=True,
        bottom=0,
    )
