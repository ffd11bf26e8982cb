"""Labelled positions: on disk as a directory of shards, in memory as arrays, planes and batches.

A shard holds the positions of a fixed number of games. It is an .npz file (see `network.array_file`), written
completely or not at all; its header names the settings, so that a shard of another dataset is recognised, and
its bytes depend only on the settings and its number.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game as find_game, rules_digest
from neche.games.game import Game
from neche.network.array_file import Arrays, from_bytes, to_bytes
from neche.storage import read_file, write_file

FORMAT = "neche dataset 1"


class Positions(NamedTuple):
    """N positions with their games, and the M moves of all of them, in the order of their generation.

    own, foe, kings: [N] uint32 or uint64, fields of the game's positions; kings 0 if it has none. turn:
    [N] uint8, the side to move as in `Game.sides`. game: [N] uint32, number of the game. ply: [N] uint16,
    plies played before. plies: [N] uint16, length of the whole game. outcome: [N] int8, of that game for the
    side to move: 1 won, 0 drawn, −1 lost. value: [N] float32, the labeller's expected score 0..1; this and
    the rest are empty without a labeller. num_moves: [N] uint8, number of legal moves. visits: [M] uint32,
    playouts or visits of each move. move_value: [M] float32, its value.
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
    """Return an empty record."""
    return Positions._make(np.zeros(0, kind) for kind in _TYPES.values())


def shard_path(directory: Path, number: int) -> Path:
    """Return the path of shard `number`."""
    return directory / f"shard-{number:06}.npz"


def shard_paths(directory: Path) -> list[Path]:
    """Return the paths of all shards, in order; InputError if there is none, or a number is missing."""
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    paths = sorted(directory.glob("shard-*.npz"), key=lambda path: (len(path.name), path.name))
    if not paths:
        raise InputError(f"{directory}: holds no dataset")
    for number, path in enumerate(paths):
        if path != shard_path(directory, number):
            raise InputError(f"{shard_path(directory, number)}: is missing")
    return paths


def write_shard(path: Path, header: Mapping[str, Any], positions: Positions) -> None:
    """Write a shard completely; InputError if it cannot be written."""
    columns = positions._asdict().items()
    arrays = {name: column.astype(_type_of(name, column)) for name, column in columns}
    write_file(path, to_bytes({"format": FORMAT, **header}, arrays))


def _type_of(name: str, array: NDArray[Any]) -> np.dtype[Any]:
    """Return the type in which a column is stored; boards of more than 32 squares have longer words."""
    return np.dtype("<u8") if name in _WORDS and array.dtype.itemsize == _LONG else _TYPES[name]


def read_shard(path: Path) -> tuple[dict[str, Any], Positions]:
    """Return header and positions of a shard; InputError if it is unreadable, damaged or not a shard."""
    header, arrays = from_bytes(read_file(path), str(path))
    if header.pop("format", None) != FORMAT:
        raise InputError(f"{path}: is no dataset of this version of neche")
    _check(path, arrays)
    return header, Positions(**arrays)


def _check(path: Path, arrays: Arrays) -> None:
    """Raise InputError unless the arrays are those of `Positions`, with consistent lengths."""
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
    return Positions._make(map(np.concatenate, zip(*(parts or [no_positions()]), strict=True)))


def read_dataset(directory: Path) -> Positions:
    """Return all positions of a dataset, shard after shard; InputError if a file is damaged or missing."""
    read = {path: read_shard(path) for path in shard_paths(directory)}
    first = next(iter(read.values()))[0]
    for number, (path, (header, _)) in enumerate(read.items()):
        # Older shards hold no digest of the rules, which others compare; random moves need no search.
        free = {"rules": "", **({"depth": 0} if first.get("moves") == "random" else {})}
        if {"shard": number, **header, **free} != {**first, "shard": number, **free}:
            raise InputError(f"{path}: is not shard {number} of the same dataset as the first shard")
    return joined([positions for _, positions in read.values()])


def game_of(directory: Path) -> Game:
    """Return a dataset's game; InputError if a file is damaged or missing, or the rules were edited since."""
    path = shard_paths(directory)[0]
    header = read_shard(path)[0]
    if not isinstance(name := header.get("game"), str):
        raise InputError(f"{path}: its header names no game")
    if header.get("rules", rules := rules_digest(name)) != rules:
        raise InputError(f"{path}: was made with other rules of {name}; make the dataset again")
    return find_game(name)


def planes_of(
    positions: Positions, game: Game, rows: slice | NDArray[np.integer[Any]] = slice(None)
) -> NDArray[np.float32]:
    """Return the boards as the side to move sees them: [N, planes, rows, columns], see `games.planes`.

    rows: positions to take, by default all. InputError if the game defines no planes.
    """
    if game.planes is None:
        raise InputError(f"no convolutional network sees the board of {game.name}")
    boards = [getattr(positions, field)[rows] for field in game.planes.fields]
    return game.planes.of(boards, positions.turn[rows])


def labels_of(positions: Positions) -> NDArray[np.float32]:
    """Return what each position is worth to the side to move: [N], −1 … 1.

    With a labeller: twice the mean score, minus one. Without: the outcome times the fraction of the game
    played so far, so 0 at the start and ±1 at the end, as early positions are not yet won or lost.
    """
    if len(positions.value):
        return (2 * mean_scores(positions) - 1).astype(np.float32)
    progress = positions.ply / np.maximum(positions.plies, 1)
    return (positions.outcome * progress).astype(np.float32)


def mean_scores(positions: Positions) -> NDArray[np.float64]:
    """Return the mean score of all visits of each labelled position: [N], 0 … 1, for the side to move.

    This is the score of random play from there, or Q(s) of a tree. `positions.value`, the score of the best
    move alone, is higher: it has one good move before the random ones, and to a network that learns it the
    right to move is worth most of a man (docs/log.md). If the labeller has no visits, that value is returned.
    """
    begins = np.cumsum(positions.num_moves, dtype=np.int64) - positions.num_moves
    visits = np.add.reduceat(positions.visits.astype(np.float64), begins)
    scores = np.add.reduceat(positions.visits * positions.move_value.astype(np.float64), begins)
    return np.where(visits > 0, scores / np.maximum(visits, 1), positions.value)


def batches(
    positions: Positions,
    size: int,
    *,
    game: Game,
    seed: int,
    epoch: int = 0,
    among: NDArray[np.integer[Any]] | None = None,
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Yield planes [B, planes, rows, columns] and labels [B] in random order, `size` at a time.

    among: rows of positions to take; None: all.
    """
    rows = np.arange(len(positions.own)) if among is None else among
    order = rows[stream(seed, epoch, "dataset: batches").permutation(len(rows))]
    labels = labels_of(positions)
    for begin in range(0, len(order), size):
        few = order[begin : begin + size]
        yield planes_of(positions, game, few), labels[few]
