"""A dataset on disk: a directory of shards, each with the positions of so many games, complete or not there.

A shard is an .npz file (see `network.array_file`) whose header names the settings, so one of another dataset
is told apart, and whose bytes follow from settings and number alone.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.archive.storage import read_file, write_file
from neche.errors import InputError
from neche.network.array_file import Arrays, from_bytes, to_bytes

FORMAT = "neche dataset 1"
_PREFIX, _SUFFIX = "shard-", ".npz"


class Positions(NamedTuple):
    """N positions with their games; M moves of all of them together, in the order of their generation.

    own, foe, kings: [N] uint32 or uint64, fields of the game's positions; kings 0 where it has none. turn:
    [N] uint8, the side to move as in `Game.sides`. game: [N] uint32, number of the game. ply: [N] uint16,
    moves made before. plies: [N] uint16, moves of the whole game. outcome: [N] int8, of that game for the
    side to move: 1 won, 0 drawn, −1 lost. value: [N] float32, expected score 0..1 by the labeller; empty
    without one, like the rest. num_moves: [N] uint8, legal moves. visits: [M] uint32, playouts or visits of
    each. move_value: [M] float32.
    """

    own: NDArray[np.uint32]
    foe: NDArray[np.uint32]
    kings: NDArray[np.uint32]
    turn: NDArray[np.uint8]
    game: NDArray[np.uint32]
    ply: NDArray[np.uint16]
    plies: NDArray[np.uint16]
    outcome: NDArray[np.int8]
    value: NDArray[np.float32]
    num_moves: NDArray[np.uint8]
    visits: NDArray[np.uint32]
    move_value: NDArray[np.float32]


_KINDS = ("u4", "u4", "u4", "u1", "u4", "u2", "u2", "i1", "f4", "u1", "u4", "f4")
_TYPES = {name: np.dtype(f"<{kind}") for name, kind in zip(Positions._fields, _KINDS, strict=True)}
_BOARD_COLUMNS = 8
_WORDS, _LONG = ("own", "foe", "kings"), 8


def no_positions() -> Positions:
    """Return none."""
    return Positions._make(np.zeros(0, kind) for kind in _TYPES.values())


def shard_path(directory: Path, number: int) -> Path:
    """Return the path of shard `number`."""
    return directory / f"{_PREFIX}{number:06}{_SUFFIX}"


def shard_paths(directory: Path) -> list[Path]:
    """Return the paths of all shards, in order.

    Raises:
        InputError: there is no such directory, none is in it, or one is missing between others.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    paths = sorted(directory.glob(f"{_PREFIX}*{_SUFFIX}"))
    if not paths:
        raise InputError(f"{directory}: holds no dataset")
    for number, path in enumerate(paths):
        if path != shard_path(directory, number):
            raise InputError(f"{shard_path(directory, number)}: is missing")
    return paths


def write_shard(path: Path, header: Mapping[str, Any], positions: Positions) -> None:
    """Write a shard whole.

    Raises:
        InputError: it cannot be written.
    """
    arrays = {
        name: getattr(positions, name).astype(_type_of(name, getattr(positions, name))) for name in _TYPES
    }
    write_file(path, to_bytes({"format": FORMAT, **header}, arrays))


def _type_of(name: str, array: NDArray[Any]) -> np.dtype[Any]:
    """Return the type that a column is kept as: boards of more than 32 squares have longer words."""
    return np.dtype("<u8") if name in _WORDS and array.dtype.itemsize == _LONG else _TYPES[name]


def read_shard(path: Path) -> tuple[dict[str, Any], Positions]:
    """Return header and positions of a shard.

    Raises:
        InputError: it cannot be read, is damaged, or is no shard.
    """
    header, arrays = from_bytes(read_file(path), str(path))
    if header.pop("format", None) != FORMAT:
        raise InputError(f"{path}: is no dataset of this version of neche")
    _check(path, arrays)
    return header, Positions(**arrays)


def _check(path: Path, arrays: Arrays) -> None:
    """Raise InputError unless the arrays are those of `Positions`, of lengths that fit together."""
    if list(arrays) != list(_TYPES):
        raise InputError(f"{path}: holds {', '.join(arrays)}, not the columns of a dataset")
    count, moves = len(arrays["own"]), int(arrays["num_moves"].sum())
    for name, array in arrays.items():
        wanted = {count} if name in Positions._fields[:_BOARD_COLUMNS] else {0, count}
        if name in ("visits", "move_value"):
            wanted = {moves}
        if array.dtype != _type_of(name, array) or array.ndim != 1 or len(array) not in wanted:
            raise InputError(f"{path}: the column {name} has {array.dtype} {array.shape}")


def joined(parts: list[Positions]) -> Positions:
    """Return the positions of all parts, one after the other."""
    return Positions._make(
        np.concatenate(columns) for columns in zip(*(parts or [no_positions()]), strict=True)
    )
