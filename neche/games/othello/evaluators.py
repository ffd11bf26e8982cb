"""The evaluators that every text on Othello begins with."""

from neche.games.evaluators import HandMade, material
from neche.games.sensing import ALL_8X8

# Norvig, Paradigms of Artificial Intelligence Programming (1992), chapter 18: a quarter of the board.
_QUARTER = (
    (120, -20, 20, 5),
    (-20, -40, -5, -5),
    (20, -5, 15, 3),
    (5, -5, 3, 3),
)


def _worth(square: str) -> int:
    column, row = "ABCDEFGH".index(square[0]), int(square[1]) - 1
    return _QUARTER[min(row, 7 - row)][min(column, 7 - column)]


POSITIONAL = HandMade("positional", tuple(map(_worth, ALL_8X8.squares)))
CORNERS = HandMade("corners", tuple(int(square in ("A1", "H1", "A8", "H8")) for square in ALL_8X8.squares))
MOBILITY = HandMade("mobility", (0,) * len(ALL_8X8.squares), mobility=1)

EVALUATORS = (material(ALL_8X8), CORNERS, MOBILITY, POSITIONAL)
