"""Boards as planes of squares: the input of a convolutional network.

A plane is 1 where a field of the position has a piece and 0 elsewhere: own pieces, foe pieces, kings of both
sides. Where the board has a direction, the side to move sees itself at the bottom moving up: row 0 is its own
first row, column 0 its left, so a position with the sides exchanged gives the same planes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from neche.compiled.bits import lowest_index, pop_lowest
from neche.compiled.jit import jit
from neche.games.contract import register


@dataclass(frozen=True, eq=False)
class Planes:
    """Which fields of a position are planes, and where their bits are.

    fields: of the position, one plane each; the first two are own and foe. side: squares in a row and in a
    column. cells: [bits] int64, the cell of each bit, row · side + column; −1 for bits without a square.
    turned: the side that sees the board turned by 180°, an index in `Game.sides`; None: neither.
    """

    fields: tuple[str, ...]
    side: int
    cells: NDArray[np.int64]
    turned: int | None = None

    def of(self, words: Sequence[ArrayLike], turn: ArrayLike) -> NDArray[np.float32]:
        """Return the planes of N positions: [N, planes, side, side]. words: of each field [N]. turn: [N]."""
        columns = np.stack([np.asarray(word, np.uint64) for word in words], axis=1)
        bits = columns[:, :, None] >> np.arange(len(self.cells), dtype=np.uint64) & np.uint64(1)
        flat = np.zeros((*columns.shape, self.side**2), np.float32)
        is_square = self.cells >= 0
        flat[:, :, self.cells[is_square]] = bits[:, :, is_square]
        if self.turned is not None:
            is_turned = np.asarray(turn) == self.turned
            flat[is_turned] = flat[is_turned, :, ::-1]
        return flat.reshape(*columns.shape, self.side, self.side)


def implement_planes(record: type, planes: Planes) -> Planes:
    """Register `contract.write_planes` for positions of type `record`, which have two or three planes."""
    cells, last = planes.cells, np.int64(planes.side**2 - 1)
    turned = np.int64(-1 if planes.turned is None else planes.turned)  # −1: neither side

    def write_two(position: Any, planes: Any) -> None:
        words = np.uint64(position.own), np.uint64(position.foe)
        _write(words, np.int64(position.turn) == turned, cells, last, planes)

    def write_three(position: Any, planes: Any) -> None:
        words = np.uint64(position.own), np.uint64(position.foe), np.uint64(position.kings)
        _write(words, np.int64(position.turn) == turned, cells, last, planes)

    write = {("own", "foe"): write_two, ("own", "foe", "kings"): write_three}[planes.fields]
    register(record, write_planes=write)
    return planes


@jit
def _write(words: Any, is_turned: Any, cells: Any, last: Any, planes: Any) -> None:
    """Write the pieces of each word into a plane; last: number of the last cell."""
    count = len(words)
    for at in range(count * (last + 1)):
        planes[at] = np.float32(0)
    for plane in range(count):
        left = words[plane]
        while left != 0:
            bit, left = pop_lowest(left)
            cell = cells[lowest_index(bit)]
            planes[count * (last - cell if is_turned else cell) + plane] = np.float32(1)
