"""Read a dataset for training: boards as planes, and one label for each from −1 to +1."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.compiled.streams import stream
from neche.dataset.shards import Positions, joined, no_positions, read_shard, shard_paths
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.games.catalogue import game as find_game


def read_dataset(directory: Path) -> Positions:
    """Return all positions of a dataset, shard after shard.

    Raises:
        InputError: naming the file that is missing, damaged or no shard.
    """
    return joined([read_shard(path)[1] for path in shard_paths(directory)])


def game_of(directory: Path) -> Game:
    """Return the game whose positions a dataset holds.

    Raises:
        InputError: naming the file that is missing, damaged or no shard.
    """
    path = shard_paths(directory)[0]
    name = read_shard(path)[0].get("game")
    if not isinstance(name, str):
        raise InputError(f"{path}: its header names no game")
    return find_game(name)


def planes_of(positions: Positions, game: Game) -> NDArray[np.float32]:
    """Return the boards as the side to move sees them: [N, planes, rows, columns], see `games.planes`.

    Raises:
        InputError: networks see nothing of this game.
    """
    if game.planes is None:
        raise InputError(f"no convolutional network sees the board of {game.name}")
    return game.planes.of([getattr(positions, field) for field in game.planes.fields], positions.turn)


def labels_of(positions: Positions) -> NDArray[np.float32]:
    """Return what each position is worth to the side to move: [N], −1 … 1.

    Where a labeller was asked: twice the mean score, less one. Else the outcome of the game times the part of
    it that was played: 0 at its start, ±1 at its end, for early positions are not yet won or lost.
    """
    if len(positions.value):
        return (2 * mean_scores(positions) - 1).astype(np.float32)
    progress = positions.ply / np.maximum(positions.plies, 1)
    return (positions.outcome * progress).astype(np.float32)


def mean_scores(positions: Positions) -> NDArray[np.float64]:
    """Return the mean score of all visits of each labelled position: [N], 0 … 1, for the side to move.

    It is what random play from there scores, or Q(s) of a tree. `positions.value`, the score of the best move
    alone, is more: the side to move makes one good move before the random ones, and a network that learns
    this takes the right to move for most of a man (docs/log.md). A labeller without visits gives that value.
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

    among: rows of positions to take; None takes all.
    """
    rows = np.arange(len(positions.own)) if among is None else among
    order = rows[stream(seed, epoch, "dataset: batches").permutation(len(rows))]
    labels = labels_of(positions)
    for begin in range(0, len(order), size):
        few = order[begin : begin + size]
        boards = no_positions()._replace(
            **{name: getattr(positions, name)[few] for name in ("own", "foe", "kings", "turn")}
        )
        yield planes_of(boards, game), labels[few]
