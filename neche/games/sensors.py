"""Sensors of a network: the square that each sees, and its bit in the words of `contract.sensor_words`.

Networks know only the numbers of sensors, boards only squares; a layout maps one to the other for a board.
Sensors by kind: one for each kind of piece and square, the kinds being own man, own king, enemy man, enemy
king; or, without kings, own and enemy disc. Sensors by pattern: one for each of the 81 ways that men can
stand on each group of four squares, then one for an own king on each square, then for an enemy king. The
groups are those of `SensorLayout.groups`, in the order of the states of `contract.patterns`.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from neche.compiled.lanes import STATES

_COLUMNS, _MEN = "ABCDEFGHIJ", ("empty", "own", "enemy")


class Grouping(NamedTuple):
    """Groups of squares, whose states `contract.patterns` returns in this order.

    groups: bits of the squares of each, at most four. is_turned: whether the states of the second side are
    those of the board turned for it. king_bits: rows from that of an own king to that of an enemy king.
    """

    groups: tuple[tuple[int, ...], ...]
    is_turned: bool = True
    king_bits: int = 64


# the even-numbered groups, then the odd: see `patterns.states_of_fours`
_FOURS = Grouping(
    tuple(tuple(range(first, first + 4)) for begin in (0, 4) for first in range(begin, 64, 8)),
    is_turned=False,
)


class SensorLayout:
    """The squares of a board in the order of the sensors that see them.

    squares: name of each, column letter and row number. bits: of each, in `contract.sensor_words`. has_kings:
    whether pieces are men and kings. turned: for each sensor, that of the square which the second side sees
    in its place; None: the board is turned by 180 degrees. grouping: of the squares, for a game that
    registers `contract.patterns`; by default four neighbouring bits are a group.
    """

    def __init__(
        self,
        squares: tuple[str, ...],
        bits: tuple[int, ...],
        *,
        has_kings: bool = True,
        turned: tuple[int, ...] | None = None,
        grouping: Grouping = _FOURS,
    ) -> None:
        self.squares, self.bits, self.has_kings, self.grouping = squares, bits, has_kings, grouping
        if turned is not None:
            self.turned = turned

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of pieces that sensors by kind distinguish, in their order."""
        return ("own man", "own king", "enemy man", "enemy king") if self.has_kings else ("own", "enemy")

    @cached_property
    def num_kind_sensors(self) -> int:
        """Number of sensors by kind."""
        return len(self.kinds) * len(self.squares)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Sensor of each square of each group, in the order of the digits of its states; −1 for no square."""
        at = {bit: sensor for sensor, bit in enumerate(self.bits)}
        return tuple(
            tuple(at.get(bit, -1) for bit in (*group, -1, -1, -1, -1)[:4]) for group in self.grouping.groups
        )

    @cached_property
    def num_pattern_sensors(self) -> int:
        """Number of sensors by pattern; 0 if the second side does not see the same groups of squares."""
        groups = {frozenset(group) - {-1} for group in self.groups if max(group) >= 0}
        other = {frozenset(self.turned[square] for square in group) for group in groups}
        if not self.grouping.is_turned and other != groups:
            return 0
        return STATES * len(groups) + self.has_kings * 2 * len(self.squares)

    def sights(self, num_sensors: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return what each sensor of a dense network sees: the piece, and the squares by number.

        The piece of a pattern has a word for each square, own, enemy or empty: `own empty empty enemy`; or
        `never` for each, if the pattern has a man where the group has no square.
        Empty unless `num_sensors` is the number of sensors by kind or by pattern.
        """
        squares = tuple((square,) for square in range(len(self.squares)))
        if num_sensors == self.num_kind_sensors:
            return tuple(product(self.kinds, squares))
        if num_sensors != self.num_pattern_sensors:
            return ()
        return (*self._seen_patterns, *(product(self.kinds[1::2], squares) if self.has_kings else ()))

    @cached_property
    def _seen_patterns(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        return tuple(
            _pattern(digits[::-1], group)
            for group in self.groups
            if max(group) >= 0
            for digits in product(range(len(_MEN)), repeat=len(group))
        )

    def symmetric_sensors(
        self, symmetries: Iterable[tuple[int, ...]], num_sensors: int
    ) -> tuple[tuple[int, ...], ...]:
        """Return, for each symmetry of a board, the sensor that each sensor by kind or by pattern maps to.

        symmetries: see `Game.symmetries`; the identity comes first. A symmetry that does not map every group
        of squares to a group is left out.
        """
        sights = self.sights(num_sensors)
        sensor_of = {_sight(*sight): sensor for sensor, sight in enumerate(sights)}
        found = [
            tuple(
                sensor_of.get(_sight(piece, tuple(symmetry[square] for square in squares)), -1)
                for piece, squares in sights
            )
            for symmetry in (tuple(range(len(self.squares))), *symmetries)
        ]
        return tuple(sensors for sensors in found if -1 not in sensors)

    @cached_property
    def turned(self) -> tuple[int, ...]:
        """For each sensor, the one that sees the same square when the other side looks at the board."""
        places = [(ord(square[0]), int(square[1:])) for square in self.squares]
        ends = [min(way) + max(way) for way in zip(*places, strict=True)]
        at = {place: sensor for sensor, place in enumerate(places)}
        return tuple(at.get((ends[0] - column, ends[1] - row), -1) for column, row in places)


def _pattern(digits: Sequence[int], group: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """Return piece and squares of a pattern, see `SensorLayout.sights`."""
    men = list(zip(digits, group, strict=True))
    can_be = all(square >= 0 or digit == 0 for digit, square in men)
    seen = [(_MEN[digit] if can_be else "never", square) for digit, square in men if square >= 0]
    return " ".join(word for word, _ in seen), tuple(square for _, square in seen)


def _sight(piece: str, squares: tuple[int, ...]) -> frozenset[tuple[int, str]]:
    """Return what a sensor sees, whatever the order of its squares."""
    pieces = (piece,) if len(squares) == 1 else tuple(piece.split())
    return frozenset(zip(squares, pieces, strict=True))


def square_symmetries(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the seven ways to turn or mirror a square board, squares row by row."""
    rows = [tuple(range(size * row, size * row + size)) for row in range(size)]
    found = []
    for board in (rows, list(zip(*rows, strict=True))):
        for up, right in product((1, -1), repeat=2):
            found.append(tuple(square for row in board[::up] for square in row[::right]))
    return tuple(found[1:])


DARK_8X8 = SensorLayout(
    (
        *("A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8"),
        *("G1", "H2", "A3", "B4", "C5", "D6", "E7", "F8"),
        *("E1", "F2", "G3", "H4", "A5", "B6", "C7", "D8"),
        *("C1", "D2", "E3", "F4", "G5", "H6", "A7", "B8"),
    ),
    tuple(range(32)),
    # two columns wide and four rows high: a1 b2 a3 b4, and so on
    grouping=Grouping(
        tuple(
            tuple((8 * byte + first + square) % 32 for square in (0, 1, 10, 11))
            for first in (0, 4)
            for byte in range(4)
        ),
        king_bits=32,
    ),
)
"""Board square of each sensor of the original program: own side at the bottom, row 1."""

DARK_10X10 = SensorLayout(
    tuple(f"{_COLUMNS[column]}{row}" for row in range(1, 11) for column in range(10) if (column + row) % 2),
    tuple(11 * (row // 2) + 6 * (row % 2) + place for row in range(10) for place in range(5)),
    # Four columns wide and two rows high: two of the first columns and two of the next, twice; one each in
    # rows 9 and 10; then the last two columns, four rows high, and two squares on top.
    grouping=Grouping(
        (
            *(
                tuple(22 * four + 11 * half + place + square for square in (0, 6, 1, 7))
                for four in (0, 1)
                for place in (0, 2)
                for half in (0, 1)
            ),
            (44, 50, 45, 51),
            (),
            (46, 52, 47, 53),
            (),
            *((22 * four + 4, 22 * four + 10, 22 * four + 15, 22 * four + 21) for four in (0, 1)),
            (48, 54),
            (),
        )
    ),
)
"""Row by row from the own side; the bits are those of `draughts/international.py`."""

ALL_8X8 = SensorLayout(
    tuple(f"{column}{row}" for row, column in product(range(1, 9), _COLUMNS[:8])),
    tuple(range(64)),
    has_kings=False,
    # two by two: those of columns a, b and e, f, then of c, d and g, h
    grouping=Grouping(
        tuple(
            tuple(16 * pair + column + square for square in (0, 1, 8, 9))
            for begin in (0, 2)
            for pair in range(4)
            for column in (begin, begin + 4)
        )
    ),
)
"""Row by row, A1 first; the bits are those of `othello/moves.py`."""

LAYOUTS = {len(layout.squares): layout for layout in (DARK_8X8, DARK_10X10, ALL_8X8)}
"""The layouts of the catalogue by number of sensors: enough to draw a network whose game is not known."""


class HandMade(NamedTuple):
    """A hand-made evaluator.

    name: of the kind of player. squares: value of an own man by sensor, whole weight units; a king counts
    double, an enemy piece the negative. mobility: value of one more move than the other side has.
    """

    name: str
    squares: tuple[int, ...]
    mobility: int = 0


def material(layout: SensorLayout) -> HandMade:
    """Count men one and kings two, or discs one."""
    return HandMade("material", (1,) * len(layout.squares))
