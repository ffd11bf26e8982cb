"""Sensors of a network: the square that each sees, and its bit in the words of `contract.sensor_words`.

Networks know sensors by number alone; boards know squares. Here the two meet, once for every kind of board.
Sensors by kind are the squares once for each kind of piece: own man, own king, enemy man, enemy king; without
kings own and enemy disc.
"""

from functools import cached_property
from itertools import product
from typing import NamedTuple

_COLUMNS = "ABCDEFGHIJ"


class SensorLayout:
    """The squares of a board in the order of the sensors that see them.

    squares: name of each, column letter and row number. bits: of each, in `contract.sensor_words`. has_kings:
    whether pieces are men and kings. turned: sensor of the square that the second side sees in the place of
    each; None: the board is turned by 180 degrees.
    """

    def __init__(
        self,
        squares: tuple[str, ...],
        bits: tuple[int, ...],
        *,
        has_kings: bool = True,
        turned: tuple[int, ...] | None = None,
    ) -> None:
        self.squares, self.bits, self.has_kings = squares, bits, has_kings
        if turned is not None:
            self.turned = turned

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of pieces that sensors by kind tell apart, in their order."""
        return ("own man", "own king", "enemy man", "enemy king") if self.has_kings else ("own", "enemy")

    @cached_property
    def num_kind_sensors(self) -> int:
        """Number of sensors by kind."""
        return len(self.kinds) * len(self.squares)

    @cached_property
    def turned(self) -> tuple[int, ...]:
        """Sensor that sees the same square once the board is seen by the other side, for each sensor."""
        columns = [_COLUMNS.index(square[0]) for square in self.squares]
        rows = [int(square[1:]) for square in self.squares]
        at = {place: sensor for sensor, place in enumerate(zip(columns, rows, strict=True))}
        last, ends = max(columns), min(rows) + max(rows)
        return tuple(at[last - column, ends - row] for column, row in zip(columns, rows, strict=True))


def _dark_rows(size: int) -> tuple[str, ...]:
    """Name the dark squares of a board, A1 among them, row by row from the bottom."""
    places = product(range(1, size + 1), range(size))
    return tuple(f"{_COLUMNS[column]}{row}" for row, column in places if (column + row) % 2)


DARK_8X8 = SensorLayout(
    (
        *("A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8"),
        *("G1", "H2", "A3", "B4", "C5", "D6", "E7", "F8"),
        *("E1", "F2", "G3", "H4", "A5", "B6", "C7", "D8"),
        *("C1", "D2", "E3", "F4", "G5", "H6", "A7", "B8"),
    ),
    tuple(range(32)),
)
"""Board square of each sensor of the original program: own side at the bottom, row 1."""

DARK_10X10 = SensorLayout(
    _dark_rows(10), tuple(11 * (row // 2) + 6 * (row % 2) + place for row in range(10) for place in range(5))
)
"""Row by row from the own side; the bits are those of `draughts/international.py`."""

ALL_8X8 = SensorLayout(
    tuple(f"{column}{row}" for row, column in product(range(1, 9), _COLUMNS[:8])),
    tuple(range(64)),
    has_kings=False,
)
"""Row by row, A1 first; the bits are those of `othello/moves.py`."""

LAYOUTS = {len(layout.squares): layout for layout in (DARK_8X8, DARK_10X10, ALL_8X8)}
"""The layouts of the catalogue by number of sensors: enough to draw a network whose game is not known."""


class HandMade(NamedTuple):
    """An evaluator that people wrote.

    name: of the kind of player. squares: worth of an own man by sensor, whole weight units; a king counts
    double, an enemy piece the opposite. mobility: worth of one move more than the other side has.
    """

    name: str
    squares: tuple[int, ...]
    mobility: int = 0


def material(layout: SensorLayout) -> HandMade:
    """Count men one and kings two, or discs one."""
    return HandMade("material", (1,) * len(layout.squares))
